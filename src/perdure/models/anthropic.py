"""Anthropic's messages API, through the extra `perdure[anthropic]`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from perdure.models.transport import FormatKind, Message, RawReply, ReplyFormat
from perdure.ports import Usage
from perdure.remote.addresses import read_address
from perdure.remote.bodies import JsonObject, as_count, as_list, as_object, as_text
from perdure.remote.clients import Endpoint, anthropic_endpoint
from perdure.remote.failures import EndpointFailure, FailureKind

ANTHROPIC_BASE_URL = "https://api.anthropic.com"

_PATH = "/v1/messages"
_VERSION_AT_END = re.compile(r"/v1\Z")
_REFUSES_TEMPERATURE = re.compile(r"temperature", re.IGNORECASE)


class AnthropicTransport:
    """One model at one endpoint. `temperature` is left out once it was refused."""

    formats: tuple[FormatKind, ...] = ("strict_schema", "text")

    def __init__(
        self,
        model: str,
        *,
        api_key: str,
        base_url: str = ANTHROPIC_BASE_URL,
        timeout_s: float = 60.0,
        temperature: float | None = 0.0,
        setting: str = "model_base_url",
    ) -> None:
        """ConfigError at once if the client is not installed or the URL cannot be one."""
        written = read_address(base_url, setting=setting)
        self._address = type(written)(_VERSION_AT_END.sub("", written.base_url), written.query)
        self._model = model
        self._temperature = temperature
        self._endpoint: Endpoint = anthropic_endpoint(self._address, api_key=api_key, timeout_s=timeout_s)

    @property
    def name(self) -> str:
        return f"anthropic/{self._model}"

    async def complete(
        self, messages: Sequence[Message], reply_format: ReplyFormat, max_tokens: int
    ) -> RawReply:
        payload = self._payload(messages, reply_format, max_tokens)
        try:
            return read_message(await self._endpoint.post(_PATH, payload), self._model)
        except EndpointFailure as failure:
            refused = failure.status == 400 and _REFUSES_TEMPERATURE.search(failure.body)
            if refused and "temperature" in payload:
                self._temperature = None
                raise EndpointFailure(FailureKind.ADJUSTED, str(failure), status=400) from failure
            raise

    async def close(self) -> None:
        await self._endpoint.close()

    def _payload(self, messages: Sequence[Message], reply_format: ReplyFormat, max_tokens: int) -> JsonObject:
        payload: JsonObject = {
            "model": self._model,
            "system": "\n\n".join(m.text for m in messages if m.role == "system"),
            "messages": [{"role": m.role, "content": m.text} for m in messages if m.role != "system"],
            "max_tokens": max_tokens,
        }
        if self._temperature is not None:
            payload["temperature"] = self._temperature
        if reply_format.kind != "text":
            payload["output_config"] = {"format": {"type": "json_schema", "schema": reply_format.schema}}
        return payload


def read_message(objects: list[JsonObject], model: str) -> RawReply:
    """The reply in a message, or in the events of a streamed one put together."""
    blocks = [as_object(block) for whole in objects for block in as_list(whole.get("content"))]
    blocks += [as_object(whole.get("delta")) for whole in objects]
    starts = [as_object(whole.get("message")) for whole in objects]
    stops = [as_text(each.get("stop_reason")) for each in (*objects, *blocks)]
    if not any(whole.get("content") is not None or whole.get("type") for whole in objects):
        raise EndpointFailure(FailureKind.REFUSED, "the endpoint's answer is JSON but no message")
    counts = [as_object(each.get("usage")) for each in (*objects, *starts)]
    stop = next((reason for reason in reversed(stops) if reason), None)
    return RawReply(
        text="".join(as_text(block.get("text")) for block in blocks) or None,
        reasoning="".join(as_text(block.get("thinking")) for block in blocks) or None,
        finish_reason="length" if stop == "max_tokens" else stop,
        usage=Usage(
            input_tokens=max((as_count(c.get("input_tokens")) for c in counts), default=0),
            output_tokens=max((as_count(c.get("output_tokens")) for c in counts), default=0),
            calls=1,
        ),
        model=next((as_text(each["model"]) for each in (*objects, *starts) if each.get("model")), model),
    )
