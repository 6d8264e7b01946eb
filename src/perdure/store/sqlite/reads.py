"""Reads of facts, episodes, graph, decisions and operations: plain functions of a connection."""

from __future__ import annotations

import base64
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

from perdure.core.filters import Filter, episode_record, fact_record
from perdure.core.values import (
    Decision,
    DecisionId,
    Entity,
    EntityId,
    Episode,
    EpisodeId,
    Fact,
    FactId,
    Operation,
    OperationId,
    OperationState,
    Scope,
    Slot,
    Source,
    Version,
    View,
)
from perdure.errors import InvalidInput
from perdure.ports import Link, Page, Ref
from perdure.store.sqlite.changes import slot_list
from perdure.store.sqlite.connection import Db, SqlValue, json_list
from perdure.store.sqlite.params import micros, micros_or_none, moment, scope_params, view_params
from perdure.store.sqlite.rows import (
    read_decision,
    read_entity,
    read_episode,
    read_fact,
    read_operation,
    read_source,
    read_version,
)

T = TypeVar("T")
CHUNK = 500


def facts(db: Db, scope: Scope, ids: Sequence[str], *, view: View | None) -> list[Fact]:
    """In the order asked; each once; two statements."""
    params = {**scope_params(scope), **view_params(view)}
    rows = {row["id"]: row for row in db.rows("facts_by_id", {**params, "ids": json_list(ids)})}
    sources: dict[str, list[Source]] = defaultdict(list)
    for row in db.rows("sources_of_facts", {**params, "ids": json_list(list(rows))}):
        sources[row["fact_id"]].append(read_source(row))
    return [read_fact(rows[i], sources[i]) for i in dict.fromkeys(ids) if i in rows]


def sources(db: Db, scope: Scope, fact_ids: Sequence[str], *, known_at: datetime | None) -> list[Source]:
    params: dict[str, SqlValue] = {**scope_params(scope), "known_at": micros_or_none(known_at)}
    return [read_source(row) for row in db.rows("sources", {**params, "ids": json_list(fact_ids)})]


def list_facts(
    db: Db, scope: Scope, *, view: View, where: Filter | None, limit: int, after: str | None
) -> Page[Fact]:
    shown = _walk_facts(db, scope, view=view, after=after, size=limit + 1 if where is None else CHUNK)
    matching = (fact for fact in shown if where is None or where.matches(fact_record(fact)))
    return _page(matching, limit, lambda fact: _cursor(micros(fact.created_at), fact.id))


def count_facts(db: Db, scope: Scope, *, view: View, where: Filter | None) -> int:
    if where is None:
        return db.number("count_facts", {**scope_params(scope), **view_params(view)})
    shown = _walk_facts(db, scope, view=view, after=None, size=CHUNK)
    return sum(where.matches(fact_record(fact)) for fact in shown)


def _walk_facts(db: Db, scope: Scope, *, view: View, after: str | None, size: int) -> Iterator[Fact]:
    """Every shown fact past the cursor, newest first, read `size` at a time."""
    after_at, after_id = _read_cursor(after, (int, str)) if after else (None, None)
    while size > 0:
        rows = db.rows(
            "list_facts",
            {
                **scope_params(scope),
                **view_params(view),
                "after_at": after_at,
                "after_id": after_id,
                "size": size,
            },
        )
        yield from facts(db, scope, [row["id"] for row in rows], view=view)
        if len(rows) < size:
            return
        after_at, after_id = rows[-1]["created_at"], rows[-1]["id"]


def history(db: Db, scope: Scope, fact_id: FactId) -> list[Version]:
    rows = db.rows("history", {**scope_params(scope), "fact_id": fact_id})
    return [read_version(row) for row in rows]


def slot_facts(db: Db, scope: Scope, slots: Sequence[Slot]) -> list[Fact]:
    wanted = slot_list([(slot.subject, slot.attribute) for slot in slots])
    rows = db.rows("slot_facts", {**scope_params(scope), "slots": wanted})
    return facts(db, scope, [row["id"] for row in rows], view=None)


def facts_by_fingerprint(db: Db, scope: Scope, fingerprints: Sequence[str]) -> list[Fact]:
    params = {**scope_params(scope), "fingerprints": json_list(fingerprints)}
    rows = db.rows("facts_by_fingerprint", params)
    return facts(db, scope, [row["id"] for row in rows], view=None)


def facts_of_episodes(db: Db, scope: Scope, episode_ids: Sequence[EpisodeId]) -> list[Fact]:
    rows = db.rows("facts_of_episodes", {**scope_params(scope), "ids": json_list(episode_ids)})
    return facts(db, scope, [row["id"] for row in rows], view=None)


def stale_episodes(db: Db, scope: Scope, ids: Sequence[EpisodeId], *, view: View) -> set[EpisodeId]:
    params = {**scope_params(scope), **view_params(view), "ids": json_list(ids)}
    return {EpisodeId(row["id"]) for row in db.rows("stale_episodes", params)}


def episodes(db: Db, scope: Scope, ids: Sequence[str], *, view: View | None) -> list[Episode]:
    params = {**scope_params(scope), **view_params(view), "ids": json_list(ids)}
    rows = {row["id"]: row for row in db.rows("episodes_by_id", params)}
    return [read_episode(rows[i]) for i in dict.fromkeys(ids) if i in rows]


def list_episodes(
    db: Db, scope: Scope, *, view: View, where: Filter | None, limit: int, after: str | None
) -> Page[Episode]:
    shown = _walk_episodes(db, scope, view=view, after=after, size=limit + 1 if where is None else CHUNK)
    matching = (pair for pair in shown if where is None or where.matches(episode_record(pair[1])))
    page = _page(matching, limit, lambda pair: _cursor(pair[0]))
    return Page(items=tuple(episode for _, episode in page.items), next=page.next)


