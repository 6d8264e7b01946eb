"""The store's signals: rank everything in scope, then let through what view and filter show, until enough."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from perdure.core.filters import Filter, episode_record, fact_record
from perdure.core.interval import Interval
from perdure.core.values import EntityId, ItemKind
from perdure.ports import Link, Match, Ref
from perdure.store.sqlite import reads
from perdure.store.sqlite.connection import Db, json_list
from perdure.store.sqlite.embedders import check_vector
from perdure.store.sqlite.params import Sieve, micros_or_none
from perdure.store.sqlite.rows import read_identity

if TYPE_CHECKING:
    from perdure.ports import Vector
    from perdure.store.sqlite.vectors import VectorCache

_FIRST_CHUNK = 64
_CHUNK_LIMIT = 8192
_ALL = 2**62


def search_vectors(db: Db, sieve: Sieve, vector: Vector, *, cache: VectorCache) -> list[Match]:
    model = db.row("active_model", {})
    if model is None or sieve.is_empty:
        return []
    ranked = cache.rank(
        db,
        sieve.scope,
        check_vector(vector, read_identity(model)),
        model_id=model["id"],
        kinds=sieve.kinds,
        known_at=micros_or_none(sieve.view.known_at),
        first=max(2 * sieve.limit, _FIRST_CHUNK),
    )
    return _take(db, sieve, ranked)


def search_keywords(db: Db, sieve: Sieve, tokens: Sequence[str]) -> list[Match]:
    if sieve.is_empty or not tokens:
        return []
    params = {**sieve.params(), "tokens": json_list(list(dict.fromkeys(tokens)))}
    # Read as far as is needed: a common word stands in most units, and few of them come back.
    chunks = db.chunks("keyword_ranks", params, size=max(2 * sieve.limit, _FIRST_CHUNK), most=_CHUNK_LIMIT)
    return _take(db, sieve, ([(row["unit_id"], row["score"]) for row in rows] for rows in chunks))


def search_times(db: Db, sieve: Sieve, window: Interval) -> list[Ref]:
    if sieve.is_empty:
        return []
    bounds = {"start": micros_or_none(window.start), "end": micros_or_none(window.end)}
    found: list[Ref] = []
    size = max(sieve.limit, _FIRST_CHUNK)
    for rows in db.chunks("search_times", {**sieve.params(), **bounds}, size=size):
        refs = [_ref(row["kind"], row["item_id"]) for row in rows]
        found += _matching(db, sieve, refs)
        if len(found) >= sieve.limit:
            break
    return found[: sieve.limit]


def links_of_entities(db: Db, sieve: Sieve, ids: Sequence[EntityId]) -> list[Link]:
    """What the sieve lets through of the items that mention these entities, newest first.

    For each entity at most `limit` of each kind; without a filter one statement.
    """
    if sieve.is_empty:
        return []
    # With a filter no one knows beforehand how many must be looked at.
    size = sieve.limit if sieve.where is None else _ALL
    params = {**sieve.params(), "ids": json_list(list(dict.fromkeys(ids))), "size": size}
    found: list[Link] = []
    counts: Counter[tuple[EntityId, ItemKind]] = Counter()
    for rows in db.chunks("links_of_entities", params, size=_CHUNK_LIMIT):
        links = [reads.read_link(row) for row in map(tuple, rows)]
        passing = set(_matching(db, sieve, list(dict.fromkeys(link.ref for link in links))))
        for link in links:
            if link.ref in passing and counts[link.entity_id, link.ref.kind] < sieve.limit:
                counts[link.entity_id, link.ref.kind] += 1
                found.append(link)
    return found


def _take(db: Db, sieve: Sieve, chunks: Iterable[Sequence[tuple[int, float]]]) -> list[Match]:
    """The first `limit` items that pass; an item found twice keeps its better place."""
    found: dict[Ref, float] = {}
    for chunk in chunks:
        refs = _eligible(db, sieve, [unit_id for unit_id, _ in chunk])
        passing = set(_matching(db, sieve, list(refs.values())))
        for unit_id, score in chunk:
            ref = refs.get(unit_id)
            if ref is not None and ref in passing:
                found.setdefault(ref, score)
        if len(found) >= sieve.limit:
            break
    return [Match(ref, score) for ref, score in list(found.items())[: sieve.limit]]


def _eligible(db: Db, sieve: Sieve, unit_ids: Sequence[int]) -> dict[int, Ref]:
    """The items behind those index entries whose text the view shows."""
    rows = db.rows("eligible_units", {**sieve.params(), "units": json.dumps(unit_ids)})
    return {row["id"]: _ref(row["kind"], row["item_id"]) for row in rows}


def _matching(db: Db, sieve: Sieve, refs: Sequence[Ref]) -> list[Ref]:
    """Those that the user's filter lets through, in order; nothing is read if there is no filter."""
    if sieve.where is None or not refs:
        return list(refs)
    passing = _passing_ids(db, sieve, sieve.where, refs)
    return [ref for ref in refs if (ref.kind, ref.id) in passing]


def _passing_ids(db: Db, sieve: Sieve, where: Filter, refs: Sequence[Ref]) -> set[tuple[str, str]]:
    fact_ids = [ref.id for ref in refs if ref.kind == "fact"]
    episode_ids = [ref.id for ref in refs if ref.kind == "episode"]
    facts = reads.facts(db, sieve.scope, fact_ids, view=sieve.view) if fact_ids else []
    episodes = reads.episodes(db, sieve.scope, episode_ids, view=sieve.view) if episode_ids else []
    return {("fact", f.id) for f in facts if where.matches(fact_record(f))} | {
        ("episode", e.id) for e in episodes if where.matches(episode_record(e))
    }


def _ref(kind: str, item_id: str) -> Ref:
    return Ref("fact" if kind == "fact" else "episode", item_id)
