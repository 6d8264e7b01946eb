"""The read path, as a table of contents: plan → four signals → fuse → rank → pack. No model is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from perdure.core.filters import Filter
from perdure.core.values import EpisodeId, Hit, ItemKind, Scope, Validity
from perdure.ports import Embedder, Store
from perdure.recall.freshness import newest_first
from perdure.recall.fuse import fuse
from perdure.recall.pack import pack
from perdure.recall.plan import Plan
from perdure.recall.rank import fold_repeats, rank, with_context
from perdure.recall.signals import Request, gather_signals
from perdure.recall.weights import DEFAULT_WEIGHTS, Weights

SIGNALS = frozenset({"vector", "keyword", "temporal", "graph"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """hits: best first. failed: signals that could not run. found: candidates by signal."""

    hits: tuple[Hit, ...]
    failed: Mapping[str, str]
    found: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """The read path with its parts."""

    store: Store
    embedder: Embedder
    weights: Weights = DEFAULT_WEIGHTS

    async def read(
        self,
        scope: Scope,
        plan: Plan,
        *,
        kinds: Sequence[ItemKind],
        where: Filter | None,
        limit: int,
        threshold: float,
        signals: frozenset[str] = SIGNALS,
    ) -> Recalled:
        """The best `limit` items of score ≥ threshold, each shown as the plan's view shows it."""
        request = Request(scope=scope, plan=plan, kinds=kinds, where=where, signals=signals)
        weights = self.weights.reaching(limit)
        found = await gather_signals(self.store, self.embedder, request, weights)
        fused = fuse(found.lists, weights)[: weights.pool]
        facts = await self.store.facts(
            scope, [f.ref.id for f in fused if f.ref.kind == "fact"], view=plan.view
        )
        episodes = await self.store.episodes(
            scope, [f.ref.id for f in fused if f.ref.kind == "episode"], view=plan.view
        )
        stale = await self._stale(scope, plan, [e.id for e in episodes])
        hits = rank(
            fused,
            {f.id: f for f in facts},
            {e.id: e for e in episodes},
            found.paths,
            stale,
            plan=plan,
            weights=weights,
        )
        hits = fold_repeats(newest_first(with_context(hits, weights), plan))
        return Recalled(
            hits=tuple(pack(hits, limit=limit, threshold=threshold)),
            failed=found.failed,
            found={signal: len(matches) for signal, matches in found.lists.items()},
        )

    async def _stale(self, scope: Scope, plan: Plan, ids: Sequence[EpisodeId]) -> set[EpisodeId]:
        """Messages that only tell what is no longer true, unless the past was asked for."""
        if plan.view.validity is Validity.ANY or not ids:
            return set()
        return await self.store.stale_episodes(scope, ids, view=plan.view)
