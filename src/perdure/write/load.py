"""Load: what is stored now about everything that a write's drafts may touch."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from perdure.core.filters import AllOf, Condition, Filter
from perdure.core.values import FactId, Scope, Validity, View
from perdure.ports import NewId, Store
from perdure.write.ledger import Ledger
from perdure.write.reconcile import Batch, Prepared, Similar
from perdure.write.work import Work

NEIGHBOURS = 10


async def load_batch(store: Store, work: Work, *, now: datetime, new_id: NewId) -> Batch:
    """What is stored now about everything the drafts may touch, in a fixed number of reads a draft."""
    scope = work.operation.scope
    ledger = Ledger(new_id=new_id)
    ledger.load(await store.facts_by_fingerprint(scope, sorted({i.fingerprint for i in work.prepared})))
    near = await _neighbours(store, scope, work.prepared, now)
    ids = sorted({s.fact_id for found in near.values() for s in found})
    ledger.load(await store.facts(scope, ids, view=None) if ids else [])
    slots = {i.slot for i in work.prepared if i.slot}
    slots |= {e.body.slot for e in ledger.entries.values() if e.body.slot}
    ordered = sorted(slots, key=lambda s: (s.subject, s.attribute))
    ledger.load(await store.slot_facts(scope, ordered) if ordered else [])
    ledger.note_slots(ordered)
    return Batch(
        prepared=work.prepared,
        ledger=ledger,
        near=near,
        near_threshold=work.near_threshold,
        operation_id=work.operation.id,
        layers=work.layers,
        verdicts=work.verdicts,
    )


async def _neighbours(
    store: Store, scope: Scope, prepared: Sequence[Prepared], now: datetime
) -> dict[int, list[Similar]]:
    """Facts of the exact scope near each draft that no known slot settles."""
    view = View(valid_at=now, validity=Validity.ANY)
    near: dict[int, list[Similar]] = {}
    for item in prepared:
        if item.vector is None or not item.is_open:
            continue
        matches = await store.search_vectors(
            scope,
            item.vector,
            kinds=("fact",),
            view=view,
            where=_exactly(scope),
            limit=NEIGHBOURS,
        )
        near[item.index] = [Similar(fact_id=FactId(m.ref.id), cosine=m.score) for m in matches]
    return near


def _exactly(scope: Scope) -> Filter:
    """Only what was written under these very ids: a left-out id must be left out there too."""
    return AllOf(tuple(Condition((name,), "eq", value) for name, value in scope.ids().items()))
