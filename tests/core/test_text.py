"""Normal forms, keys and tokens over many scripts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.core.text import (
    MAX_TOKEN_CHARACTERS,
    digest,
    entity_key,
    fingerprint,
    fold_accents,
    normalise,
    replace_lone_surrogates,
    tokenise,
)

any_text = st.text(st.characters(exclude_categories=()), max_size=60)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Payments-API", "payments-api "),
        ("Payments-API", "PAYMENTS-API"),
        ("Payments-API", "Ｐａｙｍｅｎｔｓ-API"),
        ("Payments-API", "payments api"),
        ("name", "name "),
        ("한빛소프트", "한빛 소프트"),
        ("Ирина Волкова", "ИРИНА ВОЛКОВА"),
        ("Αθήνα", "ΑΘΉΝΑ"),
        ("Jos\u00e9", "Jose\u0301"),
        ("\u200fשרה", "שרה"),
        ("person", "person "),
        ("“Dune”", "Dune"),
    ],
)
def test_spellings_of_one_name_share_a_key(left: str, right: str) -> None:
    assert entity_key(left) == entity_key(right)


@pytest.mark.parametrize(
    "names",
    [
        ("C", "C++", "C#"),
        ("HTTP", "HTTPS"),
        ("fetchUser", "fetchUsers"),
        ("v1.2", "v12"),
        ("박서준", "박서진"),
        ("杭州 Institute", "成都 Institute"),
        ("🦊", "🦊🦊"),
        ("Jose", "José"),
        ("INV-2041", "INV-2014"),
    ],
)
def test_different_names_keep_different_keys(names: tuple[str, ...]) -> None:
    assert len({entity_key(name) for name in names}) == len(names)


@given(any_text)
def test_a_key_is_empty_only_for_a_name_that_shows_nothing(name: str) -> None:
    assert bool(entity_key(name)) == bool(normalise(name))


@given(any_text)
def test_keys_and_normal_forms_are_stable(name: str) -> None:
    assert normalise(normalise(name)) == normalise(name)
    assert entity_key(entity_key(name)) == entity_key(name)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("notes/2025/plan is here", "notes/2025/plan"),
        ("ticket RMA-77-0412 is open", "RMA-77-0412"),
        ("it doesn't start", "doesn't"),
        ("it doesn’t start", "doesn't"),
        ("a std::vector of ints", "std::vector"),
        ("see auth.core for it", "auth.core"),
        ("costs 12.5 a piece", "12.5"),
        ("written in C++", "C++"),
        ("written in C#, mostly", "C#"),
        ("dose in mg/dL", "mg/dL"),
        ("under D:\\work\\atlas", "D:\\work\\atlas"),
        ("mail pat+test@mail.example", "pat+test@mail.example"),
        ("the literal a_b%c here", "a_b%c"),
        ("release beta-3 today", "beta-3"),
    ],
)
def test_a_code_is_one_token_of_the_text_that_holds_it(text: str, query: str) -> None:
    assert normalise(query).replace("’", "'") in tokenise(text)
    assert set(tokenise(query)) <= set(tokenise(text))


def test_c_and_its_descendants_are_different_tokens() -> None:
    assert (tokenise("C"), tokenise("C++")[0], tokenise("C#")[0]) == (["c"], "c++", "c#")


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("周五和林悦在杭州吃火锅", "火锅"),
        ("周五和林悦在杭州吃火锅", "林悦"),
        ("修好了retry-queue后重新上线", "retry"),
        ("東京の会議は来週です", "会議"),
        ("한빛소프트에서 일한다", "한빛"),
        ("周五和林悦在杭州吃火锅", "杭州吃"),
        ("ฉันชอบกินข้าว", "ข้าว"),
    ],
)
def test_words_of_scripts_without_blanks_are_found_by_bigrams(text: str, query: str) -> None:
    assert set(tokenise(query)) <= set(tokenise(text))


def test_accents_and_case_are_folded_in_tokens() -> None:
    assert tokenise("Café ÉCOLE naïve") == ["cafe", "ecole", "naive"]


def test_accents_fold_outside_latin_too() -> None:
    assert fold_accents("Αθήνα Ёлка São") == "Αθηνα Елка Sao"


def test_emoji_are_tokens() -> None:
    assert tokenise("ok 🙂") == ["ok", "🙂"]


@pytest.mark.parametrize("text", ["", "   ", "( ) * ^ ' ;", "---", "\\"])
def test_marks_alone_give_no_tokens(text: str) -> None:
    assert tokenise(text) == []


def test_a_long_token_is_cut() -> None:
    assert tokenise("x" * 200) == ["x" * MAX_TOKEN_CHARACTERS]


def test_repeats_are_kept() -> None:
    assert tokenise("tea and tea") == ["tea", "and", "tea"]


@pytest.mark.parametrize(
    ("left", "right"),
    [("I like tea.", "i  like TEA"), ("“Tea”!", "tea"), ("Ｔｅａ", "tea"), ("t\u200bea", "tea")],
)
def test_fingerprints_ignore_case_blanks_form_and_closing_marks(left: str, right: str) -> None:
    assert fingerprint(left) == fingerprint(right)


@pytest.mark.parametrize(
    ("left", "right"),
    [("50 mg", "75 mg"), ("I like tea", "I don't like tea"), ("C", "C++"), ("!", "?"), ("a b", "ab")],
)
def test_fingerprints_differ_where_the_words_do(left: str, right: str) -> None:
    assert fingerprint(left) != fingerprint(right)


def test_a_digest_keeps_its_parts_apart() -> None:
    assert digest("ab", "c") != digest("a", "bc")
    assert len(digest()) == 32


def test_a_lone_surrogate_becomes_one_replacement_mark() -> None:
    assert replace_lone_surrogates("a\ud83d b") == "a\ufffd b"


def test_a_pair_of_surrogates_is_the_character_it_stands_for() -> None:
    assert replace_lone_surrogates("\ud83e\udd8a") == "🦊"


@given(any_text)
def test_any_text_can_be_fingerprinted_tokenised_and_stored(text: str) -> None:
    replace_lone_surrogates(text).encode("utf-8")
    assert len(fingerprint(text)) == 32
    for token in tokenise(text):
        assert token.strip()
        token.encode("utf-8")


@given(st.text(st.characters(max_codepoint=127)))
def test_plain_text_is_normalised_as_it_would_be_beside_other_scripts(text: str) -> None:
    assert f"{normalise(text)} é".strip() == normalise(f"{text} é")
