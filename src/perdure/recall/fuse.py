"""Fuse: several ranked lists become one, by weighted reciprocal ranks and calibrated strengths."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from perdure.core.values import SignalScore
from perdure.ports import Match, Ref
from perdure.recall.weights import Weights


@dataclass(frozen=True, slots=True, kw_only=True)
class Fused:
    """score in [0, 1], not dependent on which other items were found; signals: who found it."""

    ref: Ref
    score: float
    signals: tuple[SignalScore, ...]


def fuse(lists: Mapping[str, Sequence[Match]], weights: Weights) -> list[Fused]:
    """One list out of the signals' lists, best first, ties by kind and id.

    Each signal adds weight × (rank_share × (k + 1)/(k + rank) × √strength + (1 − rank_share) × strength); the
    sum is divided by the weights of vector and keyword, the two that can find anything; 1 is the ceiling.
    Reciprocal rank fusion: Cormack, Clarke and Büttcher, SIGIR 2009.
    """
    scores: dict[Ref, list[SignalScore]] = {}
    for signal, matches in lists.items():
        for rank, match in enumerate(matches, start=1):
            scores.setdefault(match.ref, []).append(
                SignalScore(
                    signal=signal,
                    rank=rank,
                    score=match.score,
                    weight=weights.signals[signal],
                )
            )
    whole = weights.signals["vector"] + weights.signals["keyword"]
    fused = [
        Fused(
            ref=ref,
            score=min(1.0, math.fsum(_share(part, weights) for part in parts) / whole),
            signals=tuple(sorted(parts, key=lambda part: part.signal)),
        )
        for ref, parts in scores.items()
    ]
    return sorted(fused, key=lambda f: (-f.score, f.ref.kind, f.ref.id))


def _share(part: SignalScore, weights: Weights) -> float:
    by_rank = (weights.rank_k + 1) / (weights.rank_k + part.rank)
    by_strength = strength(part.signal, part.score, weights)
    mixed = weights.rank_share * by_rank * math.sqrt(by_strength) + (1 - weights.rank_share) * by_strength
    return part.weight * mixed


def strength(signal: str, score: float, weights: Weights) -> float:
    """A raw score as a strength in [0, 1] that means the same for every query."""
    if signal == "vector":
        span = weights.cosine_ceiling - weights.cosine_floor
        return min(1.0, max(0.0, (score - weights.cosine_floor) / span))
    if signal == "keyword":
        return score / (score + weights.bm25_half) if score > 0 else 0.0
    if signal == "graph":
        return min(1.0, max(0.0, score / weights.graph_ceiling))
    return min(1.0, max(0.0, score))
