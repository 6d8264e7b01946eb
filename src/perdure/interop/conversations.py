"""What every importer gives: conversations of messages that `Memory.add` takes as they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, TypeAlias

from perdure.core.times import read_time
from perdure.errors import InvalidInput, InvalidTime

Message: TypeAlias = dict[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """messages: in order, each with role, content, name, timestamp (None if unknown), id and session."""

    name: str
    messages: tuple[Message, ...]

    def batches(self, size: int) -> Iterator[list[Message]]:
        """At most `size` messages at a time, a new batch with each session."""
        batch: list[Message] = []
        for message in self.messages:
            if batch and (len(batch) == size or message.get("session") != batch[-1].get("session")):
                yield batch
                batch = []
            batch.append(message)
        if batch:
            yield batch


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """problems: what was left out, by place and reason; empty unless bad parts were to be skipped."""

    format: str
    conversations: tuple[Conversation, ...]
    problems: tuple[str, ...] = ()

    @property
    def message_count(self) -> int:
        return sum(len(c.messages) for c in self.conversations)


class Entry(NamedTuple):
    """A value of a file. place: where it stands, for people. key: the same, stable when others are mended."""

    place: str
    key: str
    value: object


def make_message(
    role: str,
    content: str,
    *,
    identifier: str,
    name: str | None = None,
    timestamp: object = None,
    session: str | None = None,
) -> Message:
    return {
        "role": role,
        "content": content,
        "name": name,
        "timestamp": timestamp,
        "id": identifier,
        "session": session,
    }


class Problems:
    """Collects what is wrong with a file: raises at the first unless told to skip."""

    def __init__(self, *, skip: bool) -> None:
        self.skip = skip
        self.found: list[str] = []

    def report(self, place: str, problem: str) -> None:
        if not self.skip:
            raise InvalidInput(place, problem, "Mend it, or skip bad parts with --skip-bad.")
        self.found.append(f"{place}: {problem}")


def read_timestamp(value: object, place: str, problems: Problems) -> object:
    """The time as it was given, if it can be read; else the problem is reported and it is None (unknown)."""
    if value is None:
        return None
    try:
        if isinstance(value, bool) or not isinstance(value, datetime | str | int | float):
            raise InvalidTime("timestamp", "no time", "Use ISO 8601.")
        read_time(value, field="timestamp")
    except InvalidTime:
        problems.report(place, "has a date that cannot be read")
        return None
    return value


def as_text(value: object) -> str:
    """Text as it is; a list of parts as its text parts; else empty."""
    if isinstance(value, str):
        return value
    if isinstance(value, Sequence):
        parts = [p if isinstance(p, str) else p.get("text", "") for p in value if isinstance(p, str | dict)]
        return "\n".join(p for p in parts if isinstance(p, str) and p)
    return ""
