"""Chat models and embedders whose answers are written down beforehand."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from perdure.embed.hashing import HashingEmbedder
from perdure.models.structured import StructuredModel
from perdure.models.transport import FormatKind, Message, RawReply, ReplyFormat
from perdure.ports import Answer, EmbedderIdentity, Question
from perdure.remote.limits import Gate, RetryPolicy

if TYPE_CHECKING:
    from perdure.ports import Matrix, Vector

Script: TypeAlias = "str | RawReply | Exception"


class ScriptExhausted(AssertionError):
    """The code under test asked more than the script has replies for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request that reached the scripted transport."""

    messages: tuple[Message, ...]
    reply_format: ReplyFormat
    max_tokens: int


class ScriptedTransport:
    """Gives the replies in order; an exception is raised instead of given."""

    formats: tuple[FormatKind, ...] = ("strict_schema", "json_schema", "json_object", "text")

    def __init__(self, replies: Sequence[Script], *, name: str = "scripted/model") -> None:
        self._replies = list(replies)
        self._name = name
        self.calls: list[Call] = []

    @property
    def name(self) -> str:
        return self._name

    @property
    def left(self) -> int:
        """Replies not given yet."""
        return len(self._replies) - len(self.calls)

    async def complete(
        self, messages: Sequence[Message], reply_format: ReplyFormat, max_tokens: int
    ) -> RawReply:
        self.calls.append(Call(messages=tuple(messages), reply_format=reply_format, max_tokens=max_tokens))
        if self.left < 0:
            raise ScriptExhausted(f"call {len(self.calls)}, but the script has {len(self._replies)} replies")
        reply = self._replies[len(self.calls) - 1]
        if isinstance(reply, Exception):
            raise reply
        return reply if isinstance(reply, RawReply) else RawReply(text=reply, model=self._name)

    async def close(self) -> None:
        """Nothing is held."""


class ScriptedModel:
    """A model for tests: scripted replies, read by the parser that all models share.

    replies: texts, raw replies (reasoning, finish reason, usage) or exceptions, one a request; a reply that
    cannot be read is followed by a re-ask, which takes the next one. `questions` are those asked, `calls`
    the requests made. Nothing waits: pauses pass at once and are kept in `waits_s`.
    """

    def __init__(
        self,
        replies: Sequence[Script] = (),
        *,
        name: str = "scripted/model",
        policy: RetryPolicy | None = None,
    ) -> None:
        self.questions: list[Question] = []
        self._time = ScriptedTime()
        self._transport = ScriptedTransport(replies, name=name)
        self._model = StructuredModel(self._transport, gate=self._time.gate(policy or RetryPolicy()))

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def calls(self) -> list[Call]:
        return self._transport.calls

    @property
    def waits_s(self) -> list[float]:
        return self._time.waits_s

    @property
    def left(self) -> int:
        """Replies not given yet."""
        return self._transport.left

    async def ask(self, question: Question) -> Answer:
        self.questions.append(question)
        return await self._model.ask(question)

    async def close(self) -> None:
        await self._model.close()


class ScriptedTime:
    """A monotonic clock that moves only when something waits, at once; chance is always `chance`."""

    def __init__(self, *, chance: float = 0.0) -> None:
        self.now_s = 0.0
        self.waits_s: list[float] = []
        self._chance = chance

    def gate(self, policy: RetryPolicy | None = None, *, concurrency: int = 8) -> Gate:
        """A gate that lives in this time."""
        return Gate(
            policy=policy or RetryPolicy(),
            concurrency=concurrency,
            monotonic=lambda: self.now_s,
            sleep=self.sleep,
            chance=lambda: self._chance,
        )

    async def sleep(self, seconds: float) -> None:
        self.waits_s.append(seconds)
        self.now_s += seconds
        await asyncio.sleep(0)


class TableEmbedder:
    """Vectors from a table of texts; texts that are not in it are hashed. Rows are kept as given.

    `documents` and `queries` are the texts asked for, in order.
    """

    def __init__(
        self,
        table: Mapping[str, Sequence[float]],
        dimension: int,
        *,
        name: str = "table/v1",
    ) -> None:
        if any(len(vector) != dimension for vector in table.values()):
            raise ValueError(f"table: each vector needs {dimension} numbers")
        self._table = dict(table)
        self._rest = HashingEmbedder(dimension)
        self._identity = EmbedderIdentity(name=name, dimension=dimension)
        self.documents: list[str] = []
        self.queries: list[str] = []

    @property
    def identity(self) -> EmbedderIdentity:
        return self._identity

    async def embed_documents(self, texts: Sequence[str]) -> Matrix:
        self.documents += texts
        return await self._rows(texts)

    async def embed_query(self, text: str) -> Vector:
        self.queries.append(text)
        vector: Vector = (await self._rows([text]))[0]
        return vector

    async def close(self) -> None:
        """Nothing is held."""

    async def _rows(self, texts: Sequence[str]) -> Matrix:
        import numpy as np

        rows = await self._rest.embed_documents(texts)
        for at, text in enumerate(texts):
            if text in self._table:
                rows[at] = np.array(self._table[text], dtype=np.float32)
        return rows
