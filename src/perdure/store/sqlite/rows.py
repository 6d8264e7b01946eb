"""Rows of SQLite to values and back. Nothing here asks the database."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from sqlite3 import Row

from perdure.core.interval import Interval, Precision
from perdure.core.values import (
    Action,
    Body,
    Cardinality,
    Claim,
    Decision,
    DecisionId,
    Entity,
    EntityId,
    Episode,
    EpisodeId,
    Fact,
    FactId,
    FactKind,
    Layer,
    Metadata,
    Operation,
    OperationId,
    Role,
    Scope,
    Slot,
    Source,
    SourceId,
    Status,
    Version,
)
from perdure.ports import EmbedderIdentity
from perdure.store.sqlite.connection import SqlValue
from perdure.store.sqlite.params import micros_or_none, moment, moment_or_none


def read_scope(row: Row) -> Scope:
    return Scope(
        workspace=row["workspace"],
        user_id=row["user_id"],
        agent_id=row["agent_id"],
        app_id=row["app_id"],
        run_id=row["run_id"],
    )


def read_version(row: Row) -> Version:
    return Version(
        fact_id=FactId(row["fact_id"]),
        number=row["number"],
        body=_read_body(row),
        recorded=_read_interval(row, "recorded"),
    )


def _read_body(row: Row) -> Body:
    return Body(
        text=row["text"],
        fingerprint=row["fingerprint"],
        kind=FactKind(row["kind"]),
        subject=row["subject"],
        slot=_read_slot(row),
        value=row["value"],
        valid=Interval(moment_or_none(row["valid_from"]), moment_or_none(row["valid_to"])),
        precision=Precision(row["precision"]),
        status=Status(row["status"]),
        confidence=row["confidence"],
        speaker=row["speaker"],
        role=Role(row["role"]),
        metadata=json.loads(row["metadata"]),
        expires_on=date.fromisoformat(row["expires_on"]) if row["expires_on"] else None,
        immutable=bool(row["immutable"]),
        raw_date=row["raw_date"],
        reason=row["reason"],
        replaced_by=row["replaced_by"],
        disputes=tuple(json.loads(row["disputes"])),
        decision_id=row["decision_id"],
    )


def _read_slot(row: Row) -> Slot | None:
    if row["slot_attribute"] is None:
        return None
    return Slot(
        subject=row["slot_subject"],
        attribute=row["slot_attribute"],
        cardinality=Cardinality(row["slot_cardinality"]),
    )


def _read_interval(row: Row, name: str) -> Interval:
    return Interval(moment_or_none(row[f"{name}_from"]), moment_or_none(row[f"{name}_to"]))


def body_params(body: Body) -> dict[str, SqlValue]:
    slot = body.slot
    return {
        "text": body.text,
        "fingerprint": body.fingerprint,
        "kind": body.kind.value,
        "subject": body.subject,
        "slot_subject": slot.subject if slot else None,
        "slot_attribute": slot.attribute if slot else None,
        "slot_cardinality": slot.cardinality.value if slot else None,
        "value": body.value,
        "valid_from": micros_or_none(body.valid.start),
        "valid_to": micros_or_none(body.valid.end),
        "precision": body.precision.value,
        "status": body.status.value,
        "confidence": body.confidence,
        "speaker": body.speaker,
        "role": body.role.value,
        "metadata": write_json(body.metadata),
        "expires_on": body.expires_on.isoformat() if body.expires_on else None,
        "immutable": body.immutable,
        "raw_date": body.raw_date,
        "reason": body.reason,
        "replaced_by": body.replaced_by,
        "disputes": json.dumps(body.disputes),
        "decision_id": body.decision_id,
    }


def read_fact(row: Row, sources: Sequence[Source]) -> Fact:
    return Fact(
        id=FactId(row["id"]),
        scope=read_scope(row),
        created_at=moment(row["created_at"]),
        version=read_version(row),
        sources=tuple(sources),
    )


def read_source(row: Row) -> Source:
    span = None if row["span_start"] is None else (row["span_start"], row["span_end"])
    return Source(
        id=SourceId(row["id"]),
        fact_id=FactId(row["fact_id"]),
        text=row["text"],
        claim=Claim(
            interval=_read_interval(row, "valid"),
            precision=Precision(row["precision"]),
            said_at=moment_or_none(row["said_at"]),
            ends=bool(row["ends"]),
        ),
        episode_id=row["episode_id"],
        span=span,
        decision_id=row["decision_id"],
    )


def source_params(source: Source) -> dict[str, SqlValue]:
    claim = source.claim
    start, end = source.span or (None, None)
    return {
        "id": source.id,
        "fact_id": source.fact_id,
        "episode_id": source.episode_id,
        "text": source.text,
        "valid_from": micros_or_none(claim.interval.start),
        "valid_to": micros_or_none(claim.interval.end),
        "precision": claim.precision.value,
        "said_at": micros_or_none(claim.said_at),
        "ends": claim.ends,
        "span_start": start,
        "span_end": end,
        "decision_id": source.decision_id,
    }


def read_episode(row: Row) -> Episode:
    return Episode(
        id=EpisodeId(row["id"]),
        scope=read_scope(row),
        role=Role(row["role"]),
        text=row["text"],
        fingerprint=row["fingerprint"],
        speaker=row["speaker"],
        session=row["session"],
        position=row["position"],
        said_at=moment_or_none(row["said_at"]),
        utc_offset_minutes=row["utc_offset_minutes"],
        reference=row["reference"],
        operation_id=row["operation_id"],
        metadata=json.loads(row["metadata"]),
        recorded_at=moment(row["recorded_at"]),
    )


def episode_params(episode: Episode) -> dict[str, SqlValue]:
    return {
        "id": episode.id,
        "role": episode.role.value,
        "text": episode.text,
        "fingerprint": episode.fingerprint,
        "speaker": episode.speaker,
        "session": episode.session,
        "position": episode.position,
        "said_at": micros_or_none(episode.said_at),
        "utc_offset_minutes": episode.utc_offset_minutes,
        "reference": episode.reference,
        "operation_id": episode.operation_id,
        "metadata": write_json(episode.metadata),
    }


def read_entity(row: Row) -> Entity:
    return Entity(
        id=EntityId(row["id"]), scope=read_scope(row), name=row["name"], key=row["key"], kind=row["kind"]
    )


def read_decision(row: Row) -> Decision:
    return Decision(
        id=DecisionId(row["id"]),
        operation_id=row["operation_id"],
        action=Action(row["action"]),
        layer=Layer(row["layer"]),
        fact_id=FactId(row["fact_id"]),
        reason=row["reason"],
        draft_text=row["draft_text"],
        target_id=row["target_id"],
        evidence=json.loads(row["evidence"]),
        before=tuple((FactId(fact_id), number) for fact_id, number in json.loads(row["before"])),
        sources_added=tuple(json.loads(row["sources_added"])),
        recorded_at=moment(row["recorded_at"]),
        undone_by=row["undone_by"],
    )


def decision_params(decision: Decision) -> dict[str, SqlValue]:
    return {
        "id": decision.id,
        "operation_id": decision.operation_id,
        "action": decision.action.value,
        "layer": decision.layer.value,
        "fact_id": decision.fact_id,
        "target_id": decision.target_id,
        "reason": decision.reason,
        "draft_text": decision.draft_text,
        "evidence": write_json(decision.evidence),
        "before": json.dumps(decision.before),
        "sources_added": json.dumps(decision.sources_added),
        "undone_by": decision.undone_by,
    }


def read_operation(row: Row) -> Operation:
    return Operation(
        id=OperationId(row["id"]),
        scope=read_scope(row),
        kind=row["kind"],
        state=row["state"],
        request=json.loads(row["request"]),
        idempotency_key=row["idempotency_key"],
        request_hash=row["request_hash"],
        attempts=row["attempts"],
        error=row["error"],
        result=None if row["result"] is None else json.loads(row["result"]),
        owner=row["owner"],
        lease_until=moment_or_none(row["lease_until"]),
        recorded_at=moment(row["recorded_at"]),
    )


def operation_params(operation: Operation) -> dict[str, SqlValue]:
    return {
        "id": operation.id,
        "workspace": operation.scope.workspace,
        "kind": operation.kind,
        "state": operation.state,
        "request": write_json(operation.request),
        "idempotency_key": operation.idempotency_key,
        "request_hash": operation.request_hash,
        "attempts": operation.attempts,
        "error": operation.error,
        "result": None if operation.result is None else write_json(operation.result),
        "owner": operation.owner,
        "lease_until": micros_or_none(operation.lease_until),
    }


def read_identity(row: Row) -> EmbedderIdentity:
    return EmbedderIdentity(
        name=row["name"], dimension=row["dimension"], is_normalised=bool(row["is_normalised"])
    )


def identity_params(identity: EmbedderIdentity) -> dict[str, SqlValue]:
    return {
        "name": identity.name,
        "dimension": identity.dimension,
        "is_normalised": identity.is_normalised,
    }


def write_json(value: Metadata) -> str:
    return json.dumps(dict(value), ensure_ascii=False)
