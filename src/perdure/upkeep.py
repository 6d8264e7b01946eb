"""Work that is not asked for by a verb: unfinished operations, vectors still to be made, a new model."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime

from perdure.core.values import Json, Operation
from perdure.errors import EmbedderError, ExtractionFailed
from perdure.ports import Clock, Embedder, EmbedderIdentity, NewId, Store
from perdure.write.pipeline import Writer
from perdure.write.work import WriteOptions

log = logging.getLogger("perdure")

EMBED_BATCH = 64
MAX_RESUMED = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """Who works on an operation, and how to tell whether another owner still lives."""

    name: str
    is_alive: Callable[[str], bool]


def options_of(operation: Operation) -> WriteOptions:
    """The options an add was called with, from its operation."""
    request = operation.request
    expires_on, metadata = request.get("expires_on"), request.get("metadata")
    instructions = request.get("instructions")
    return WriteOptions(
        infer=request.get("infer") is not False,
        instructions=instructions if isinstance(instructions, str) else None,
        metadata=metadata if isinstance(metadata, dict) else {},
        expires_on=date.fromisoformat(expires_on) if isinstance(expires_on, str) else None,
        immutable=request.get("immutable") is True,
    )


async def finish(store: Store, writer: Writer, operation: Operation) -> Mapping[str, Json]:
    """Run a captured or failed add to its end; ExtractionFailed if its model still fails."""
    episodes = await store.operation_episodes(operation.scope, operation.id)
    return await writer.resume(operation, episodes, options_of(operation))


async def resume_orphans(store: Store, writer: Writer, owner: Owner, lease_until: datetime) -> int:
    """Finish adds whose process died after their messages were stored; the number finished."""
    orphans = await store.claim_operations(
        owner=owner.name, lease_until=lease_until, is_alive=owner.is_alive, limit=MAX_RESUMED
    )
    return await finish_all(store, writer, orphans)


async def finish_all(store: Store, writer: Writer, operations: list[Operation]) -> int:
    finished = 0
    for operation in operations:
        try:
            await finish(store, writer, operation)
            finished += 1
        except ExtractionFailed as exc:
            log.warning("operation %s could not be resumed: %s", operation.id, exc)
    return finished


async def known_identity(embedder: Embedder) -> EmbedderIdentity:
    """The embedder's identity; asked of it by a first text if its dimension is not known before."""
    try:
        return embedder.identity
    except EmbedderError:
        await embedder.embed_query("How many dimensions?")
        return embedder.identity


async def fill_vectors(
    store: Store, embedder: Embedder, *, on_progress: Callable[[int], Awaitable[None]] | None = None
) -> int:
    """Make the vectors that index entries wait for, in batches that are kept one by one; how many."""
    done = 0
    identity = await known_identity(embedder)
    if await store.embedder() is None:
        await store.bind_embedder(identity)
    while waiting := await store.waiting_vectors(identity, limit=EMBED_BATCH):
        matrix = await embedder.embed_documents([w.text for w in waiting])
        await store.store_vectors(
            identity, [(w.unit_id, row) for w, row in zip(waiting, matrix, strict=True)]
        )
        done += len(waiting)
        if on_progress is not None:
            await on_progress(len(waiting))
    return done


async def try_fill_vectors(store: Store, embedder: Embedder) -> bool:
    """As `fill_vectors`; False, with a warning in the log, if the embedder cannot now."""
    try:
        await fill_vectors(store, embedder)
    except EmbedderError as exc:
        log.warning("vectors will be made later: %s", type(exc).__name__)
        return False
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """All that the engine is made of; `compose` puts it together."""

    store: Store
    embedder: Embedder
    writer: Writer
    clock: Clock
    new_id: NewId
    owner: Owner
    closers: tuple[Callable[[], Awaitable[None]], ...] = ()
