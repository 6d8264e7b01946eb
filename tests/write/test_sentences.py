from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.write.sentences import mask_quotations, split_sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("I live here. You too!", ["I live here.", "You too!"]),
        ("I saw Dr. Okafor at 5 p.m. today. Fine.", ["I saw Dr. Okafor at 5 p.m. today.", "Fine."]),
        (
            "I paid 1,250.50 at shop.example/a.b today. Ok",
            ["I paid 1,250.50 at shop.example/a.b today.", "Ok"],
        ),
        ("Am 14. Mai kam J. Smith. Gut.", ["Am 14. Mai kam J. Smith.", "Gut."]),
        ("So do I. He left.", ["So do I.", "He left."]),
        ("one\n- two\n\n• three", ["one", "two", "three"]),
        ("我住在上海。你呢？好！", ["我住在上海。", "你呢？", "好！"]),
        ("Wait... what?! Yes", ["Wait...", "what?!", "Yes"]),
        ("", []),
        ("  \n ", []),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(text: str, sentences: list[str]) -> None:
    assert [s.text for s in split_sentences(text)] == sentences


def test_questions_are_marked() -> None:
    assert [s.is_question for s in split_sentences("Is it? No. ¿Qué tal! 好吗？")] == [
        True,
        False,
        True,
        True,
    ]


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ('He said "I left". Ok', "He said \ue000. Ok"),
        ("He said 'I'm off' twice", "He said \ue000 twice"),
        ("the dogs' bowl isn't full", "the dogs' bowl isn't full"),
        ("«a» and „b“", "\ue000 and \ue001"),
    ],
)
def test_quotations_are_set_aside(text: str, masked: str) -> None:
    assert mask_quotations(text).text == masked


@given(st.text(max_size=80))
def test_masked_text_can_be_restored(text: str) -> None:
    masked = mask_quotations(text)
    assert masked.restore(masked.text) == "".join("\ufffd" if "\ue000" <= c <= "\uf770" else c for c in text)
