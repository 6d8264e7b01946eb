"""From values to what callers get: one place where a fact, an episode or a version becomes a mapping."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from hashlib import md5

from perdure.api.results import (
    DecisionItem,
    HistoryItem,
    MemoryItem,
    OperationItem,
    SignalItem,
    SourceItem,
    StatsItem,
)
from perdure.core.times import show_start, to_text
from perdure.core.values import (
    Body,
    Decision,
    Episode,
    Fact,
    Hit,
    Json,
    Metadata,
    Operation,
    Status,
    Version,
)
from perdure.ports import StoreStats


def state_of(body: Body, now: datetime) -> str:
    """current, upcoming or closed by valid time; a status other than active goes before."""
    if body.status is not Status.ACTIVE:
        return body.status.value
    if body.valid.end is not None and body.valid.end <= now:
        return "closed"
    if body.valid.start is not None and body.valid.start > now:
        return "upcoming"
    return "current"


def fact_item(fact: Fact, now: datetime) -> MemoryItem:
    body = fact.body
    return MemoryItem(
        id=fact.id,
        memory=body.text,
        kind=body.kind.value,
        state=state_of(body, now),
        user_id=fact.scope.user_id,
        agent_id=fact.scope.agent_id,
        app_id=fact.scope.app_id,
        run_id=fact.scope.run_id,
        metadata=_metadata(body.metadata),
        categories=_categories(body.metadata),
        hash=_hash(body.text),
        created_at=to_text(fact.created_at),
        updated_at=to_text(fact.version.recorded.start),
        valid_from=show_start(body.valid.start, body.precision),
        valid_to=to_text(body.valid.end),
        subject=body.slot.subject if body.slot else body.subject,
        attribute=body.slot.attribute if body.slot else None,
        value=body.value,
        speaker=body.speaker,
        role=body.role.value,
        confidence=body.confidence,
        expiration_date=body.expires_on.isoformat() if body.expires_on else None,
        immutable=body.immutable,
        replaced_by=body.replaced_by,
        disputes=list(body.disputes),
        reason=body.reason,
        sources=[
            SourceItem(episode_id=s.episode_id, text=s.text, said_at=to_text(s.claim.said_at))
            for s in fact.sources
        ],
    )


def episode_item(episode: Episode) -> MemoryItem:
    """An episode in the shape of a memory: its words, its speaker, and itself as the source."""
    said_at = to_text(episode.said_at)
    return MemoryItem(
        id=episode.id,
        memory=episode.text,
        kind="episode",
        state="current",
        user_id=episode.scope.user_id,
        agent_id=episode.scope.agent_id,
        app_id=episode.scope.app_id,
        run_id=episode.scope.run_id,
        metadata=_metadata(episode.metadata),
        categories=_categories(episode.metadata),
        hash=_hash(episode.text),
        created_at=to_text(episode.recorded_at),
        updated_at=to_text(episode.recorded_at),
        valid_from=said_at,
        valid_to=None,
        subject=episode.speaker,
        attribute=None,
        value=None,
        speaker=episode.speaker,
        role=episode.role.value,
        confidence=1.0,
        expiration_date=None,
        immutable=False,
        replaced_by=None,
        disputes=[],
        reason=None,
        sources=[SourceItem(episode_id=episode.id, text=episode.text, said_at=said_at)],
    )


def hit_item(hit: Hit, now: datetime, *, explain: bool) -> MemoryItem:
    """A found item with its score in [0, 1]; with `explain`, the parts of it too."""
    if hit.fact is not None:
        item = fact_item(hit.fact, now)
    elif hit.episode is not None:
        item = episode_item(hit.episode)
        if hit.is_stale:
            item["state"] = "superseded"
    else:
        raise ValueError("a hit holds a fact or an episode")
    item["score"] = round(hit.score, 6)
    item["why"] = hit.why
    if explain:
        item["signals"] = [
            SignalItem(signal=s.signal, rank=s.rank, score=round(s.score, 6), weight=s.weight)
            for s in hit.signals
        ]
        item["score_details"] = {name: round(value, 6) for name, value in hit.parts.items()}
        item["path"] = list(hit.path)
    return item


def history_items(
    versions: Sequence[Version], decisions: Mapping[str, Decision], now: datetime
) -> list[HistoryItem]:
    """Every version, oldest first, each with what made it and why."""
    items = []
    previous: Body | None = None
    for version in versions:
        body = version.body
        decision = decisions.get(body.decision_id or "")
        items.append(
            HistoryItem(
                id=f"{version.fact_id}:{version.number}",
                memory_id=version.fact_id,
                version=version.number,
                event=_event(previous, body),
                old_memory=previous.text if previous else None,
                new_memory=None if body.status is Status.DELETED else body.text,
                state=state_of(body, now),
                valid_from=show_start(body.valid.start, body.precision),
                valid_to=to_text(body.valid.end),
                known_from=to_text(version.recorded.start),
                known_to=to_text(version.recorded.end),
                created_at=to_text(versions[0].recorded.start),
                updated_at=to_text(version.recorded.start),
                is_deleted=body.status is Status.DELETED,
                layer=decision.layer.value if decision else None,
                reason=body.reason or (decision.reason if decision else None),
                decision_id=body.decision_id,
                replaced_by=body.replaced_by,
            )
        )
        previous = body
    return items


def decision_item(decision: Decision) -> DecisionItem:
    return DecisionItem(
        id=decision.id,
        action=decision.action.value,
        layer=decision.layer.value,
        memory_id=decision.fact_id,
        target_id=decision.target_id,
        reason=decision.reason,
        draft=decision.draft_text,
        evidence=dict(decision.evidence),
        decided_at=to_text(decision.recorded_at),
        undone=decision.undone_by is not None,
    )


def operation_item(operation: Operation) -> OperationItem:
    return OperationItem(
        id=operation.id,
        kind=operation.kind,
        state=operation.state,
        attempts=operation.attempts,
        error=operation.error,
        created_at=to_text(operation.recorded_at),
    )


def stats_item(stats: StoreStats) -> StatsItem:
    return StatsItem(
        facts=stats.facts,
        closed=stats.closed,
        episodes=stats.episodes,
        entities=stats.entities,
        decisions=stats.decisions,
        waiting_vectors=stats.waiting_vectors,
        open_operations=stats.open_operations,
        failed_operations=stats.failed_operations,
        bytes=stats.bytes,
        schema_version=stats.schema_version,
        embedder=str(stats.embedder) if stats.embedder else None,
    )


def _event(previous: Body | None, body: Body) -> str:
    if previous is None:
        return "ADD"
    if body.status is Status.DELETED:
        return "DELETE"
    closes = body.valid.end is not None and body.valid.end != previous.valid.end
    if body.text == previous.text and (closes or body.status in (Status.RETRACTED, Status.MERGED)):
        return "INVALIDATE"
    return "UPDATE"


def _metadata(metadata: Metadata) -> dict[str, Json] | None:
    return dict(metadata) or None


def _categories(metadata: Metadata) -> list[Json] | None:
    categories = metadata.get("categories")
    return categories if isinstance(categories, list) else None


def _hash(text: str) -> str:
    return md5(text.encode("utf-8"), usedforsecurity=False).hexdigest()
