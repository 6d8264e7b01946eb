"""What time words mean, said on Wednesday 15 May 2024 at 09:10, five hours behind UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.core.interval import Precision
from perdure.core.timewords import FoundTime, find_times

SAID = datetime(2024, 5, 15, 14, 10, tzinfo=UTC)
DAY, MONTH, YEAR = Precision.DAY, Precision.MONTH, Precision.YEAR


def read(text: str, *, said_at: datetime | None = SAID, offset: int = -300) -> list[FoundTime]:
    return find_times(text, said_at=said_at, utc_offset_minutes=offset)


def days(found: FoundTime) -> tuple[str | None, str | None]:
    """Start and end as dates."""
    start, end = found.start, found.end
    return (start.date().isoformat() if start else None, end.date().isoformat() if end else None)


RELATIVE = [
    ("today", "2024-05-15", "2024-05-16", DAY),
    ("this morning", "2024-05-15", "2024-05-16", DAY),
    ("tonight", "2024-05-15", "2024-05-16", DAY),
    ("yesterday", "2024-05-14", "2024-05-15", DAY),
    ("last night", "2024-05-14", "2024-05-15", DAY),
    ("the day before yesterday", "2024-05-13", "2024-05-14", DAY),
    ("tomorrow", "2024-05-16", "2024-05-17", DAY),
    ("last Friday", "2024-05-10", "2024-05-11", DAY),
    ("last Wednesday", "2024-05-08", "2024-05-09", DAY),
    ("last Fri", "2024-05-10", "2024-05-11", DAY),
    ("next Tuesday", "2024-05-21", "2024-05-22", DAY),
    ("next Wednesday", "2024-05-22", "2024-05-23", DAY),
    ("this Friday", "2024-05-17", "2024-05-18", DAY),
    ("we met on Friday", "2024-05-10", "2024-05-11", DAY),
    ("we will meet on Friday", "2024-05-17", "2024-05-18", DAY),
    ("two days ago", "2024-05-13", "2024-05-14", DAY),
    ("two weeks ago", "2024-05-01", "2024-05-02", DAY),
    ("a couple of weeks ago", "2024-05-01", "2024-05-02", DAY),
    ("3 months ago", "2024-02-01", "2024-03-01", MONTH),
    ("five years ago", "2019-01-01", "2020-01-01", YEAR),
    ("in two weeks", "2024-05-29", "2024-05-30", DAY),
    ("this week", "2024-05-13", "2024-05-20", DAY),
    ("last week", "2024-05-06", "2024-05-13", DAY),
    ("next week", "2024-05-20", "2024-05-27", DAY),
    ("last weekend", "2024-05-11", "2024-05-13", DAY),
    ("last month", "2024-04-01", "2024-05-01", MONTH),
    ("next month", "2024-06-01", "2024-07-01", MONTH),
    ("last year", "2023-01-01", "2024-01-01", YEAR),
    ("in March", "2024-03-01", "2024-04-01", MONTH),
    ("in June", "2023-06-01", "2023-07-01", MONTH),
    ("I will travel in June", "2024-06-01", "2024-07-01", MONTH),
    ("last March", "2024-03-01", "2024-04-01", MONTH),
    ("next March", "2025-03-01", "2025-04-01", MONTH),
    ("May 14th", "2024-05-14", "2024-05-15", DAY),
    ("on 16 May", "2023-05-16", "2023-05-17", DAY),
    ("this March", "2024-03-01", "2024-04-01", MONTH),
    ("this December", "2024-12-01", "2025-01-01", MONTH),
    ("in march", "2024-03-01", "2024-04-01", MONTH),
    ("on the 3rd of may", "2024-05-03", "2024-05-04", DAY),
    ("from January to March", "2024-01-01", "2024-04-01", MONTH),
    ("from October to December", "2023-10-01", "2024-01-01", MONTH),
    ("6 days from now", "2024-05-21", "2024-05-22", DAY),
    ("Friday night", "2024-05-10", "2024-05-11", DAY),
    # German, Spanish, French, Chinese
    ("morgen", "2024-05-16", "2024-05-17", DAY),
    ("Morgen fahre ich", "2024-05-16", "2024-05-17", DAY),
    ("nächsten Dienstag", "2024-05-21", "2024-05-22", DAY),
    ("mañana", "2024-05-16", "2024-05-17", DAY),
    ("el próximo martes", "2024-05-21", "2024-05-22", DAY),
    ("en mars", "2024-03-01", "2024-04-01", MONTH),
    ("am 3. mai", "2024-05-03", "2024-05-04", DAY),
    ("5月3日", "2024-05-03", "2024-05-04", DAY),
    ("gestern", "2024-05-14", "2024-05-15", DAY),
    ("letzten Freitag", "2024-05-10", "2024-05-11", DAY),
    ("vor zwei Wochen", "2024-05-01", "2024-05-02", DAY),
    ("letzte Woche", "2024-05-06", "2024-05-13", DAY),
    ("im März", "2024-03-01", "2024-04-01", MONTH),
    ("ayer", "2024-05-14", "2024-05-15", DAY),
    ("el viernes pasado", "2024-05-10", "2024-05-11", DAY),
    ("hace dos semanas", "2024-05-01", "2024-05-02", DAY),
    ("el mes pasado", "2024-04-01", "2024-05-01", MONTH),
    ("hier", "2024-05-14", "2024-05-15", DAY),
    ("vendredi dernier", "2024-05-10", "2024-05-11", DAY),
    ("il y a trois ans", "2021-01-01", "2022-01-01", YEAR),
    ("l'année dernière", "2023-01-01", "2024-01-01", YEAR),
    ("昨天", "2024-05-14", "2024-05-15", DAY),
    ("上个月", "2024-04-01", "2024-05-01", MONTH),
]


@pytest.mark.parametrize(("text", "start", "end", "precision"), RELATIVE)
def test_relative_words_are_days_of_the_speaker(
    text: str, start: str, end: str, precision: Precision
) -> None:
    (found,) = read(text)
    assert (days(found), found.precision, found.is_relative, found.role) == (
        (start, end),
        precision,
        True,
        "point",
    )


@pytest.mark.parametrize(
    ("text", "start", "end", "precision"),
    [
        ("on 14 May 2024", "2024-05-14", "2024-05-15", DAY),
        ("May 14th, 2024", "2024-05-14", "2024-05-15", DAY),
        ("the 3rd of June 2019", "2019-06-03", "2019-06-04", DAY),
        ("2024-05-14", "2024-05-14", "2024-05-15", DAY),
        ("at 2024-05-14T10:00", "2024-05-14", "2024-05-15", DAY),
        ("14.05.2024", "2024-05-14", "2024-05-15", DAY),
        ("5/14/2024", "2024-05-14", "2024-05-15", DAY),
        ("in March 2024", "2024-03-01", "2024-04-01", MONTH),
        ("January 2020", "2020-01-01", "2020-02-01", MONTH),
        ("in 2020", "2020-01-01", "2021-01-01", YEAR),
        ("the 1990s", "1990-01-01", "2000-01-01", YEAR),
        ("from March to June 2021", "2021-03-01", "2021-07-01", MONTH),
        ("from November to February 2021", "2020-11-01", "2021-03-01", MONTH),
        ("between 2018 and 2020", "2018-01-01", "2021-01-01", YEAR),
        ("2024-05", "2024-05-01", "2024-06-01", MONTH),
        ("from 3 May to 5 May 2024", "2024-05-03", "2024-05-06", DAY),
        ("2024年", "2024-01-01", "2025-01-01", YEAR),
        ("2018-2020", "2018-01-01", "2021-01-01", YEAR),
        ("am 14. Mai 2024", "2024-05-14", "2024-05-15", DAY),
        ("el 14 de mayo de 2024", "2024-05-14", "2024-05-15", DAY),
        ("le 14 mai 2024", "2024-05-14", "2024-05-15", DAY),
        ("2024年5月14日", "2024-05-14", "2024-05-15", DAY),
    ],
)
def test_written_dates_need_no_day_of_speaking(text: str, start: str, end: str, precision: Precision) -> None:
    (found,) = read(text, said_at=None)
    assert (days(found), found.precision, found.is_relative) == ((start, end), precision, False)


@pytest.mark.parametrize(
    ("text", "role", "start", "end", "precision"),
    [
        ("since 2020", "since", "2020-01-01", None, YEAR),
        ("since last Friday", "since", "2024-05-10", None, DAY),
        ("seit 2020", "since", "2020-01-01", None, YEAR),
        ("desde marzo de 2021", "since", "2021-03-01", None, MONTH),
        ("depuis 2020", "since", "2020-01-01", None, YEAR),
        ("until June", "until", None, "2024-06-01", MONTH),
        ("until March", "until", None, "2024-03-01", MONTH),
        ("until 2021", "until", None, "2021-01-01", YEAR),
        ("bis Juni 2021", "until", None, "2021-06-01", MONTH),
        ("by tomorrow", "until", None, "2024-05-16", DAY),
        ("after 2019", "since", "2020-01-01", None, YEAR),
        ("for three years", "duration", "2021-01-01", None, YEAR),
        ("for two weeks", "duration", "2024-05-01", None, DAY),
        ("the past week", "duration", "2024-05-08", None, DAY),
        ("seit drei Jahren", "duration", "2021-01-01", None, YEAR),
    ],
)
def test_prepositions_give_the_role(
    text: str, role: str, start: str | None, end: str | None, precision: Precision
) -> None:
    (found,) = read(text)
    assert (found.role, days(found), found.precision) == (role, (start, end), precision)
    assert text[slice(*found.span)] == text


@pytest.mark.parametrize(
    "text",
    ["a few days ago", "a while back", "the other day", "last summer", "next spring", "vor ein paar Tagen"],
)
def test_vague_words_are_found_but_not_placed(text: str) -> None:
    (found,) = read(text)
    assert (found.start, found.end, found.is_relative) == (None, None, True)


@pytest.mark.parametrize(
    "text",
    [
        "yesterday",
        "last Friday",
        "two weeks ago",
        "in March",
        "May 14th",
        "on Friday",
        "from March to June",
        "for three years",
        "last year",
    ],
)
def test_relative_words_without_a_day_of_speaking_have_no_start(text: str) -> None:
    (found,) = read(text, said_at=None)
    assert (found.start, found.end, found.is_relative) == (None, None, True)


@pytest.mark.parametrize(
    "text",
    [
        "I may go",
        "May I go?",
        "we may 5 times",
        "we march on",
        "he sat down in the sun",
        "2023-02-30",
        "31 June 2024",
        "30 February 2023",
        "on Fridays",
        "every Friday",
        "I walked 2000 steps",
        "version 1.2020",
        "Ich wohne hier",
        "guten Morgen",
        "por la mañana",
        "Rome wasn't built in a day",
        "ring 14.55.2024",
        "2024-13-01",
        "from 2020 to 2018",
        "from 31 June to 5 July 2024",
        "0000年",
        "Morgen!",
        "",
    ],
)
def test_what_is_no_date_is_not_found(text: str) -> None:
    assert read(text) == []


def test_an_ambiguous_numeric_date_is_not_guessed() -> None:
    (found,) = read("03/04/2024")
    assert (found.start, found.end) == (None, None)


def test_each_of_two_times_is_found_in_order() -> None:
    text = "Yesterday I signed the lease, and last Friday I quit the bakery."
    assert [(text[slice(*f.span)], days(f)[0]) for f in read(text)] == [
        ("Yesterday", "2024-05-14"),
        ("last Friday", "2024-05-10"),
    ]


@pytest.mark.parametrize(("offset", "day"), [(0, "2025-11-03"), (-300, "2025-11-02"), (840, "2025-11-03")])
def test_today_is_the_day_in_the_zone_of_the_speaker(offset: int, day: str) -> None:
    (found,) = read("this morning", said_at=datetime(2025, 11, 3, 0, 30, tzinfo=UTC), offset=offset)
    assert days(found)[0] == day


def test_last_monday_said_on_the_first_of_january_lies_in_the_old_year() -> None:
    (found,) = read("last Monday", said_at=datetime(2024, 1, 1, 12, tzinfo=UTC), offset=0)
    assert days(found) == ("2023-12-25", "2023-12-26")


@pytest.mark.parametrize("text", ["next year", "in 9000 years", "last week", "tomorrow", "for 99 years"])
@pytest.mark.parametrize(
    "said_at",
    [datetime(1, 1, 2, tzinfo=UTC), datetime(9998, 12, 30, tzinfo=UTC), datetime.max.replace(tzinfo=UTC)],
)
def test_the_ends_of_the_calendar_raise_nothing(text: str, said_at: datetime) -> None:
    for found in read(text, said_at=said_at, offset=840):
        assert found.span == (0, len(text))


_PIECES = ["last", "next", "Friday", "march", "May", "in", "14", "2024", "30", "ago", "weeks", "two", "until"]
_PIECES += [
    "from",
    "to",
    "31",
    "2023-02-30",
    "ſince",
    "hier",
    "a few days ago",
    "9999",
    "monat",
    "ıf",
    "second",
]


@given(
    st.text(max_size=80)
    | st.lists(
        st.sampled_from(_PIECES),
        max_size=10,
    ).map(" ".join),
    st.none() | st.datetimes(timezones=st.just(UTC)),
    st.integers(-840, 840),
)
def test_any_text_gives_ordered_spans_of_whole_days(text: str, said_at: datetime | None, offset: int) -> None:
    reached = 0
    for found in find_times(text, said_at=said_at, utc_offset_minutes=offset):
        assert reached <= found.span[0] < found.span[1] <= len(text)
        reached = found.span[1]
        for bound in (found.start, found.end):
            assert bound is None or bound.time() == datetime.min.time()
        if found.start and found.end:
            assert found.end - found.start >= timedelta(days=1)
