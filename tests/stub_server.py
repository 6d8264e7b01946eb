"""A loopback HTTP server that answers as told and records what it was asked."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from perdure.core.values import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request: path with query, headers in lower case, the JSON body."""

    path: str
    headers: dict[str, str]
    body: dict[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class Canned:
    """One answer. ends: how it goes on after the head: whole, never (hangs), or by a reset."""

    status: int = 200
    body: bytes | dict[str, Json] = b""
    headers: dict[str, str] = field(default_factory=dict)
    ends: str = "whole"


Answering = Callable[[Request], Canned]


@dataclass(slots=True)
class Stub:
    """The running server: its port and the requests so far."""

    answering: Answering
    port: int = 0
    requests: list[Request] = field(default_factory=list)
    stopped: asyncio.Event = field(default_factory=asyncio.Event)
    handlers: list[asyncio.Task[None]] = field(default_factory=list)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def base_url(self) -> str:
        return f"{self.origin}/v1"

    def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.handlers.append(asyncio.create_task(self._handle(reader, writer)))

    async def stop(self) -> None:
        self.stopped.set()
        await asyncio.gather(*self.handlers)

    async def _handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = await _read_request(reader)
        if request is not None:
            self.requests.append(request)
            canned = self.answering(request)
            if canned.ends == "reset":
                writer.transport.abort()
            else:
                await _answer(canned, writer)
            if canned.ends == "never":
                await self.stopped.wait()
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


@asynccontextmanager
async def serving(answers: Answering | Sequence[Canned]) -> AsyncIterator[Stub]:
    """A stub for the length of a test; a sequence of answers is given in order."""
    if callable(answers):
        stub = Stub(answers)
    else:
        queue = iter(answers)
        stub = Stub(lambda _: next(queue))
    server = await asyncio.start_server(stub.handle, "127.0.0.1", 0)
    stub.port = server.sockets[0].getsockname()[1]
    try:
        yield stub
    finally:
        server.close()
        await stub.stop()
        await server.wait_closed()


def chat(content: str | None, *, finish: str = "stop", reasoning: str | None = None) -> Canned:
    """A chat completion as OpenAI's API gives it."""
    message: dict[str, Json] = {"role": "assistant", "content": content}
    if reasoning is not None:
        message["reasoning_content"] = reasoning
    return Canned(
        body={
            "model": "stub-1",
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 5},
        }
    )


def refusal(status: int, message: str, **headers: str) -> Canned:
    """An error as OpenAI's API gives it."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Canned(status=status, body={"error": {"message": message}}, headers=named)


async def _read_request(reader: asyncio.StreamReader) -> Request | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.strip().split("\r\n")
    headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Request(path=first.split(" ")[1], headers=headers, body=json.loads(body or b"{}"))


async def _answer(canned: Canned, writer: asyncio.StreamWriter) -> None:
    body = canned.body if isinstance(canned.body, bytes) else json.dumps(canned.body).encode()
    length = len(body) + (1 if canned.ends == "never" else 0)
    headers = {"content-type": "application/json", "content-length": str(length), "connection": "close"}
    head = "".join(f"{name}: {value}\r\n" for name, value in {**headers, **canned.headers}.items())
    writer.write(f"HTTP/1.1 {canned.status} Stub\r\n{head}\r\n".encode() + body)
    with suppress(ConnectionError):
        await writer.drain()
