"""Statements in other languages stay as they are said."""

from __future__ import annotations

import pytest

from perdure.write.rules_languages import language_of
from tests.write.rules_gear import drafts, texts, the_draft


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("Me llamo Ana", "name", "Ana"),
        ("Vivo en Sevilla", "home_city", "Sevilla"),
        ("Me mudé a Lima el mes pasado", "home_city", "Lima"),
        ("Tengo 34 años", "age", "34"),
        ("No me gusta el café", "opinion_of:café", "dislike"),
        ("Ich heiße Jürgen", "name", "Jürgen"),
        ("Ich wohne jetzt in Köln", "home_city", "Köln"),
        ("Ich bin nach Hamburg gezogen", "home_city", "Hamburg"),
        ("Ich arbeite bei Siemens", "employer", "Siemens"),
        ("Je m'appelle Zoé", "name", "Zoé"),
        ("J'habite à Lyon depuis 2020", "home_city", "Lyon"),
        ("Je travaille chez Birch", "employer", "Birch"),
        ("我住在上海", "home_city", "上海"),
        ("我上个月搬到上海了", "home_city", "上海"),
        ("我喜欢喝茶", "opinion_of:喝茶", "like"),
    ],
)
def test_slots_of_other_languages(text: str, attribute: str, value: str) -> None:
    draft = the_draft(text)
    assert (draft.subject, draft.attribute, draft.value) == ("user", attribute, value)


def test_a_chinese_message_stays_chinese() -> None:
    found = drafts("我叫王伟，我在小米工作。")
    assert [(d.text, d.attribute, d.value) for d in found] == [
        ("我叫王伟", "name", "王伟"),
        ("我在小米工作", "employer", "小米"),
    ]
    assert [[m.name for m in d.mentions] for d in found] == [["王伟"], ["小米"]]


@pytest.mark.parametrize(
    "text", ["Nunca como cerdo", "Ich trinke keinen Kaffee mehr", "Je ne mange pas de porc"]
)
def test_a_statement_without_a_slot_is_kept_word_for_word(text: str) -> None:
    draft = the_draft(f"{text}.", speaker="Ana")
    assert (draft.text, draft.subject, draft.attribute) == (text, "Ana", None)


def test_two_clauses_are_two_facts() -> None:
    assert texts("Ich wohne in Berlin und arbeite bei Siemens.") == [
        "Ich wohne in Berlin",
        "Ich arbeite bei Siemens",
    ]


def test_somebody_elses_home_is_not_the_speakers() -> None:
    draft = the_draft("Mi hermano vive en Lima.")
    assert (draft.subject, draft.attribute) == ("user's hermano", None)


@pytest.mark.parametrize("text", ["¿Dónde vivo yo?", "Wie heiße ich?", "Où est-ce que j'habite ?", "你好"])
def test_questions_and_greetings_give_nothing(text: str) -> None:
    assert texts(text) == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Ich trinke keinen Kaffee mehr.", "de"),
        ("Nunca como cerdo.", "es"),
        ("Je suis allé au marché.", "fr"),
        ("我在小米工作。", "zh"),
    ],
)
def test_the_language_is_told_by_its_small_words(text: str, code: str) -> None:
    language = language_of(text)
    assert not isinstance(language, str)
    assert language.code == code


@pytest.mark.parametrize("text", ["I like the Los Angeles vibe.", "Call me Al.", "Tea.", ""])
def test_anything_else_in_latin_letters_is_english(text: str) -> None:
    assert language_of(text) == "english"
