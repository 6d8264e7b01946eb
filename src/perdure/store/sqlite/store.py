"""The embedded store: the Store port over one SQLite file."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from perdure.core.changes import Change
from perdure.core.filters import Filter
from perdure.core.interval import Interval
from perdure.core.values import (
    Decision,
    DecisionId,
    Entity,
    EntityId,
    Episode,
    EpisodeId,
    Fact,
    FactId,
    ItemKind,
    Operation,
    OperationId,
    Scope,
    Slot,
    Source,
    Version,
    View,
)
from perdure.errors import StoreClosed
from perdure.ports import (
    Applied,
    Clock,
    EmbedderIdentity,
    Link,
    Match,
    Page,
    Receipt,
    Ref,
    StoreStats,
    WaitingVector,
)
from perdure.store.sqlite import care, embedders, reads, search
from perdure.store.sqlite import changes as writes
from perdure.store.sqlite.connection import MEMORY, Db, connect, prepare, translated, verify
from perdure.store.sqlite.erase import erase, finish_scrub, resume_scrub
from perdure.store.sqlite.params import Sieve, micros
from perdure.store.sqlite.writer import Lane

if TYPE_CHECKING:
    from perdure.ports import Vector
    from perdure.store.sqlite.vectors import VectorCache

T = TypeVar("T")
READERS = 4
CACHE_BYTES = 512 * 1024 * 1024


class SqliteStore:
    """See `perdure.ports.Store`. Many processes may have one file open; an acknowledged write is on disk."""

    def __init__(
        self,
        path: str,
        *,
        writer: Lane,
        readers: Lane,
        clock: Clock,
        on_step: writes.OnStep,
        cache: VectorCache,
    ) -> None:
        self._path = path
        self._writer = writer
        self._readers = readers
        self._clock = clock
        self._on_step = on_step
        self._cache = cache
        self._is_closed = False

    @classmethod
    async def open(
        cls,
        path: str | Path,
        *,
        clock: Clock,
        busy_timeout_s: float = 30.0,
        read_only: bool = False,
        on_step: Callable[[str], None] | None = None,
        cache_bytes: int = CACHE_BYTES,
    ) -> SqliteStore:
        """Open a file, or make it a store if it is new or empty; `:memory:` is a store of this object alone.

        busy_timeout_s: how long a write waits for another process before StoreBusy.
        read_only: the file must be a store already; nothing is created or migrated, writes are StoreError.
        on_step: called on the writer's thread at each step of `apply`; for tests of crashes.
        cache_bytes: for vectors kept in memory (`vectors.VectorCache`).
        SchemaError if the file is foreign, newer than this program, or its migrations were altered.
        """
        from perdure.store.sqlite.vectors import VectorCache  # numpy comes with it

        location = str(path)

        def open_lanes() -> tuple[Lane, Lane]:
            return _open_lanes(location, busy_timeout_s=busy_timeout_s, read_only=read_only)

        writer, readers = await asyncio.to_thread(open_lanes)
        return cls(
            location,
            writer=writer,
            readers=readers,
            clock=clock,
            on_step=on_step or _ignore_step,
            cache=VectorCache(limit_bytes=cache_bytes),
        )

    @property
    def statements(self) -> int:
        """How many SQL statements ran so far, without BEGIN and COMMIT."""
        both = {id(lane): lane.statements for lane in (self._writer, self._readers)}
        return sum(both.values())

    async def apply(self, scope: Scope, changes: Sequence[Change], *, key: str) -> Applied:
        def job(db: Db) -> Applied:
            return writes.apply(db, scope, changes, key=key, clock=self._clock, on_step=self._on_step)

        def announced(db: Db) -> Applied:
            with db.transaction("IMMEDIATE"):
                applied = job(db)
            self._on_step("after_commit")
            return applied

        return await self._run(announced)

    # facts

    async def facts(self, scope: Scope, ids: Sequence[str], *, view: View | None) -> list[Fact]:
        return await self._read(lambda db: reads.facts(db, scope, ids, view=view))

    async def list_facts(
        self, scope: Scope, *, view: View, where: Filter | None, limit: int, after: str | None
    ) -> Page[Fact]:
        return await self._read(
            lambda db: reads.list_facts(db, scope, view=view, where=where, limit=limit, after=after)
        )

    async def count_facts(self, scope: Scope, *, view: View, where: Filter | None) -> int:
        return await self._read(lambda db: reads.count_facts(db, scope, view=view, where=where))

    async def history(self, scope: Scope, fact_id: FactId) -> list[Version]:
        return await self._read(lambda db: reads.history(db, scope, fact_id))

    async def slot_facts(self, scope: Scope, slots: Sequence[Slot]) -> list[Fact]:
        return await self._read(lambda db: reads.slot_facts(db, scope, slots))

    async def facts_by_fingerprint(self, scope: Scope, fingerprints: Sequence[str]) -> list[Fact]:
        return await self._read(lambda db: reads.facts_by_fingerprint(db, scope, fingerprints))

    async def facts_of_episodes(self, scope: Scope, episode_ids: Sequence[EpisodeId]) -> list[Fact]:
        return await self._read(lambda db: reads.facts_of_episodes(db, scope, episode_ids))

    async def sources(
        self, scope: Scope, fact_ids: Sequence[str], *, known_at: datetime | None
    ) -> list[Source]:
        return await self._read(lambda db: reads.sources(db, scope, fact_ids, known_at=known_at))

    # episodes

    async def stale_episodes(self, scope: Scope, ids: Sequence[EpisodeId], *, view: View) -> set[EpisodeId]:
        return await self._read(lambda db: reads.stale_episodes(db, scope, ids, view=view))

    async def episodes(self, scope: Scope, ids: Sequence[str], *, view: View | None) -> list[Episode]:
        return await self._read(lambda db: reads.episodes(db, scope, ids, view=view))

    async def list_episodes(
        self, scope: Scope, *, view: View, where: Filter | None, limit: int, after: str | None
    ) -> Page[Episode]:
        return await self._read(
            lambda db: reads.list_episodes(db, scope, view=view, where=where, limit=limit, after=after)
        )

    async def episode_ids(self, scope: Scope, fingerprints: Sequence[str]) -> dict[str, EpisodeId]:
        return await self._read(lambda db: reads.episode_ids(db, scope, fingerprints))

    # signals

    async def search_vectors(
        self,
        scope: Scope,
        vector: Vector,
        *,
        kinds: Sequence[ItemKind],
        view: View,
        where: Filter | None,
        limit: int,
    ) -> list[Match]:
        sieve = Sieve(scope=scope, kinds=frozenset(kinds), view=view, where=where, limit=limit)
        return await self._read(lambda db: search.search_vectors(db, sieve, vector, cache=self._cache))

    async def search_keywords(
        self,
        scope: Scope,
        tokens: Sequence[str],
        *,
        kinds: Sequence[ItemKind],
        view: View,
        where: Filter | None,
        limit: int,
    ) -> list[Match]:
        sieve = Sieve(scope=scope, kinds=frozenset(kinds), view=view, where=where, limit=limit)
        return await self._read(lambda db: search.search_keywords(db, sieve, tokens))

    async def search_times(
        self,
        scope: Scope,
        window: Interval,
        *,
        kinds: Sequence[ItemKind],
        view: View,
        where: Filter | None,
        limit: int,
    ) -> list[Ref]:
        sieve = Sieve(scope=scope, kinds=frozenset(kinds), view=view, where=where, limit=limit)
        return await self._read(lambda db: search.search_times(db, sieve, window))

    # graph

    async def entities(self, scope: Scope, keys: Sequence[str]) -> list[Entity]:
        return await self._read(lambda db: reads.entities(db, scope, keys))

    async def entities_by_id(self, scope: Scope, ids: Sequence[EntityId]) -> list[Entity]:
        return await self._read(lambda db: reads.entities_by_id(db, scope, ids))

    async def links_of_entities(
        self,
        scope: Scope,
        ids: Sequence[EntityId],
        *,
        view: View,
        limit: int,
        where: Filter | None = None,
    ) -> list[Link]:
        sieve = Sieve(scope=scope, kinds=frozenset({"fact", "episode"}), view=view, where=where, limit=limit)
        return await self._read(lambda db: search.links_of_entities(db, sieve, ids))

    async def links_of_items(self, scope: Scope, refs: Sequence[Ref], *, view: View) -> list[Link]:
        return await self._read(lambda db: reads.links_of_items(db, scope, refs, view=view))

    # decisions and operations

    async def decisions(
        self,
        scope: Scope,
        *,
        ids: Sequence[DecisionId] = (),
        fact_id: FactId | None = None,
        operation_id: OperationId | None = None,
    ) -> list[Decision]:
        return await self._read(
            lambda db: reads.decisions(db, scope, ids=ids, fact_id=fact_id, operation_id=operation_id)
        )

    async def operation(self, scope: Scope, operation_id: OperationId) -> Operation | None:
        return await self._read(lambda db: reads.operation(db, scope, operation_id))

    async def operation_by_key(self, scope: Scope, idempotency_key: str) -> Operation | None:
        return await self._read(lambda db: reads.operation_by_key(db, scope, idempotency_key))

    async def operations(
        self, scope: Scope, *, state: Literal["captured", "done", "failed"] | None, limit: int
    ) -> list[Operation]:
        return await self._read(lambda db: reads.operations(db, scope, state=state, limit=limit))

    async def claim_operations(
        self, *, owner: str, lease_until: datetime, is_alive: Callable[[str], bool], limit: int
    ) -> list[Operation]:
        def job(db: Db) -> list[Operation]:
            return reads.claim_operations(
                db,
                owner=owner,
                now=micros(self._clock()),
                lease_until=micros(lease_until),
                is_alive=is_alive,
                limit=limit,
            )

        return await self._write(job)

    async def operation_episodes(self, scope: Scope, operation_id: OperationId) -> list[Episode]:
        return await self._read(lambda db: reads.operation_episodes(db, scope, operation_id))

    # embedder

    async def embedder(self) -> EmbedderIdentity | None:
        return await self._read(embedders.active_identity)

    async def bind_embedder(self, identity: EmbedderIdentity) -> None:
        if await self.embedder() != identity:  # a start with the same model takes no write lock
            await self._write(lambda db: embedders.bind(db, identity))

    async def waiting_vectors(self, identity: EmbedderIdentity, *, limit: int) -> list[WaitingVector]:
        return await self._read(lambda db: embedders.waiting(db, identity, limit=limit))

    async def store_vectors(self, identity: EmbedderIdentity, vectors: Sequence[tuple[int, Vector]]) -> None:
        def job(db: Db) -> None:
            embedders.keep_vectors(db, identity, vectors, now=writes.stamp(db, self._clock))

        await self._write(job)

    async def switch_embedder(self, identity: EmbedderIdentity) -> None:
        await self._write(lambda db: embedders.switch(db, identity))

    # care

    async def erase(self, scope: Scope, *, fact_ids: Sequence[str], episode_ids: Sequence[str]) -> Receipt:
        return await self._run(
            lambda db: erase(
                db,
                scope,
                fact_ids=fact_ids,
                episode_ids=episode_ids,
                clock=self._clock,
                path=self._path,
            )
        )

    async def scope_items(self, scope: Scope) -> tuple[list[FactId], list[EpisodeId]]:
        return await self._read(lambda db: reads.scope_items(db, scope))

    async def check(self) -> list[str]:
        return await self._read(care.check)

    async def stats(self, scope: Scope) -> StoreStats:
        return await self._read(lambda db: care.stats(db, scope, now=micros(self._clock()), path=self._path))

    async def reset(self) -> None:
        await self._write(care.reset)
        await self._run(finish_scrub)

    async def close(self) -> None:
        """Finish what was accepted, join the threads and close the file; closing twice is fine."""
        if self._is_closed:
            return
        self._is_closed = True
        await asyncio.to_thread(_close_lanes, self._readers, self._writer)

    async def _read(self, job: Callable[[Db], T]) -> T:
        self._check_open()
        return await self._readers.read(job)

    async def _write(self, job: Callable[[Db], T]) -> T:
        self._check_open()
        return await self._writer.write(job)

    async def _run(self, job: Callable[[Db], T]) -> T:
        self._check_open()
        return await self._writer.run(job)

    def _check_open(self) -> None:
        if self._is_closed:
            raise StoreClosed("store: used after close(). Open it again.")


def _open_lanes(path: str, *, busy_timeout_s: float, read_only: bool) -> tuple[Lane, Lane]:
    """The writer's lane and the readers'; one and the same for a store in memory."""
    opened: list[Db] = []
    try:
        with translated():
            opened.append(connect(path, busy_timeout_s=busy_timeout_s, is_writer=not read_only))
            if read_only:
                verify(opened[0])
            else:
                prepare(opened[0], busy_timeout_s=busy_timeout_s)
                resume_scrub(opened[0])
            for _ in range(0 if path == MEMORY else READERS):
                opened.append(connect(path, busy_timeout_s=busy_timeout_s, is_writer=False))
    except BaseException:
        for db in opened:
            db.close()
        raise
    writer = Lane(opened[:1], name="perdure-write")
    return writer, writer if path == MEMORY else Lane(opened[1:], name="perdure-read")


def _close_lanes(*lanes: Lane) -> None:
    """The writer comes last: only a connection that may write folds the log into the file and removes it."""
    for lane in {id(lane): lane for lane in lanes}.values():
        lane.close()


def _ignore_step(step: str) -> None:
    """No one watches the steps."""
