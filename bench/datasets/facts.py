"""Sentences of one fact as (subject, relation, object), and what is newest of each (subject, relation).

The sentences of FactConsolidation are made from some forty templates, a relation each. No list of subjects
or objects is needed: what stands where a template leaves room is the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

Relation: TypeAlias = str
Slot: TypeAlias = tuple[str, Relation]

_CURRENT = "The name of the current"

# The longer of two that could both fit comes first. `univeristy` and `origianl` are spelled so in the data.
_TEMPLATES: Sequence[tuple[Relation, str]] = (
    ("head of state", f"{_CURRENT} head of state in {{s}} is {{o}}"),
    ("head of government", f"{_CURRENT} head of the {{s}} government is {{o}}"),
    ("headquarters", "The headquarters of {s} is located in the city of {o}"),
    ("educated at", "The univeristy where {s} was educated is {o}"),
    ("educated at", "The university where {s} was educated is {o}"),
    ("music", "The type of music that {s} plays is {o}"),
    ("producer", "The company that produced {s} is {o}"),
    ("official language", "The official language of {s} is {o}"),
    ("original language", "The original language of {s} is {o}"),
    ("broadcaster", "The origianl broadcaster of {s} is {o}"),
    ("broadcaster", "The original broadcaster of {s} is {o}"),
    ("chief executive", "The chief executive officer of {s} is {o}"),
    ("chairperson", "The chairperson of {s} is {o}"),
    ("director", "The director of {s} is {o}"),
    ("capital", "The capital of {s} is {o}"),
    ("author", "The author of {s} is {o}"),
    ("religion", "{s} is affiliated with the religion of {o}"),
    ("sport", "{s} is associated with the sport of {o}"),
    ("citizenship", "{s} is a citizen of {o}"),
    ("continent", "{s} is located in the continent of {o}"),
    ("position", "{s} plays the position of {o}"),
    ("country of origin", "{s} was created in the country of {o}"),
    ("founded in", "{s} was founded in the city of {o}"),
    ("founder", "{s} was founded by {o}"),
    ("died in", "{s} died in the city of {o}"),
    ("born in", "{s} was born in the city of {o}"),
    ("worked in", "{s} worked in the city of {o}"),
    ("written in", "{s} was written in the language of {o}"),
    ("field", "{s} works in the field of {o}"),
    ("language", "{s} speaks the language of {o}"),
    ("famous for", "{s} is famous for {o}"),
    ("creator", "{s} was created by {o}"),
    ("developer", "{s} was developed by {o}"),
    ("performer", "{s} was performed by {o}"),
    ("employer", "{s} is employed by {o}"),
    ("spouse", "{s} is married to {o}"),
    ("child", "{s}'s child is {o}"),
)
# Any other office: head coach, President, Mayor. Its name is the relation.
_OFFICE = re.compile(r"The (?P<office>[\w ]+?) of (?P<s>.+?) is (?P<o>.+)")


def _pattern(template: str) -> re.Pattern[str]:
    before, rest = template.split("{s}")
    between, after = rest.split("{o}")
    return re.compile(f"{re.escape(before)}(?P<s>.+?){re.escape(between)}(?P<o>.+){re.escape(after)}")


_PATTERNS = tuple((relation, _pattern(template)) for relation, template in _TEMPLATES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """serial: of two facts of one slot, that with the higher serial is true."""

    serial: int
    subject: str
    relation: Relation
    object: str

    @property
    def slot(self) -> Slot:
        return (self.subject, self.relation)


@lru_cache(maxsize=8192)  # the reader meets the same sentences with every question
def read_fact(serial: int, sentence: str) -> Fact | None:
    """None if the sentence is of no template."""
    text = sentence.strip().removesuffix(".")
    for relation, pattern in _PATTERNS:
        if match := pattern.fullmatch(text):
            return Fact(serial=serial, subject=match["s"], relation=relation, object=match["o"])
    if match := _OFFICE.fullmatch(text):
        relation = match["office"].lower()
        return Fact(serial=serial, subject=match["s"], relation=relation, object=match["o"])
    return None


def by_slot(facts: Iterable[Fact]) -> dict[Slot, tuple[Fact, ...]]:
    """The facts of each slot, oldest first."""
    slots: dict[Slot, list[Fact]] = {}
    for fact in sorted(facts, key=lambda f: f.serial):
        slots.setdefault(fact.slot, []).append(fact)
    return {slot: tuple(versions) for slot, versions in slots.items()}
