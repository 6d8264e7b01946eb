"""Any server that speaks OpenAI's chat API: OpenAI, Ollama, vLLM, llama.cpp, LM Studio, gateways."""

from __future__ import annotations

import re
from collections.abc import Sequence

from perdure.core.values import Json
from perdure.models.transport import FormatKind, Message, RawReply, ReplyFormat
from perdure.ports import Usage
from perdure.remote.addresses import read_address
from perdure.remote.bodies import JsonObject, as_count, as_list, as_object, as_text
from perdure.remote.clients import Endpoint, openai_endpoint
from perdure.remote.failures import EndpointFailure, FailureKind

OPENAI_BASE_URL = "https://api.openai.com/v1"

_PATH = "/chat/completions"
_REFUSES_TEMPERATURE = re.compile(r"temperature", re.IGNORECASE)
_WANTS_COMPLETION_TOKENS = re.compile(r"max_completion_tokens", re.IGNORECASE)


class OpenAITransport:
    """One model at one endpoint. What was refused once (`temperature`, `max_tokens`) is remembered."""

    formats: tuple[FormatKind, ...] = ("strict_schema", "json_schema", "json_object", "text")

    def __init__(
        self,
        model: str,
        *,
        base_url: str = OPENAI_BASE_URL,
        api_key: str | None = None,
        timeout_s: float = 60.0,
        temperature: float | None = 0.0,
        setting: str = "model_base_url",
    ) -> None:
        """base_url: as people write it; ConfigError names `setting` if it cannot be one.

        api_key: None for servers that want none. timeout_s: for one request, between two bytes.
        """
        self._model = model
        self._address = read_address(base_url, setting=setting)
        self._api_key = api_key
        self._timeout_s = timeout_s
        self._temperature = temperature
        self._token_field = "max_tokens"
        self._endpoint: Endpoint | None = None

    @property
    def name(self) -> str:
        return f"openai/{self._model}"

    async def complete(
        self, messages: Sequence[Message], reply_format: ReplyFormat, max_tokens: int
    ) -> RawReply:
        payload = self._payload(messages, reply_format, max_tokens)
        try:
            return read_chat(await self._reach().post(_PATH, payload), self._model)
        except EndpointFailure as failure:
            if failure.status in {400, 422} and self._adjust(failure, payload):
                raise EndpointFailure(FailureKind.ADJUSTED, str(failure), status=failure.status) from failure
            raise

    async def close(self) -> None:
        if self._endpoint is not None:
            await self._endpoint.close()

    def _reach(self) -> Endpoint:
        if self._endpoint is None:
            self._endpoint = openai_endpoint(self._address, api_key=self._api_key, timeout_s=self._timeout_s)
        return self._endpoint

    def _payload(self, messages: Sequence[Message], reply_format: ReplyFormat, max_tokens: int) -> JsonObject:
        payload: JsonObject = {
            "model": self._model,
            "messages": [{"role": m.role, "content": m.text} for m in messages],
            self._token_field: max_tokens,
        }
        if self._temperature is not None:
            payload["temperature"] = self._temperature
        wanted = _response_format(reply_format)
        if wanted is not None:
            payload["response_format"] = wanted
        return payload

    def _adjust(self, failure: EndpointFailure, sent: JsonObject) -> bool:
        """Leave out what was refused from now on; True if the same request is now another one."""
        if _WANTS_COMPLETION_TOKENS.search(failure.body) and "max_tokens" in sent:
            self._token_field = "max_completion_tokens"
            return True
        if _REFUSES_TEMPERATURE.search(failure.body) and "temperature" in sent:
            self._temperature = None
            return True
        return False


def read_chat(objects: list[JsonObject], model: str) -> RawReply:
    """The reply in a chat completion, or in the chunks of one put together.

    EndpointFailure if there is no choice in it.
    """
    choices = [as_object(each) for whole in objects for each in as_list(whole.get("choices"))]
    if not choices:
        raise EndpointFailure(FailureKind.REFUSED, "the endpoint's answer is JSON but no chat completion")
    parts = [as_object(choice.get("message") or choice.get("delta")) for choice in choices]
    finish = [as_text(choice.get("finish_reason")) for choice in choices]
    usage = next((as_object(whole["usage"]) for whole in reversed(objects) if whole.get("usage")), {})
    named = next((as_text(whole.get("model")) for whole in objects if whole.get("model")), model)
    return RawReply(
        text="".join(_content(part.get("content")) for part in parts) or None,
        reasoning="".join(
            as_text(part.get("reasoning_content")) or as_text(part.get("reasoning")) for part in parts
        )
        or None,
        finish_reason=next((reason for reason in reversed(finish) if reason), None),
        usage=Usage(
            input_tokens=as_count(usage.get("prompt_tokens")),
            output_tokens=as_count(usage.get("completion_tokens")),
            calls=1,
        ),
        model=named or model,
    )


def _content(content: Json) -> str:
    """Text, or the text parts of a content in parts."""
    return as_text(content) or "".join(as_text(as_object(part).get("text")) for part in as_list(content))


def _response_format(wanted: ReplyFormat) -> Json:
    if wanted.kind == "text":
        return None
    if wanted.kind == "json_object":
        return {"type": "json_object"}
    schema: JsonObject = {"name": wanted.name, "schema": wanted.schema}
    if wanted.kind == "strict_schema":
        schema["strict"] = True
    return {"type": "json_schema", "json_schema": schema}
