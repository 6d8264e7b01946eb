"""The write path, as a table of contents: capture → extract → reconcile → persist.

Messages are durable after capture. Models and the embedder are asked without any lock held; the facts
are then decided again from what is stored at that moment and committed in one transaction, which is
refused and repeated if another process changed what the decision rested on.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from weakref import WeakValueDictionary

from perdure.core.changes import Change, ExpectVersion, PutVersion, SetOperation, SetVector
from perdure.core.values import Draft, Episode, Json, Layer, Operation, Scope
from perdure.errors import (
    EmbedderError,
    ExtractionFailed,
    ModelError,
    NotFound,
    StaleWrite,
    StoreBusy,
)
from perdure.ports import Clock, Embedder, Model, NewId, Store
from perdure.write.capture import Captured, capture, index_episode
from perdure.write.extract import extract
from perdure.write.judge import judge
from perdure.write.load import load_batch
from perdure.write.messages import Message
from perdure.write.persist import build_changes, build_empty_result, build_result
from perdure.write.reconcile import (
    ALL_LAYERS,
    DEFAULT_NEAR_THRESHOLD,
    NEAR_THRESHOLDS,
    prepare,
    reconcile,
)
from perdure.write.rules_gate import is_off_record
from perdure.write.work import Work, WriteOptions

log = logging.getLogger("perdure")

MAX_ATTEMPTS = 30


@dataclass(slots=True, kw_only=True)
class Writer:
    """The write path with its parts. fast extracts, strong judges; both None means rules only.

    layers: those of reconcile that may decide (`reconcile.Batch`).
    """

    store: Store
    embedder: Embedder
    clock: Clock
    new_id: NewId
    fast: Model | None = None
    strong: Model | None = None
    layers: frozenset[Layer] = ALL_LAYERS
    _locks: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    async def write(
        self, operation: Operation, messages: Sequence[Message], options: WriteOptions
    ) -> Mapping[str, Json]:
        """Run one add from its messages to its answer.

        ExtractionFailed if a model fails: the messages are kept, the operation can be resumed.
        """
        try:
            return await self._write(operation, messages, options)
        except (ExtractionFailed, StaleWrite):
            raise
        except BaseException as exc:  # cancelled, or a fault: the messages are safe, the rest can be resumed
            await asyncio.shield(self._release(operation, exc))
            raise

    async def _write(
        self, operation: Operation, messages: Sequence[Message], options: WriteOptions
    ) -> Mapping[str, Json]:
        kept = [m for m in messages if not (options.infer and is_off_record(m.text))]
        withheld = len(messages) - len(kept)
        captured = await capture(self.store, operation, kept, new_id=self.new_id)
        if not captured.episodes:
            return await self._nothing_new(captured, withheld)
        work = Work(
            operation=operation,
            episodes=captured.episodes,
            adopted=captured.adopted,
            withheld=withheld,
            layers=self.layers,
        )
        return await self._process(work, options)

    async def resume(
        self, operation: Operation, episodes: Sequence[Episode], options: WriteOptions
    ) -> Mapping[str, Json]:
        """Run an operation on from after its capture."""
        try:
            return await self._process(
                Work(operation=operation, episodes=episodes, layers=self.layers), options
            )
        except ExtractionFailed:
            raise
        except BaseException as exc:  # as in `write`
            await asyncio.shield(self._release(operation, exc))
            raise

    async def _process(self, work: Work, options: WriteOptions) -> Mapping[str, Json]:
        await self._extract(work, options)
        await self._embed(work)
        await self._judge(work)
        return await self._persist(work)

    async def _nothing_new(self, captured: Captured, withheld: int) -> Mapping[str, Json]:
        """The answer when every message was stored and settled before, or was not to be kept."""
        operation = captured.operation
        result = build_empty_result(operation, captured.known, captured.hidden, withheld)
        if operation.idempotency_key is not None:
            done = SetOperation(operation_id=operation.id, state="done", result=result)
            await self.store.apply(operation.scope, [done], key=f"persist:{operation.id}")
        return result

    async def _extract(self, work: Work, options: WriteOptions) -> None:
        """Drafts from the episodes; a model that fails fails the operation, visibly."""
        try:
            extraction = await extract(
                work.episodes,
                infer=options.infer,
                model=self.fast,
                instructions=options.instructions,
            )
        except ModelError as exc:
            await self._fail(work.operation, f"{type(exc).__name__}: {exc}")
            raise ExtractionFailed(work.operation.id, type(exc).__name__) from exc
        drafts = tuple(_with_options(draft, options) for draft in extraction.drafts)
        work.extraction = replace(extraction, drafts=drafts)
        if extraction.dropped:
            work.warnings.append(f"parts of the model's reply could not be read: {extraction.dropped}")

    async def _fail(self, operation: Operation, error: str) -> None:
        failed = SetOperation(operation_id=operation.id, state="failed", error=error)
        await self.store.apply(operation.scope, [failed], key=f"fail:{operation.id}:{self.new_id()}")

    async def _release(self, operation: Operation, exc: BaseException) -> None:
        """Let go of an operation that was broken off, so that a repeat or `resume` finishes it."""
        try:
            await self._fail(operation, type(exc).__name__)
        except NotFound:
            return  # broken off before anything was stored

    async def _embed(self, work: Work) -> None:
        """Vectors of drafts and episodes in one call; without an embedder they wait for theirs."""
        texts = [d.text for d in work.extraction.drafts]
        texts += [index_episode(e).text for e in work.episodes]
        distinct = list(dict.fromkeys(texts))
        try:
            matrix = await self.embedder.embed_documents(distinct)
        except EmbedderError as exc:
            work.warnings.append(f"vectors will be made later: {type(exc).__name__}")
            work.prepared = prepare(work.extraction.drafts, None, layers=self.layers)
            return
        identity = self.embedder.identity
        await self.store.bind_embedder(identity)
        work.near_threshold = NEAR_THRESHOLDS.get(identity.name, DEFAULT_NEAR_THRESHOLD)
        vectors = dict(zip(distinct, matrix, strict=True))
        drafts = work.extraction.drafts
        work.prepared = prepare(drafts, [vectors[d.text] for d in drafts], layers=self.layers)
        work.episode_vectors = {e.id: vectors[index_episode(e).text] for e in work.episodes}

    async def _judge(self, work: Work) -> None:
        """Ask the model what code could not settle; if it fails, those drafts become new facts."""
        if self.strong is None or Layer.JUDGE not in self.layers:
            return
        if not any(item.is_open for item in work.prepared):
            return
        preview = await load_batch(self.store, work, now=self.clock(), new_id=self.new_id)
        reconcile(preview)
        try:
            judgement = await judge(preview, self.strong)
        except ModelError as exc:
            work.warnings.append(f"not judged against what is stored: {type(exc).__name__}")
            return
        work.verdicts = judgement.verdicts
        work.warnings += judgement.warnings
        work.extraction = replace(work.extraction, usage=work.extraction.usage + judgement.usage)

    async def _persist(self, work: Work) -> Mapping[str, Json]:
        async with self._lock(work.operation.scope):
            result, changes = await self._commit(work)
        if work.episode_vectors:
            await self._embed_split_facts(work.operation, changes)
        return result

    async def _commit(self, work: Work) -> tuple[Mapping[str, Json], Sequence[Change]]:
        """Decide from what is stored now and commit; again, if another process was faster."""
        operation = work.operation
        for _ in range(MAX_ATTEMPTS):
            batch = await load_batch(self.store, work, now=self.clock(), new_id=self.new_id)
            reconcile(batch)
            result = build_result(batch, work)
            changes = build_changes(batch, work, result=result, new_id=self.new_id)
            try:
                applied = await self.store.apply(operation.scope, changes, key=f"persist:{operation.id}")
            except StaleWrite:
                continue
            return (await self._first_answer(operation), ()) if applied.was_repeat else (result, changes)
        raise StoreBusy(f"operation {operation.id!r}: other writers kept changing its facts. Retry.")

    async def _embed_split_facts(self, operation: Operation, changes: Sequence[Change]) -> None:
        """Facts that settling a slot split off have words of older statements, and no vector yet."""
        bare = [
            (c, c.index.text)
            for c in changes
            if isinstance(c, PutVersion) and c.index is not None and c.index.vector is None
        ]
        if not bare:
            return
        try:
            matrix = await self.embedder.embed_documents([text for _, text in bare])
            for (c, _), vector in zip(bare, matrix, strict=True):
                found = SetVector(kind="fact", item_id=c.fact_id, vector=vector)
                still = ExpectVersion(fact_id=c.fact_id, number=c.expected + 1)
                await self.store.apply(
                    operation.scope, [still, found], key=f"vector:{operation.id}:{c.fact_id}"
                )
        except (EmbedderError, StaleWrite) as exc:  # visible as waiting vectors; `resume` makes them
            log.warning("vectors of split facts will be made later: %s", type(exc).__name__)

    async def _first_answer(self, operation: Operation) -> Mapping[str, Json]:
        stored = await self.store.operation(operation.scope, operation.id)
        return stored.result if stored is not None and stored.result is not None else {}

    def _lock(self, scope: Scope) -> asyncio.Lock:
        return self._locks.setdefault(scope.key, asyncio.Lock())


def _with_options(draft: Draft, options: WriteOptions) -> Draft:
    return replace(
        draft,
        metadata={**draft.metadata, **options.metadata},
        expires_on=options.expires_on,
        immutable=options.immutable,
    )
