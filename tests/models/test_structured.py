from __future__ import annotations

import pytest

from perdure.errors import ModelRefused, UnreadableReply
from perdure.models.schemas import strict_schema
from perdure.ports import Question
from perdure.prompts.replies import ExtractReply
from perdure.remote.failures import EndpointFailure, FailureKind
from perdure.remote.limits import RetryPolicy
from perdure.testing import RawReply, ScriptedModel

QUESTION = Question(
    purpose="extract", system="Find facts.", user="Hello.", reply=ExtractReply, max_tokens=100
)
NOTHING = '{"facts": []}'
CUT = RawReply(text='{"facts": ["a", "b', finish_reason="length")


def format_refused(body: str = "response_format") -> EndpointFailure:
    return EndpointFailure(FailureKind.FORMAT, "refused", status=400, body=body)


async def test_re_ask_tells_what_was_wrong_and_shows_the_reply() -> None:
    model = ScriptedModel(['{"fakts": 1}', NOTHING])
    await model.ask(QUESTION)
    repeated, complaint = model.calls[1].messages[2:]
    assert (repeated.role, repeated.text) == ("assistant", '{"fakts": 1}')
    assert "has no list 'facts'" in complaint.text


async def test_cut_reply_is_asked_for_with_twice_the_tokens() -> None:
    model = ScriptedModel([CUT, '{"facts": ["a", "b"]}'])
    answer = await model.ask(QUESTION)
    assert [call.max_tokens for call in model.calls] == [100, 200]
    assert answer.dropped == 0


async def test_reply_cut_twice_gives_the_fuller_one_and_counts_the_loss() -> None:
    longer = RawReply(text='{"facts": ["a", "b", "c', finish_reason="length")
    answer = await ScriptedModel([CUT, longer]).ask(QUESTION)
    assert isinstance(answer.value, ExtractReply)
    assert ([f.text for f in answer.value.facts], answer.dropped) == (["a", "b"], 1)


async def test_refused_larger_call_leaves_what_was_complete() -> None:
    refused = EndpointFailure(FailureKind.REFUSED, "too many tokens", status=400)
    answer = await ScriptedModel([CUT, refused]).ask(QUESTION)
    assert answer.dropped == 1


async def test_error_after_the_re_ask_names_the_model_not_the_words() -> None:
    with pytest.raises(UnreadableReply) as caught:
        await ScriptedModel(["secret words", "secret words"], name="scripted/x").ask(QUESTION)
    assert str(caught.value) == "scripted/x: the reply holds no JSON (2 replies read)"


async def test_refused_format_steps_down_and_is_remembered() -> None:
    model = ScriptedModel([format_refused(), format_refused(), NOTHING, NOTHING])
    await model.ask(QUESTION)
    await model.ask(QUESTION)
    kinds = [call.reply_format.kind for call in model.calls]
    assert kinds == ["strict_schema", "json_object", "text", "text"]


async def test_refused_strictness_keeps_the_schema() -> None:
    model = ScriptedModel([format_refused("'strict' is not permitted in response_format"), NOTHING])
    await model.ask(QUESTION)
    assert [call.reply_format.kind for call in model.calls] == ["strict_schema", "json_schema"]


async def test_failed_steps_down_are_not_remembered() -> None:
    refused = EndpointFailure(FailureKind.REFUSED, "unknown model", status=400)
    model = ScriptedModel([format_refused(), refused, NOTHING])
    with pytest.raises(ModelRefused, match="unknown model"):
        await model.ask(QUESTION)
    await model.ask(QUESTION)
    assert model.calls[2].reply_format.kind == "strict_schema"


async def test_prompt_shows_the_schema_only_where_it_is_not_enforced() -> None:
    model = ScriptedModel([format_refused(), NOTHING])
    await model.ask(QUESTION)
    shown = ['"facts"' in call.messages[0].text for call in model.calls]
    assert shown == [False, True]


async def test_all_calls_count_against_one_budget() -> None:
    model = ScriptedModel(["no", NOTHING], policy=RetryPolicy(attempts=1))
    with pytest.raises(UnreadableReply):
        await model.ask(QUESTION)
    assert len(model.calls) == 1


async def test_questions_are_recorded_once_each() -> None:
    model = ScriptedModel(["no", NOTHING])
    await model.ask(QUESTION)
    assert model.questions == [QUESTION]


def test_strict_schema_requires_every_property_and_allows_no_other() -> None:
    schema = strict_schema(ExtractReply)
    assert (schema["required"], schema["additionalProperties"]) == (["facts"], False)


def test_schema_holds_no_words_to_copy() -> None:
    assert "stands alone" not in str(strict_schema(ExtractReply))
