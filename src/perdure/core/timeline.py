"""One timeline out of many statements about one slot, whatever the order they arrived in.

At each instant the value of the covering claim with the latest start holds; of equal starts, the one
said later. A claim ends where another value begins that its speaker could not know of yet; if the speaker
did (the other began before this was said), the claim goes on where the other ends. A start known only to
the day, week, month or year counts as late as it can be: the end of that span, or the time it was said if
that is earlier; and if another value, known more exactly, began inside that span, it begins there too, so
that neither is lost. Two dated claims that agree in both and name different values are both kept and
disputed. A statement that a value ended cuts the earlier claims of that value.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from heapq import heappop, heappush, nsmallest
from itertools import pairwise

from perdure.core.interval import EARLIEST, LATEST, Interval, Precision, window_end
from perdure.core.values import Claim


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A claim that a slot held a value, or ceased to. order: arrival; it breaks ties between undated ones."""

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
    """The settled slot.

    spans: ordered by start, then value; without overlaps unless disputed.
    never: keys of statements whose value holds nowhere. endings: since when and until when it is true
    that a value had stopped, by the key of the statement that said so.
    """

    spans: tuple[Span, ...]
    never: tuple[str, ...]
    endings: Mapping[str, Interval]


def settle(statements: Sequence[Statement]) -> Timeline:
    """The timeline of one single-valued slot (or of one value of a multi-valued one).

    Any permutation of dated statements gives the same timeline. Empty in, empty out. n log n in time.
    """
    covering = _covering(statements)
    live = _live(covering)
    of_value: dict[str, list[Covering]] = defaultdict(list)
    for c in live:
        of_value[c.statement.value].append(c)
    held = _sweep(live)
    spans = [span for value, pieces in held.items() for span in _spans(value, pieces, of_value[value])]
    spans.sort(key=lambda span: (span.interval.start or EARLIEST, span.value))
    used = {key for span in spans for key in span.statements}
    endings = [s for s in statements if s.claim.ends]
    return Timeline(
        spans=tuple(spans),
        never=tuple(sorted(s.key for s in statements if s.key not in used and not s.claim.ends)),
        endings=_ended_intervals(endings, spans),
    )


def latest_start(claim: Claim) -> datetime:
    """The latest instant at which the claim can have begun; EARLIEST if its start is unknown."""
    start = claim.interval.start
    if start is None:
        return EARLIEST
    latest = window_end(start, claim.precision)
    if claim.said_at is not None:
        latest = min(latest, max(start, claim.said_at))
    return latest


@dataclass(frozen=True, slots=True)
class Covering:
    """A statement with the interval that it covers."""

    statement: Statement
    interval: Interval

    @property
    def weakness(self) -> tuple[timedelta, timedelta]:
        """Less is stronger: a later start, then a later time of saying."""
        claim = self.statement.claim
        return LATEST - latest_start(claim), LATEST - (claim.said_at or EARLIEST)


UNDATED = (LATEST - EARLIEST, LATEST - EARLIEST)


def _covering(statements: Sequence[Statement]) -> list[Covering]:
    """Each statement that a value holds, cut by endings, a vague start narrowed."""
    endings: dict[str, list[Statement]] = defaultdict(list)
    for s in statements:
        if s.claim.ends:
            endings[s.value].append(s)
    cuts = {value: _Cuts(of_value) for value, of_value in endings.items()}
    covering = []
    for s in statements:
        if not s.claim.ends:
            interval = cuts[s.value].apply(s) if s.value in cuts else s.claim.interval
            if interval is not None and not interval.is_empty:
                covering.append(Covering(s, interval))
    beginnings = _Beginnings(covering)
    return [Covering(c.statement, _narrowed(c, beginnings)) for c in covering]


class _Cuts:
    """The endings of one value, in order of time."""

    def __init__(self, endings: Sequence[Statement]) -> None:
        self._ends = sorted(e.claim.interval.end for e in endings if e.claim.interval.end is not None)
        self._undated = max((e.order for e in endings if e.claim.interval.end is None), default=None)

    def apply(self, s: Statement) -> Interval | None:
        """What is left of a statement of this value; None if nothing."""
        interval = s.claim.interval
        if interval.start is None and self._undated is not None and s.order < self._undated:
            return None
        at = 0 if interval.start is None else bisect_right(self._ends, interval.start)
        return interval.closed_at(self._ends[at]) if at < len(self._ends) else interval


class _Beginnings:
    """When values begin, in order, to be asked for the next beginning of another value."""

    def __init__(self, covering: Sequence[Covering]) -> None:
        begun = sorted(
            (c.interval.start, c.statement.value) for c in covering if c.interval.start is not None
        )
        self._surest = _surest_two(covering)
        self._starts = [start for start, _ in begun]
        self._values = [value for _, value in begun]
        self._other = [len(begun)] * len(begun)
        for at in range(len(begun) - 2, -1, -1):
            is_same = self._values[at + 1] == self._values[at]
            self._other[at] = self._other[at + 1] if is_same else at + 1

    def is_surer(self, value: str, start: datetime, latest: datetime) -> bool:
        """True if another value begins at `start` and is known more exactly than by `latest`."""
        return any(other != value and sure < latest for sure, other in self._surest.get(start, ()))

    def next_other(self, value: str, after: datetime | None, since: datetime | None) -> datetime | None:
        """When the first value but this begins, after `after` and not before `since`; None bounds nothing."""
        at = 0 if after is None else bisect_right(self._starts, after)
        if since is not None:
            at = max(at, bisect_left(self._starts, since))
        if at < len(self._starts) and self._values[at] == value:
            at = self._other[at]
        return self._starts[at] if at < len(self._starts) else None


