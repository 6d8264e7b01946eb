"""Every number that ranking uses, in one place. Set by hand; fitted values come with their experiment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace


def _signal_weights() -> dict[str, float]:
    return {"vector": 1.0, "keyword": 0.9, "temporal": 0.5, "graph": 0.35}


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """signals: a signal's share in the fusion. rank_k: damping of reciprocal ranks (60 is the usual value).

    cosine_floor, cosine_ceiling: cosines mapped to 0 and 1. bm25_half: the BM25 score mapped to ½.
    graph_ceiling: the share of the walk's time mapped to 1.
    rank_share: how much of the fused score comes from ranks, the rest from calibrated strengths.
    closed, disputed, suspect: factors on facts of that state. stale: on an episode all of whose facts have
    ended. fact: factor on facts against raw episodes.
    recency: the most that being recent adds, halving every `recency_half_life_days`.
    context: how much of its neighbour's score lifts a message that stands beside it in a dialogue.
    depth: how many items each signal gives. An item that one signal ranks just below the cut counts as not
    found by it at all, so the cut lies far below what is returned. pool: how many are read and ranked.
    """

    signals: Mapping[str, float] = field(default_factory=_signal_weights)
    rank_k: float = 60.0
    cosine_floor: float = 0.15
    cosine_ceiling: float = 0.75
    bm25_half: float = 6.0
    graph_ceiling: float = 0.2
    rank_share: float = 0.4
    closed: float = 0.8
    stale: float = 0.35
    disputed: float = 0.97
    suspect: float = 0.9
    fact: float = 1.05
    recency: float = 0.02
    recency_half_life_days: float = 180.0
    context: float = 0.3
    depth: int = 240
    pool: int = 100
    graph_seeds: int = 5
    graph_links: int = 40
    graph_restart: float = 0.5

    def reaching(self, limit: int) -> Weights:
        """The same, deep enough for `limit` results."""
        return replace(self, depth=max(self.depth, 4 * limit), pool=max(self.pool, 4 * limit))


DEFAULT_WEIGHTS = Weights()
