"""What is measured, as the measures see it, and how it is fed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import zip_longest
from typing import Protocol

from bench.model import Turn, TurnId
from bench.testbed.generate import ASKED_AT
from bench.testbed.story import Story
from perdure import Memory
from perdure.api.results import MemoryItem
from perdure.core.times import read_time
from perdure.errors import ExtractionFailed, PerdureError
from perdure.testing import FixedClock

PAGE = 500
RESUMES = 5
# What an engine at fault raises: its own errors, and those that nobody meant.
FAULTS = (
    PerdureError,
    ArithmeticError,
    AttributeError,
    LookupError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceOf:
    """What a stored fact rests on: words, and when they were said."""

    text: str
    said_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A stored fact. state: current, closed, upcoming, disputed ...; kind: state, event or ending."""

    id: str
    text: str
    subject: str
    attribute: str | None
    value: str | None
    kind: str
    state: str
    start: datetime | None
    end: datetime | None
    sources: tuple[SourceOf, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One item of an answer, in its place. fact: None for a message, the words of a turn."""

    text: str
    owner: str | None
    state: str
    score: float
    fact: Stored | None = None


class UnderTest(Protocol):
    """What the measures need of a memory: perdure's own, or one made by hand to be wrong."""

    def remember(self, turns: Sequence[Turn], owner: str) -> None: ...

    def finish(self) -> Sequence[str]:
        """Do what was left undone; the owners for whom something is undone still."""

    def now(self) -> datetime:
        """The record time; what was fed before lies before it."""

    def facts(self, owner: str) -> Sequence[Stored]:
        """Every visible fact, closed ones too."""

    def decided(self, owner: str) -> Sequence[str]:
        """The words of every statement that anything was ever decided about."""

    def find(
        self,
        query: str,
        owner: str,
        *,
        limit: int,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> Sequence[Seen]:
        """Best first."""


class PerdureUnderTest:
    """A perdure memory. clock: the one that it was opened with."""

    def __init__(self, memory: Memory, clock: FixedClock) -> None:
        self._memory = memory
        self._clock = clock
        self._unfinished: dict[str, str] = {}
        self._operations: defaultdict[str, list[str]] = defaultdict(list)

    def remember(self, turns: Sequence[Turn], owner: str) -> None:
        """Add the turns. Where the model fails, the messages are kept and `finish` does the rest."""
        try:
            done = self._memory.add([_message(t) for t in turns], user_id=owner)
        except ExtractionFailed as exc:
            self._unfinished[exc.operation_id] = owner
            self._operations[owner].append(exc.operation_id)
        else:
            self._operations[owner] += [done["operation_id"]] if done["operation_id"] else []

    def finish(self) -> Sequence[str]:
        """Resume as a caller would, a few times."""
        for _ in range(RESUMES):
            if not self._unfinished:
                break
            self._memory.resume()
            failed = {operation["id"] for operation in self._memory.operations(state="failed", limit=1000)}
            self._unfinished = {i: owner for i, owner in self._unfinished.items() if i in failed}
        left = sorted(set(self._unfinished.values()))
        self._unfinished.clear()
        return left

    def now(self) -> datetime:
        return self._clock()

    def facts(self, owner: str) -> Sequence[Stored]:
        found: list[Stored] = []
        cursor: str | None = None
        while True:
            page = self._memory.get_all(user_id=owner, validity="all", limit=PAGE, cursor=cursor)
            found += [_stored(item) for item in page["results"]]
            cursor = page["next"]
            if cursor is None:
                return found

    def decided(self, owner: str) -> Sequence[str]:
        return [
            decision["draft"]
            for operation_id in self._operations[owner]
            for decision in self._memory.decisions(operation_id=operation_id)
        ]

    def find(
        self,
        query: str,
        owner: str,
        *,
        limit: int,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> Sequence[Seen]:
        found = self._memory.search(
            query,
            user_id=owner,
            limit=limit,
            as_of=as_of,
            known_at=known_at,
            reference_date=ASKED_AT,
        )
        return [_seen(item) for item in found["results"]]


def _message(turn: Turn) -> dict[str, object]:
    message: dict[str, object] = {
        "role": turn.role,
        "content": turn.text,
        "timestamp": turn.at.isoformat(),
        "id": turn.id,
        "session": turn.session,
    }
    return message | ({"name": turn.speaker} if turn.speaker else {})


def _moment(text: str | None) -> datetime | None:
    return None if text is None else read_time(text, field="time")[0]


def _stored(item: MemoryItem) -> Stored:
    return Stored(
        id=item["id"],
        text=item["memory"],
        subject=item["subject"] or "",
        attribute=item["attribute"],
        value=item["value"],
        kind=item["kind"],
        state=item["state"],
        start=_moment(item["valid_from"]),
        end=_moment(item["valid_to"]),
        sources=tuple(SourceOf(text=s["text"], said_at=_moment(s["said_at"])) for s in item["sources"]),
    )


def _seen(item: MemoryItem) -> Seen:
    return Seen(
        text=item["memory"],
        owner=item["user_id"],
        state=item["state"],
        score=item.get("score", 0.0),
        fact=None if item["kind"] == "episode" else _stored(item),
    )


@dataclass(slots=True, kw_only=True)
class Fed:
    """What became of feeding some stories. known: the record time after each turn, by story and turn.

    raised: what went wrong, by story; such a story is measured as wrong.
    """

    known: dict[str, dict[TurnId, datetime]] = field(default_factory=dict)
    raised: dict[str, str] = field(default_factory=dict)


def feed(
    memory: UnderTest,
    stories: Sequence[Story],
    turns: Mapping[str, Sequence[Turn]],
    *,
    batch: int,
    focus: Callable[[Story | None], None],
) -> Fed:
    """Feed the given turns of each story, a batch of each story in turn, and finish what is left.

    focus: told which story comes next, and None before the rest of several is finished.
    """
    fed = Fed()
    for round_ in zip_longest(*([(s, b) for b in _batches(turns[s.id], batch)] for s in stories)):
        for story, some in (pair for pair in round_ if pair is not None):
            focus(story)
            _feed_one(memory, story, some, fed)
    focus(stories[0] if len(stories) == 1 else None)
    unfinished = memory.finish()
    for story in stories:
        if story.case.owner in unfinished:
            fed.raised.setdefault(story.id, "an add could not be finished")
    return fed


def _feed_one(memory: UnderTest, story: Story, turns: Sequence[Turn], fed: Fed) -> None:
    try:
        memory.remember(turns, story.case.owner)
    except FAULTS as exc:  # the story is wrong, says so in its result, and the others go on
        fed.raised.setdefault(story.id, f"{type(exc).__name__} at {turns[0].id}")
    fed.known.setdefault(story.id, {}).update(dict.fromkeys((t.id for t in turns), memory.now()))


def _batches(turns: Sequence[Turn], size: int) -> Iterator[Sequence[Turn]]:
    return (turns[at : at + size] for at in range(0, len(turns), size))
