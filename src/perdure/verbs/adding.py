"""The verb that remembers: add."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import cast

from perdure.api.inputs import IdValue, read_expiry, read_flags, read_metadata, write_scope
from perdure.api.results import AddResult
from perdure.core.text import digest
from perdure.core.times import TimeValue, read_zoned
from perdure.core.values import Json, Operation, OperationId, Scope
from perdure.errors import IdempotencyConflict, InvalidInput, StaleWrite, StoreBusy
from perdure.upkeep import Parts, finish
from perdure.verbs.base import LEASE, Verbs
from perdure.write.messages import DefaultTime, MessageInput, read_messages
from perdure.write.work import WriteOptions

MAX_PROMPT_CHARACTERS = 8_000
REPLAY_WAITS = 200
REPLAY_PAUSE_S = 0.05


class Adding(Verbs):
    """Remember what was said."""

    async def add(
        self,
        messages: MessageInput,
        *,
        user_id: IdValue = None,
        agent_id: IdValue = None,
        app_id: IdValue = None,
        run_id: IdValue = None,
        metadata: Mapping[str, Json] | None = None,
        infer: bool = True,
        timestamp: TimeValue | None = None,
        expiration_date: TimeValue | None = None,
        immutable: bool = False,
        prompt: str | None = None,
        idempotency_key: str | None = None,
    ) -> AddResult:
        """Remember what was said: store the messages, extract facts, reconcile them with what is stored.

        messages: text, a dict with role and content, or a list; a message may carry `name` (speaker),
        `timestamp`, `id` and `session`. timestamp: when they were said (default: now). infer=False stores
        the content verbatim. prompt: instructions to the extracting model. idempotency_key: a repeat of
        the call gives the first answer and does nothing.

        ExtractionFailed if a model fails: the messages are kept and `resume()` finishes the work.
        """
        parts = await self._ready()
        self._resume_in_background(parts)
        ids = {"user_id": user_id, "agent_id": agent_id, "app_id": app_id, "run_id": run_id}
        scope = write_scope(self._workspace, ids)
        read_flags(infer=infer, immutable=immutable)
        expires_on = read_expiry(expiration_date)
        options = WriteOptions(
            infer=infer,
            instructions=_read_prompt(prompt),
            metadata=read_metadata(metadata),
            expires_on=expires_on,
            immutable=immutable,
        )
        read = read_messages(
            messages,
            default_time=self._default_time(timestamp),
            max_bytes=self._max_message_bytes,
            max_messages=self._max_messages,
        )
        operation = self._operation(parts, scope, options, idempotency_key, (repr(messages), repr(timestamp)))
        try:
            earlier = await self._earlier(parts, operation)
            if earlier is not None:
                return cast(AddResult, dict(earlier))
            return cast(AddResult, dict(await parts.writer.write(operation, read, options)))
        except StaleWrite as exc:
            earlier = await self._earlier(parts, operation)
            if earlier is None:
                raise StoreBusy("another write carries the same idempotency_key. Retry.") from exc
            return cast(AddResult, dict(earlier))

    def _default_time(self, timestamp: TimeValue | None) -> DefaultTime:
        if timestamp is None:
            return DefaultTime(said_at=self._now(), utc_offset_minutes=0, is_dated=False)
        said_at, _, offset = read_zoned(timestamp, field="timestamp")
        return DefaultTime(said_at=said_at, utc_offset_minutes=offset, is_dated=True)

    def _operation(
        self,
        parts: Parts,
        scope: Scope,
        options: WriteOptions,
        key: str | None,
        body: tuple[str, ...],
    ) -> Operation:
        if key is not None and not _is_key(key):
            raise InvalidInput("idempotency_key", "not a text of 1 to 255 characters", "Use a UUID.")
        request: dict[str, Json] = {
            "infer": options.infer,
            "instructions": options.instructions,
            "metadata": dict(options.metadata),
            "expires_on": options.expires_on.isoformat() if options.expires_on else None,
            "immutable": options.immutable,
        }
        return Operation(
            id=OperationId(parts.new_id()),
            scope=scope,
            kind="add",
            state="captured",
            request=request,
            idempotency_key=key,
            request_hash=digest(scope.key, json.dumps(request, sort_keys=True), *body) if key else None,
            attempts=1,
            owner=parts.owner.name,
            lease_until=parts.clock() + LEASE,
        )

    async def _earlier(self, parts: Parts, operation: Operation) -> Mapping[str, Json] | None:
        """The answer of an earlier call with the same key; waits for one that is still at work."""
        if operation.idempotency_key is None:
            return None
        for _ in range(REPLAY_WAITS):
            first = await parts.store.operation_by_key(operation.scope, operation.idempotency_key)
            if first is None:
                return None
            if first.request_hash != operation.request_hash:
                raise IdempotencyConflict
            if first.state == "done":
                return first.result or {}
            if first.state == "failed":
                return await finish(parts.store, parts.writer, first)
            await asyncio.sleep(REPLAY_PAUSE_S)
        raise StoreBusy("the first call with this idempotency_key is still at work. Retry.")


def _read_prompt(prompt: object) -> str | None:
    if prompt is not None and not isinstance(prompt, str):
        raise InvalidInput("prompt", f"a {type(prompt).__name__} is no text", "Write the wish in words.")
    if prompt is not None and len(prompt) > MAX_PROMPT_CHARACTERS:
        raise InvalidInput("prompt", f"longer than {MAX_PROMPT_CHARACTERS} characters", "Shorten it.")
    return prompt


def _is_key(key: object) -> bool:
    return isinstance(key, str) and 0 < len(key) <= 255
