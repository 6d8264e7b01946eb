from __future__ import annotations

import pytest
from pydantic import BaseModel

from perdure.errors import UnreadableReply
from perdure.models.json_text import MAX_REPLY_CHARACTERS
from perdure.models.replies import Read, read_reply
from perdure.prompts.replies import ExtractReply, JudgeReply
from tests.models.cases import OBOE, SHAPES, THOUGHTS, UNREADABLE


class Verdict(BaseModel):
    """A schema of another kind: no list in it."""

    label: str
    score: int


def read(text: str | None, *, reasoning: str | None = None, finish: str | None = "stop") -> Read:
    return read_reply(text, reasoning, finish, ExtractReply)


def texts(found: Read) -> list[str]:
    assert isinstance(found.value, ExtractReply)
    return [fact.text for fact in found.value.facts]


@pytest.mark.parametrize("reply", [*THOUGHTS.values(), *SHAPES.values()], ids=[*THOUGHTS, *SHAPES])
def test_right_content_in_any_shape_gives_the_fact(reply: str) -> None:
    assert texts(read(reply)) == [OBOE]


@pytest.mark.parametrize("reply", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_reply_without_answer_is_unreadable(reply: str) -> None:
    with pytest.raises(UnreadableReply):
        read(reply)


@pytest.mark.parametrize("reply", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_error_holds_no_words_of_the_reply(reply: str) -> None:
    with pytest.raises(UnreadableReply) as caught:
        read(reply)
    assert "DRAFT" not in str(caught.value)


@pytest.mark.parametrize("reply", ['{"facts": []}', "[]", '{"facts": null}', '<think>x</think>{"facts": []}'])
def test_nothing_to_remember_is_an_answer(reply: str) -> None:
    assert read(reply) == Read(value=ExtractReply(facts=[]))


@pytest.mark.parametrize("content", ["", None, "  \n"])
def test_answer_in_reasoning_is_read_when_content_is_empty(content: str | None) -> None:
    assert texts(read(content, reasoning=f'{{"facts": ["{OBOE}"]}}')) == [OBOE]


def test_draft_in_reasoning_is_no_answer_when_words_follow() -> None:
    with pytest.raises(UnreadableReply):
        read("", reasoning='Maybe {"facts": ["DRAFT-91"]}. No, nothing fits.')


def test_reasoning_that_was_cut_is_no_answer() -> None:
    with pytest.raises(UnreadableReply):
        read("", reasoning='{"facts": ["DRAFT-91"]}', finish="length")


def test_reasoning_is_ignored_when_there_is_content() -> None:
    assert texts(read(f'["{OBOE}"]', reasoning='{"facts": ["DRAFT-91"]}')) == [OBOE]


def test_junk_members_are_skipped_and_counted() -> None:
    found = read(f'{{"facts": ["{OBOE}", null, 7, ""]}}')
    assert (texts(found), found.dropped) == ([OBOE], 3)


def test_two_different_objects_side_by_side_are_both_kept() -> None:
    assert texts(read('{"facts": ["a"]}\n{"facts": ["b"]}')) == ["a", "b"]


def test_cut_reply_keeps_complete_members_only() -> None:
    found = read('{"facts": [{"text": "a", "turns": [1]}, {"text": "b", "turns": [2', finish="length")
    assert (texts(found), found.was_cut) == (["a"], True)


def test_cut_reply_is_marked_even_if_the_server_says_stop() -> None:
    assert read('{"facts": ["a", "b').was_cut


def test_reply_that_only_lacks_its_brackets_is_not_cut() -> None:
    assert not read('{"facts": ["a", "b"]').was_cut


def test_whole_answer_is_not_cut_though_the_token_limit_was_met() -> None:
    assert not read('{"facts": ["a"]}', finish="length").was_cut


@pytest.mark.parametrize("reply", ['{"facts": [', '{"facts": [{"te', '{"facts": []} and also'])
def test_cut_reply_without_complete_members_is_never_empty(reply: str) -> None:
    with pytest.raises(UnreadableReply):
        read(reply, finish="length")


def test_words_may_hold_a_thinking_mark() -> None:
    assert texts(read('<think>x</think>{"facts": ["Wrote about </think> today"]}')) == [
        "Wrote about </think> today"
    ]


def test_fence_inside_the_words_stays() -> None:
    assert texts(read('```json\n{"facts": ["Writes ```py fences"]}\n```')) == ["Writes ```py fences"]


def test_lone_surrogate_becomes_one_replacement_character() -> None:
    assert texts(read('{"facts": ["smile \\ud83d!"]}')) == ["smile \ufffd!"]


def test_surrogate_pair_stays_an_emoji() -> None:
    assert texts(read('{"facts": ["smile \\ud83d\\ude00"]}')) == ["smile 😀"]


def test_not_a_number_takes_the_default() -> None:
    found = read('{"facts": [{"text": "a", "confidence": NaN}]}')
    assert isinstance(found.value, ExtractReply)
    assert found.value.facts[0].confidence == 0.8


def test_overlong_reply_is_refused_unread() -> None:
    with pytest.raises(UnreadableReply, match="longer than"):
        read(" [" * MAX_REPLY_CHARACTERS)


def test_schema_without_a_list_is_read_too() -> None:
    found = read_reply("```\n{'Label': 'good', 'score': 3}\n```", None, "stop", Verdict)
    assert found.value == Verdict(label="good", score=3)


def test_error_names_the_field_that_is_wrong() -> None:
    with pytest.raises(UnreadableReply, match="score"):
        read_reply('{"label": "good"}', None, "stop", Verdict)


def test_judge_actions_are_kept_as_written() -> None:
    reply = '{"decisions": [{"draft": "D1", "action": " Upsert "}, {"draft": 2, "event": "ADD"}, {"x": 1}]}'
    found = read_reply(reply, None, "stop", JudgeReply)
    assert isinstance(found.value, JudgeReply)
    assert [(d.draft, d.action) for d in found.value.decisions] == [("D1", "Upsert"), ("2", "ADD")]
    assert found.dropped == 1
