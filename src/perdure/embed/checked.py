"""A wrapper that no wrong answer passes: count, dimension and finite numbers are checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from perdure.errors import EmbedderError
from perdure.ports import Embedder, EmbedderIdentity

if TYPE_CHECKING:
    from perdure.ports import Matrix, Vector


class CheckedEmbedder:
    """The embedder it is given, with each answer checked; EmbedderError for one that cannot be right."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    @property
    def identity(self) -> EmbedderIdentity:
        return self._embedder.identity

    async def embed_documents(self, texts: Sequence[str]) -> Matrix:
        return self._checked(await self._embedder.embed_documents(texts), len(texts))

    async def embed_query(self, text: str) -> Vector:
        vector = await self._embedder.embed_query(text)
        self._checked(vector[None, :], 1)
        return vector

    async def close(self) -> None:
        await self._embedder.close()

    def _checked(self, matrix: Matrix, count: int) -> Matrix:
        import numpy as np

        wanted = (count, self.identity.dimension) if count else matrix.shape
        if matrix.shape != wanted:
            raise EmbedderError(
                f"{self.identity.name}: answered {matrix.shape} for {wanted}. Check the embedding model."
            )
        if not np.isfinite(matrix).all():
            raise EmbedderError(f"{self.identity.name}: a vector is not finite. Check the embedding model.")
        return matrix
