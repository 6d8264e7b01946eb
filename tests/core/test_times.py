"""Times from callers: what is accepted, at which precision, and what is refused at the door."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.core.interval import EARLIEST, LATEST, Interval, Precision
from perdure.core.times import TimeValue, read_date, read_span, read_time, read_zoned, show_start, to_text
from perdure.errors import InvalidTime

INSTANT, DAY, MONTH, YEAR = Precision.INSTANT, Precision.DAY, Precision.MONTH, Precision.YEAR


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc,arg-type]  # parts are year, month, day, …


@pytest.mark.parametrize(
    ("value", "moment", "precision"),
    [
        ("2023", utc(2023, 1, 1), YEAR),
        ("2023-06", utc(2023, 6, 1), MONTH),
        ("2025-03-01", utc(2025, 3, 1), DAY),
        ("  2025-03-01\n", utc(2025, 3, 1), DAY),
        ("2025-03-01T10:00", utc(2025, 3, 1, 10), INSTANT),
        ("2025-03-01 10:00:30", utc(2025, 3, 1, 10, 0, 30), INSTANT),
        ("2025-03-01T10:00:00Z", utc(2025, 3, 1, 10), INSTANT),
        ("2025-03-01T10:00:00z", utc(2025, 3, 1, 10), INSTANT),
        ("2025-03-01T10:00:00+02:00", utc(2025, 3, 1, 8), INSTANT),
        ("2025-03-01T10:00:00+0200", utc(2025, 3, 1, 8), INSTANT),
        ("2025-03-01T10:00:00.123456789Z", utc(2025, 3, 1, 10, 0, 0, 123456), INSTANT),
        ("2025-03-01T10:00:00.5Z", utc(2025, 3, 1, 10, 0, 0, 500000), INSTANT),
        (1718000000, utc(2024, 6, 10, 6, 13, 20), INSTANT),
        (1718000000000, utc(2024, 6, 10, 6, 13, 20), INSTANT),
        (0, utc(1970, 1, 1), INSTANT),
        (-1, utc(1969, 12, 31, 23, 59, 59), INSTANT),
        (date(2024, 2, 29), utc(2024, 2, 29), DAY),
        (datetime(2024, 2, 29, 12), utc(2024, 2, 29, 12), INSTANT),  # noqa: DTZ001
        (datetime(2024, 2, 29, 12, tzinfo=timezone(timedelta(hours=-5))), utc(2024, 2, 29, 17), INSTANT),
    ],
)
def test_accepted_forms(value: TimeValue, moment: datetime, precision: Precision) -> None:
    assert read_time(value, field="as_of") == (moment, precision)


@pytest.mark.parametrize(
    "value",
    [
        "-0534-01-01",
        "0000-00-00",
        "0000-01-01",
        "0001-01-01",
        "10000-01-01",
        "9999-01-01",
        "9998-12-31",
        "2023-02-30",
        "2025-13-01",
        "2025-06-07T25:00:00",
        "2025-06-07T10:00:00+25:00",
        "unknown",
        "",
        "next spring",
        "Jan 2025",
        "2024-W07",
        "20240101",
        "2025-3-1",
        "2025-03-01T10",
        "٢٠٢٤-01-01x",
        float("nan"),
        float("inf"),
        1e300,
        -(10**15),
        True,
        datetime.max,  # noqa: DTZ901
    ],
)
def test_what_no_store_can_hold_is_refused_by_the_name_of_its_field(value: TimeValue) -> None:
    with pytest.raises(InvalidTime) as caught:
        read_time(value, field="as_of")
    assert (caught.value.field, "ISO 8601" in caught.value.remedy) == ("as_of", True)


def test_the_refused_text_is_not_in_the_message() -> None:
    with pytest.raises(InvalidTime) as caught:
        read_time("tomorrow-for-Ana", field="as_of")
    assert "Ana" not in str(caught.value)


def test_a_value_that_is_no_time_at_all_is_refused() -> None:
    with pytest.raises(InvalidTime):
        read_time(["2024"], field="as_of")  # type: ignore[arg-type]  # what an untyped caller may pass


@pytest.mark.parametrize(
    ("value", "minutes"),
    [
        ("2025-03-01T10:00:00+02:00", 120),
        ("2025-03-01T10:00:00-05:30", -330),
        ("2025-03-01T10:00:00Z", 0),
        ("2025-03-01", 0),
    ],
)
def test_the_zone_a_time_was_written_in_is_given(value: str, minutes: int) -> None:
    assert read_zoned(value, field="at")[2] == minutes


@pytest.mark.parametrize(
    ("value", "span"),
    [
        ("2023", Interval(utc(2023, 1, 1), utc(2024, 1, 1))),
        ("2023-12", Interval(utc(2023, 12, 1), utc(2024, 1, 1))),
        ("2024-02-29", Interval(utc(2024, 2, 29), utc(2024, 3, 1))),
        ("2024-02-29T10:00:00Z", Interval(utc(2024, 2, 29, 10), utc(2024, 2, 29, 10, 0, 0, 1))),
        ("9998", Interval(utc(9998, 1, 1), utc(9999, 1, 1))),
    ],
)
def test_a_value_without_time_is_its_whole_span(value: str, span: Interval) -> None:
    assert read_span(value, field="at") == span


def test_a_date_drops_the_time_of_day() -> None:
    assert read_date("2024-05-14T23:30:00-05:00", field="on") == date(2024, 5, 15)


@pytest.mark.parametrize(
    ("precision", "text"),
    [(YEAR, "2024"), (MONTH, "2024-05"), (DAY, "2024-05-14"), (INSTANT, "2024-05-14T10:00:00+00:00")],
)
def test_a_start_is_shown_at_its_own_precision(precision: Precision, text: str) -> None:
    assert show_start(utc(2024, 5, 14, 10), precision) == text


def test_an_unknown_moment_stays_unknown() -> None:
    assert (to_text(None), show_start(None, DAY)) == (None, None)


def test_an_early_year_keeps_its_four_digits() -> None:
    assert show_start(utc(534, 1, 1), YEAR) == "0534"


@given(st.datetimes(EARLIEST.replace(tzinfo=None), datetime(9998, 12, 30), timezones=st.just(UTC)))  # noqa: DTZ001
def test_written_times_are_read_back(moment: datetime) -> None:
    assert read_time(to_text(moment) or "", field="at") == (moment, INSTANT)


@given(st.text(max_size=30) | st.integers() | st.floats())
def test_anything_else_is_read_within_range_or_refused(value: TimeValue) -> None:
    try:
        moment, _ = read_time(value, field="at")
    except InvalidTime:
        return
    assert EARLIEST <= moment < LATEST
