"""A JSON value that knows where it stands, read with its shape checked: errors name file and place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from bench.errors import BenchError


@dataclass(frozen=True, slots=True)
class Node:
    """value: what `json.loads` gave. place: for people, such as `set.json[3].qa[0]`.

    Every reader raises BenchError if the value is not of the kind that its name says.
    """

    value: object
    place: str

    def fail(self, problem: str) -> NoReturn:
        raise BenchError(f"{self.place}: {problem}. The file is not in the format of its data set.")

    # --- the value itself

    def as_text(self) -> str:
        return self.value if isinstance(self.value, str) else self.fail("is no text")

    def as_whole(self) -> int:
        value = self.value
        return (
            value
            if isinstance(value, int) and not isinstance(value, bool)
            else self.fail("is no whole number")
        )

    def as_words(self) -> str:
        """A text, or a whole number written as one: short answers are either."""
        return self.as_text() if isinstance(self.value, str) else str(self.as_whole())

    def each(self) -> list[Node]:
        """The members of a list."""
        if not isinstance(self.value, list):
            self.fail("is no list")
        return [Node(member, f"{self.place}[{n}]") for n, member in enumerate(self.value)]

    def entries(self) -> Iterator[tuple[str, Node]]:
        """The members of an object, by name."""
        if not isinstance(self.value, dict):
            self.fail("is no object")
        for key, member in self.value.items():
            yield str(key), Node(member, f"{self.place}.{key}")

    def leaves(self) -> list[Node]:
        """What lists and objects hold at any depth, in order; a null holds nothing."""
        if self.value is None:
            return []
        if isinstance(self.value, dict):
            return [leaf for _, member in self.entries() for leaf in member.leaves()]
        if isinstance(self.value, list):
            return [leaf for member in self.each() for leaf in member.leaves()]
        return [self]

    # --- a member of an object

    def has(self, key: str) -> bool:
        """Whether the object has the key with a value other than null."""
        return isinstance(self.value, dict) and self.value.get(key) is not None

    def at(self, key: str) -> Node:
        if not isinstance(self.value, dict):
            self.fail("is no object")
        if key not in self.value:
            self.fail(f"has no {key!r}")
        return Node(self.value[key], f"{self.place}.{key}")

    def text(self, key: str) -> str:
        return self.at(key).as_text()

    def whole(self, key: str) -> int:
        return self.at(key).as_whole()

    def list(self, key: str) -> list[Node]:
        return self.at(key).each()

    def texts(self, key: str) -> tuple[str, ...]:
        return tuple(member.as_text() for member in self.list(key))

    def truth(self, key: str) -> bool:
        node = self.at(key)
        return node.value if isinstance(node.value, bool) else node.fail("is neither true nor false")
