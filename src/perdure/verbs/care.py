"""The verbs of care: what was decided, what is unfinished, whether all is well, a new embedder."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from perdure.api.inputs import IdValue, read_id, read_limit, read_memory_id
from perdure.api.results import DecisionItem, OperationItem, StatsItem
from perdure.api.shapes import decision_item, operation_item, stats_item
from perdure.core.values import DecisionId, FactId, OperationId, OperationState, Scope
from perdure.errors import InvalidInput, StillWaiting, StoreBusy
from perdure.upkeep import fill_vectors, finish_all
from perdure.verbs.base import Verbs

SWITCH_ATTEMPTS = 20


class Care(Verbs):
    """Look after the memory."""

    async def decisions(
        self, *, memory_id: str | None = None, operation_id: str | None = None
    ) -> list[DecisionItem]:
        """What was decided about a memory or in an operation, oldest first, each with its reason."""
        if (memory_id is None) == (operation_id is None):
            raise InvalidInput("decisions", "needs a memory_id or an operation_id", "Give one of the two.")
        parts = await self._ready()
        found = await parts.store.decisions(
            self._everywhere,
            fact_id=FactId(read_memory_id(memory_id)) if memory_id is not None else None,
            operation_id=(
                OperationId(read_memory_id(operation_id, field="operation_id"))
                if operation_id is not None
                else None
            ),
        )
        return [decision_item(d) for d in found]

    async def decision(self, decision_id: str) -> DecisionItem | None:
        """One decision by its id, or None."""
        wanted = DecisionId(read_memory_id(decision_id, field="decision_id"))
        parts = await self._ready()
        found = await parts.store.decisions(self._everywhere, ids=[wanted])
        return decision_item(found[0]) if found else None

    async def operations(
        self, *, state: OperationState | None = None, limit: int | None = None
    ) -> list[OperationItem]:
        """Writes as units of work, newest first: captured, done or failed."""
        if state not in (None, "captured", "done", "failed"):
            raise InvalidInput("state", "unknown", "Use captured, done or failed.")
        parts = await self._ready()
        count = read_limit(limit, None, default=100)
        found = await parts.store.operations(self._everywhere, state=state, limit=count)
        return [operation_item(o) for o in found]

    async def resume(self) -> int:
        """Finish adds that were interrupted or whose model failed; how many were finished."""
        parts = await self._ready()
        count = await self._resume_orphans(parts)
        failed = await parts.store.operations(self._everywhere, state="failed", limit=1000)
        count += await finish_all(parts.store, parts.writer, [o for o in failed if o.kind == "add"])
        await fill_vectors(parts.store, parts.embedder)
        return count

    async def reembed(self, *, on_progress: Callable[[int], Awaitable[None]] | None = None) -> int:
        """Make every vector with the embedder of this memory, then use it; how many were made.

        Broken off, it goes on where it stopped; search uses the vectors of before until the end.
        """
        parts = await self._ready()
        made = 0
        for _ in range(SWITCH_ATTEMPTS):
            made += await fill_vectors(parts.store, parts.embedder, on_progress=on_progress)
            try:
                await parts.store.switch_embedder(parts.embedder.identity)
            except StillWaiting:  # another process added something after the last look
                continue
            return made
        raise StoreBusy("other writers keep adding faster than vectors are made. Retry when it is calmer.")

    async def check(self) -> list[str]:
        """Every broken invariant of the store, one line each; empty when all is well."""
        parts = await self._ready()
        return await parts.store.check()

    async def stats(
        self,
        *,
        user_id: IdValue = None,
        agent_id: IdValue = None,
        app_id: IdValue = None,
        run_id: IdValue = None,
    ) -> StatsItem:
        """Counts of a scope, or of the whole workspace without ids."""
        parts = await self._ready()
        scope = Scope(
            workspace=self._workspace,
            user_id=read_id(user_id, field="user_id"),
            agent_id=read_id(agent_id, field="agent_id"),
            app_id=read_id(app_id, field="app_id"),
            run_id=read_id(run_id, field="run_id"),
        )
        return stats_item(await parts.store.stats(scope))
