"""Tastes, homes and marriages in German, Spanish and French: the words of degree are no part of the thing."""

from __future__ import annotations

import pytest

from tests.write.rules_gear import drafts, slots, texts


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("Ich mag Fisch sehr.", "opinion_of:fisch", "like"),
        ("Ich mag Fisch wirklich sehr gerne.", "opinion_of:fisch", "like"),
        ("Ich mag Fisch überhaupt nicht.", "opinion_of:fisch", "dislike"),
        ("Ich mag keinen Fisch.", "opinion_of:fisch", "dislike"),
        ("Me gusta mucho el té.", "opinion_of:té", "like"),
        ("No me gusta nada el té.", "opinion_of:té", "dislike"),
        ("J'aime beaucoup le thé.", "opinion_of:thé", "like"),
        ("Je n'aime pas du tout le thé.", "opinion_of:thé", "dislike"),
    ],
)
def test_words_of_degree_are_no_part_of_what_is_liked(text: str, attribute: str, value: str) -> None:
    assert slots(text) == [("user", attribute, value)]


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("Ich mag Tee nicht mehr.", "opinion_of:tee", "like"),
        ("Ich mag keinen Tee mehr.", "opinion_of:tee", "like"),
        ("Ya no me gusta el té.", "opinion_of:té", "like"),
        ("Je n'aime plus le thé.", "opinion_of:thé", "like"),
        ("Je n'habite plus à Lyon.", "home_city", "Lyon"),
        ("Ich arbeite nicht mehr bei Brill.", "employer", "Brill"),
        ("Ich bin nicht verheiratet.", "marital_status", "married"),
        ("Je ne suis pas marié.", "marital_status", "married"),
    ],
)
def test_no_longer_ends_the_value_that_held(text: str, attribute: str, value: str) -> None:
    assert [(d.attribute, d.value, d.claim.ends) for d in drafts(text)] == [(attribute, value, True)]


@pytest.mark.parametrize(
    "text", ["Ich bin verheiratet.", "Ich habe Jonas geheiratet.", "Estoy casado.", "Je suis marié."]
)
def test_a_marriage_fills_its_slot(text: str) -> None:
    assert slots(text) == [("user", "marital_status", "married")]


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [("Ich lebe in Köln.", "home_city", "Köln"), ("Je viens de Nice.", "hometown", "Nice")],
)
def test_a_short_sentence_is_read_in_its_own_language(text: str, attribute: str, value: str) -> None:
    assert slots(text) == [("user", attribute, value)]


def test_a_german_clause_without_its_pronoun_gets_it_back() -> None:
    assert texts("Ich wohne in Bonn und arbeite bei Brill.") == ["Ich wohne in Bonn", "Ich arbeite bei Brill"]
