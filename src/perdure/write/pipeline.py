"""The write path, as a table of contents: capture → extract → reconcile → persist.

Messages are durable after capture. Models and the embedder are asked without any lock held; the facts
are then decided again from what is stored at that moment and committed in one transaction, which is
refused and repeated if another process changed what the decision rested on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from perdure.core.changes import SetOperation
from perdure.core.filters import AllOf, Condition, Filter
from perdure.core.values import (
    Draft,
    Episode,
    FactId,
    Json,
    Operation,
    OperationId,
    Scope,
    Validity,
    View,
)
from perdure.errors import EmbedderError, ExtractionFailed, ModelError, StaleWrite, StoreBusy
from perdure.ports import Clock, Embedder, Model, NewId, Store
from perdure.write.capture import Captured, capture, index_episode
from perdure.write.extract import Extraction, extract
from perdure.write.judge import judge
from perdure.write.ledger import Ledger
from perdure.write.messages import Message
from perdure.write.persist import build_changes, build_result
from perdure.write.reconcile import (
    DEFAULT_NEAR_THRESHOLD,
    NEAR_THRESHOLDS,
    Batch,
    Prepared,
    Similar,
    prepare,
    reconcile,
)
from perdure.write.verdict import Verdict

if TYPE_CHECKING:
    from perdure.core.changes import Vector

NOTHING_EXTRACTED = Extraction(drafts=(), skipped=(), by="rules")
MAX_ATTEMPTS = 30
NEIGHBOURS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteOptions:
    """What a caller may ask of an add. metadata and the rest go onto every fact it makes."""

    infer: bool = True
    instructions: str | None = None
    metadata: Mapping[str, Json] = field(default_factory=dict)
    expires_on: date | None = None
    immutable: bool = False


@dataclass(slots=True, kw_only=True)
class Work:
    """One write on its way: each step adds what the next one needs."""

    operation: Operation
    episodes: Sequence[Episode]
    adopted: Sequence[OperationId] = ()
    extraction: Extraction = NOTHING_EXTRACTED
    prepared: Sequence[Prepared] = ()
    episode_vectors: Mapping[str, Vector] = field(default_factory=dict)
    near_threshold: float = DEFAULT_NEAR_THRESHOLD
    verdicts: Mapping[int, Verdict] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Writer:
    """The write path with its parts. fast extracts, strong judges; both None means rules only."""

    store: Store
    embedder: Embedder
    clock: Clock
    new_id: NewId
    fast: Model | None = None
    strong: Model | None = None
    _locks: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    async def write(
        self, operation: Operation, messages: Sequence[Message], options: WriteOptions
    ) -> Mapping[str, Json]:
        """Run one add from its messages to its answer.

        ExtractionFailed if a model fails: the messages are kept, the operation can be resumed.
        """
        captured = await capture(self.store, operation, messages, new_id=self.new_id)
        if not captured.episodes:
            return await self._nothing_new(captured)
        return await self.process(operation, captured.episodes, options, adopted=captured.adopted)

    async def process(
        self,
        operation: Operation,
        episodes: Sequence[Episode],
        options: WriteOptions,
        *,
        adopted: Sequence[OperationId] = (),
    ) -> Mapping[str, Json]:
        """Everything after capture; also how an interrupted operation is resumed.

        adopted: failed operations that this one finishes too.
        """
        work = Work(operation=operation, episodes=episodes, adopted=adopted)
        await self._extract(work, options)
        await self._embed(work)
        await self._judge(work)
        return await self._persist(work)

    async def _nothing_new(self, captured: Captured) -> Mapping[str, Json]:
        """The answer when every message was stored and settled before."""
        operation = captured.operation
        skipped: list[Json] = [
            {"episode_id": i, "reason": "this message is stored already"} for i in captured.known
        ]
        result: dict[str, Json] = {
            "results": [],
            "operation_id": operation.id if operation.idempotency_key is not None else None,
            "extractor": "none",
            "episodes": [],
            "skipped": skipped,
            "warnings": [],
            "usage": {"model_calls": 0, "input_tokens": 0, "output_tokens": 0},
        }
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
            await self._fail(work.operation, exc)
            raise ExtractionFailed(work.operation.id, type(exc).__name__) from exc
        drafts = tuple(_with_options(draft, options) for draft in extraction.drafts)
        work.extraction = replace(extraction, drafts=drafts)
        if extraction.dropped:
            work.warnings.append(f"parts of the model's reply could not be read: {extraction.dropped}")

    async def _fail(self, operation: Operation, exc: ModelError) -> None:
        failed = SetOperation(operation_id=operation.id, state="failed", error=f"{type(exc).__name__}: {exc}")
        await self.store.apply(operation.scope, [failed], key=f"fail:{operation.id}:{self.new_id()}")

    async def _embed(self, work: Work) -> None:
        """Vectors of drafts and episodes in one call; without an embedder they wait for theirs."""
        texts = [d.text for d in work.extraction.drafts]
        texts += [index_episode(e).text for e in work.episodes]
        distinct = list(dict.fromkeys(texts))
        try:
            matrix = await self.embedder.embed_documents(distinct)
        except EmbedderError as exc:
            work.warnings.append(f"vectors will be made later: {type(exc).__name__}")
            work.prepared = prepare(work.extraction.drafts, None)
            return
        identity = self.embedder.identity
        await self.store.bind_embedder(identity)
        work.near_threshold = NEAR_THRESHOLDS.get(identity.name, DEFAULT_NEAR_THRESHOLD)
        vectors = dict(zip(distinct, matrix, strict=True))
        work.prepared = prepare(work.extraction.drafts, [vectors[d.text] for d in work.extraction.drafts])
        work.episode_vectors = {e.id: vectors[index_episode(e).text] for e in work.episodes}

    async def _judge(self, work: Work) -> None:
        """Ask the model what code could not settle; if it fails, those drafts become new facts."""
        if self.strong is None or not any(item.is_open for item in work.prepared):
            return
        preview = await self._load(work)
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
        """Decide from what is stored now and commit; again, if another process was faster."""
        operation = work.operation
        async with self._lock(operation.scope):
            for _ in range(MAX_ATTEMPTS):
                batch = await self._load(work)
                reconcile(batch)
                result = build_result(batch, work.extraction, work.episodes, work.warnings)
                changes = build_changes(
                    operation.scope,
                    batch,
                    episode_vectors=work.episode_vectors,
                    result=result,
                    adopted=work.adopted,
                    new_id=self.new_id,
                )
                try:
                    applied = await self.store.apply(operation.scope, changes, key=f"persist:{operation.id}")
                except StaleWrite:
                    continue
                return await self._first_answer(operation) if applied.was_repeat else result
        raise StoreBusy(f"operation {operation.id!r}: other writers kept changing its facts. Retry.")

    async def _first_answer(self, operation: Operation) -> Mapping[str, Json]:
        stored = await self.store.operation(operation.scope, operation.id)
        return stored.result if stored is not None and stored.result is not None else {}

    def _lock(self, scope: Scope) -> asyncio.Lock:
        return self._locks.setdefault(scope.key, asyncio.Lock())

    async def _load(self, work: Work) -> Batch:
        """What is stored now about everything the drafts may touch, in a fixed number of reads a draft."""
        scope = work.operation.scope
        ledger = Ledger(new_id=self.new_id)
        ledger.load(
            await self.store.facts_by_fingerprint(scope, sorted({i.fingerprint for i in work.prepared}))
        )
        near = await self._neighbours(scope, work.prepared)
        ids = sorted({s.fact_id for found in near.values() for s in found})
        ledger.load(await self.store.facts(scope, ids, view=None) if ids else [])
        slots = {i.slot for i in work.prepared if i.slot}
        slots |= {e.body.slot for e in ledger.entries.values() if e.body.slot}
        ordered = sorted(slots, key=lambda s: (s.subject, s.attribute))
        ledger.load(await self.store.slot_facts(scope, ordered) if ordered else [])
        ledger.note_slots(ordered)
        return Batch(
            prepared=work.prepared,
            ledger=ledger,
            near=near,
            near_threshold=work.near_threshold,
            operation_id=work.operation.id,
            verdicts=work.verdicts,
        )

    async def _neighbours(self, scope: Scope, prepared: Sequence[Prepared]) -> dict[int, list[Similar]]:
        """Facts of the exact scope near each draft that no known slot settles."""
        view = View(valid_at=self.clock(), validity=Validity.ANY)
        near: dict[int, list[Similar]] = {}
        for item in prepared:
            if item.vector is None or not item.is_open:
                continue
            matches = await self.store.search_vectors(
                scope,
                item.vector,
                kinds=("fact",),
                view=view,
                where=_exactly(scope),
                limit=NEIGHBOURS,
            )
            near[item.index] = [Similar(fact_id=FactId(m.ref.id), cosine=m.score) for m in matches]
        return near


def _with_options(draft: Draft, options: WriteOptions) -> Draft:
    return replace(
        draft,
        metadata={**draft.metadata, **options.metadata},
        expires_on=options.expires_on,
        immutable=options.immutable,
    )


def _exactly(scope: Scope) -> Filter:
    """Only what was written under these very ids: a left-out id must be left out there too."""
    return AllOf(tuple(Condition((name,), "eq", value) for name, value in scope.ids().items()))
