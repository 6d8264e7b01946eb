"""How a language's tables look."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from perdure.core.values import Cardinality

# place, name: must begin with a capital. work: a name, or a noun with an article. title: a profession.
# thing: a short noun phrase. exact: taken as matched.
Shape: TypeAlias = Literal["place", "name", "work", "title", "thing", "exact"]
# holds: true as said. begins: an event made it true. past: it was true, at a time that the words must name.
# lapsed: it was true and is said to be over. ends: it stops being true. timeless: no start.
Form: TypeAlias = Literal["holds", "begins", "past", "lapsed", "ends", "timeless"]
OVER: frozenset[Form] = frozenset({"past", "lapsed", "ends"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotPattern:
    """One way to state a slot; the value is group `v`, or `value` where it is fixed.

    attribute may hold `{}` for the normalised value (or group `of`). says: the statement written anew,
    with `{s}` for the subject and `{v}` for the value. relation: the label of the edge, if one follows.
    """

    attribute: str
    pattern: re.Pattern[str]
    shape: Shape
    says: str
    form: Form = "holds"
    cardinality: Cardinality = Cardinality.SINGLE
    value: str | None = None
    relation: str | None = None
    confidence: float = 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """What the rules know of a language other than English: whole sentences stay as they are said.

    cues: frequent small words, for telling languages apart. first_person: proof that the speaker speaks
    of themselves. owned: "my <noun>" as a subject. unsure: words that forbid a slot (negation, wish,
    condition). over: "no longer".
    """

    code: str
    cues: frozenset[str]
    first_person: re.Pattern[str]
    owned: re.Pattern[str]
    question: re.Pattern[str]
    unsure: re.Pattern[str]
    over: re.Pattern[str]
    conditional: re.Pattern[str]
    past: re.Pattern[str]
    slots: tuple[SlotPattern, ...]


def words_of(*lines: str) -> frozenset[str]:
    """The words of blank-separated lines."""
    return frozenset(word for line in lines for word in line.split())
