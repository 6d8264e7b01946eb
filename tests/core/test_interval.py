from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.core.interval import ALWAYS, Interval, Precision, window_end


def at(day: int) -> datetime:
    return datetime(2024, 1, day, tzinfo=UTC)


bounds = st.none() | st.integers(1, 9).map(at)


@st.composite
def intervals(draw: st.DrawFn) -> Interval:
    start, end = draw(bounds), draw(bounds)
    if start and end and end < start:
        start, end = end, start
    return Interval(start, end)


def test_an_end_before_the_start_is_refused() -> None:
    with pytest.raises(ValueError, match="ends before"):
        Interval(at(2), at(1))


@pytest.mark.parametrize(
    "bound",
    [datetime(2024, 1, 1), datetime(2024, 1, 1, tzinfo=timezone(timedelta(hours=1)))],  # noqa: DTZ001
)
def test_a_bound_outside_utc_is_refused(bound: datetime) -> None:
    with pytest.raises(ValueError, match="UTC"):
        Interval(bound, None)
    with pytest.raises(ValueError, match="UTC"):
        Interval(None, bound)


def test_the_start_is_inside_and_the_end_is_not() -> None:
    interval = Interval(at(2), at(4))
    assert [interval.contains(at(d)) for d in (1, 2, 3, 4)] == [False, True, True, False]


def test_an_empty_interval_contains_and_overlaps_nothing() -> None:
    empty = Interval(at(2), at(2))
    assert empty.is_empty
    assert not empty.contains(at(2))
    assert not empty.overlaps(ALWAYS)
    assert not ALWAYS.is_empty


def test_neighbours_touch_without_overlapping() -> None:
    left, right = Interval(at(1), at(3)), Interval(at(3), at(5))
    assert left.touches(right)
    assert right.touches(left)
    assert not left.overlaps(right)
    assert left.intersect(right) is None
    assert not left.touches(Interval(at(4), at(5)))


def test_the_common_part_is_bounded_by_the_inner_bounds() -> None:
    assert Interval(at(1), at(5)).intersect(Interval(at(3), None)) == Interval(at(3), at(5))
    assert ALWAYS.intersect(Interval(at(3), None)) == Interval(at(3), None)


@pytest.mark.parametrize(
    ("interval", "closed"),
    [
        (Interval(at(1), None), Interval(at(1), at(3))),
        (ALWAYS, Interval(None, at(3))),
        (Interval(at(1), at(2)), Interval(at(1), at(2))),
        (Interval(at(3), None), Interval(at(3), at(3))),
        (Interval(at(5), at(7)), Interval(at(5), at(5))),
    ],
)
def test_closing_keeps_the_part_before(interval: Interval, closed: Interval) -> None:
    assert interval.closed_at(at(3)) == closed


@pytest.mark.parametrize(
    ("precision", "end"),
    [
        (Precision.INSTANT, datetime(2024, 12, 31, tzinfo=UTC)),
        (Precision.DAY, datetime(2025, 1, 1, tzinfo=UTC)),
        (Precision.MONTH, datetime(2025, 1, 1, tzinfo=UTC)),
        (Precision.YEAR, datetime(2025, 1, 1, tzinfo=UTC)),
    ],
)
def test_a_window_ends_where_the_next_unit_begins(precision: Precision, end: datetime) -> None:
    assert window_end(datetime(2024, 12, 31, tzinfo=UTC), precision) == end


def test_a_month_window_ends_within_the_year() -> None:
    assert window_end(datetime(2024, 5, 14, tzinfo=UTC), Precision.MONTH) == datetime(2024, 6, 1, tzinfo=UTC)


@given(intervals(), intervals())
def test_two_overlap_exactly_if_they_have_a_common_part(left: Interval, right: Interval) -> None:
    common = left.intersect(right)
    assert left.overlaps(right) == right.overlaps(left) == (common is not None)
    for day in range(1, 10):
        both = left.contains(at(day)) and right.contains(at(day))
        assert both == (common is not None and common.contains(at(day)))
