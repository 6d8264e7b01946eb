"""A query read without a model: intent, time, names, words, and what the view shows."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, date, datetime

import pytest

from perdure.core.interval import Interval
from perdure.core.values import Validity
from perdure.recall.plan import MAX_NAME_KEYS, MAX_TOKENS, Intent, Plan, make_plan

WEDNESDAY = datetime(2024, 5, 15, 12, 0, tzinfo=UTC)


def plan(
    query: str,
    *,
    at: datetime = WEDNESDAY,
    offset: int = 0,
    as_of: datetime | None = None,
    known_at: datetime | None = None,
    validity: Validity | None = None,
    show_expired: bool = False,
) -> Plan:
    return make_plan(
        query,
        reference_date=at,
        utc_offset_minutes=offset,
        as_of=as_of,
        known_at=known_at,
        validity=validity,
        show_expired=show_expired,
    )


def days(start: str, end: str) -> Interval:
    return Interval(*(datetime.fromisoformat(d).replace(tzinfo=UTC) for d in (start, end)))


@pytest.mark.parametrize(
    ("query", "intent"),
    [
        ("Where does Ana live?", Intent.CURRENT),
        ("Where did Ana live before?", Intent.HISTORICAL),
        ("What was her previous job?", Intent.HISTORICAL),
        ("Wo wohnte sie früher?", Intent.HISTORICAL),
        ("她以前住在哪里", Intent.HISTORICAL),
        ("When did Ana move?", Intent.WHEN),
        ("what year did she graduate", Intent.WHEN),
        ("¿Cuándo se mudó?", Intent.WHEN),
        ("她什么时候搬家的", Intent.WHEN),
        ("What is the latest on the boat?", Intent.LATEST),
        ("Which sports does she play?", Intent.LIST),
        ("how many hives are there", Intent.LIST),
        ("Tell me all her pets", Intent.LIST),
        ("the oldest boat", Intent.CURRENT),
        ("Which was her old address?", Intent.HISTORICAL),
        ("How old is Ana?", Intent.CURRENT),
        ("the two years old boat", Intent.CURRENT),
        ("goldfish", Intent.CURRENT),
    ],
)
def test_intent(query: str, intent: Intent) -> None:
    assert plan(query).intent is intent


@pytest.mark.parametrize(
    ("query", "window"),
    [
        ("what happened yesterday", days("2024-05-14", "2024-05-15")),
        ("what happened in March", days("2024-03-01", "2024-04-01")),
        ("what did she buy last Friday", days("2024-05-10", "2024-05-11")),
        ("what happened in 2021?", days("2021-01-01", "2022-01-01")),
        ("what happened on 3 May 2024", days("2024-05-03", "2024-05-04")),
        ("plans for tomorrow", days("2024-05-16", "2024-05-17")),
        ("昨天发生了什么", days("2024-05-14", "2024-05-15")),
        ("what happened from March to April 2023", days("2023-03-01", "2023-05-01")),
        ("where does she live", None),
        ("the day she will march", None),
    ],
)
def test_window(query: str, window: Interval | None) -> None:
    assert plan(query).window == window


def test_since_is_open_and_until_has_no_start() -> None:
    march = datetime(2024, 3, 1, tzinfo=UTC)
    assert plan("what changed since March").window == Interval(march, None)
    assert plan("what happened before March 2024").window == Interval(None, march)


@pytest.mark.parametrize(
    ("offset", "window"),
    [(0, ("2024-05-14", "2024-05-15")), (14 * 60, ("2024-05-15", "2024-05-16"))],
)
def test_yesterday_is_that_of_the_askers_zone(offset: int, window: tuple[str, str]) -> None:
    assert plan("what happened yesterday", offset=offset).window == days(*window)


def test_yesterday_west_of_greenwich() -> None:
    early = datetime(2024, 5, 15, 3, 0, tzinfo=UTC)
    assert plan("what happened yesterday", at=early, offset=-11 * 60).window == days(
        "2024-05-13", "2024-05-14"
    )


SCRIPT = """
from datetime import datetime, UTC
from perdure import Memory
from perdure.testing import CountingIds, FixedClock
parts = {"embedder": "hashing", "model": "rules", "clock": FixedClock(), "new_id": CountingIds()}
with Memory(":memory:", **parts) as memory:
    for day in range(10, 16):
        memory.add(f"Day {day} went by.", user_id="ana", timestamp=f"2024-05-{day}T12:00:00Z", infer=False)
    for query in ("what happened yesterday", "what happened in March", "what went by last Friday"):
        found = memory.search(query, user_id="ana", signals=["temporal", "keyword"],
                              reference_date="2024-05-15T23:30:00+09:00", explain=True)
        print(query, found["plan"]["window"], [m["id"] for m in found["results"]])
