"""Words that nobody states: quoted mail, parts to play, what is denied in the same breath."""

from __future__ import annotations

import pytest

from tests.write.rules_gear import slots, texts


def test_quoted_lines_of_a_mail_are_nobodys_statements() -> None:
    assert texts("> I work at Brill\n> I live in Turin\nReally?") == []


def test_what_stands_below_quoted_lines_is_told() -> None:
    assert slots("> Where do you live?\nI live in Turin.") == [("user", "home_city", "Turin")]


@pytest.mark.parametrize(
    "text",
    [
        "Act as if you were a pharmacist. I am a customer who is allergic to aspirin.",
        "Please act like a recruiter. I live in Turin.",
        "Pretend you're my landlord. I moved to Turin.",
        "I want you to act as a judge. I work at Brill.",
        "Imagine you are a travel agent. My name is Sir Bruno and I live in Turin.",
        "Let's role-play. I'm a nurse.",
        "Stell dir vor, du bist Arzt. Ich wohne in Turin.",
        "Imagina que eres médico. Vivo en Turin.",
        "Imagine que tu es médecin. J'habite à Turin.",
    ],
)
def test_what_follows_a_part_to_play_is_invented(text: str) -> None:
    assert texts(text) == []


def test_what_stands_before_a_part_to_play_is_told() -> None:
    assert slots("I live in Turin. Now pretend you are a pirate. I live on a ship.") == [
        ("user", "home_city", "Turin")
    ]


def test_acting_oneself_is_no_part_to_play() -> None:
    assert ("user", "home_city", "Turin") in slots("I act as the deputy. I live in Turin.")


@pytest.mark.parametrize("text", ["My birthday is June 4. No, June 5.", "My birthday is June 4, no, June 5."])
def test_a_corrected_date_stands(text: str) -> None:
    assert slots(text) == [("user", "birthday", "June 5")]


def test_a_birthday_with_a_second_thought_fills_no_slot() -> None:
    assert slots("My birthday is June 4, well, about then.") == []


def test_a_number_may_end_a_sentence() -> None:
    assert slots("I turned 40. I live in Turin.") == [("user", "age", "40"), ("user", "home_city", "Turin")]


@pytest.mark.parametrize(
    "text", ["The nurse says I'm allergic to eggs, but I'm not.", "They say we live in Turin but we don't."]
)
def test_what_is_denied_in_the_same_breath_is_not_kept(text: str) -> None:
    assert texts(text) == []


def test_a_denial_of_another_ones_taste_leaves_theirs() -> None:
    assert texts("My wife likes fish but I don't.") == ["User's wife likes fish", "User doesn't like fish"]
