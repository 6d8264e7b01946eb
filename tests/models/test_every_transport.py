"""The same replies through every adapter: equal outcomes, at most one more call."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack

import pytest

from perdure.core.values import Json
from perdure.errors import UnreadableReply
from perdure.models.anthropic import AnthropicTransport
from perdure.models.openai import OpenAITransport
from perdure.models.structured import StructuredModel
from perdure.ports import Answer, Question
from perdure.prompts.replies import ExtractReply
from perdure.testing import RawReply, ScriptedModel, ScriptedTime
from tests.models.cases import OBOE, SHAPES, THOUGHTS, UNREADABLE
from tests.stub_server import Canned, chat, serving

QUESTION = Question(purpose="extract", system="Find facts.", user="I play the oboe.", reply=ExtractReply)
TRANSPORTS = ("openai", "anthropic", "scripted")
GOOD = {**THOUGHTS, **SHAPES}


def message(text: str | None, *, finish: str = "stop", reasoning: str | None = None) -> Canned:
    """A message as Anthropic's API gives it."""
    content: list[Json] = []
    if reasoning is not None:
        content.append({"type": "thinking", "thinking": reasoning, "signature": ""})
    if text is not None:
        content.append({"type": "text", "text": text})
    stop = {"stop": "end_turn", "length": "max_tokens"}[finish]
    usage: Json = {"input_tokens": 10, "output_tokens": 5}
    return Canned(
        body={"type": "message", "model": "stub-1", "content": content, "stop_reason": stop, "usage": usage}
    )


async def ask(transport: str, replies: Sequence[RawReply]) -> tuple[Answer | None, int]:
    """The answer (None if unreadable) and the number of requests that reached the endpoint."""
    async with AsyncExitStack() as stack:
        if transport == "scripted":
            scripted = ScriptedModel(replies)
            return await _answer(scripted), len(scripted.calls)
        make = chat if transport == "openai" else message
        canned = [make(r.text, finish=r.finish_reason or "stop", reasoning=r.reasoning) for r in replies]
        stub = await stack.enter_async_context(serving(canned))
        model = StructuredModel(
            OpenAITransport("m", base_url=stub.base_url)
            if transport == "openai"
            else AnthropicTransport("m", base_url=stub.origin, api_key="k"),
            gate=ScriptedTime().gate(),
        )
        stack.push_async_callback(model.close)
        return await _answer(model), len(stub.requests)


async def _answer(model: StructuredModel | ScriptedModel) -> Answer | None:
    try:
        return await model.ask(QUESTION)
    except UnreadableReply:
        return None


def texts(answer: Answer | None) -> list[str] | None:
    if answer is None:
        return None
    assert isinstance(answer.value, ExtractReply)
    return [fact.text for fact in answer.value.facts]


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("reply", GOOD.values(), ids=GOOD.keys())
async def test_readable_reply_costs_one_call(transport: str, reply: str) -> None:
    answer, calls = await ask(transport, [RawReply(text=reply)])
    assert (texts(answer), calls) == ([OBOE], 1)


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("reply", UNREADABLE.values(), ids=UNREADABLE.keys())
async def test_unreadable_reply_is_asked_for_once_more(transport: str, reply: str) -> None:
    answer, calls = await ask(transport, [RawReply(text=reply), RawReply(text=f'{{"facts": ["{OBOE}"]}}')])
    assert (texts(answer), calls) == ([OBOE], 2)


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_two_unreadable_replies_fail(transport: str) -> None:
    assert await ask(transport, [RawReply(text="no"), RawReply(text="no")]) == (None, 2)


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_answer_set_aside_as_reasoning_is_read(transport: str) -> None:
    answer, calls = await ask(transport, [RawReply(text=None, reasoning=f'{{"facts": ["{OBOE}"]}}')])
    assert (texts(answer), calls) == ([OBOE], 1)


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_thought_that_was_cut_is_no_empty_answer(transport: str) -> None:
    cut = RawReply(text='<think>{"facts": ["DRAFT-91"]} still', finish_reason="length")
    assert await ask(transport, [cut, cut]) == (None, 2)


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_nothing_to_remember_costs_one_call(transport: str) -> None:
    answer, calls = await ask(transport, [RawReply(text='{"facts": []}')])
    assert (texts(answer), calls) == ([], 1)


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_skipped_members_are_counted(transport: str) -> None:
    answer, _ = await ask(transport, [RawReply(text=f'{{"facts": ["{OBOE}", null, 7, ""]}}')])
    assert answer is not None
    assert answer.dropped == 3


@pytest.mark.parametrize("transport", ["openai", "anthropic"])
async def test_usage_is_summed_over_both_calls(transport: str) -> None:
    answer, _ = await ask(transport, [RawReply(text="no"), RawReply(text='{"facts": []}')])
    assert answer is not None
    assert (answer.usage.input_tokens, answer.usage.output_tokens, answer.usage.calls) == (20, 10, 2)
