"""Four signals, each with candidates of its own; every one is filtered by scope and view in the store."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from perdure.core.filters import Filter
from perdure.core.interval import Interval
from perdure.core.values import ItemKind, Scope
from perdure.errors import EmbedderError
from perdure.ports import Embedder, Match, Ref, Store
from perdure.recall.graph import diffuse
from perdure.recall.plan import Intent, Plan
from perdure.recall.weights import Weights

LATEST_WINDOW = timedelta(days=3650)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """lists: by signal, best first. paths: entity names by which the graph reached an item.

    failed: signals that could not run, with the reason; the others stand.
    """

    lists: Mapping[str, Sequence[Match]]
    paths: Mapping[Ref, tuple[str, ...]] = field(default_factory=dict)
    failed: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Where and for what the signals look."""

    scope: Scope
    plan: Plan
    kinds: Sequence[ItemKind]
    where: Filter | None
    signals: frozenset[str]


async def gather_signals(store: Store, embedder: Embedder, request: Request, weights: Weights) -> Found:
    """Run vector, keyword and temporal side by side, then the graph from what they found first."""
    failed: dict[str, str] = {}
    vector, keyword, temporal = await asyncio.gather(
        _vector(store, embedder, request, weights.depth, failed),
        _keyword(store, request, weights.depth),
        _temporal(store, request, weights.depth),
    )
    lists = {"vector": vector, "keyword": keyword, "temporal": temporal}
    paths: Mapping[Ref, tuple[str, ...]] = {}
    if "graph" in request.signals:
        seeds = [m.ref for found in (vector, keyword) for m in found[: weights.graph_seeds]]
        reached, paths = await diffuse(
            store, request.scope, request.plan, seeds, where=request.where, weights=weights
        )
        lists["graph"] = [match for match in reached if match.ref.kind in request.kinds]
    return Found(lists={k: v for k, v in lists.items() if v}, paths=paths, failed=failed)


async def _vector(
    store: Store, embedder: Embedder, request: Request, limit: int, failed: dict[str, str]
) -> list[Match]:
    if "vector" not in request.signals:
        return []
    try:
        vector = await embedder.embed_query(request.plan.query)
        return await store.search_vectors(
            request.scope,
            vector,
            kinds=request.kinds,
            view=request.plan.view,
            where=request.where,
            limit=limit,
        )
    except EmbedderError as exc:
        failed["vector"] = type(exc).__name__
        return []


async def _keyword(store: Store, request: Request, limit: int) -> list[Match]:
    if "keyword" not in request.signals or not request.plan.tokens:
        return []
    return await store.search_keywords(
        request.scope,
        request.plan.tokens,
        kinds=request.kinds,
        view=request.plan.view,
        where=request.where,
        limit=limit,
    )


async def _temporal(store: Store, request: Request, limit: int) -> list[Match]:
    """Items that begin in the query's window, or the newest ones if it asks for the latest."""
    window = request.plan.window
    if window is None and request.plan.intent is Intent.LATEST:
        now = request.plan.view.valid_at
        window = Interval(now - LATEST_WINDOW, now + timedelta(microseconds=1))
    if "temporal" not in request.signals or window is None:
        return []
    refs = await store.search_times(
        request.scope,
        window,
        kinds=request.kinds,
        view=request.plan.view,
        where=request.where,
        limit=limit,
    )
    return [Match(ref, 1.0) for ref in refs]
