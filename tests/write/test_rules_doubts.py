"""What is only partly, no longer or not really so fills no slot; whom a fact is about stays clear."""

from __future__ import annotations

import pytest

from tests.write.rules_gear import drafts, slots, texts, the_draft


@pytest.mark.parametrize(
    "text",
    [
        "My cousin works at Birch.",
        "My neighbour moved to Lima.",
        "My friend is a plumber.",
        "My tenant lives in Quito.",
    ],
)
def test_people_who_may_be_several_hold_no_slot(text: str) -> None:
    assert the_draft(text).attribute is None


def test_namesakes_of_different_relation_are_different_people() -> None:
    subjects = [
        the_draft(f"My {relation} Rui is a baker.").subject for relation in ("uncle", "boss", "older uncle")
    ]
    assert subjects == ["user's uncle Rui", "user's boss Rui", "user's uncle Rui"]


def test_a_bare_name_means_whom_the_message_introduced_by_it() -> None:
    found = drafts("My uncle Rui retired in May. Rui moved to Lima.")
    assert [d.subject for d in found] == ["user's uncle Rui", "user's uncle Rui"]
    assert the_draft("Rui moved to Lima.").subject == "Rui"


def test_an_adverb_is_no_part_of_a_relative() -> None:
    assert slots("My sister just moved to Lima.") == [("user's sister", "home_city", "Lima")]


def test_edges_go_by_the_plain_name_of_a_relative() -> None:
    assert [(r.source, r.target) for r in the_draft("My uncle Rui lives in Lima.").relations] == [
        ("user", "Rui"),
        ("Rui", "Lima"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "I live in Peru.",
        "I moved to New Zealand.",
        "I live in the Alfama district.",
        "I live in Alfama district.",
        "I live in Orange County.",
        "I live in Lima at weekends.",
        "I live in Lima for now.",
        "I live in Lima most of the time.",
        "I hate coffee, actually I love it.",
        "My uncle Rui and my friend Rui live in Lima.",
        "I moved back to Quito for the summer.",
        "I moved to Lima when I was 12.",
        "As a kid I lived in Quito.",
        "I live in Lima until the end of June.",
        "I work part-time at Birch.",
        "I also work at Birch.",
        "I worked at the bakery today.",
        "I worked at Birch for ten years.",
        "When I lived in Quito I worked at Birch.",
        "I'm a former teacher.",
        "I'm a retired nurse.",
        "I'm 4 years younger than Ida.",
        "I'm 4 years older than Ida.",
        "I don't like coffee with sugar.",
        "I'm allergic to folks who shout.",
    ],
)
def test_a_qualified_statement_stays_a_plain_fact(text: str) -> None:
    assert [d.attribute for d in drafts(text)] == [None]


@pytest.mark.parametrize(
    ("text", "value"),
    [("I live in The Hague.", "The Hague"), ("I have lived in Lima for the last two years.", "Lima")],
)
def test_a_plain_city_still_fills_its_slot(text: str, value: str) -> None:
    assert slots(text) == [("user", "home_city", value)]


@pytest.mark.parametrize("text", ["As a kid I lived in Quito.", "I worked at Birch for ten years."])
def test_a_state_told_as_past_does_not_begin_when_it_is_told(text: str) -> None:
    interval = the_draft(text).claim.interval
    assert (interval.start, interval.end) == (None, None)


def test_a_past_year_bounds_its_value() -> None:
    draft = the_draft("I lived in Quito in 2015.")
    assert draft.value == "Quito"
    assert (str(draft.claim.interval.start)[:4], str(draft.claim.interval.end)[:4]) == ("2015", "2016")


@pytest.mark.parametrize(
    "text",
    [
        "In the game I live in Eldoria.",
        "In my novel, I'm a detective who lives in Lima.",
        "I moved to Lima in my dream.",
        "I'm allergic to Tuesdays, haha.",
        "My doctor says I'm allergic to nuts, but I'm not.",
    ],
)
def test_what_is_invented_joked_or_hearsay_fills_no_slot(text: str) -> None:
    assert slots(text) == []
    assert len(texts(text)) == 1