def _surest_two(covering: Sequence[Covering]) -> dict[datetime, list[tuple[datetime, str]]]:
    """By start, the two different values that are known most exactly to begin there."""
    surest: dict[datetime, dict[str, datetime]] = defaultdict(dict)
    for c in covering:
        if c.interval.start is not None:
            sure, value = latest_start(c.statement.claim), c.statement.value
            known = surest[c.interval.start]
            known[value] = min(sure, known.get(value, sure))
    return {
        start: nsmallest(2, ((sure, value) for value, sure in known.items()))
        for start, known in surest.items()
    }


def _narrowed(c: Covering, beginnings: _Beginnings) -> Interval:
    """A vague start yields to another value known to begin inside its span: it moves to the span's end."""
    start, end, latest = c.interval.start, c.interval.end, latest_start(c.statement.claim)
    if start is None or latest <= start or (end is not None and end <= latest):
        return c.interval
    intruder = beginnings.next_other(c.statement.value, start, None)
    if (intruder is not None and intruder < latest) or beginnings.is_surer(c.statement.value, start, latest):
        return Interval(latest, end)
    return c.interval


def _live(covering: Sequence[Covering]) -> list[Covering]:
    """Each statement up to where another value began that its speaker could not know of."""
    beginnings = _Beginnings(covering)
    live = []
    for c in covering:
        over = beginnings.next_other(c.statement.value, c.interval.start, c.statement.claim.said_at)
        live.append(c if over is None else Covering(c.statement, c.interval.closed_at(over)))
    return [c for c in live if not c.interval.is_empty]


def _sweep(live: Sequence[Covering]) -> dict[str, list[tuple[Interval, bool]]]:
    """By value, the stretches in which it holds, in order, and whether another holds as well."""
    instants = sorted({i for c in live for i in (c.interval.start, c.interval.end) if i is not None})
    waiting = sorted(range(len(live)), key=lambda n: live[n].interval.start or EARLIEST, reverse=True)
    running: list[tuple[tuple[timedelta, timedelta], int]] = []
    held: dict[str, list[tuple[Interval, bool]]] = defaultdict(list)
    for start, end in pairwise([None, *instants, None]) if live else ():
        while waiting and _has_begun(live[waiting[-1]].interval, start):
            number = waiting.pop()
            heappush(running, (live[number].weakness, number))
        winners = _strongest(live, running, start)
        for value in sorted(winners):
            held[value].append((Interval(start, end), len(winners) > 1))
    return held


def _has_begun(interval: Interval, instant: datetime | None) -> bool:
    return interval.start is None or (instant is not None and interval.start <= instant)


def _is_past(interval: Interval, instant: datetime | None) -> bool:
    return instant is not None and interval.end is not None and interval.end <= instant


def _strongest(
    live: Sequence[Covering],
    running: list[tuple[tuple[timedelta, timedelta], int]],
    instant: datetime | None,
) -> set[str]:
    """The value that holds just after the instant, or several if equally good dated claims disagree."""
    tied: list[tuple[tuple[timedelta, timedelta], int]] = []
    while running and (not tied or running[0][0] == tied[0][0]):
        top = heappop(running)
        if not _is_past(live[top[1]].interval, instant):
            tied.append(top)
    for entry in tied:
        heappush(running, entry)
    statements = [live[number].statement for _, number in tied]
    if tied and tied[0][0] == UNDATED:
        return {max(statements, key=lambda s: (s.order, s.key)).value}
    return {s.value for s in statements}


def _spans(value: str, pieces: Sequence[tuple[Interval, bool]], live: Sequence[Covering]) -> list[Span]:
    """Neighbouring pieces of one value become one span; every live statement supports those it overlaps."""
    joined: list[tuple[Interval, bool]] = []
    for interval, disputed in pieces:
        if joined and joined[-1][0].end == interval.start and interval.start is not None:
            earlier, was_disputed = joined.pop()
            interval, disputed = Interval(earlier.start, interval.end), was_disputed or disputed
        joined.append((interval, disputed))
    support: list[list[Covering]] = [[] for _ in joined]
    starts = [interval.start or EARLIEST for interval, _ in joined]
    for c in live:
        at = max(0, bisect_right(starts, c.interval.start or EARLIEST) - 1)
        while at < len(joined) and (c.interval.end is None or starts[at] < c.interval.end):
            if joined[at][0].overlaps(c.interval):
                support[at].append(c)
            at += 1
    return [
        Span(
            value=value,
            interval=interval,
            precision=_precision(interval, support[n]),
            statements=tuple(sorted(c.statement.key for c in support[n])),
            is_disputed=disputed,
        )
        for n, (interval, disputed) in enumerate(joined)
    ]


def _precision(interval: Interval, support: Sequence[Covering]) -> Precision:
    """Of the claims that begin the span; one that was moved there from a vague start is exact by then."""
    known = [
        c.statement.claim.precision
        if c.statement.claim.interval.start == interval.start
        else Precision.INSTANT
        for c in support
        if c.interval.start is not None and c.interval.start == interval.start
    ]
    return min(known, key=list(Precision).index) if known else Precision.INSTANT


def _ended_intervals(endings: Sequence[Statement], spans: Sequence[Span]) -> dict[str, Interval]:
    """From the end that each statement tells to the next beginning of the same value."""
    starts: dict[str, list[datetime]] = defaultdict(list)
    for span in spans:
        if span.interval.start is not None:
            starts[span.value].append(span.interval.start)
    found = {}
    for ending in endings:
        end, begun = ending.claim.interval.end, starts[ending.value]
        at = 0 if end is None else bisect_left(begun, end)
        found[ending.key] = Interval(end, begun[at] if at < len(begun) else None)
    return found
