"""Slots read from English statements of an unnamed user."""

from __future__ import annotations

import pytest

from perdure.core.values import Cardinality, DraftRelation
from tests.write.rules_gear import drafts, slots, texts, the_draft


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("My name is Alice", "name", "Alice"),
        ("I'm called Sam Okafor.", "name", "Sam Okafor"),
        ("Hi my name is Jeremy, what's yours?", "name", "Jeremy"),
        ("Please remember that my name is Jo.", "name", "Jo"),
        ("Call me Al.", "nickname", "Al"),
        ("I live in Porto now with my cat", "home_city", "Porto"),
        ("I live in a small flat in Porto.", "home_city", "Porto"),
        ("I'm based in Lisbon, Portugal.", "home_city", "Lisbon"),
        ("I moved to San José last month", "home_city", "San José"),
        ("I moved from Rome to Rio de Janeiro.", "home_city", "Rio de Janeiro"),
        ("i live in porto", "home_city", "porto"),
        ("I've lived in Frankfurt am Main since 2020", "home_city", "Frankfurt am Main"),
        ("I work at Acme.", "employer", "Acme"),
        ("I've been working for Acme for three years.", "employer", "Acme"),
        ("I joined Kestrel Labs in March 2024.", "employer", "Kestrel Labs"),
        ("I got a job at Birch.", "employer", "Birch"),
        ("I'm a nurse.", "job_title", "nurse"),
        ("I work as a bike courier in Lima.", "job_title", "bike courier"),
        ("I was promoted to team lead last week", "job_title", "team lead"),
        ("I'm 34.", "age", "34"),
        ("I turned 40 yesterday.", "age", "40"),
        ("My birthday is 14 May 1990", "birthday", "14 May 1990"),
        ("I was born in Quito.", "birthplace", "Quito"),
        ("I grew up in Lima.", "hometown", "Lima"),
        ("I'm German.", "nationality", "German"),
        ("My native language is Basque.", "native_language", "Basque"),
        ("I'm vegan.", "diet", "vegan"),
        ("I became a vegetarian in 2019.", "diet", "vegetarian"),
        ("I eat meat again.", "diet", "eats meat"),
        ("I got married in June 2019", "marital_status", "married"),
        ("I'm single again.", "marital_status", "single"),
        ("My wife is Eva", "partner", "Eva"),
        ("I'm dating Eva.", "partner", "Eva"),
        ("My phone number is +351 912 345 678", "phone", "+351 912 345 678"),
        ("My email is pat+test@mail.example", "email", "pat+test@mail.example"),
        ("You can reach me at pat@mail.example", "email", "pat@mail.example"),
        ("My address is 12 Elm Street, Porto.", "address", "12 Elm Street, Porto"),
        ("My favorite colour is blue", "favourite_colour", "blue"),
        ('My favourite book is "Dune".', "favourite_book", "Dune"),
        ("I love Chinese food.", "opinion_of:chinese_food", "love"),
        ("I hate Chinese food.", "opinion_of:chinese_food", "hate"),
        ("I like olives.", "opinion_of:olives", "like"),
        ("I don't like olives.", "opinion_of:olives", "dislike"),
        ("I can't stand aubergine.", "opinion_of:aubergine", "hate"),
        ("I love the piano.", "opinion_of:piano", "love"),
    ],
)
def test_single_valued_slots(text: str, attribute: str, value: str) -> None:
    draft = the_draft(text)
    assert (draft.subject, draft.attribute, draft.value, draft.cardinality) == (
        "user",
        attribute,
        value,
        Cardinality.SINGLE,
    )


@pytest.mark.parametrize(
    ("text", "attribute", "values"),
    [
        ("I am allergic to penicillin.", "allergy", ["penicillin"]),
        ("I'm allergic to nuts, eggs and shellfish.", "allergy", ["nuts", "eggs", "shellfish"]),
        ("I have a peanut allergy.", "allergy", ["peanut"]),
        ("I speak English, French and Dutch", "speaks", ["English", "French", "Dutch"]),
        ("I have a dog named Poppy", "pet", ["Poppy"]),
        ("I have two cats.", "pet", ["two cats"]),
        ("I have a son named Leo.", "child", ["Leo"]),
        ("My sister's name is Ines.", "sibling", ["Ines"]),
    ],
)
def test_multi_valued_slots_give_one_draft_for_each_value(
    text: str, attribute: str, values: list[str]
) -> None:
    found = drafts(text)
    assert [(d.attribute, d.value, d.cardinality) for d in found] == [
        (attribute, value, Cardinality.MULTI) for value in values
    ]
    assert len({d.text for d in found}) == len(values)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I left Acme; I now work at Birch.", [("employer", "Acme"), ("employer", "Birch")]),
        ("I'm 34 and live in Oslo.", [("age", "34"), ("home_city", "Oslo")]),
        ("I'm from Quito but live in Lima.", [("hometown", "Quito"), ("home_city", "Lima")]),
        ("I'm a nurse at Birch.", [("employer", "Birch"), ("job_title", "nurse")]),
        ("I ate steak and eat meat again", [("diet", "eats meat")]),
        (
            "I enjoy cooking but hate cleaning.",
            [("opinion_of:cooking", "like"), ("opinion_of:cleaning", "hate")],
        ),
    ],
)
def test_one_sentence_may_fill_several_slots(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(attribute, value) for _, attribute, value in slots(text)] == expected
    assert len(set(texts(text))) == len(expected)


@pytest.mark.parametrize(
    "text",
    [
        "I joined a gym.",
        "I joined Instagram last year.",
        "I live in fear.",
        "I work at night.",
        "I left Rome yesterday.",
        "I left the house.",
        "I quit smoking.",
        "I'm 5 minutes away from Porto.",
        "I'm a morning person at heart.",
        "I'm a big believer in tea breaks.",
        "I love spending time with my kids.",
        "I went there and felt so much love everywhere.",
        "I moved the sofa to the wall.",
        "I ate steak once.",
        "My name isn't Bob.",
        "My name was Bob.",
        "I visited my aunt who lives in Rome.",
        "I met Eva, who works at Acme.",
    ],
)
def test_near_misses_fill_no_slot(text: str) -> None:
    assert slots(text) == []


def test_a_relation_goes_with_what_holds() -> None:
    assert the_draft("I live in Porto.", speaker="Ana").relations == (
        DraftRelation(source="Ana", label="lives in", target="Porto"),
    )


def test_no_relation_goes_with_what_is_over() -> None:
    assert the_draft("I no longer live in Porto.", speaker="Ana").relations == ()


def test_a_slot_is_surer_than_a_plain_statement() -> None:
    assert the_draft("I live in Porto.").confidence > the_draft("I bought a red bike.").confidence
