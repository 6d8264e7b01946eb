"""What a story is made of: what is said when, what is true when, and what may be asked.

A sketch is a story without words: the kinds make it. A story is a sketch in a language, with filler, as a
`bench.model.Case` that any system can be fed with.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

from bench.model import Case, Statement, TurnId

Half: TypeAlias = Literal["plain", "twin"]
HALVES: tuple[Half, Half] = ("plain", "twin")
Exactness: TypeAlias = Literal["by", "month"]
Cardinality: TypeAlias = Literal["single", "multi"]
State: TypeAlias = Literal["holds", "past", "never", "disputed", "stale", "hidden", "unscored"]
RelationName: TypeAlias = Literal[
    "same", "refines", "supersedes", "corrects", "disputes", "ends", "coexists", "unrelated"
]
ProbeKind: TypeAlias = Literal[
    "current", "as_of", "known_at", "when", "history", "count", "premise", "answerable", "unanswerable"
]
CONTRADICTS: frozenset[RelationName] = frozenset({"supersedes", "corrects", "disputes", "ends"})
SAYS_THE_SAME: frozenset[RelationName] = frozenset({"same", "refines"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """When something began or ended, as far as the story tells.

    exact: `by` if it had happened when it was said, at `at`; `month` if the month of `at` was named.
    """

    at: datetime
    exact: Exactness


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """A value and when it held. start None: unknown; end None: it holds still."""

    value: str
    start: Mark | None
    end: Mark | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotGold:
    """The whole truth about one slot; periods by their start. tells: keys of the statements about it."""

    subject: str
    attribute: str
    cardinality: Cardinality
    periods: tuple[Period, ...]
    tells: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One statement of a step, without its words.

    says: which sentence of the phrase stands alone for it. state: what has become of it in the end.
    since, until: the months that the words name.
    """

    key: str
    subject: str
    state: State
    attribute: str | None = None
    value: str | None = None
    cardinality: Cardinality | None = None
    kind: Literal["state", "event"] = "state"
    since: datetime | None = None
    until: datetime | None = None
    ended: bool = False
    says: Literal["says", "says2"] = "says"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One message that matters. phrase: its name in the lexicons; fill: names and values for its blanks.

    since, until: months for its blanks. speaker: None for the owner of the memory.
    """

    phrase: str
    at: datetime
    fill: Mapping[str, str]
    told: tuple[Told, ...]
    since: datetime | None = None
    until: datetime | None = None
    speaker: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """What the later named statement does to the other; to be read from either side."""

    new: str
    old: str
    name: RelationName


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A question without its words.

    right: values that answer it (all of them, in order, for `history`); wrong: values of the same slot
    that do not. as_of: valid time; known_after: number of steps that were known; count: how many hold.
    """

    kind: ProbeKind
    question: str
    fill: Mapping[str, str]
    right: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    as_of: datetime | None = None
    known_after: int | None = None
    start: Mark | None = None
    count: int | None = None
    slot: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Sketch:
    """A story without words. must: kinds of questions without which it is not understood.

    is_ordered: True if what is right depends on the order in which it is told.
    """

    me: str
    steps: tuple[Step, ...]
    slots: tuple[SlotGold, ...]
    relations: tuple[Relation, ...] = ()
    asks: tuple[Ask, ...] = ()
    must: tuple[ProbeKind, ...] = ()
    is_ordered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldStatement:
    """A statement in its words, with the turn it was told in and what has become of it in the end."""

    key: str
    turn: TurnId
    at: datetime
    statement: Statement
    state: State


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A question in its words; the rest as in `Ask`. known_after: the turn whose feeding it looks back to."""

    kind: ProbeKind
    text: str
    right: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    as_of: datetime | None = None
    known_after: TurnId | None = None
    start: Mark | None = None
    count: int | None = None
    slot: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A case with all that is true in it. pair: the id that both halves share."""

    id: str
    pair: str
    kind: str
    half: Half
    language: str
    case: Case
    statements: tuple[GoldStatement, ...]
    slots: tuple[SlotGold, ...]
    relations: tuple[Relation, ...]
    probes: tuple[Probe, ...]
    must: tuple[ProbeKind, ...] = ()
    is_ordered: bool = False
    filler: Mapping[str, GoldStatement] = field(default_factory=dict)

    def relation(self, one: str, other: str) -> RelationName:
        """How two statements relate, whichever was told first; `unrelated` if nothing else is said."""
        for relation in self.relations:
            if {relation.new, relation.old} == {one, other}:
                return relation.name
        return "unrelated"
