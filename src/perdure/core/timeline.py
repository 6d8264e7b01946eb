"""One timeline out of many statements about one slot, whatever the order they arrived in.

At each instant the value of the covering claim with the latest start holds; of equal starts, the one
said later. A start known only to the day, month or year counts as late as it can be: the end of that
span, or the time it was said if that is earlier; and if another value began inside that span, it begins
there too, so that neither is lost. Two dated claims that agree in both and name different
values are both kept and disputed. A statement that a value ended cuts the earlier claims of that value.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from perdure.core.interval import EARLIEST, LATEST, Interval, Precision, window_end
from perdure.core.values import Claim


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A claim that a slot held a value. order: arrival; it breaks ties between undated ones."""

    key: str
    value: str
    claim: Claim
    order: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A value over one unbroken interval, with the keys of the statements that support it."""

    value: str
    interval: Interval
    precision: Precision
    statements: tuple[str, ...]
    is_disputed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """spans: ordered by start, then value; without overlaps unless disputed. never: statements that hold nowhere."""

    spans: tuple[Span, ...]
    never: tuple[str, ...]


def settle(statements: Sequence[Statement]) -> Timeline:
    """The timeline of one single-valued slot (or of one value of a multi-valued one).

    Any permutation of dated statements gives the same timeline. Empty in, empty out.
    """
    covering = _apply_endings(statements)
    edges = _edges(covering)
    held: dict[str, list[tuple[Interval, bool]]] = defaultdict(list)
    for start, end in pairwise(edges):
        winners = _winners(covering, start)
        for value in sorted(winners):
            held[value].append((Interval(start, end), len(winners) > 1))
    spans = [span for value, pieces in held.items() for span in _join(value, pieces, covering, statements)]
    spans.sort(key=lambda span: (span.interval.start or EARLIEST, span.value))
    used = {key for span in spans for key in span.statements}
    return Timeline(spans=tuple(spans), never=tuple(sorted(s.key for s in statements if s.key not in used)))


def latest_start(claim: Claim) -> datetime:
    """The latest instant at which the claim can have begun; EARLIEST if its start is unknown."""
    start = claim.interval.start
    if start is None:
        return EARLIEST
    latest = window_end(start, claim.precision)
    if claim.said_at is not None:
        latest = min(latest, max(start, claim.said_at))
    return latest


def _apply_endings(statements: Sequence[Statement]) -> list[tuple[Statement, Interval]]:
    """Each covering statement with the interval it really covers."""
    endings: dict[str, list[datetime]] = defaultdict(list)
    for s in statements:
        if s.claim.ends and s.claim.interval.end is not None:
            endings[s.value].append(s.claim.interval.end)
    covering = []
    for s in statements:
        if s.claim.ends:
            continue
        interval = s.claim.interval
        for end in sorted(endings[s.value]):
            if interval.start is None or interval.start < end:
                interval = interval.closed_at(end)
        if not interval.is_empty:
            covering.append((s, interval))
    for s in statements:
        if s.claim.ends and not _is_known_before(s, covering):
            covering.append((s, s.claim.interval))
    return [(s, _narrow_start(s, interval, covering)) for s, interval in covering]


def _narrow_start(
    s: Statement, interval: Interval, covering: Sequence[tuple[Statement, Interval]]
) -> Interval:
    """A vague start yields to another value known to begin inside its span: it moves to the span's end."""
    start, latest = interval.start, latest_start(s.claim)
    if start is None or latest <= start or (interval.end is not None and interval.end <= latest):
        return interval
    intrudes = any(
        other.value != s.value and begun.start is not None and start < begun.start < latest
        for other, begun in covering
    )
    return Interval(latest, interval.end) if intrudes else interval


def _is_known_before(ending: Statement, covering: Sequence[tuple[Statement, Interval]]) -> bool:
    end = ending.claim.interval.end
    return any(
        s.value == ending.value
        and not s.claim.ends
        and (interval.start is None or end is None or interval.start < end)
        for s, interval in covering
    )


def _edges(covering: Sequence[tuple[Statement, Interval]]) -> list[datetime | None]:
    """Every boundary in order; None stands for −∞ first and ∞ last."""
    if not covering:
        return []
    instants = {i for _, interval in covering for i in (interval.start, interval.end) if i}
    return [None, *sorted(instants), None]


def _winners(covering: Sequence[tuple[Statement, Interval]], start: datetime | None) -> dict[str, Statement]:
    """The value that holds just after `start`, or several if equally good dated claims disagree."""
    live = [
        s
        for s, interval in covering
        if (interval.start is None or (start is not None and interval.start <= start))
        and (interval.end is None or start is None or start < interval.end)
    ]
    if not live:
        return {}

    def strength(s: Statement) -> tuple[datetime, datetime]:
        return latest_start(s.claim), s.claim.said_at or EARLIEST

    best = max(map(strength, live))
    tied = [s for s in live if strength(s) == best]
    if best == (EARLIEST, EARLIEST):
        tied = [max(tied, key=lambda s: (s.order, s.key))]
    return {s.value: s for s in tied}


def _join(
    value: str,
    pieces: Sequence[tuple[Interval, bool]],
    covering: Sequence[tuple[Statement, Interval]],
    statements: Sequence[Statement],
) -> list[Span]:
    """Neighbouring pieces of one value become one span; its statements are those that overlap it."""
    joined: list[tuple[Interval, bool]] = []
    for interval, disputed in pieces:
        if joined and joined[-1][0].end == interval.start and interval.start is not None:
            earlier, was_disputed = joined[-1]
            joined[-1] = (Interval(earlier.start, interval.end), was_disputed or disputed)
        else:
            joined.append((interval, disputed))
    support = _assign(value, [interval for interval, _ in joined], covering, statements)
    return [
        Span(
            value=value,
            interval=interval,
            precision=_precision(interval, value, covering),
            statements=support[n],
            is_disputed=disputed,
        )
        for n, (interval, disputed) in enumerate(joined)
    ]


def _assign(
    value: str,
    intervals: Sequence[Interval],
    covering: Sequence[tuple[Statement, Interval]],
    statements: Sequence[Statement],
) -> list[tuple[str, ...]]:
    """Each statement of the value goes to the first span it overlaps; an ending to the last one it ended."""
    support: list[list[str]] = [[] for _ in intervals]
    placed: set[str] = set()
    for s, covered in covering:
        if s.value == value:
            for n, interval in enumerate(intervals):
                if interval.overlaps(covered):
                    support[n].append(s.key)
                    placed.add(s.key)
                    break
    for s in statements:
        if s.value == value and s.claim.ends and s.key not in placed:
            end = s.claim.interval.end or LATEST
            begun = [n for n, i in enumerate(intervals) if i.start is None or i.start < end]
            if begun:
                support[begun[-1]].append(s.key)
    return [tuple(sorted(keys)) for keys in support]


def _precision(interval: Interval, value: str, covering: Sequence[tuple[Statement, Interval]]) -> Precision:
    known = [
        s.claim.precision
        for s, covered in covering
        if s.value == value and covered.start is not None and covered.start == interval.start
    ]
    return min(known, key=list(Precision).index) if known else Precision.INSTANT
