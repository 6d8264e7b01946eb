"""What is measured: cases of dated turns with questions, and what a right answer is made of.

A dataset is a list of cases. A case is one memory: its turns are fed in order, each question is asked once
`after` of them were fed. Nothing of `Gold`, nor a question's category, ever reaches a system or a prompt:
systems get a `Query`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

Role: TypeAlias = Literal["user", "assistant", "system"]
TurnId: TypeAlias = str
SessionId: TypeAlias = str


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What a perfect extractor would draw from a turn. Only systems that say `given extraction` read it.

    valid_from, valid_to: as an extractor writes them (YYYY-MM-DD, YYYY-MM or YYYY), None if not said.
    ended: the statement says that something stopped.
    """

    text: str
    subject: str
    attribute: str | None = None
    value: str | None = None
    cardinality: Literal["single", "multi"] | None = None
    kind: Literal["state", "event"] = "state"
    valid_from: str | None = None
    valid_to: str | None = None
    ended: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message. id: unique in its case. at: UTC; a dataset without times makes some that keep the order."""

    id: TurnId
    session: SessionId
    speaker: str | None
    role: Role
    text: str
    at: datetime
    statements: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """What a right answer is made of; each part is empty where a dataset does not have it.

    evidence: what must be found; each member is satisfied by any one of its turns.
    sessions: the sessions that hold the evidence.
    answers: accepted short answers. must_show, must_not_show: phrases that what is shown must or must not
    hold. stale: turns whose statement is superseded when the question is asked; fresh: the turns of what
    replaced them. is_answerable: False if the store holds no answer.
    """

    evidence: tuple[frozenset[TurnId], ...] = ()
    sessions: frozenset[SessionId] = frozenset()
    answers: tuple[str, ...] = ()
    must_show: tuple[str, ...] = ()
    must_not_show: tuple[str, ...] = ()
    stale: frozenset[TurnId] = frozenset()
    fresh: frozenset[TurnId] = frozenset()
    is_answerable: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """after: how many of the case's turns are fed before it is asked. audited: the gold as a published audit
    corrects it, None if the audit has nothing against it. is_disputed: an audit says that no answer can be
    right."""

    id: str
    text: str
    category: str
    asked_at: datetime
    after: int
    gold: Gold
    audited: Gold | None = None
    is_disputed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One memory with its questions, in the order of `after`. owner: the user whose memory it is."""

    id: str
    owner: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]

    def __post_init__(self) -> None:
        ids = {t.id for t in self.turns}
        if len(ids) != len(self.turns):
            raise ValueError(f"case {self.id}: two turns have one id")
        if [q.after for q in self.questions] != sorted(q.after for q in self.questions):
            raise ValueError(f"case {self.id}: questions are not in the order of `after`")
        for question in self.questions:
            if not 0 <= question.after <= len(self.turns):
                raise ValueError(f"case {self.id}, question {question.id}: asked after turns that do not exist")


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """sha256: of the files' bytes, in the order of their names. split: dev, held or generated.

    licence: of the data, as its source states it. notes: what a reader of a figure must know.
    """

    name: str
    split: str
    sha256: str
    licence: str
    cases: Sequence[Case]
    notes: tuple[str, ...] = field(default=())

    @property
    def question_count(self) -> int:
        return sum(len(c.questions) for c in self.cases)
