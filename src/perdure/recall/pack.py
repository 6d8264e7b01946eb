"""Pack: cut the ranked hits to what was asked for, and say in a few words why each is there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from perdure.core.values import Hit


def pack(hits: Sequence[Hit], *, limit: int, threshold: float) -> list[Hit]:
    """The first `limit` hits of score ≥ threshold, each with its reason."""
    good = [hit for hit in hits if hit.score >= threshold]
    return [replace(hit, why=explain_hit(hit)) for hit in good[:limit]]


def explain_hit(hit: Hit) -> str:
    """One line: the signals that found the hit with their ranks, and the names the graph came by."""
    found = ", ".join(f"{s.signal} #{s.rank}" for s in sorted(hit.signals, key=lambda s: s.rank))
    via = f"; linked through {', '.join(hit.path)}" if hit.path and _by_graph(hit) else ""
    return f"found by {found}{via}"


def _by_graph(hit: Hit) -> bool:
    return any(s.signal == "graph" for s in hit.signals)
