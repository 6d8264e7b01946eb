"""Instants and dates as people and programs write them, read strictly at the edge.

Accepted: an aware or naive datetime (naive means UTC), a date, ISO 8601 text (`2025-03-01`,
`2025-03`, `2025`, `2025-03-01T10:00:00+02:00`, `…Z`), and numbers: Unix seconds, or milliseconds
from 10¹¹ up. A value without time is its whole day, month or year, in UTC.
"""

from __future__ import annotations

import math
import re
from datetime import UTC, date, datetime, timedelta

from perdure.core.interval import EARLIEST, LATEST, Interval, Precision, window_end
from perdure.errors import InvalidTime

TimeValue = datetime | date | str | int | float

_DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?\Z")
_INSTANT = re.compile(
    r"(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s*(Z|z|[+-]\d{2}:?\d{2})?\Z"
)
_FORMS = (
    "Use ISO 8601 such as 2025-03-01, 2025-03, 2025 or 2025-03-01T10:00:00+02:00, a datetime, "
    "or Unix seconds, in the years 1 to 9998."
)


def read_time(value: TimeValue, *, field: str) -> tuple[datetime, Precision]:
    """The start of what `value` names, in UTC, and how exact it is; InvalidTime names `field`."""
    moment, precision, _ = read_zoned(value, field=field)
    return moment, precision


def read_zoned(value: TimeValue, *, field: str) -> tuple[datetime, Precision, int]:
    """As `read_time`, with the offset from UTC in minutes that the value was written in (0 if none)."""
    try:
        moment, precision = _read(value)
        offset = moment.utcoffset() or timedelta(0)
        utc = moment.astimezone(UTC)
        if not EARLIEST <= utc < LATEST:
            raise OverflowError
    except (ValueError, OverflowError, OSError) as exc:
        raise InvalidTime(field, f"{_kind(value)} is not a time that can be stored", _FORMS) from exc
    return utc, precision, int(offset.total_seconds() // 60)


def read_span(value: TimeValue, *, field: str) -> Interval:
    """The whole instant, day, month or year that `value` names, as an interval."""
    start, precision = read_time(value, field=field)
    if precision is Precision.INSTANT:
        return Interval(start, start + timedelta(microseconds=1))
    return Interval(start, window_end(start, precision))


def read_date(value: TimeValue, *, field: str) -> date:
    """A calendar date; a time of day is dropped."""
    return read_time(value, field=field)[0].date()


def to_text(moment: datetime | None) -> str | None:
    """ISO 8601 in UTC with microseconds only where there are any; None stays None."""
    return None if moment is None else moment.astimezone(UTC).isoformat()


def show_start(moment: datetime | None, precision: Precision) -> str | None:
    """The text of a start at its own precision: `2024`, `2024-05`, `2024-05-14` or a full instant."""
    if moment is None:
        return None
    cut = {Precision.YEAR: 4, Precision.MONTH: 7, Precision.WEEK: 10, Precision.DAY: 10}.get(precision)
    return moment.isoformat()[:cut] if cut else to_text(moment)


def _read(value: TimeValue) -> tuple[datetime, Precision]:
    if isinstance(value, bool):
        raise ValueError("a truth value is no time")
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=UTC)), Precision.INSTANT
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC), Precision.DAY
    if isinstance(value, int | float):
        return _from_number(float(value)), Precision.INSTANT
    if isinstance(value, str):
        return _from_text(value.strip())
    raise ValueError("not a time")


def _from_number(seconds: float) -> datetime:
    if not math.isfinite(seconds):
        raise ValueError("not a finite number")
    if abs(seconds) >= 1e11:
        seconds /= 1000
    return datetime.fromtimestamp(seconds, UTC)


def _from_text(text: str) -> tuple[datetime, Precision]:
    if match := _DATE.match(text):
        year, month, day = match.groups()
        precision = Precision.DAY if day else Precision.MONTH if month else Precision.YEAR
        return datetime(int(year), int(month or 1), int(day or 1), tzinfo=UTC), precision
    if match := _INSTANT.match(text):
        day_text, clock, zone = match.groups()
        clock = re.sub(r"(\.\d{6})\d+", r"\1", clock)
        moment = datetime.fromisoformat(f"{day_text}T{clock}{(zone or '+00:00').upper()}")
        return moment, Precision.INSTANT
    raise ValueError("no accepted form")


def _kind(value: object) -> str:
    return "this number" if isinstance(value, int | float) else f"this {type(value).__name__}"
