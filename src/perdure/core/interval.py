"""Half-open intervals of time, `[start, end)`, with unknown start and open end.

`None` as start means −∞ (unknown), as end ∞ (open). Instants are aware datetimes in UTC.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

EARLIEST = datetime(1, 1, 2, tzinfo=UTC)
LATEST = datetime(9998, 12, 31, tzinfo=UTC)


class Precision(StrEnum):
    """How exactly the start of an interval is known."""

    INSTANT = "instant"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class Interval:
    """`[start, end)` in UTC; an end before the start is a ValueError, an equal one is empty."""

    start: datetime | None = None
    end: datetime | None = None

    def __post_init__(self) -> None:
        for instant in (self.start, self.end):
            if instant is not None and instant.utcoffset() != timedelta(0):
                raise ValueError("interval bounds must be aware datetimes in UTC")
        if self.start is not None and self.end is not None and self.end < self.start:
            raise ValueError("interval ends before it starts")

    @property
    def is_empty(self) -> bool:
        return self.start is not None and self.start == self.end

    def contains(self, instant: datetime) -> bool:
        return (self.start is None or self.start <= instant) and (self.end is None or instant < self.end)

    def overlaps(self, other: Interval) -> bool:
        """True if some instant lies in both."""
        if self.is_empty or other.is_empty:
            return False
        return _before(self.start, other.end) and _before(other.start, self.end)

    def touches(self, other: Interval) -> bool:
        """True if they overlap or one begins exactly where the other ends."""
        return self.overlaps(other) or (
            (self.end is not None and self.end == other.start)
            or (other.end is not None and other.end == self.start)
        )

    def intersect(self, other: Interval) -> Interval | None:
        """The common part, or None."""
        if not self.overlaps(other):
            return None
        starts = [s for s in (self.start, other.start) if s is not None]
        ends = [e for e in (self.end, other.end) if e is not None]
        return Interval(max(starts, default=None), min(ends, default=None))

    def closed_at(self, instant: datetime) -> Interval:
        """The part before `instant`; unchanged if it already ended by then, empty if it starts later."""
        if self.end is not None and self.end <= instant:
            return self
        if self.start is not None and self.start >= instant:
            return Interval(self.start, self.start)
        return Interval(self.start, instant)


ALWAYS = Interval()


def _before(start: datetime | None, end: datetime | None) -> bool:
    return start is None or end is None or start < end


def window_end(start: datetime, precision: Precision) -> datetime:
    """Where the span that `start` may lie in ends: a day, week, month or year on, or `start` itself."""
    if precision is Precision.DAY:
        return start + timedelta(days=1)
    if precision is Precision.WEEK:
        return start + timedelta(days=7)
    if precision is Precision.MONTH:
        year, month = (start.year, start.month + 1) if start.month < 12 else (start.year + 1, 1)
        return start.replace(year=year, month=month, day=1)
    if precision is Precision.YEAR:
        return start.replace(year=start.year + 1, month=1, day=1)
    return start
