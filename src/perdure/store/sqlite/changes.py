"""Writes as data, applied inside one transaction: one function for each kind of change."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import singledispatch
from sqlite3 import Row

from perdure.core.changes import (
    Change,
    CloseSource,
    ExpectAbsent,
    ExpectVersion,
    IndexText,
    LinkEntity,
    MarkUndone,
    PutDecision,
    PutEntity,
    PutEpisode,
    PutOperation,
    PutRelation,
    PutSource,
    PutVersion,
    SetOperation,
    SetVector,
    ShowEpisode,
)
from perdure.core.text import digest
from perdure.core.values import Decision, ItemKind, Scope
from perdure.errors import EmbedderError, IdempotencyConflict, InvalidScope, NotFound, StaleWrite, StoreError
from perdure.ports import Applied, Clock, EmbedderIdentity
from perdure.store.sqlite.connection import Db, SqlValue, json_list
from perdure.store.sqlite.embedders import pack
from perdure.store.sqlite.params import micros, moment, scope_params
from perdure.store.sqlite.rows import (
    body_params,
    decision_params,
    episode_params,
    operation_params,
    read_identity,
    read_scope,
    read_source,
    source_params,
    write_json,
)

OnStep = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Writing:
    """What every change of one transaction needs: where, under which scope, at which record time."""

    db: Db
    scope: Scope
    scope_id: int
    now: int
    embedder: tuple[int, EmbedderIdentity] | None

    def params(self, **values: SqlValue) -> dict[str, SqlValue]:
        return {"scope_id": self.scope_id, "now": self.now, **values}


def apply(
    db: Db, scope: Scope, changes: Sequence[Change], *, key: str, clock: Clock, on_step: OnStep
) -> Applied:
    """All changes, inside the caller's transaction; a key that was applied before does nothing."""
    on_step("begin")
    # Hashed, because a caller's key may hold words that an erase could not reach.
    applied: dict[str, SqlValue] = {"workspace": scope.workspace, "key": digest(key)}
    earlier = db.row("applied", applied)
    if earlier:
        return Applied(recorded_at=moment(earlier["recorded_at"]), was_repeat=True)
    writing = _begin(db, scope, now=stamp(db, clock))
    for change in changes:
        put(change, writing)
        on_step(f"after:{type(change).__name__}")
    db.run("add_applied", {**applied, "now": writing.now})
    on_step("before_commit")
    return Applied(recorded_at=moment(writing.now))


def stamp(db: Db, clock: Clock) -> int:
    """The record time of this transaction: the clock's, or just after the last one if that is later."""
    now = max(micros(clock()), db.number("get_meta", {"name": "last_recorded_at"}) + 1)
    db.run("set_meta", {"name": "last_recorded_at", "value": now})
    return now


def _begin(db: Db, scope: Scope, *, now: int) -> Writing:
    params = scope_params(scope)
    row = db.row("exact_scope_id", params)
    model = db.row("active_model", {})
    return Writing(
        db=db,
        scope=scope,
        scope_id=row["id"] if row else db.insert("add_scope", params),
        now=now,
        embedder=(model["id"], read_identity(model)) if model else None,
    )


@singledispatch
def put(change: object, writing: Writing) -> None:
    """Do one change; one function below for each kind."""
    raise StoreError(f"store: {type(change).__name__} is no change. See perdure.core.changes.")


@put.register
def _put_episode(change: PutEpisode, writing: Writing) -> None:
    episode = change.episode
    if episode.scope != writing.scope:
        raise InvalidScope("episode.scope", "is not the scope of the write", "Write each scope on its own.")
    if _covered(writing, "episode", episode.id, must_exist=False):
        return
    unit_id = _add_unit(writing, kind="episode", item_id=episode.id, index=change.index)
    writing.db.run("add_episode", writing.params(unit_id=unit_id, **episode_params(episode)))
    writing.db.run("open_episode", writing.params(id=episode.id))


@put.register
def _show_episode(change: ShowEpisode, writing: Writing) -> None:
    _covered(writing, "episode", change.episode_id)
    query = "open_episode" if change.is_visible else "close_episode"
    writing.db.run(query, writing.params(id=change.episode_id))


