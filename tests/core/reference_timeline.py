"""The timeline written as its rule reads, in cubic time: what `perdure.core.timeline` must equal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from perdure.core.interval import EARLIEST, Interval, Precision
from perdure.core.timeline import Span, Statement, Timeline, latest_start


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch between two neighbouring boundaries where a value holds, and who says so."""

    interval: Interval
    statements: frozenset[str]
    is_disputed: bool


def settle(statements: Sequence[Statement]) -> Timeline:
    """The timeline of one single-valued slot (or of one value of a multi-valued one).

    Any permutation of dated statements gives the same timeline. Empty in, empty out.
    """
    covering = _covering(statements)
    held: dict[str, list[Piece]] = defaultdict(list)
    for start, end in pairwise(_edges(covering)):
        winners = _winners(covering, start)
        for value, keys in sorted(winners.items()):
            held[value].append(Piece(Interval(start, end), keys, len(winners) > 1))
    spans = [span for value, pieces in held.items() for span in _join(value, pieces, covering)]
    spans.sort(key=lambda span: (span.interval.start or EARLIEST, span.value))
    used = {key for span in spans for key in span.statements}
    return Timeline(
        spans=tuple(spans),
        never=tuple(sorted(s.key for s in statements if s.key not in used and not s.claim.ends)),
        endings={s.key: _ended_interval(s, spans) for s in statements if s.claim.ends},
    )


def _covering(statements: Sequence[Statement]) -> list[tuple[Statement, Interval]]:
    """Each statement that a value holds, with the interval it really covers."""
    endings: dict[str, list[Statement]] = defaultdict(list)
    for s in statements:
        if s.claim.ends:
            endings[s.value].append(s)
    covering = []
    for s in statements:
        if not s.claim.ends:
            interval = _cut(s, endings[s.value])
            if interval is not None and not interval.is_empty:
                covering.append((s, interval))
    return [(s, _narrow_start(s, interval, covering)) for s, interval in covering]


def _cut(s: Statement, endings: Sequence[Statement]) -> Interval | None:
    """What endings of the same value leave of a statement; None if nothing."""
    interval = s.claim.interval
    for ending in endings:
        end = ending.claim.interval.end
        if end is not None and (interval.start is None or interval.start < end):
            interval = interval.closed_at(end)
        elif end is None and interval.start is None and s.order < ending.order:
            return None
    return interval


def _ended_interval(ending: Statement, spans: Sequence[Span]) -> Interval:
    """From the end that a statement tells to the next beginning of the same value."""
    end = ending.claim.interval.end
    later = [
        span.interval.start
        for span in spans
        if span.value == ending.value
        and span.interval.start is not None
        and (end is None or span.interval.start >= end)
    ]
    return Interval(end, min(later, default=None))


def _narrow_start(
    s: Statement, interval: Interval, covering: Sequence[tuple[Statement, Interval]]
) -> Interval:
    """A vague start yields to another value known to begin inside its span: it moves to the span's end."""
    start, latest = interval.start, latest_start(s.claim)
    if start is None or latest <= start or (interval.end is not None and interval.end <= latest):
        return interval
    intrudes = any(
        other.value != s.value
        and begun.start is not None
        and (start < begun.start < latest or (begun.start == start and latest_start(other.claim) < latest))
        for other, begun in covering
    )
    return Interval(latest, interval.end) if intrudes else interval


def _edges(covering: Sequence[tuple[Statement, Interval]]) -> list[datetime | None]:
    """Every boundary in order; None stands for −∞ first and ∞ last."""
    if not covering:
        return []
    instants = {i for _, interval in covering for i in (interval.start, interval.end) if i}
    return [None, *sorted(instants), None]


def _winners(
    covering: Sequence[tuple[Statement, Interval]], start: datetime | None
) -> dict[str, frozenset[str]]:
    """Who says what holds just after `start`: one value, or several if equally good dated claims disagree."""
    live = [
        s
        for s, interval in covering
        if (interval.start is None or (start is not None and interval.start <= start))
        and (interval.end is None or start is None or start < interval.end)
        and not _is_over(s, interval, covering, start)
    ]
    if not live:
        return {}

    def strength(s: Statement) -> tuple[datetime, datetime]:
        return latest_start(s.claim), s.claim.said_at or EARLIEST

    best = max(map(strength, live))
    tied = [s for s in live if strength(s) == best]
    if best == (EARLIEST, EARLIEST):
        tied = [max(tied, key=lambda s: (s.order, s.key))]
    values = {s.value for s in tied}
    return {value: frozenset(s.key for s in live if s.value == value) for value in values}


def _is_over(
    s: Statement,
    interval: Interval,
    covering: Sequence[tuple[Statement, Interval]],
    start: datetime | None,
) -> bool:
    """True if another value began by then that the speaker could not know of: the statement ended there."""
    if start is None:
        return False
    said_at = s.claim.said_at
    return any(
        other.value != s.value
        and begun.start is not None
        and begun.start <= start
        and (interval.start is None or begun.start > interval.start)
        and (said_at is None or begun.start >= said_at)
        for other, begun in covering
    )


def _join(value: str, pieces: Sequence[Piece], covering: Sequence[tuple[Statement, Interval]]) -> list[Span]:
    """Neighbouring pieces of one value become one span, with the statements of them all."""
    joined: list[Piece] = []
    for piece in pieces:
        if joined and joined[-1].interval.end == piece.interval.start and piece.interval.start is not None:
            earlier = joined.pop()
            whole = Interval(earlier.interval.start, piece.interval.end)
            disputed = earlier.is_disputed or piece.is_disputed
            piece = Piece(whole, earlier.statements | piece.statements, disputed)
        joined.append(piece)
    return [
        Span(
            value=value,
            interval=piece.interval,
            precision=_precision(piece.interval, value, covering),
            statements=tuple(sorted(piece.statements)),
            is_disputed=piece.is_disputed,
        )
        for piece in joined
    ]


def _precision(interval: Interval, value: str, covering: Sequence[tuple[Statement, Interval]]) -> Precision:
    known = [
        s.claim.precision if s.claim.interval.start == interval.start else Precision.INSTANT
        for s, covered in covering
        if s.value == value and covered.start is not None and covered.start == interval.start
    ]
    return min(known, key=list(Precision).index) if known else Precision.INSTANT
