"""Short plain statements: kept, ended and named as a listener would."""

from __future__ import annotations

import pytest

from tests.write.rules_gear import drafts, slots, texts, the_draft


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("I take ibuprofen.", "User takes ibuprofen"),
        ("I have asthma.", "User has asthma"),
        ("I have arthritis.", "User has arthritis"),
        ("I have a Vespa.", "User has a Vespa"),
        ("I'm unemployed.", "User is unemployed"),
        ("I'm self-employed.", "User is self-employed"),
        ("I have a boyfriend.", "User has a boyfriend"),
        ("Ida and I broke up.", "User and Ida broke up"),
    ],
)
def test_a_short_statement_of_health_work_or_company_is_kept(text: str, kept: str) -> None:
    assert texts(text) == [kept]


@pytest.mark.parametrize("text", ["I take naps.", "I take notes.", "I have a question.", "I have an idea."])
def test_a_short_statement_of_the_moment_is_not_kept(text: str) -> None:
    assert texts(text) == []


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("I don't hate mornings.", "opinion_of:mornings", "hate"),
        ("Turns out I was never allergic to eggs.", "allergy", "eggs"),
        ("I left Turin for good.", "home_city", "Turin"),
        ("I moved away from Turin.", "home_city", "Turin"),
    ],
)
def test_a_denial_or_a_farewell_ends_the_value(text: str, attribute: str, value: str) -> None:
    assert [(d.attribute, d.value, d.claim.ends) for d in drafts(text)] == [(attribute, value, True)]


@pytest.mark.parametrize(
    "text", ["I left Turin.", "I don't always hate mornings.", "I moved out of my flat."]
)
def test_half_a_denial_ends_nothing(text: str) -> None:
    assert slots(text) == []


def test_a_new_number_is_a_phone_number() -> None:
    assert slots("My new number is 0160 9998877.") == [("user", "phone", "0160 9998877")]


def test_the_number_of_a_parent_is_theirs() -> None:
    assert slots("My mom's phone number is 0160 9998877.") == [("user's mom", "phone", "0160 9998877")]


def test_the_number_of_some_friend_fills_no_slot() -> None:
    assert slots("My friend's phone number is 0160 9998877.") == []


@pytest.mark.parametrize("firm", ["Crumb & Co", "Tilly & Brown", "Smith and Sons"])
def test_a_firm_of_several_names_is_one_value(firm: str) -> None:
    assert slots(f"I work at {firm}.") == [("user", "employer", firm)]


def test_a_firm_ends_where_the_next_statement_begins() -> None:
    assert slots("I work at Acme and Priya works at Brill.") == [
        ("user", "employer", "Acme"),
        ("Priya", "employer", "Brill"),
    ]


def test_capitals_stay_capitals_in_the_verb() -> None:
    assert the_draft("I LIVE IN TURIN").text == "User LIVES IN TURIN"


@pytest.mark.parametrize("text", ["I live in NYC.", "I live in New York City.", "I live in New York."])
def test_the_names_of_one_city_are_one_value(text: str) -> None:
    assert slots(text) == [("user", "home_city", "New York")]


def test_a_pronoun_in_a_title_stays_as_it_is() -> None:
    assert not any("Our Village" not in text for text in texts("The author of Our Village is Mary Mitford."))
    (draft,) = drafts("I borrowed Our Village from the library.")
    assert "Our Village" in draft.text
