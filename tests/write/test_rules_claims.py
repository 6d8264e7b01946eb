"""When what the rules found holds."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from perdure.core.interval import ALWAYS, Interval, Precision
from perdure.core.values import FactKind
from perdure.write.rules import extract_by_rules
from tests.write.rules_gear import SAID, SAID_DAY, drafts, the_draft, turn

DAY, MONTH, YEAR, INSTANT = Precision.DAY, Precision.MONTH, Precision.YEAR, Precision.INSTANT


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "interval", "precision", "ends"),
    [
        ("I live in Porto.", Interval(SAID), INSTANT, False),
        ("I've lived in Porto since 2020.", Interval(day("2020-01-01")), YEAR, False),
        ("I've worked at Acme for three years.", Interval(day("2021-01-01")), YEAR, False),
        ("I moved to Porto.", Interval(SAID_DAY), DAY, False),
        ("I moved to Porto last month.", Interval(day("2024-04-01")), MONTH, False),
        ("I moved to Porto on 3 May 2024.", Interval(day("2024-05-03")), DAY, False),
        ("I moved to Porto a few weeks ago.", Interval(SAID), INSTANT, False),
        ("I lived in Rome from 2015 to 2018.", Interval(day("2015-01-01"), day("2019-01-01")), YEAR, False),
        ("I lived in Rome in 2015.", Interval(day("2015-01-01"), day("2016-01-01")), YEAR, False),
        ("I worked at Acme until June 2021.", Interval(None, day("2021-06-01")), MONTH, True),
        ("I no longer live in Rome.", Interval(None, SAID), INSTANT, True),
        ("I don't live in Rome any more.", Interval(None, SAID), INSTANT, True),
        ("I don't live in Rome anymore.", Interval(None, SAID), INSTANT, True),
        ("I used to live in Rome.", Interval(None, SAID), INSTANT, True),
        ("I stopped working at Acme.", Interval(None, SAID), INSTANT, True),
        ("I'm not vegan anymore.", Interval(None, SAID), INSTANT, True),
        ("I quit Crumb Bakery last Friday.", Interval(None, day("2024-05-10")), DAY, True),
        ("I quit my job at Acme last month.", Interval(None, day("2024-04-01")), MONTH, True),
        ("My birthday is 14 May 1990.", ALWAYS, INSTANT, False),
        ("Ich wohne nicht mehr in Berlin.", Interval(None, SAID), INSTANT, True),
        ("Ya no vivo en Madrid.", Interval(None, SAID), INSTANT, True),
        ("Je n'habite plus à Paris.", Interval(None, SAID), INSTANT, True),
        ("Ich wohne seit 2019 in Köln.", Interval(day("2019-01-01")), YEAR, False),
    ],
)
def test_slots_hold_when_their_words_say(
    text: str, interval: Interval, precision: Precision, ends: bool
) -> None:
    draft = the_draft(text)
    assert draft.attribute is not None
    assert (draft.claim.interval, draft.claim.precision, draft.claim.ends) == (interval, precision, ends)
    assert draft.claim.said_at == SAID


@pytest.mark.parametrize(
    ("text", "kind", "interval", "precision"),
    [
        ("I bought a red bike.", FactKind.EVENT, Interval(SAID_DAY), DAY),
        ("I bought a red bike yesterday.", FactKind.EVENT, Interval(day("2024-05-14")), DAY),
        ("I visited Oslo in March.", FactKind.EVENT, Interval(day("2024-03-01")), MONTH),
        ("I bought a red bike a few days ago.", FactKind.EVENT, ALWAYS, DAY),
        ("I have a red bike.", FactKind.STATE, Interval(SAID), INSTANT),
        ("I want to visit Oslo next month.", FactKind.STATE, Interval(SAID), INSTANT),
    ],
)
def test_what_happened_has_its_day_and_what_is_so_holds_since_it_was_said(
    text: str, kind: FactKind, interval: Interval, precision: Precision
) -> None:
    draft = the_draft(text)
    assert (draft.kind, draft.claim.interval, draft.claim.precision) == (kind, interval, precision)


def test_the_days_of_two_events_in_one_sentence() -> None:
    found = drafts("Yesterday I signed the lease, and last Friday I quit Crumb Bakery.", speaker="Ana")
    assert [d.text for d in found] == [
        "Yesterday (2024-05-14) Ana signed the lease",
        "Last Friday (2024-05-10) Ana quit Crumb Bakery",
    ]
    assert (found[0].claim.interval.start, found[1].claim.interval.end) == (
        day("2024-05-14"),
        day("2024-05-10"),
    )


def test_an_evening_event_stays_on_the_speakers_day() -> None:
    late = datetime(2025, 11, 3, 0, 30, tzinfo=UTC)
    (draft,) = extract_by_rules([turn("Had the interview this morning.", said_at=late)]).drafts
    assert (draft.text, draft.claim.interval) == (
        "User had the interview this morning (2025-11-02)",
        Interval(day("2025-11-02")),
    )


def test_a_relative_time_without_an_anchor_stays_unknown() -> None:
    draft = the_draft("I moved here two weeks ago.", said_at=None)
    assert (draft.text, draft.claim.interval, draft.claim.said_at, draft.raw_date) == (
        "User moved here two weeks ago",
        ALWAYS,
        None,
        "two weeks ago",
    )


@pytest.mark.parametrize("text", ["I live in Porto.", "I moved to Porto.", "I moved to Porto last month."])
def test_nothing_is_stamped_where_the_transcript_gives_no_time(text: str) -> None:
    assert the_draft(text, said_at=None).claim.interval == ALWAYS


def test_an_ending_that_nobody_can_place_fills_no_slot() -> None:
    draft = the_draft("I no longer work at Acme.", said_at=None)
    assert (draft.attribute, draft.text) == (None, "User no longer works at Acme")


def test_a_vague_time_is_kept_in_words() -> None:
    assert the_draft("I bought a red bike a few days ago.").raw_date == "a few days ago"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I flew to Oslo last week.", "User flew to Oslo last week (2024-05-06 to 2024-05-12)"),
        ("I flew to Oslo last year.", "User flew to Oslo last year (2023)"),
        ("I flew to Oslo in March.", "User flew to Oslo in March (2024-03)"),
        ("I flew to Oslo on 3 May 2024.", "User flew to Oslo on 3 May 2024"),
    ],
)
def test_the_date_of_a_relative_time_is_written_beside_it(said: str, told: str) -> None:
    assert the_draft(said).text == told
