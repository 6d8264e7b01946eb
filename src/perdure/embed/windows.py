"""Long texts in pieces: no word is left out because a model takes only so many tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from perdure.ports import Matrix, Vector

T = TypeVar("T")


def windows(items: Sequence[T], size: int, overlap: int) -> list[Sequence[T]]:
    """Slices of at most `size` that overlap by `overlap` and reach the end; one, perhaps empty, if short."""
    if not 0 <= overlap < size:
        raise ValueError("overlap: from 0 to below the size of a window")
    step = size - overlap
    starts = range(0, max(len(items) - overlap, 1), step)
    return [items[start : start + size] for start in starts]


def mean_direction(vectors: Matrix) -> Vector:
    """The mean of unit vectors (n, d), at unit length again; the first one if they cancel out."""
    import numpy as np

    mean = vectors.mean(axis=0)
    length = float(np.linalg.norm(mean))
    direction: Vector = (mean / length if length > 1e-9 else vectors[0]).astype(np.float32)
    return direction


def unit_rows(vectors: Matrix) -> Matrix:
    """The rows at unit length; a row of zeros stays."""
    import numpy as np

    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    rows: Matrix = (vectors / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
    return rows
