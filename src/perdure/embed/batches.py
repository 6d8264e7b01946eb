"""How much an endpoint takes at a time, found out by being refused. Pure: no I/O."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TypeAlias

# A byte-level tokenizer never makes more tokens than bytes, so this many bytes fit the usual 8,191 tokens.
SAFE_BYTES = 8000
SHORTEST_PART_BYTES = 64

Part: TypeAlias = tuple[int, str]


@dataclass(slots=True)
class _Bound:
    """What lies between the most that was accepted and the least that was refused."""

    accepted: int = 0
    refused: int | None = None

    def target(self, first: int) -> int:
        """How much to send next: midway while the gap is wide, else what is known to be accepted."""
        if self.refused is None:
            return max(first, self.accepted)
        if self.accepted and self.refused - self.accepted <= max(1, self.accepted // 4):
            return self.accepted
        return max(1, (self.accepted + self.refused) // 2)

    def accept(self, amount: int) -> None:
        self.accepted = max(self.accepted, amount)
        if self.refused is not None and self.refused <= self.accepted:
            self.refused = None

    def refuse(self, amount: int) -> None:
        self.refused = amount if self.refused is None else min(self.refused, amount)


@dataclass(slots=True)
class Limits:
    """Limits of one endpoint: inputs in a request, bytes in a request, bytes in one input.

    They are remembered as long as this object lives. `first_inputs` is what the first request may hold.
    """

    first_inputs: int
    longest: int | None = None
    _inputs: _Bound = field(default_factory=_Bound)
    _bytes: _Bound = field(default_factory=_Bound)
    _longest_accepted: int = 0
    _cap: int | None = None

    def parts(self, text: str) -> list[str]:
        """The text, in parts where it is longer than the endpoint takes."""
        return [text] if self.longest is None else split_text(text, self.longest)

    def take(self, waiting: deque[Part]) -> list[Part]:
        """The next inputs to send together: at least one, and no more than is likely to be accepted."""
        most = min(self._inputs.target(self.first_inputs), self._cap or self.first_inputs)
        room = self._bytes.target(0) if self._bytes.refused is not None else None
        batch = [waiting.popleft()]
        size = byte_length(batch[0][1])
        while waiting and len(batch) < most:
            size += byte_length(waiting[0][1])
            if room is not None and size > room:
                break
            batch.append(waiting.popleft())
        return batch

    def accept(self, batch: list[Part]) -> None:
        """Learn from a request that was answered."""
        lengths = [byte_length(text) for _, text in batch]
        self._inputs.accept(len(batch))
        self._bytes.accept(sum(lengths))
        self._longest_accepted = max(self._longest_accepted, *lengths)
        self._cap = None

    def refuse(self, batch: list[Part]) -> list[Part] | None:
        """Learn from a refusal; the inputs to send instead. None if one input is too short to be the cause.

        A text longer than any that was accepted, and than most endpoints take, is suspected first. Then
        the number of inputs, unless as many were accepted before; then their bytes.
        """
        lengths = [byte_length(text) for _, text in batch]
        longest = max(lengths)
        if len(batch) == 1 and longest <= SHORTEST_PART_BYTES:
            self._forget()
            return None
        if len(batch) == 1 or longest > max(SAFE_BYTES, self._longest_accepted):
            limit = SAFE_BYTES if longest > 2 * SAFE_BYTES else (longest + 1) // 2
            self.longest = min(limit, SAFE_BYTES if len(batch) > 1 else limit)
            return [(row, part) for row, text in batch for part in self.parts(text)]
        if len(batch) > self._inputs.accepted:
            self._inputs.refuse(len(batch))
        elif sum(lengths) > self._bytes.accepted:
            self._bytes.refuse(sum(lengths))
        self._cap = max(1, len(batch) // 2)
        return batch

    def _forget(self) -> None:
        """Refusals were not about size after all: what was learned from them would cripple later requests."""
        self.longest = self._cap = None
        self._inputs.refused = self._bytes.refused = None


def split_text(text: str, limit: int) -> list[str]:
    """The text in parts of like size of at most `limit` bytes of UTF-8, cut at blanks where there are any.

    limit: at least 4, the bytes of one character.
    """
    parts: list[str] = []
    rest = text
    while (size := byte_length(rest)) > limit:
        count = -(-size // limit)
        cut = _cut_at(rest, max(4, -(-size // count)))
        parts.append(rest[:cut])
        rest = rest[cut:]
    return [*parts, rest]


def _cut_at(text: str, size: int) -> int:
    """The offset of a cut after at most `size` bytes, behind a blank if one is near."""
    head = text.encode("utf-8")[:size].decode("utf-8", "ignore")
    blank = max(head.rfind(" "), head.rfind("\n"))
    return blank + 1 if blank > len(head) * 4 // 5 else len(head)


def byte_length(text: str) -> int:
    return len(text.encode("utf-8"))
