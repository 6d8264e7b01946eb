"""Ranks of evidence among what came back. Every function is arithmetic on places and ids.

A place is one of the positions 1, 2, ... of a list without repeats: the turns of the items in their order,
each turn where it first appears. An item of three turns so takes three places; a second item about a turn
that was listed takes none; an item that names no turn takes one place and is no evidence.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence


def places(items: Iterable[Sequence[str]]) -> list[str | None]:
    """The ids of all items in order, each once; None for an item without any."""
    seen: set[str] = set()
    listed: list[str | None] = []
    for ids in items:
        if not ids:
            listed.append(None)
        for each in ids:
            if each not in seen:
                seen.add(each)
                listed.append(each)
    return listed


def first_places(listed: Sequence[str | None], evidence: Sequence[frozenset[str]]) -> list[int | None]:
    """For each piece of evidence the place (from 1) of the first of its alternatives; None if not found."""
    at = {each: n for n, each in reversed(list(enumerate(listed, start=1))) if each is not None}
    return [min((at[a] for a in alternatives if a in at), default=None) for alternatives in evidence]


def any_at(ranks: Sequence[int | None], k: int) -> float:
    """1.0 if any piece of evidence is in the first k places."""
    return float(any(r is not None and r <= k for r in ranks))


def all_at(ranks: Sequence[int | None], k: int) -> float:
    """1.0 if every piece of evidence is in the first k places."""
    return float(all(r is not None and r <= k for r in ranks))


def recall_at(ranks: Sequence[int | None], k: int) -> float:
    """The share of the evidence in the first k places, in [0, 1]."""
    return sum(r is not None and r <= k for r in ranks) / len(ranks)


def reciprocal_rank(ranks: Sequence[int | None]) -> float:
    """1 / the place of the first piece of evidence found; 0.0 if none is."""
    found = [r for r in ranks if r is not None]
    return 1 / min(found) if found else 0.0


def ndcg_at(ranks: Sequence[int | None], k: int) -> float:
    """Normalised discounted cumulative gain (Järvelin and Kekäläinen, TOIS 2002), gain 1 a piece of evidence.

    Two pieces that one turn satisfies count there once; the ideal list has one place a piece.
    """
    found = {r for r in ranks if r is not None and r <= k}
    gain = sum(1 / math.log2(1 + r) for r in found)
    ideal = sum(1 / math.log2(1 + r) for r in range(1, min(len(ranks), k) + 1))
    return gain / ideal
