"""Which stored fact carries which statement of a story, and what the facts add up to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bench.testbed.feeding import Stored
from bench.testbed.story import GoldStatement, Mark, Period, SlotGold, Story
from perdure.core.interval import EARLIEST
from perdure.core.text import entity_key, normalise
from perdure.write.slots import canonical_attribute

LEEWAY = timedelta(days=1)


def shows(text: str, value: str) -> bool:
    """True if the text names the value as a word of its own."""
    return re.search(rf"(?<!\w){re.escape(normalise(value))}(?!\w)", normalise(text)) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """carriers: facts that say what a statement says. absorbing: facts that rest on its words and say

    something else; that is how a fact closed by a statement looks, too.
    """

    carriers: tuple[Stored, ...]
    absorbing: tuple[Stored, ...]


def carried(facts: Sequence[Stored], gold: GoldStatement) -> Carried:
    """The facts that rest on the statement: in its very words, or, from another extractor, on its turn."""
    exact = [
        f for f in facts if any(_is_source(s.said_at, gold) and _is_said(s.text, gold) for s in f.sources)
    ]
    if exact:
        fitting = [f for f in exact if _fits(f, gold)]
        return Carried(carriers=tuple(fitting), absorbing=tuple(f for f in exact if f not in fitting))
    of_turn = [f for f in facts if any(_is_source(s.said_at, gold) for s in f.sources)]
    return Carried(carriers=tuple(f for f in of_turn if _fits_loosely(f, gold)), absorbing=())


def _is_source(said_at: datetime | None, gold: GoldStatement) -> bool:
    return said_at == gold.at


def _is_said(text: str, gold: GoldStatement) -> bool:
    return normalise(text) == normalise(gold.statement.text)


def _fits(fact: Stored, gold: GoldStatement) -> bool:
    """True if the fact says what the statement says, in its words or others."""
    said = gold.statement
    if _is_said(fact.text, gold):
        return True
    if said.value is None or said.ended != (fact.kind == "ending"):
        return False
    return shows(fact.value or fact.text, said.value) and entity_key(fact.subject) == entity_key(said.subject)


def _fits_loosely(fact: Stored, gold: GoldStatement) -> bool:
    said = gold.statement
    if said.value is None:
        return fact.attribute is None
    if said.ended != (fact.kind == "ending"):
        return False
    name = said.subject.split(" (")[0]
    return shows(fact.value or fact.text, said.value) and (
        shows(fact.subject, name) or shows(fact.text, name)
    )


def periods_of(facts: Sequence[Stored], story: Story, slot: SlotGold) -> list[Period]:
    """What the memory holds of a slot: each value with its periods, those that touch joined; by start.

    Facts count that carry a statement of the slot, or that fill it by their own subject and attribute.
    """
    found: dict[str, Stored] = {}
    for gold in story.statements:
        if gold.key in slot.tells:
            found |= {f.id: f for f in carried(facts, gold).carriers}
    found |= {f.id: f for f in facts if _fills(f, slot)}
    values = {s.statement.value for s in story.statements if s.statement.value}
    held = [f for f in found.values() if f.kind != "ending"]
    held.sort(key=lambda f: (f.start or EARLIEST, f.id))
    joined: list[tuple[str, datetime | None, datetime | None]] = []
    for fact in held:
        _join(joined, _value_of(fact, values), fact)
    return [
        Period(value=v, start=_mark(start), end=_mark(end))
        for v, start, end in sorted(joined, key=lambda j: (j[1] or EARLIEST, j[0]))
    ]


def _join(joined: list[tuple[str, datetime | None, datetime | None]], value: str, fact: Stored) -> None:
    for at, (other, start, end) in enumerate(joined):
        if other == value and (end is None or fact.start is None or fact.start <= end):
            later = None if end is None or fact.end is None else max(end, fact.end)
            joined[at] = (value, start, later)
            return
    joined.append((value, fact.start, fact.end))


def _fills(fact: Stored, slot: SlotGold) -> bool:
    return (
        fact.attribute is not None
        and canonical_attribute(fact.attribute) == canonical_attribute(slot.attribute)
        and entity_key(fact.subject) == entity_key(slot.subject)
    )


def _value_of(fact: Stored, values: set[str]) -> str:
    text = fact.value or fact.text
    return next((v for v in sorted(values) if shows(text, v)), text)


def _mark(moment: datetime | None) -> Mark | None:
    return None if moment is None else Mark(at=moment, exact="by")


def are_periods_right(found: Sequence[Period], gold: SlotGold) -> bool:
    """True if the same values held in the same order, from and until when the story tells."""
    return len(found) == len(gold.periods) and all(
        f.value == g.value
        and is_start_right(f.start, g.start)
        and is_end_right(f.end, g.end)
        and not _ends_before_told(f, g)
        for f, g in zip(found, gold.periods, strict=True)
    )


def is_start_right(found: Mark | None, gold: Mark | None) -> bool:
    """Within the month that was named; else at any time up to when it was said, or unknown."""
    if gold is None:
        return True
    if found is None:
        return gold.exact == "by"
    if gold.exact == "month":
        return _is_same_month(found.at, gold.at)
    return found.at <= gold.at + LEEWAY


def is_end_right(found: Mark | None, gold: Mark | None) -> bool:
    """As for the start, but an end that the story tells must be there, and no other."""
    if gold is None or found is None:
        return found is None and gold is None
    return is_start_right(found, gold)


def _ends_before_told(found: Period, gold: Period) -> bool:
    """True if the value ended before it was said to hold."""
    return found.end is not None and gold.start is not None and found.end.at < gold.start.at


def _is_same_month(one: datetime, other: datetime) -> bool:
    return (one.year, one.month) == (other.year, other.month)