@put.register
def _put_version(change: PutVersion, writing: Writing) -> None:
    fact_id = change.fact_id
    current = _covered(writing, "fact", fact_id, must_exist=change.expected > 0)
    if (current["number"] if current else 0) != change.expected:
        raise StaleWrite(fact_id)
    scope_id = current["scope_id"] if current else writing.scope_id
    if current is None:
        writing.db.run("add_fact", writing.params(id=fact_id))
    unit_id = _unit_of_version(change, writing, current)
    writing.db.run("close_version", writing.params(fact_id=fact_id))
    writing.db.run(
        "add_version",
        {
            **body_params(change.body),
            "fact_id": fact_id,
            "number": change.expected + 1,
            "scope_id": scope_id,
            "unit_id": unit_id,
            "now": writing.now,
        },
    )


def _unit_of_version(change: PutVersion, writing: Writing, current: Row | None) -> int:
    """The entry kept, the one of an earlier version with the same text, or a new one."""
    index, body = change.index, change.body
    if index is None:
        if current is None:
            raise StoreError("store: a new fact came without index text. Pass `index`.")
        kept: int = current["unit_id"]
        if current["text"] == body.text:
            return kept
        row = writing.db.row("unit_of_body", {"fact_id": change.fact_id, "text": body.text})
        if row is None:
            raise StoreError("store: a fact's text changed without index text. Pass `index`.")
        return int(row["unit_id"])
    row = writing.db.row(
        "unit_of_text", {"item_id": change.fact_id, "text": index.text, "length": len(index.tokens)}
    )
    if row is None:
        scope_id = current["scope_id"] if current else writing.scope_id
        return _add_unit(writing, kind="fact", item_id=change.fact_id, index=index, scope_id=scope_id)
    _add_vector(writing, row["id"], index)
    return int(row["id"])


@put.register
def _expect_version(change: ExpectVersion, writing: Writing) -> None:
    current = _covered(writing, "fact", change.fact_id)
    if current is None or current["number"] != change.number:
        raise StaleWrite(change.fact_id)


@put.register
def _expect_absent(change: ExpectAbsent, writing: Writing) -> None:
    params = scope_params(writing.scope)
    told = writing.db.row("episode_ids", {**params, "fingerprints": json_list(change.episodes)})
    if told:
        raise StaleWrite(told["id"])
    found = writing.db.row("facts_by_fingerprint", {**params, "fingerprints": json_list(change.fingerprints)})
    if found:
        raise StaleWrite(found["id"])
    for subject, attribute, seen in change.slots:
        now_held = writing.db.rows("slot_facts", {**params, "slots": slot_list([(subject, attribute)])})
        if len(now_held) > seen:
            raise StaleWrite(now_held[-1]["id"])


@put.register
def _put_source(change: PutSource, writing: Writing) -> None:
    source = change.source
    _covered(writing, "fact", source.fact_id)
    if source.episode_id is not None:
        _covered(writing, "episode", source.episode_id)
    open_row = writing.db.row("open_source", {"id": source.id})
    if open_row:
        if read_source(open_row) == source:
            return
        _covered(writing, "fact", open_row["fact_id"])
        writing.db.run("close_source", writing.params(id=source.id))
    writing.db.run("add_source", writing.params(**source_params(source)))


@put.register
def _close_source(change: CloseSource, writing: Writing) -> None:
    row = writing.db.row("source", {"id": change.source_id})
    if row is None:
        raise NotFound("source", change.source_id)
    _covered(writing, "fact", row["fact_id"])
    writing.db.run("close_source", writing.params(id=change.source_id))


@put.register
def _put_entity(change: PutEntity, writing: Writing) -> None:
    entity = change.entity
    if entity.scope != writing.scope:
        raise InvalidScope("entity.scope", "is not the scope of the write", "Write each scope on its own.")
    values: dict[str, SqlValue] = {
        "id": entity.id, "name": entity.name, "key": entity.key, "kind": entity.kind,
    }  # fmt: skip
    writing.db.run("add_entity", writing.params(**values))


@put.register
def _link_entity(change: LinkEntity, writing: Writing) -> None:
    _covered(writing, change.kind, change.item_id)
    writing.db.run(
        "add_link",
        writing.params(
            entity_id=_entity_id(writing, change.entity_key), kind=change.kind, item_id=change.item_id
        ),
    )


@put.register
def _put_relation(change: PutRelation, writing: Writing) -> None:
    _covered(writing, "fact", change.fact_id)
    writing.db.run(
        "add_relation",
        writing.params(
            fact_id=change.fact_id,
            source_id=_entity_id(writing, change.source_key),
            label=change.label,
            target_id=_entity_id(writing, change.target_key),
        ),
    )


