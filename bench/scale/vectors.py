"""An embedder that costs next to nothing, so that what is measured is the engine."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from perdure.ports import EmbedderIdentity

if TYPE_CHECKING:
    from perdure.ports import Matrix, Vector

DIMENSION = 384
_ROWS = 2_048
_WORD = re.compile(r"\w+")


class SumEmbedder:
    """The sum of three rows of a fixed random table for each token, at unit length: dense, deterministic.

    Texts with common words are near each other. A text without a word takes the first row.
    """

    def __init__(self) -> None:
        self._table = np.random.default_rng(7).standard_normal((_ROWS, DIMENSION)).astype(np.float32)

    @property
    def identity(self) -> EmbedderIdentity:
        return EmbedderIdentity(name="bench/sum-v1", dimension=DIMENSION)

    async def embed_documents(self, texts: Sequence[str]) -> Matrix:
        return self.embed(texts)

    async def embed_query(self, text: str) -> Vector:
        return self._vector(text)

    async def close(self) -> None:
        """Nothing is held."""

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Unit vectors (n, 384)."""
        rows: Matrix = np.empty((len(texts), DIMENSION), dtype=np.float32)
        for at, text in enumerate(texts):
            rows[at] = self._vector(text)
        return rows

    def _vector(self, text: str) -> Vector:
        places = [at for word in _WORD.findall(text.lower()) for at in _places(word)]
        total: Vector = self._table[places or [0]].sum(axis=0)
        return (total / np.linalg.norm(total)).astype(np.float32)


def _places(word: str) -> tuple[int, int, int]:
    hashed = zlib.crc32(word.encode("utf-8", "surrogatepass"))
    return hashed % _ROWS, (hashed >> 11) % _ROWS, (hashed >> 21) % _ROWS