"""


def test_the_zone_of_the_machine_changes_nothing() -> None:
    answers = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "TZ": zone},
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        ).stdout
        for zone in ("UTC", "Pacific/Kiritimati", "Pacific/Midway")
    }
    assert len(answers) == 1
    assert "['2024-05-14T00:00:00+00:00', '2024-05-15T00:00:00+00:00']" in answers.pop()


@pytest.mark.parametrize(
    ("query", "key"),
    [
        ("Where does Priya live?", "priya"),
        ("where does priya live?", "priya"),
        ("what is priya's job", "priya"),
        ("what is Priya’s job", "priya"),
        ("tell me about birchwood labs", "birchwoodlabs"),
        ("tell me about INV-2041", "inv2041"),
        ("is C++ what she writes?", "c++"),
        ("林悦住在哪里", "林悦"),
        ("東京の会議", "東京"),
        ("한빛 소프트", "한빛"),
        ("wo wohnt jürgen müller", "jürgenmüller"),
    ],
)
def test_names_are_found_in_any_case_and_script(query: str, key: str) -> None:
    assert key in plan(query).entity_keys


def test_stop_words_alone_are_no_names() -> None:
    assert {"who", "isthe", "the"} & set(plan("Who is the").entity_keys) == set()


def test_keys_and_tokens_are_bounded_for_any_query() -> None:
    long = plan(" ".join(f"word{n}" for n in range(4000)))
    assert len(long.entity_keys) == MAX_NAME_KEYS
    assert len(long.tokens) == MAX_TOKENS


@pytest.mark.parametrize(
    ("query", "tokens"),
    [
        ("Where does Ana live?", ("ana", "live")),
        ("C++ or C#?", ("c++", "c", "c#")),
        ("who is it", ("who", "is", "it")),
        ("bees bees bees", ("bees",)),
        ("?!", ()),
    ],
)
def test_tokens_leave_out_stop_words_unless_there_is_nothing_else(
    query: str, tokens: tuple[str, ...]
) -> None:
    assert plan(query).tokens == tokens


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("Where does Ana live?", Validity.UNENDED),
        ("Where did Ana live before?", Validity.ANY),
        ("When did Ana move?", Validity.ANY),
        ("What happened yesterday?", Validity.ANY),
        ("What is planned for tomorrow?", Validity.UNENDED),
    ],
)
def test_questions_about_the_past_bring_closed_facts_in(query: str, shown: Validity) -> None:
    assert plan(query).view.validity is shown


def test_as_of_decides_over_validity_and_question() -> None:
    then = datetime(2024, 2, 1, tzinfo=UTC)
    view = plan("Where did Ana live before?", as_of=then, validity=Validity.UNENDED).view
    assert (view.valid_at, view.validity) == (then, Validity.AT)


def test_validity_decides_over_the_question() -> None:
    assert plan("Where did Ana live before?", validity=Validity.UNENDED).view.validity is Validity.UNENDED


def test_known_at_and_expiry_go_into_the_view() -> None:
    then = datetime(2024, 2, 1, tzinfo=UTC)
    assert plan("Ana", known_at=then).view.known_at == then
    assert plan("Ana").view.unexpired_on == date(2024, 5, 15)
    assert plan("Ana", show_expired=True).view.unexpired_on is None
