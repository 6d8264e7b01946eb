"""A chat model that answers in a shape: the ladder of reply formats, the parser, at most one re-ask."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from perdure.errors import ModelRefused, UnreadableReply
from perdure.models.replies import Read, read_reply
from perdure.models.schemas import plain_schema, strict_schema
from perdure.models.transport import FormatKind, Message, RawReply, ReplyFormat, Transport
from perdure.ports import Answer, Question, Usage
from perdure.remote.failures import EndpointFailure, FailureKind
from perdure.remote.limits import Budget, Gate

MAX_SHOWN_BACK = 4000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Attempt:
    """A reply with what was read in it, or with why nothing could be."""

    raw: RawReply
    read: Read | None = None
    problem: str = ""

    @property
    def is_whole(self) -> bool:
        return self.read is not None and not self.read.was_cut

    @property
    def size(self) -> int:
        return 0 if self.read is None else sum(len(v) for _, v in self.read.value if isinstance(v, list))


class StructuredModel:
    """A transport behind `ports.Model`. All calls of one `ask` share one budget.

    The first format that the endpoint accepts is remembered as long as this object lives.
    """

    def __init__(self, transport: Transport, *, gate: Gate) -> None:
        self._transport = transport
        self._gate = gate
        self._rung = 0

    @property
    def name(self) -> str:
        return self._transport.name

    async def ask(self, question: Question) -> Answer:
        """See `ports.Model.ask`.

        A reply that was cut is asked for once more with twice the tokens. If that is cut too, the complete
        members of the fuller one are the answer, and `dropped` counts one more for what is missing.
        """
        budget = self._gate.open_budget()
        first = await self._attempt(question, (), question.max_tokens, budget)
        if first.is_whole or budget.is_spent:
            return self._answer(first, first.raw.usage)
        try:
            second = await self._again(question, first, budget)
        except ModelRefused:
            # Twice the tokens may be more than the model allows: the first attempt stands.
            return self._answer(first, first.raw.usage)
        usage = first.raw.usage + second.raw.usage
        return self._answer(max(second, first, key=_worth), usage)

    async def close(self) -> None:
        await self._transport.close()

    async def _again(self, question: Question, first: _Attempt, budget: Budget) -> _Attempt:
        if first.read is not None or first.raw.finish_reason == "length":
            return await self._attempt(question, (), 2 * question.max_tokens, budget)
        shown = (first.raw.text or "").strip()[:MAX_SHOWN_BACK]
        complaint = Message(
            "user",
            f"That answer could not be read: {first.problem}. "
            "Answer again, with the one JSON object that was asked for and nothing else.",
        )
        repeated = (Message("assistant", shown),) if shown else ()
        return await self._attempt(question, (*repeated, complaint), question.max_tokens, budget)

    async def _attempt(
        self, question: Question, more: Sequence[Message], max_tokens: int, budget: Budget
    ) -> _Attempt:
        raw = await self._complete(question, more, max_tokens, budget)
        try:
            read = read_reply(raw.text, raw.reasoning, raw.finish_reason, question.reply)
        except UnreadableReply as unreadable:
            return _Attempt(raw=raw, problem=str(unreadable))
        return _Attempt(raw=raw, read=read)

    async def _complete(
        self, question: Question, more: Sequence[Message], max_tokens: int, budget: Budget
    ) -> RawReply:
        """A raw reply in the best format that the endpoint takes."""
        formats = self._transport.formats
        rung = self._rung
        while True:
            wanted = _reply_format(formats[rung], question)
            messages = [*_messages(question, wanted), *more]
            try:
                request = partial(self._transport.complete, messages, wanted, max_tokens)
                raw = await self._gate.call(budget, request)
            except EndpointFailure as failure:
                rung = _next_rung(formats, rung, failure)
            else:
                self._rung = max(self._rung, rung)
                return raw

    def _answer(self, attempt: _Attempt, usage: Usage) -> Answer:
        if attempt.read is None:
            raise UnreadableReply(f"{self.name}: {attempt.problem} ({usage.calls} replies read)")
        dropped = attempt.read.dropped + attempt.read.was_cut
        return Answer(
            value=attempt.read.value,
            model=attempt.raw.model or self.name,
            usage=usage,
            dropped=dropped,
        )


def _worth(attempt: _Attempt) -> tuple[bool, int]:
    return attempt.is_whole, attempt.size


def _next_rung(formats: tuple[FormatKind, ...], rung: int, failure: EndpointFailure) -> int:
    """The next format to try; ModelRefused with the endpoint's reason if there is none."""
    if failure.kind is not FailureKind.FORMAT or rung + 1 >= len(formats):
        raise ModelRefused(str(failure)) from failure
    is_schema_refused = not failure.is_about_strictness
    step = rung + 1
    if formats[rung] == "strict_schema" and formats[step] == "json_schema" and is_schema_refused:
        step += 1
    return step


def _reply_format(kind: FormatKind, question: Question) -> ReplyFormat:
    schema = strict_schema if kind == "strict_schema" else plain_schema
    return ReplyFormat(kind=kind, name=question.purpose, schema=schema(question.reply))


def _messages(question: Question, wanted: ReplyFormat) -> list[Message]:
    """System and user message; where the endpoint does not enforce the schema, the prompt shows it."""
    system = question.system
    if wanted.kind in {"json_object", "text"}:
        schema = json.dumps(wanted.schema, ensure_ascii=False, separators=(",", ":"))
        system += (
            f"\n\nThe answer must be an instance of this JSON Schema (do not repeat the schema):\n{schema}"
        )
    return [Message("system", system), Message("user", question.user)]
