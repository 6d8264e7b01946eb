"""Memories made by hand: right in all, or wrong in one way. They show that the measures can tell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TypeAlias

from bench.model import Statement, Turn
from bench.testbed.dials import Dials
from bench.testbed.feeding import Seen, SourceOf, Stored, feed
from bench.testbed.generate import ASKED_AT, generate
from bench.testbed.measure import StoryResult
from bench.testbed.run import measure_or_raise
from bench.testbed.story import GoldStatement, Period, Story
from perdure.core.times import read_time

Policy: TypeAlias = "Callable[[list[Stored], Stored], list[Stored]]"


def keep_all(stored: list[Stored], new: Stored) -> list[Stored]:
    """Nothing ever retires anything."""
    return [*stored, new]


def retire_all(stored: list[Stored], new: Stored) -> list[Stored]:
    """Whatever is new retires all that was."""
    closed = [replace(f, state="closed", end=f.end or new.start) for f in stored]
    return [*closed, new]


def merge_all(stored: list[Stored], new: Stored) -> list[Stored]:
    """Everything is one fact, in the first words."""
    if not stored:
        return [new]
    return [replace(stored[0], sources=(*stored[0].sources, *new.sources))]


def fact_of(said: Statement, at: datetime, number: int) -> Stored:
    """The statement as a fact that holds."""
    start = read_time(said.valid_from, field="valid_from")[0] if said.valid_from else at
    return Stored(
        id=f"{number:06}",
        text=said.text,
        subject=said.subject,
        attribute=said.attribute,
        value=said.value,
        kind="ending" if said.ended else said.kind,
        state="current",
        start=start,
        end=None,
        sources=(SourceOf(text=said.text, said_at=at),),
    )


@dataclass(slots=True, kw_only=True)
class ByRule:
    """A memory that takes in perfect statements and lets one rule decide; it finds all, newest first."""

    policy: Policy
    stored: dict[str, list[Stored]] = field(default_factory=dict)
    clock: datetime = ASKED_AT
    count: int = 0

    def remember(self, turns: Sequence[Turn], owner: str) -> None:
        for turn in turns:
            for said in turn.statements:
                self.count += 1
                known = self.stored.get(owner, [])
                self.stored[owner] = self.policy(known, fact_of(said, turn.at, self.count))

    def finish(self) -> Sequence[str]:
        return ()

    def now(self) -> datetime:
        self.clock += timedelta(seconds=1)
        return self.clock

    def facts(self, owner: str) -> Sequence[Stored]:
        return self.stored.get(owner, [])

    def decided(self, owner: str) -> Sequence[str]:
        return [s.text for f in self.facts(owner) for s in f.sources]

    def find(
        self,
        query: str,
        owner: str,
        *,
        limit: int,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> Sequence[Seen]:
        newest = sorted(self.facts(owner), key=lambda f: f.id, reverse=True)
        return [Seen(text=f.text, owner=owner, state=f.state, score=1.0, fact=f) for f in newest[:limit]]


@dataclass(slots=True, kw_only=True)
class Perfect:
    """A memory that holds exactly the gold of one story and answers each question of it right."""

    story: Story
    clock: datetime = ASKED_AT

    def remember(self, turns: Sequence[Turn], owner: str) -> None:
        """It knows already."""

    def finish(self) -> Sequence[str]:
        return ()

    def now(self) -> datetime:
        self.clock += timedelta(seconds=1)
        return self.clock

    def facts(self, owner: str) -> Sequence[Stored]:
        stored: list[Stored] = []
        taken: set[int] = set()
        for number, gold in enumerate(self.story.statements):
            twin = next((f for f in stored if self._is_same(f, gold)), None)
            if twin is not None:
                at = stored.index(twin)
                stored[at] = replace(twin, sources=(*twin.sources, *_sources(gold)))
            elif gold.state not in ("never", "hidden"):
                stored.append(self._placed(gold, number, taken))
        return stored

    def _is_same(self, fact: Stored, gold: GoldStatement) -> bool:
        """True if the fact was made of a statement that says the same as this one."""
        keys = [s.key for s in self.story.statements if s.statement.text == fact.text and s.key != gold.key]
        return any(self.story.relation(gold.key, k) in ("same", "refines") for k in keys)

    def _placed(self, gold: GoldStatement, number: int, taken: set[int]) -> Stored:
        """The statement as a fact, with the period of its value, and the state it has come to."""
        fact = fact_of(gold.statement, gold.at, number)
        states = {"holds": "current", "disputed": "disputed", "past": "closed", "stale": "suspect"}
        fact = replace(fact, state=states.get(gold.state, "current"))
        if gold.state == "unscored":
            return fact
        for span in (p for s in self.story.slots if gold.key in s.tells for p in s.periods):
            is_it = span.value == gold.statement.value and (span.end is None) == (gold.state == "holds")
            if is_it and id(span) not in taken:
                taken.add(id(span))
                return _in_span(fact, span)
        return fact

    def decided(self, owner: str) -> Sequence[str]:
        return [s.statement.text for s in self.story.statements]

    def find(
        self,
        query: str,
        owner: str,
        *,
        limit: int,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> Sequence[Seen]:
        asked = [
            p
            for p in self.story.probes
            if p.text == query and p.as_of == as_of and (p.known_after is None) == (known_at is None)
        ]
        facts = self.facts(owner)
        return [
            Seen(text=value, owner=owner, state="current", score=1.0, fact=_latest(facts, value))
            for value in asked[0].right
        ]


def _latest(facts: Sequence[Stored], value: str) -> Stored | None:
    of_value = [f for f in facts if f.value == value and f.kind != "ending"]
    return of_value[-1] if of_value else None


def _in_span(fact: Stored, span: Period) -> Stored:
    return replace(fact, start=span.start.at if span.start else None, end=span.end.at if span.end else None)


def _sources(gold: GoldStatement) -> tuple[SourceOf, ...]:
    return (SourceOf(text=gold.statement.text, said_at=gold.at),)


def by_rule(dials: Dials, policy: Policy) -> list[StoryResult]:
    """What a memory of that rule makes of all stories."""
    results = []
    for story in generate(dials):
        memory = ByRule(policy=policy)
        fed = feed(memory, [story], {story.id: story.case.turns}, batch=1, focus=lambda _: None)
        results.append(measure_or_raise(memory, story, fed, dials))
    return results


def perfect(dials: Dials) -> list[StoryResult]:
    """What is measured of memories that hold the gold itself."""
    results = []
    for story in generate(dials):
        memory = Perfect(story=story)
        fed = feed(memory, [story], {story.id: story.case.turns}, batch=1, focus=lambda _: None)
        results.append(measure_or_raise(memory, story, fed, dials))
    return results
