"""Vectors from words alone: no model, no cost, the same on every machine. For tests and air-gapped use."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

from perdure.core.text import tokenise
from perdure.ports import EmbedderIdentity

if TYPE_CHECKING:
    from perdure.ports import Matrix, Vector

DEFAULT_DIMENSION = 256


class HashingEmbedder:
    """Each token adds ±1 at a place given by its hash (Weinberger et al., ICML 2009); unit length.

    Texts with the same tokens are equal, texts without common tokens nearly orthogonal. It knows no
    synonyms. A text without tokens is hashed whole.
    """

    def __init__(self, dimension: int = DEFAULT_DIMENSION) -> None:
        if dimension < 1:
            raise ValueError("dimension: a vector has at least one number")
        self._identity = EmbedderIdentity(name="hashing/v1", dimension=dimension)

    @property
    def identity(self) -> EmbedderIdentity:
        return self._identity

    async def embed_documents(self, texts: Sequence[str]) -> Matrix:
        import numpy as np

        vectors = np.zeros((len(texts), self._identity.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            vectors[row] = self._vector(text)
        return vectors

    async def embed_query(self, text: str) -> Vector:
        return self._vector(text)

    async def close(self) -> None:
        """Nothing is held."""

    def _vector(self, text: str) -> Vector:
        import numpy as np

        vector = np.zeros(self._identity.dimension, dtype=np.float32)
        for token in tokenise(text) or [text]:
            place, sign = self._place(token)
            vector[place] += sign
        length = float(np.linalg.norm(vector))
        if length == 0.0:
            # Signs cancelled out: the whole text takes one place.
            place, sign = self._place(text)
            vector[place], length = sign, 1.0
        return (vector / length).astype(np.float32)

    def _place(self, token: str) -> tuple[int, float]:
        hashed = int.from_bytes(blake2b(token.encode("utf-8", "surrogatepass"), digest_size=8).digest())
        return (hashed >> 1) % self._identity.dimension, 1.0 if hashed & 1 else -1.0