@put.register
def _set_vector(change: SetVector, writing: Writing) -> None:
    row = _covered(writing, change.kind, change.item_id)
    if row is not None:
        _add_vector(writing, row["unit_id"], IndexText(text="", tokens=(), vector=change.vector))


@put.register
def _put_decision(change: PutDecision, writing: Writing) -> None:
    decision = change.decision
    touched = _touched_facts(decision)
    for fact_id in touched:
        _covered(writing, "fact", fact_id, must_exist=False)
    writing.db.run("add_decision", writing.params(**decision_params(decision)))
    writing.db.many("add_decision_fact", [{"fact_id": f, "decision_id": decision.id} for f in touched])
    writing.db.run(
        "add_journal",
        writing.params(id=decision.id, action=decision.action.value, fact_id=decision.fact_id),
    )


def _touched_facts(decision: Decision) -> list[str]:
    targets = [] if decision.target_id is None else [decision.target_id]
    return list(dict.fromkeys([decision.fact_id, *targets, *(fact_id for fact_id, _ in decision.before)]))


@put.register
def _mark_undone(change: MarkUndone, writing: Writing) -> None:
    row = writing.db.row("decision_state", {**scope_params(writing.scope), "id": change.decision_id})
    if row is None:
        raise NotFound("decision", change.decision_id)
    if row["undone_by"] is not None:
        raise StaleWrite(row["fact_id"])
    writing.db.run("mark_undone", {"id": change.decision_id, "by": change.by})


@put.register
def _put_operation(change: PutOperation, writing: Writing) -> None:
    operation = change.operation
    if operation.scope != writing.scope:
        raise InvalidScope("operation.scope", "is not the scope of the write", "Write each scope on its own.")
    holder = operation.idempotency_key and writing.db.row(
        "operation_by_key", {"workspace": writing.scope.workspace, "key": operation.idempotency_key}
    )
    if holder:
        if holder["request_hash"] != operation.request_hash:
            raise IdempotencyConflict
        raise StaleWrite(holder["id"])
    writing.db.run("add_operation", writing.params(**operation_params(operation)))


@put.register
def _set_operation(change: SetOperation, writing: Writing) -> None:
    changed = writing.db.run(
        "set_operation",
        {
            **scope_params(writing.scope),
            "id": change.operation_id,
            "state": change.state,
            "result": None if change.result is None else write_json(change.result),
            "error": change.error,
        },
    )
    if not changed:
        raise NotFound("operation", change.operation_id)


def slot_list(slots: Sequence[tuple[str, str]]) -> str:
    """A parameter for `slot_facts`."""
    return json.dumps([[[subject], [attribute]] for subject, attribute in slots])


def _covered(writing: Writing, kind: ItemKind, item_id: str, *, must_exist: bool = True) -> Row | None:
    """The item's current row; NotFound unless the write's scope covers it. None where it may be absent."""
    row = writing.db.row(f"current_{kind}", {"id": item_id})
    if row is None and not must_exist:
        return None
    if row is None or not writing.scope.covers(read_scope(row)):
        raise NotFound(kind, item_id)
    return row


def _entity_id(writing: Writing, key: str) -> str:
    row = writing.db.row("entity_id", writing.params(key=key))
    if row is None:
        raise StoreError("store: a link or relation names an entity that its scope does not hold.")
    return str(row["id"])


def _add_unit(
    writing: Writing, *, kind: ItemKind, item_id: str, index: IndexText, scope_id: int | None = None
) -> int:
    params = writing.params(kind=kind, item_id=item_id, text=index.text, length=len(index.tokens))
    if scope_id is not None:
        params["scope_id"] = scope_id
    unit_id = writing.db.insert("add_unit", params)
    writing.db.many(
        "add_posting",
        [
            {"scope_id": params["scope_id"], "term": term, "unit_id": unit_id, "tf": count}
            for term, count in Counter(index.tokens).items()
        ],
    )
    _add_vector(writing, unit_id, index)
    return unit_id


def _add_vector(writing: Writing, unit_id: int, index: IndexText) -> None:
    """Keep the vector, if there is one and the entry has none."""
    if index.vector is None:
        return
    if writing.embedder is None:
        raise EmbedderError("embedder: a vector came before its model was bound. Call bind_embedder first.")
    model_id, identity = writing.embedder
    vector = pack(index.vector, identity)
    writing.db.run("add_vector", writing.params(unit_id=unit_id, model_id=model_id, vector=vector))
