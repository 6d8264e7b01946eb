"""Persist: everything a write decided, in one transaction, with the answer that the caller gets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from perdure.core.changes import (
    Change,
    IndexText,
    PutDecision,
    SetOperation,
    SetVector,
)
from perdure.core.values import (
    Action,
    Decision,
    Episode,
    FactId,
    Json,
    OperationId,
    Scope,
)
from perdure.ports import NewId
from perdure.write.extract import Extraction
from perdure.write.graph import graph_changes
from perdure.write.ledger import Ledger, index_text
from perdure.write.reconcile import Batch

if TYPE_CHECKING:
    from perdure.core.changes import Vector


def build_changes(
    scope: Scope,
    batch: Batch,
    *,
    episode_vectors: Mapping[str, Vector],
    result: dict[str, Json],
    adopted: Sequence[OperationId],
    new_id: NewId,
) -> list[Change]:
    """The one transaction of a write: facts, sources, graph, vectors, decisions and the done operation.

    adopted: operations that failed before and whose messages this write settled as well.
    """
    changes = batch.ledger.changes(_indexed(batch))
    changes += graph_changes(
        scope, [(i.draft, d.fact_id) for i, d in zip(batch.prepared, batch.decisions, strict=True)], new_id
    )
    changes += [SetVector(kind="episode", item_id=i, vector=vector) for i, vector in episode_vectors.items()]
    changes += [PutDecision(decision=d) for d in batch.decisions]
    changes += [
        SetOperation(operation_id=i, state="done", result={**result, "operation_id": i})
        for i in (batch.operation_id, *adopted)
    ]
    return changes


def _indexed(batch: Batch) -> dict[str, IndexText]:
    indexed = {}
    for item in batch.prepared:
        plain = index_text(item.draft.text)
        indexed[item.draft.text] = IndexText(text=plain.text, tokens=plain.tokens, vector=item.vector)
    return indexed


def build_result(
    batch: Batch, extraction: Extraction, episodes: Sequence[Episode], warnings: Sequence[str]
) -> dict[str, Json]:
    """The answer of an add; kept with the operation so that a replay gives the same."""
    return {
        "results": [item for d in batch.decisions for item in _result_items(d, batch.ledger)],
        "operation_id": batch.operation_id,
        "extractor": extraction.by,
        "episodes": [e.id for e in episodes],
        "skipped": [{"episode_id": s.episode_id, "reason": s.reason} for s in extraction.skipped],
        "warnings": list(warnings),
        "usage": {
            "model_calls": extraction.usage.calls,
            "input_tokens": extraction.usage.input_tokens,
            "output_tokens": extraction.usage.output_tokens,
        },
    }


def _result_items(decision: Decision, ledger: Ledger) -> list[Json]:
    """One item for the draft's fact, then one for each fact that it closed."""
    own = decision.action
    first = _item(decision, ledger, decision.fact_id, Action.ADD if own is Action.INVALIDATE else own)
    closed = decision.evidence.get("closed")
    targets = [str(i) for i in closed] if isinstance(closed, list) else []
    if own is Action.INVALIDATE and not targets and decision.target_id:
        targets = [decision.target_id]
    return [first, *(_item(decision, ledger, FactId(i), Action.INVALIDATE) for i in targets)]


def _item(decision: Decision, ledger: Ledger, fact_id: FactId, event: Action) -> dict[str, Json]:
    entry = ledger.entries[fact_id]
    item: dict[str, Json] = {
        "id": fact_id,
        "memory": entry.body.text,
        "event": event.value,
        "layer": decision.layer.value,
        "reason": decision.reason,
        "decision_id": decision.id,
    }
    if entry.stored is not None and entry.stored.text != entry.body.text:
        item["previous_memory"] = entry.stored.text
    if event is Action.INVALIDATE:
        item["replaced_by"] = entry.body.replaced_by or decision.fact_id
    return item
