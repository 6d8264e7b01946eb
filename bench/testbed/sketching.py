"""The small words in which the kinds are written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from bench.testbed.cast import Cast
from bench.testbed.story import (
    Ask,
    Mark,
    Period,
    ProbeKind,
    Relation,
    RelationName,
    Sketch,
    SlotGold,
    State,
    Step,
    Told,
)

Pair: TypeAlias = tuple[Sketch, Sketch]
Domain: TypeAlias = Literal["city", "boat"]
ATTRIBUTES: dict[str, str] = {"city": "lives_in", "boat": "keeps_boat_in"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of story in one domain. build: the plain half and its twin, of one cast.

    why: what is right, and why the twin differs, from the function's docstring.
    """

    name: str
    build: Callable[[Cast], Pair]
    why: str


def by(moment: datetime) -> Mark:
    """It was so by then."""
    return Mark(at=moment, exact="by")


def in_month(moment: datetime) -> Mark:
    """It began or ended in that month."""
    return Mark(at=moment, exact="month")


def period(value: str, start: Mark | None, end: Mark | None = None) -> Period:
    return Period(value=value, start=start, end=end)


def told(
    domain: Domain,
    key: str,
    subject: str,
    value: str,
    state: State,
    *,
    since: datetime | None = None,
    until: datetime | None = None,
    ended: bool = False,
) -> Told:
    """A statement that fills the domain's slot of the subject."""
    return Told(
        key=key,
        subject=subject,
        attribute=ATTRIBUTES[domain],
        value=value,
        cardinality="single",
        state=state,
        since=since,
        until=until,
        ended=ended,
    )


def remark(key: str, subject: str, *, kind: Literal["state", "event"] = "state") -> Told:
    """A statement that fills no slot and goes on being true."""
    return Told(key=key, subject=subject, state="holds", kind=kind)


def step(
    phrase: str,
    at: datetime,
    *told: Told,
    since: datetime | None = None,
    until: datetime | None = None,
    speaker: str | None = None,
    **fill: str,
) -> Step:
    return Step(phrase=phrase, at=at, fill=fill, told=told, since=since, until=until, speaker=speaker)


def slot(domain: Domain, subject: str, tells: str, *periods: Period) -> SlotGold:
    """tells: keys of its statements, with blanks between."""
    return SlotGold(
        subject=subject,
        attribute=ATTRIBUTES[domain],
        cardinality="single",
        periods=periods,
        tells=tuple(tells.split()),
    )


def relation(new: str, name: RelationName, old: str) -> Relation:
    return Relation(new=new, old=old, name=name)


def ask(
    kind: ProbeKind,
    question: str,
    right: str | tuple[str, ...] = (),
    wrong: str | tuple[str, ...] = (),
    *,
    as_of: datetime | None = None,
    known_after: int | None = None,
    start: Mark | None = None,
    count: int | None = None,
    slot: int = 0,
    **fill: str,
) -> Ask:
    return Ask(
        kind=kind,
        question=question,
        fill=fill,
        right=(right,) if isinstance(right, str) else right,
        wrong=(wrong,) if isinstance(wrong, str) else wrong,
        as_of=as_of,
        known_after=known_after,
        start=start,
        count=count,
        slot=slot,
    )


def kind(name: str, build: Callable[[Cast], Pair], why: str | None) -> Kind:
    return Kind(name=name, build=build, why=" ".join((why or "").split()))
