"""A message that asks the memory not to keep it is not stored; words that only sound like it are."""

from __future__ import annotations

import pytest

from perdure.write.rules_gate import is_off_record


@pytest.mark.parametrize(
    "text",
    [
        "Don't keep this: I'm interviewing elsewhere.",
        "Please do not save this.",
        "Off the record, I am leaving in May.",
        "I am leaving in May. Please don't remember this!",
        "Never store this anywhere: my pin is on the fridge.",
        "Speichere das bitte nicht: ich kündige.",
        "No guardes esto: me voy.",
        "Ne garde pas ça : je pars.",
        "不要记住这个：我要走了。",
    ],
)
def test_a_plea_to_the_memory_withholds_the_message(text: str) -> None:
    assert is_off_record(text)


@pytest.mark.parametrize(
    "text",
    [
        "Don't store it in the fridge.",
        "Don't save this to disk, the server does it.",
        "I don't remember that day.",
        "Don't remember that day at all.",
        "He said: don't save this.",
        "We don't keep it as a pet.",
        "Never forget this: the key is under the mat.",
        "I do not record it on Mondays.",
        "别忘了：我住在杭州。",
    ],
)
def test_words_that_only_sound_like_it_are_kept(text: str) -> None:
    assert not is_off_record(text)
