"""A plain denial ends the value it names; a narrower one only stays as said."""

from __future__ import annotations

import pytest

from tests.write.rules_gear import drafts, slots, the_draft


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("I don't live in Lima.", "home_city", "Lima"),
        ("I do not work at Birch.", "employer", "Birch"),
        ("I'm not a vegetarian.", "diet", "vegetarian"),
        ("I'm not married.", "marital_status", "married"),
        ("No vivo en Lima.", "home_city", "Lima"),
        ("Ich wohne nicht in Bonn.", "home_city", "Bonn"),
        ("Je ne travaille pas chez Birch.", "employer", "Birch"),
        ("Je n'habite pas à Lyon.", "home_city", "Lyon"),
    ],
)
def test_a_plain_denial_ends_what_it_names(text: str, attribute: str, value: str) -> None:
    draft = the_draft(text)
    assert (draft.attribute, draft.value, draft.claim.ends) == (attribute, value, True)


def test_a_denial_ends_though_another_clause_follows() -> None:
    found = drafts("I'm not allergic to nuts, I just dislike them.")
    assert (found[0].attribute, found[0].value, found[0].claim.ends) == ("allergy", "nuts", True)


@pytest.mark.parametrize(
    "text",
    [
        "I don't live in Lima with my parents.",
        "I don't really live in Lima.",
        "I'm not allergic to anything.",
        "I don't work at Birch on Fridays.",
        "I don't work for Birch but for Apex.",
        "My son isn't allergic to nuts.",
        "My friend is no longer allergic to nuts.",
        "No vivo en Lima con mis padres.",
        "Ich arbeite nicht gerne bei Birch.",
    ],
)
def test_a_narrower_denial_ends_nothing(text: str) -> None:
    assert slots(text) == []


def test_a_contrast_names_the_value_that_holds() -> None:
    assert slots("My favourite colour isn't red, it's green.") == [("user", "favourite_colour", "green")]
