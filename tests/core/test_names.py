from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.core.names import find_mentions


def names(text: str, speaker: str | None = None) -> list[str]:
    return [mention.name for mention in find_mentions(text, speaker=speaker)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sam Okafor is my dentist.", ["Sam Okafor"]),
        ("Sam Lindqvist climbs with me on Tuesdays.", ["Sam Lindqvist"]),
        ("Hedda called.", ["Hedda"]),
        ("I met Anneke van Dorp in Porto.", ["Anneke van Dorp", "Porto"]),
        ("Yesterday I saw Dr. Ahmed al-Rashid.", ["Ahmed al-Rashid"]),
        ("Maria and John went to New York City.", ["Maria", "John", "New York City"]),
        ("She studies at the University of Porto.", ["University of Porto"]),
        ("Rio de Janeiro is loud.", ["Rio de Janeiro"]),
        ("The Eiffel Tower! Great.", ["Eiffel Tower"]),
        ("Dev's wife is here.", ["Dev"]),
        ("The O'Brien family", ["O'Brien"]),
        ("We use JavaScript and INV-2041 is open.", ["JavaScript", "INV-2041"]),
        ("The badge AB1234 opens it.", ["AB1234"]),
        ("Write to pat+test@mail.example or @pat_t.", ["pat+test@mail.example", "@pat_t"]),
        ('I read "The Long Way" twice.', ["The Long Way"]),
        ("I read «Война и мир».", ["Война и мир"]),
        ("Ирина Волкова живёт в Москве.", ["Ирина Волкова", "Москве"]),
        ("Η Ελένη Παπαδάκη είναι εδώ", ["Ελένη Παπαδάκη"]),
        ("Ich wohne in Berlin und trinke keinen Kaffee.", ["Berlin"]),
        ("我叫王伟，我在小米工作。", ["王伟", "小米"]),
        ("修好了retry-queue后重新上线", ["retry-queue"]),
    ],
)
def test_names_are_found_in_order(text: str, expected: list[str]) -> None:
    assert names(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Yesterday was fine.",
        "Thanks! Sounds good.",
        "I'm on it. OK.",
        "Searching takes time. Happiness matters.",
        "On Monday in June.",
        "Nothing here, really.",
        'He said "i will not come today" again.',
        "",
    ],
)
def test_ordinary_words_with_a_capital_are_no_names(text: str) -> None:
    assert names(text) == []


def test_a_name_is_given_once_in_its_first_spelling() -> None:
    assert names("We use Payments-API. The payments-api is down. Ask PAYMENTS-API.") == ["Payments-API"]


def test_the_speaker_is_mentioned_where_they_speak_of_themselves() -> None:
    assert names("I love Porto.", speaker="Ana") == ["Porto", "Ana"]
    assert names("Porto is nice.", speaker="Ana") == ["Porto"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("I saw Dr. Lindqvist.", "person"),
        ("She lives in Porto.", "place"),
        ("She left Kestrel Labs.", "organisation"),
        ("Invoice INV-2041 is due.", "thing"),
        ("I know Eva.", "other"),
    ],
)
def test_the_kind_is_guessed_from_the_words_around(text: str, kind: str) -> None:
    (mention,) = find_mentions(text)
    assert mention.kind == kind


@given(st.text(max_size=120))
def test_any_text_gives_the_same_non_empty_names_twice(text: str) -> None:
    found = find_mentions(text, speaker="Ana")
    assert found == find_mentions(text, speaker="Ana")
    assert all(mention.name.strip() for mention in found)
