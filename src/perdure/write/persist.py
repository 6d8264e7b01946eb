"""Persist: everything a write decided, in one transaction, with the answer that the caller gets."""

from __future__ import annotations

from collections.abc import Sequence, Set

from perdure.core.changes import Change, IndexText, PutDecision, SetOperation, SetVector
from perdure.core.values import Action, Decision, EpisodeId, FactId, Json, Operation
from perdure.ports import NewId, Usage
from perdure.write.graph import graph_changes
from perdure.write.ledger import Ledger, index_text
from perdure.write.reconcile import Batch
from perdure.write.work import Work

KNOWN = "this message is stored already"
DELETED = "this message was deleted; undo the deletion to bring it back"
OFF_RECORD = "asked not to keep"


def build_changes(batch: Batch, work: Work, *, result: dict[str, Json], new_id: NewId) -> list[Change]:
    """The one transaction of a write: facts, sources, graph, vectors, decisions and the done operations."""
    stated = [(i.draft, d.fact_id) for i, d in zip(batch.prepared, batch.decisions, strict=True)]
    changes = batch.ledger.changes(_indexed(batch))
    changes += graph_changes(work.operation.scope, stated, new_id)
    changes += [SetVector(kind="episode", item_id=i, vector=v) for i, v in work.episode_vectors.items()]
    changes += [PutDecision(decision=d) for d in batch.decisions]
    changes += [
        SetOperation(operation_id=i, state="done", result={**result, "operation_id": i})
        for i in (batch.operation_id, *work.adopted)
    ]
    return changes


def _indexed(batch: Batch) -> dict[str, IndexText]:
    indexed = {}
    for item in batch.prepared:
        plain = index_text(item.draft.text)
        indexed[item.draft.text] = IndexText(text=plain.text, tokens=plain.tokens, vector=item.vector)
    return indexed


def build_result(batch: Batch, work: Work) -> dict[str, Json]:
    """The answer of an add; kept with the operation so that a replay gives the same."""
    skipped: list[Json] = [{"episode_id": s.episode_id, "reason": s.reason} for s in work.extraction.skipped]
    return {
        "results": [item for d in batch.decisions for item in _result_items(d, batch.ledger)],
        "operation_id": batch.operation_id,
        "extractor": work.extraction.by,
        "episodes": [e.id for e in work.episodes],
        "skipped": [*skipped, *_withheld(work.withheld)],
        "warnings": list(work.warnings),
        "usage": _usage(work.extraction.usage),
    }


def build_empty_result(
    operation: Operation, known: Sequence[EpisodeId], hidden: Set[EpisodeId], withheld: int
) -> dict[str, Json]:
    """The answer when there was nothing to store: every message is known, or asked not to be kept."""
    skipped: list[Json] = [{"episode_id": i, "reason": DELETED if i in hidden else KNOWN} for i in known]
    return {
        "results": [],
        "operation_id": operation.id if operation.idempotency_key is not None else None,
        "extractor": "none",
        "episodes": [],
        "skipped": [*skipped, *_withheld(withheld)],
        "warnings": [],
        "usage": _usage(Usage()),
    }


def _withheld(count: int) -> list[Json]:
    return [{"episode_id": None, "reason": OFF_RECORD} for _ in range(count)]


def _usage(usage: Usage) -> dict[str, Json]:
    return {
        "model_calls": usage.calls,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
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
