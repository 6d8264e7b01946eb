"""The floor: an exact scan of a scope's vectors by the fastest library there is, and nothing else."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bench.scale.vectors import DIMENSION, SumEmbedder
from bench.scale.world import World

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from perdure.ports import Matrix, Vector

FIRST = 10
_TRIALS = 15
_CHUNK = 10_000

Scan = Callable[["Vector"], "NDArray[np.intp]"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """library: the faster of those tried. scan: the rows of the ten nearest to a unit vector."""

    library: str
    scan: Scan


def matrix_of(world: World, owner: str, embedder: SumEmbedder) -> Matrix:
    """The vectors (n, 384) of a user's facts."""
    rows: Matrix = np.empty((world.counts[owner], DIMENSION), dtype=np.float32)
    texts = [turn.text for turn in world.turns(owner)]
    for start in range(0, len(texts), _CHUNK):
        rows[start : start + _CHUNK] = embedder.embed(texts[start : start + _CHUNK])
    return rows


def make_floor(matrix: Matrix, trials: Matrix) -> Floor:
    """numpy, or faiss if it is installed and faster."""
    found = [Floor(library="numpy", scan=_by_numpy(matrix))]
    if importlib.util.find_spec("faiss") is not None:
        found.append(Floor(library="faiss", scan=_by_faiss(matrix)))
    return min(found, key=lambda floor: _seconds(floor.scan, trials))


def _seconds(scan: Scan, trials: Matrix) -> float:
    times = []
    for n in range(_TRIALS):
        began = time.perf_counter()
        scan(trials[n % len(trials)])
        times.append(time.perf_counter() - began)
    return sorted(times)[_TRIALS // 2]


def _by_numpy(matrix: Matrix) -> Scan:
    first = min(FIRST, len(matrix))

    def scan(vector: Vector) -> NDArray[np.intp]:
        products = matrix @ vector
        nearest = np.argpartition(products, len(products) - first)[-first:]
        ordered: NDArray[np.intp] = nearest[np.argsort(-products[nearest])]
        return ordered

    return scan


def _by_faiss(matrix: Matrix) -> Scan:
    import faiss

    index = faiss.IndexFlatIP(matrix.shape[1])
    index.add(matrix)

    def scan(vector: Vector) -> NDArray[np.intp]:
        _, rows = index.search(vector[None, :], min(FIRST, len(matrix)))
        nearest: NDArray[np.intp] = rows[0]
        return nearest

    return scan
