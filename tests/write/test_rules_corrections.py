"""What a message takes back or corrects is not kept as said first."""

from __future__ import annotations

import pytest

from tests.write.rules_gear import slots, texts


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("I work at Birch. Actually no, I work at Apex.", "employer", "Apex"),
        ("I live in Lima. Wait, sorry, Quito.", "home_city", "Quito"),
        ("I live in Lima, sorry, Quito.", "home_city", "Quito"),
        ("Sorry, I meant I live in Quito, not Lima.", "home_city", "Quito"),
        ("I live in Lima. I mean Quito, not Lima.", "home_city", "Quito"),
        ("I work at Birch, wait no, Apex.", "employer", "Apex"),
        ("My boss is Kim. Oops, my boss is Lee.", "boss", "Lee"),
        ("I moved to Lima yesterday. lol jk I still live in Quito", "home_city", "Quito"),
    ],
)
def test_the_corrected_value_is_the_one_kept(text: str, attribute: str, value: str) -> None:
    assert slots(text) == [("user", attribute, value)]


@pytest.mark.parametrize(
    "text",
    [
        "I work at NASA. Not.",
        "I work at NASA, I wish!",
        "I'm allergic to nuts. Just kidding!",
        "i live in lima. wait, sorry, quito.",
        "Write a story: I live in Rome. I work at Fiat. My wife is Zoe.",
    ],
)
def test_what_is_taken_back_or_made_up_is_not_kept(text: str) -> None:
    assert texts(text) == []


def test_an_apology_for_something_else_corrects_nothing() -> None:
    assert slots("I live in Lima. Sorry, I was late.") == [("user", "home_city", "Lima")]


def test_a_contracted_would_is_a_wish_and_a_contracted_had_a_report() -> None:
    assert texts("I'd never move to Lima again.") == []
    assert texts("I'd been to Lima twice.") == ["User had been to Lima twice"]
