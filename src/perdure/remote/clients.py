"""Requests through the official SDKs, with their failures sorted. The SDKs are imported on first use."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from perdure.core.values import Json
from perdure.errors import ConfigError
from perdure.remote.addresses import Address
from perdure.remote.bodies import JsonObject, read_body
from perdure.remote.failures import EndpointFailure, FailureKind, excerpt, from_status

if TYPE_CHECKING:
    from types import ModuleType

# Local servers need no key, but the SDK wants one; without this it would take one from the environment.
NO_KEY = "no-key"


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """An address with what reaches it.

    send: posts a JSON body to a path and gives the bytes of the answer. sdk: the module of the exceptions
    that it raises.
    """

    address: Address
    send: Callable[[str, JsonObject], Awaitable[bytes]]
    close: Callable[[], Awaitable[None]]
    sdk: ModuleType
    secret: str | None = None

    async def post(self, path: str, payload: Mapping[str, Json]) -> list[JsonObject]:
        """The JSON objects of the answer (several if it came as a stream); EndpointFailure on any failure."""
        url = self.address.to(path)
        try:
            body = await self.send(path, dict(payload))
        except self.sdk.APIStatusError as exc:
            raise self._status_failure(exc.response, url) from None
        except self.sdk.APIConnectionError as exc:
            raise EndpointFailure(FailureKind.UNAVAILABLE, f"{url}: {_connection_reason(exc)}") from exc
        except self.sdk.APIError as exc:
            reason = f"{url}: {excerpt(str(exc), self.secret)}"
            raise EndpointFailure(FailureKind.REFUSED, reason) from None
        return read_body(body, url=url, secret=self.secret)

    def _status_failure(self, response: _Response, url: str) -> EndpointFailure:
        return from_status(
            response.status_code,
            response.text,
            response.headers,
            url=url,
            secret=self.secret,
        )


class _Response(Protocol):
    @property
    def status_code(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def headers(self) -> Mapping[str, str]: ...


def openai_endpoint(address: Address, *, api_key: str | None, timeout_s: float) -> Endpoint:
    """An endpoint that speaks OpenAI's API; `api_key` None for a server that wants none."""
    import openai

    headers = {"api-key": api_key} if address.is_azure and api_key else {}
    client = openai.AsyncOpenAI(
        api_key=api_key or NO_KEY,
        base_url=address.base_url,
        default_query=dict(address.query),
        default_headers=headers,
        max_retries=0,
        timeout=timeout_s,
    )

    async def send(path: str, body: JsonObject) -> bytes:
        return await client.post(path, cast_to=bytes, body=body)

    return Endpoint(address=address, send=send, close=client.close, sdk=openai, secret=api_key)


def anthropic_endpoint(address: Address, *, api_key: str, timeout_s: float) -> Endpoint:
    """An endpoint that speaks Anthropic's API; ConfigError if the extra is not installed."""
    try:
        import anthropic
    except ImportError as exc:
        raise ConfigError(
            "model: the Anthropic client is not installed. Run pip install 'perdure[anthropic]'."
        ) from exc
    client = anthropic.AsyncAnthropic(
        api_key=api_key, base_url=address.base_url, max_retries=0, timeout=timeout_s
    )

    async def send(path: str, body: JsonObject) -> bytes:
        return await client.post(path, cast_to=bytes, body=body)

    return Endpoint(address=address, send=send, close=client.close, sdk=anthropic, secret=api_key)


def _connection_reason(error: BaseException) -> str:
    """Why there was no answer: the innermost cause's kind and text (a system message, no user's words)."""
    cause = error
    while cause.__cause__ is not None:
        cause = cause.__cause__
    return f"no answer ({type(cause).__name__}: {cause})"[:200]