def _walk_episodes(
    db: Db, scope: Scope, *, view: View, after: str | None, size: int
) -> Iterator[tuple[int, Episode]]:
    (after_seq,) = _read_cursor(after, (int,)) if after else (0,)
    while size > 0:
        rows = db.rows(
            "list_episodes",
            {**scope_params(scope), **view_params(view), "after_seq": after_seq, "size": size},
        )
        yield from ((row["seq"], read_episode(row)) for row in rows)
        if len(rows) < size:
            return
        after_seq = rows[-1]["seq"]


def episode_ids(db: Db, scope: Scope, fingerprints: Sequence[str]) -> dict[str, EpisodeId]:
    params = {**scope_params(scope), "fingerprints": json_list(fingerprints)}
    return {row["fingerprint"]: EpisodeId(row["id"]) for row in db.rows("episode_ids", params)}


def entities(db: Db, scope: Scope, keys: Sequence[str]) -> list[Entity]:
    rows = db.rows("entities_by_key", {**scope_params(scope), "keys": json_list(list(dict.fromkeys(keys)))})
    return [read_entity(row) for row in rows]


def entities_by_id(db: Db, scope: Scope, ids: Sequence[EntityId]) -> list[Entity]:
    rows = db.rows("entities_by_id", {**scope_params(scope), "ids": json_list(list(dict.fromkeys(ids)))})
    return [read_entity(row) for row in rows]


def links_of_items(db: Db, scope: Scope, refs: Sequence[Ref], *, view: View) -> list[Link]:
    params: dict[str, SqlValue] = {**scope_params(scope), **view_params(view)}
    params |= {
        "facts": json_list([ref.id for ref in refs if ref.kind == "fact"]),
        "episodes": json_list([ref.id for ref in refs if ref.kind == "episode"]),
    }
    return [read_link(db_row) for db_row in map(tuple, db.rows("links_of_items", params))]


def read_link(row: tuple[str, ...]) -> Link:
    entity_id, kind, item_id = row
    return Link(EntityId(entity_id), Ref("fact" if kind == "fact" else "episode", item_id))


def decisions(
    db: Db,
    scope: Scope,
    *,
    ids: Sequence[DecisionId],
    fact_id: FactId | None,
    operation_id: OperationId | None,
) -> list[Decision]:
    params: dict[str, SqlValue] = {**scope_params(scope), "ids": json_list(ids), "by_ids": bool(ids)}
    params |= {"fact_id": fact_id, "operation_id": operation_id}
    return [read_decision(row) for row in db.rows("decisions", params)]


def operation(db: Db, scope: Scope, operation_id: OperationId) -> Operation | None:
    row = db.row("operation", {**scope_params(scope), "id": operation_id})
    return read_operation(row) if row else None


def operation_by_key(db: Db, scope: Scope, idempotency_key: str) -> Operation | None:
    row = db.row("operation_by_key", {"workspace": scope.workspace, "key": idempotency_key})
    return read_operation(row) if row else None


def operations(db: Db, scope: Scope, *, state: OperationState | None, limit: int) -> list[Operation]:
    params = {**scope_params(scope), "state": state, "size": max(limit, 0)}
    return [read_operation(row) for row in db.rows("operations", params)]


def operation_episodes(db: Db, scope: Scope, operation_id: OperationId) -> list[Episode]:
    params = {**scope_params(scope), "operation_id": operation_id}
    return [read_episode(row) for row in db.rows("operation_episodes", params)]


def scope_items(db: Db, scope: Scope) -> tuple[list[FactId], list[EpisodeId]]:
    """Oldest first."""
    params = scope_params(scope)
    found = [row["id"] for row in db.rows("fact_ids", params)]
    return found, [row["id"] for row in db.rows("episode_ids_of_scope", params)]


def claim_operations(
    db: Db, *, owner: str, now: int, lease_until: int, is_alive: Callable[[str], bool], limit: int
) -> list[Operation]:
    """Inside a write transaction, so that no two owners get the same one."""
    claimed: list[Operation] = []
    for row in db.rows("captured_operations", {}):
        if len(claimed) >= limit:
            break
        holder, lease = row["owner"], row["lease_until"]
        if holder is not None and lease is not None and lease > now and is_alive(holder):
            continue
        db.run("claim_operation", {"id": row["id"], "owner": owner, "lease_until": lease_until})
        taken = read_operation(row)
        claimed.append(
            replace(taken, owner=owner, lease_until=moment(lease_until), attempts=taken.attempts + 1)
        )
    return claimed


def _page(items: Iterable[T], limit: int, cursor: Callable[[T], str]) -> Page[T]:
    """The first `limit`; a cursor after the last of them if there is one more."""
    kept: list[T] = []
    for item in items if limit > 0 else ():
        if len(kept) == limit:
            return Page(items=tuple(kept), next=cursor(kept[-1]))
        kept.append(item)
    return Page(items=tuple(kept))


def _cursor(*parts: int | str) -> str:
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode()


def _read_cursor(cursor: str, kinds: tuple[type, ...]) -> tuple[int | str, ...]:
    try:
        parts = json.loads(base64.urlsafe_b64decode(cursor.encode()))
    except ValueError as exc:
        raise _bad_cursor() from exc
    if not isinstance(parts, list) or [type(part) for part in parts] != list(kinds):
        raise _bad_cursor()
    return tuple(parts)


def _bad_cursor() -> InvalidInput:
    return InvalidInput("after", "is no cursor of this listing", "Pass `next` of the page before.")
