"""What every group of verbs stands on: the parts, opened on first use, and looking facts up by id."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from types import TracebackType
from typing import Self

from perdure.api.inputs import read_memory_id
from perdure.core.values import Fact, Scope
from perdure.errors import NotFound, StaleWrite, StoreBusy, StoreClosed
from perdure.upkeep import Parts, resume_orphans
from perdure.write.messages import DEFAULT_MAX_BYTES, DEFAULT_MAX_MESSAGES

LEASE = timedelta(minutes=10)
RETRIES = 20


class Verbs:
    """The opened parts. Opened on first use; `async with` opens and closes."""

    def __init__(
        self,
        opener: Callable[[], Awaitable[Parts]],
        *,
        workspace: str,
        max_message_bytes: int = DEFAULT_MAX_BYTES,
        max_messages: int = DEFAULT_MAX_MESSAGES,
    ) -> None:
        self._opener = opener
        self._workspace = workspace
        self._max_message_bytes = max_message_bytes
        self._max_messages = max_messages
        self._opening = asyncio.Lock()
        self._parts: Parts | None = None
        self._resuming: asyncio.Task[int] | None = None
        self._is_closed = False

    async def open(self) -> Self:
        """Open the store and finish what a killed process left behind. Verbs do this by themselves."""
        await self._ready()
        return self

    async def close(self) -> None:
        """Close the store and the connections of models; closing twice is fine."""
        self._is_closed = True
        parts, self._parts = self._parts, None
        if self._resuming is not None:
            self._resuming.cancel()
            await asyncio.gather(self._resuming, return_exceptions=True)
        if parts is not None:
            for closer in parts.closers:
                await closer()
            await parts.store.close()

    async def __aenter__(self) -> Self:
        return await self.open()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _ready(self) -> Parts:
        if self._is_closed:
            raise StoreClosed("this memory was closed. Open a new one.")
        async with self._opening:
            if self._parts is None:
                parts = await self._opener()
                self._parts = parts
                if parts.writer.fast is None:
                    await self._resume_orphans(parts)
        return self._parts

    async def _resume_orphans(self, parts: Parts) -> int:
        """Finish adds that a killed process left after their messages were stored."""
        return await resume_orphans(parts.store, parts.writer, parts.owner, parts.clock() + LEASE)

    def _resume_in_background(self, parts: Parts) -> None:
        """As above where a model is needed: reads never wait for it, the first add sets it going."""
        if parts.writer.fast is not None and self._resuming is None:
            self._resuming = asyncio.create_task(self._resume_orphans(parts))

    def _now(self) -> datetime:
        if self._parts is None:
            raise StoreClosed("this memory was closed. Open a new one.")
        return self._parts.clock()

    @property
    def _everywhere(self) -> Scope:
        """The whole workspace: where a memory is found by its id alone."""
        return Scope(workspace=self._workspace)

    async def _fact(self, parts: Parts, memory_id: str) -> Fact:
        fact = await self._fact_or_none(parts, memory_id)
        if fact is None:
            raise NotFound("memory", memory_id)
        return fact

    async def _fact_or_none(self, parts: Parts, memory_id: str, *, hidden: bool = False) -> Fact | None:
        """The fact as it is now; a deleted or merged one counts as none, unless `hidden`."""
        found = await parts.store.facts(self._everywhere, [read_memory_id(memory_id)], view=None)
        return found[0] if found and (hidden or found[0].body.status.is_visible) else None


async def with_retries(change: Callable[[], Awaitable[None]]) -> None:
    """Decide and write again while other writers are faster; StoreBusy after twenty times."""
    for _ in range(RETRIES):
        try:
            return await change()
        except StaleWrite:
            continue
    raise StoreBusy("other writers kept changing this memory. Retry.")
