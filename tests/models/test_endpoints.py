"""Servers as they are: what they refuse, how they answer, how they fail."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

import pytest

from perdure.core.values import Json
from perdure.errors import ConfigError, ModelRefused, ModelUnavailable
from perdure.models.anthropic import AnthropicTransport
from perdure.models.openai import OpenAITransport
from perdure.models.structured import StructuredModel
from perdure.ports import Question
from perdure.prompts.replies import ExtractReply
from perdure.remote.limits import RetryPolicy
from perdure.testing import ScriptedTime
from tests.stub_server import Canned, Request, Stub, chat, refusal, serving

QUESTION = Question(purpose="extract", system="Find facts.", user="I play the oboe.", reply=ExtractReply)
ANSWER = '{"facts": ["Plays the oboe"]}'
KEY = "sk-canary-00112233"


def model_at(base_url: str, *, policy: RetryPolicy | None = None) -> StructuredModel:
    time = ScriptedTime()
    return StructuredModel(
        OpenAITransport("m", base_url=base_url, api_key=KEY), gate=time.gate(policy or RetryPolicy())
    )


async def facts(model: StructuredModel) -> list[str]:
    value = (await model.ask(QUESTION)).value
    assert isinstance(value, ExtractReply)
    return [fact.text for fact in value.facts]


def format_of(request: Request) -> str:
    wanted = request.body.get("response_format")
    return str(wanted["type"]) if isinstance(wanted, dict) else "text"


def takes_only(*formats: str) -> Callable[[Request], Canned]:
    def answer(request: Request) -> Canned:
        if format_of(request) in formats:
            return chat(ANSWER)
        return refusal(400, "'response_format.type' must be one of " + " or ".join(formats))

    return answer


def refuses_strict(request: Request) -> Canned:
    is_strict = '"strict"' in json.dumps(request.body)
    return refusal(400, "response_format: 'strict' is not allowed") if is_strict else chat(ANSWER)


def refuses_temperature(request: Request) -> Canned:
    if "temperature" in request.body:
        return refusal(400, "Unsupported value: 'temperature' does not support 0 with this model.")
    return chat(ANSWER)


def wants_completion_tokens(request: Request) -> Canned:
    if "max_tokens" in request.body:
        return refusal(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
    return chat(ANSWER)


def answers_500_to_schemas(request: Request) -> Canned:
    if format_of(request) == "json_schema":
        return Canned(status=500, body={"error": {"message": "failed to parse grammar"}})
    return chat(ANSWER)


def ignores_the_format(request: Request) -> Canned:
    return chat(f"Here you are:\n```json\n{ANSWER}\n```")


SERVERS = {
    "only json_schema": (takes_only("json_schema"), 1),
    "only json_object": (takes_only("json_object"), 2),
    "only text": (takes_only("text"), 3),
    "ignores the format": (ignores_the_format, 1),
    "refuses strict": (refuses_strict, 2),
    "refuses temperature": (refuses_temperature, 2),
    "wants max_completion_tokens": (wants_completion_tokens, 2),
    "answers 500 to schemas": (answers_500_to_schemas, 2),
}


@pytest.mark.parametrize(("answer", "calls"), SERVERS.values(), ids=SERVERS.keys())
async def test_refused_form_costs_few_calls_once(answer: Callable[[Request], Canned], calls: int) -> None:
    async with serving(answer) as stub:
        model = model_at(stub.base_url)
        assert await facts(model) == ["Plays the oboe"]
        first = len(stub.requests)
        assert await facts(model) == ["Plays the oboe"]
        await model.close()
    assert (first, len(stub.requests)) == (calls, calls + 1)


@pytest.mark.parametrize(
    ("status", "reason"),
    [(400, "model `m-9` does not exist"), (401, "Incorrect API key provided"), (404, "no such route")],
)
async def test_unrelated_refusal_reaches_the_operator_after_one_call(status: int, reason: str) -> None:
    async with serving([refusal(status, reason)]) as stub:
        model = model_at(stub.base_url)
        with pytest.raises(ModelRefused) as caught:
            await model.ask(QUESTION)
        await model.close()
    assert str(caught.value) == f"{stub.base_url}/chat/completions answered {status}: {reason}"
    assert len(stub.requests) == 1


SPELLINGS = {
    "{}": "/v1/chat/completions",
    "{}/": "/v1/chat/completions",
    "{}/v1": "/v1/chat/completions",
    "{}/v1/": "/v1/chat/completions",
    "{}//v1//": "/v1/chat/completions",
    " {}/v1 ": "/v1/chat/completions",
    "{}/v1/chat/completions": "/v1/chat/completions",
    "{}/api/v1": "/api/v1/chat/completions",
    "{}/openai/deployments/x?api-version=2024-02": (
        "/openai/deployments/x/chat/completions?api-version=2024-02"
    ),
}


@pytest.mark.parametrize(("spelling", "path"), SPELLINGS.items())
async def test_every_spelling_of_a_base_url_reaches_the_endpoint(spelling: str, path: str) -> None:
    async with serving([chat(ANSWER)]) as stub:
        model = model_at(spelling.format(stub.origin))
        await model.ask(QUESTION)
        await model.close()
    assert [request.path for request in stub.requests] == [path]


async def test_base_url_without_scheme_reaches_a_local_server() -> None:
    async with serving([chat(ANSWER)]) as stub:
        model = model_at(f"127.0.0.1:{stub.port}/v1")
        await model.ask(QUESTION)
        await model.close()
    assert [request.path for request in stub.requests] == ["/v1/chat/completions"]


def chunk(**delta: Json) -> Json:
    return {"model": "stub-1", "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}


def events(*objects: Json, between: str = "\n\n") -> bytes:
    lines = [f"data: {json.dumps(each)}" for each in objects]
    return (between.join([*lines, "data: [DONE]"]) + between).encode()


CHUNKS = (chunk(role="assistant"), chunk(content='{"facts": ["Plays '), chunk(content='the oboe"]}'))
STREAMS = {
    "as an event stream": Canned(body=events(*CHUNKS), headers={"content-type": "text/event-stream"}),
    "buffered, called JSON": Canned(body=events(*CHUNKS)),
    "line by line": Canned(body=events(*CHUNKS, between="\n")),
    "with a comment first": Canned(body=b": ping\n\n" + events(*CHUNKS)),
}


@pytest.mark.parametrize("canned", STREAMS.values(), ids=STREAMS.keys())
async def test_stream_that_nobody_asked_for_is_put_together(canned: Canned) -> None:
    async with serving([canned]) as stub:
        model = model_at(stub.base_url)
        assert await facts(model) == ["Plays the oboe"]
        await model.close()


async def _reason(canned: Canned) -> tuple[str, Stub]:
    async with serving([canned]) as stub:
        model = model_at(stub.base_url, policy=RetryPolicy(attempts=1))
        with pytest.raises((ModelRefused, ModelUnavailable)) as caught:
            await model.ask(QUESTION)
        await model.close()
    return str(caught.value), stub


@pytest.mark.parametrize(
    ("canned", "shown"),
    [
        (Canned(body={"error": {"message": "no such model", "code": 404}}), "no such model"),
        (Canned(body=b"<html><body>Gateway login</body></html>"), "<html><body>Gateway login</body></html>"),
        (Canned(body=b""), "an empty body"),
        (Canned(body=b'{"choices": ['), '{"choices": ['),
    ],
    ids=["error object", "page", "empty", "broken"],
)
async def test_answer_that_is_none_is_a_failure_with_url_and_body(canned: Canned, shown: str) -> None:
    reason, stub = await _reason(canned)
    assert f"{stub.base_url}/chat/completions answered 200" in reason
    assert shown in reason


async def test_shown_body_ends_after_200_characters() -> None:
    reason, _ = await _reason(Canned(body=b"x y " * 500))
    assert reason.endswith("x y " * 50)


async def test_reason_never_holds_the_key() -> None:
    reason, _ = await _reason(Canned(body=f"<p>Bearer {KEY}</p>".encode()))
    assert KEY not in reason


async def test_outage_is_survived_within_the_budget() -> None:
    async with serving([Canned(status=503)] * 3 + [chat(ANSWER)]) as stub:
        model = model_at(stub.base_url)
        assert await facts(model) == ["Plays the oboe"]
        await model.close()
    assert len(stub.requests) == 4


async def test_reset_connection_is_tried_again() -> None:
    async with serving([Canned(ends="reset"), chat(ANSWER)]) as stub:
        model = model_at(stub.base_url)
        assert await facts(model) == ["Plays the oboe"]
        await model.close()


async def test_told_pause_is_kept() -> None:
    time = ScriptedTime()
    async with serving([refusal(429, "slow down", retry_after="7"), chat(ANSWER)]) as stub:
        model = StructuredModel(OpenAITransport("m", base_url=stub.base_url), gate=time.gate())
        await model.ask(QUESTION)
        await model.close()
    assert time.waits_s == [7.0]


async def test_anthropic_steps_down_once_when_output_config_is_refused() -> None:
    def answer(request: Request) -> Canned:
        if "output_config" in request.body:
            return refusal(400, "output_config: Extra inputs are not permitted")
        return Canned(body={"type": "message", "content": [{"type": "text", "text": ANSWER}]})

    async with serving(answer) as stub:
        model = StructuredModel(
            AnthropicTransport("m", base_url=stub.base_url, api_key=KEY), gate=ScriptedTime().gate()
        )
        assert await facts(model) == ["Plays the oboe"]
        assert await facts(model) == ["Plays the oboe"]
        await model.close()
    assert [request.path for request in stub.requests] == ["/v1/messages"] * 3


async def test_anthropic_stream_that_nobody_asked_for_is_put_together() -> None:
    body = events(
        {"type": "message_start", "message": {"model": "stub-1", "usage": {"input_tokens": 3}}},
        {"type": "content_block_delta", "delta": {"type": "text_delta", "text": '{"facts": ["Plays '}},
        {"type": "content_block_delta", "delta": {"type": "text_delta", "text": 'the oboe"]}'}},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}},
    )
    async with serving([Canned(body=body)]) as stub:
        model = StructuredModel(
            AnthropicTransport("m", base_url=stub.origin, api_key=KEY), gate=ScriptedTime().gate()
        )
        assert await facts(model) == ["Plays the oboe"]
        await model.close()


def test_anthropic_without_its_extra_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "anthropic", None)
    with pytest.raises(ConfigError, match=r"pip install 'perdure\[anthropic\]'"):
        AnthropicTransport("m", api_key=KEY)


async def test_empty_account_is_asked_once() -> None:
    async with serving([refusal(429, "You exceeded your current quota (insufficient_quota)")]) as stub:
        model = model_at(stub.base_url)
        with pytest.raises(ModelRefused, match="quota"):
            await model.ask(QUESTION)
        await model.close()
    assert len(stub.requests) == 1


async def test_reply_that_never_ends_is_ended_by_the_deadline() -> None:
    async with serving([Canned(body=b" ", ends="never")]) as stub:
        model = model_at(stub.base_url, policy=RetryPolicy(deadline_s=0.2))
        with pytest.raises(ModelUnavailable, match=r"within 0\.2 s"):
            await model.ask(QUESTION)
        await model.close()


async def test_no_key_of_the_environment_goes_to_a_server_without_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    async with serving([chat(ANSWER)]) as stub:
        model = StructuredModel(OpenAITransport("m", base_url=stub.base_url), gate=ScriptedTime().gate())
        await model.ask(QUESTION)
        await model.close()
    assert KEY not in json.dumps(stub.requests[0].headers)
