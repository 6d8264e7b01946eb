"""Exact nearest neighbours by cosine, in chunks, with scores that depend on nothing but the two vectors.

A float32 product over the whole matrix is fast, but its last digits change with the size of the matrix.
So it only preselects; what may be in a chunk is scored again row by row in float64.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from perdure.ports import Matrix, Vector

_BLOCK = 4096
_GROWTH = 4


@dataclass(frozen=True, slots=True)
class Candidates:
    """`rows` of a matrix (n, d) that a search may return, and what each row is."""

    matrix: Matrix
    norms: NDArray[np.float64]
    unit_ids: NDArray[np.int64]
    item_ids: Sequence[str]
    rows: NDArray[np.int64]


def best_first(
    parts: Sequence[Candidates], query: Vector, *, first: int
) -> Iterator[list[tuple[int, float]]]:
    """(unit id, cosine in [-1, 1]) in chunks of about `first`, then more each time; ties by item id.

    A vector of zero length has cosine 0 with all others.
    """
    parts = [part for part in parts if len(part.rows)]
    if not parts:
        return
    wide = query.astype(np.float64)
    rough = np.concatenate([_rough(part, query, wide) for part in parts])
    error = query.shape[0] * 1.2e-7 + 1e-6
    given, size = 0, max(first, 1)
    while given < len(rough):
        floor = -2.0 if size >= len(rough) else float(np.partition(rough, -size)[-size]) - error
        ranked = [hit for hit in _exact(parts, rough, wide, floor - error) if hit[0] >= floor]
        ranked.sort(key=lambda hit: (-hit[0], hit[1]))
        if len(ranked) > given:
            yield [(unit_id, score) for score, _, unit_id in ranked[given:]]
        given, size = len(ranked), max(size, len(ranked)) * _GROWTH


def _rough(part: Candidates, query: Vector, wide: NDArray[np.float64]) -> NDArray[np.float64]:
    """Cosines of the part's rows, right to a few units of float32."""
    every = len(part.rows) == len(part.matrix)
    products = part.matrix @ query
    dots = products if every else products[part.rows]
    return _cosines(dots.astype(np.float64), part.norms[part.rows], wide)


def _cosines(
    dots: NDArray[np.float64], norms: NDArray[np.float64], query: NDArray[np.float64]
) -> NDArray[np.float64]:
    lengths = norms * np.sqrt((query * query).sum())
    cosines: NDArray[np.float64] = np.zeros_like(dots)
    np.divide(dots, lengths, out=cosines, where=lengths > 0)
    return cosines


def _exact(
    parts: Sequence[Candidates], rough: NDArray[np.float64], query: NDArray[np.float64], floor: float
) -> Iterator[tuple[float, str, int]]:
    """(cosine, item id, unit id) of the rows whose rough cosine is at least `floor`."""
    start = 0
    for part in parts:
        near = part.rows[rough[start : start + len(part.rows)] >= floor]
        start += len(part.rows)
        for at in range(0, len(near), _BLOCK):
            rows = near[at : at + _BLOCK]
            dots = (part.matrix[rows].astype(np.float64) * query).sum(axis=1)
            scores = np.clip(_cosines(dots, part.norms[rows], query), -1.0, 1.0)
            units = part.unit_ids[rows]
            for score, row, unit_id in zip(scores.tolist(), rows.tolist(), units.tolist(), strict=True):
                yield score, part.item_ids[row], unit_id
