"""One embedder for all systems, with a cache on disk and its time kept apart."""

from __future__ import annotations

import asyncio
import hashlib
import sqlite3
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from perdure.ports import Embedder, EmbedderIdentity

if TYPE_CHECKING:
    from perdure.ports import Matrix, Vector

SCHEMA = "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID"
CHUNK = 256


class ParallelEmbedder:
    """Several copies of one model side by side, each on a part of the texts; the vectors are those of one.

    copies: one or more embedders of one identity.
    """

    def __init__(self, copies: Sequence[Embedder]) -> None:
        self._copies = tuple(copies)

    @property
    def identity(self) -> EmbedderIdentity:
        return self._copies[0].identity

    async def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Vectors (n, d) of the texts, in their order. Long and short texts are dealt out evenly."""
        by_length = sorted(range(len(texts)), key=lambda n: len(texts[n]))
        hands = [by_length[n :: len(self._copies)] for n in range(len(self._copies))]
        parts = await asyncio.gather(
            *(
                copy.embed_documents([texts[n] for n in hand])
                for copy, hand in zip(self._copies, hands, strict=True)
                if hand
            )
        )
        vectors: Matrix = np.zeros((len(texts), self.identity.dimension), dtype=np.float32)
        for hand, part in zip([h for h in hands if h], parts, strict=True):
            vectors[hand] = part
        return vectors

    async def embed_query(self, text: str) -> Vector:
        return await self._copies[0].embed_query(text)

    async def close(self) -> None:
        for copy in self._copies:
            await copy.close()


class CachedEmbedder:
    """The same vectors as `inner` gives, each text embedded once ever.

    path: the cache file, None for memory alone. seconds: all time spent in here since the start, so that a
    system's own time can be told. computed: texts that were not in the cache.
    """

    def __init__(self, inner: Embedder, path: Path | None = None) -> None:
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
        self._inner = inner
        self._known: dict[bytes, Vector] = {}
        self._lock = threading.Lock()
        self._file = sqlite3.connect(path or ":memory:", check_same_thread=False, timeout=60)
        self._file.execute("PRAGMA journal_mode=WAL")
        self._file.execute("PRAGMA synchronous=OFF")
        self._file.execute(SCHEMA)
        self.seconds = 0.0
        self.computed = 0

    @property
    def identity(self) -> EmbedderIdentity:
        return self._inner.identity

    async def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Vectors (n, d) of the texts, in their order."""
        began = time.perf_counter()
        try:
            keys = [self._key(text) for text in texts]
            await self._make_known(dict(zip(keys, texts, strict=True)))
            rows = [self._known[key] for key in keys]
            empty: Matrix = np.zeros((0, self.identity.dimension), dtype=np.float32)
            return np.stack(rows) if rows else empty
        finally:
            self.seconds += time.perf_counter() - began

    async def embed_query(self, text: str) -> Vector:
        """The vector (d,) of a query. The embedders used here treat queries and documents alike."""
        return (await self.embed_documents([text]))[0]  # type: ignore[no-any-return]  # numpy types a row as Any

    async def close(self) -> None:
        """Kept open: systems close the embedder that they were given, others go on using it."""

    def forget(self) -> None:
        """Empty the memory of this process; the file stays."""
        self._known.clear()

    def shut(self) -> None:
        """Close the cache file."""
        self._file.close()

    def _key(self, text: str) -> bytes:
        name = str(self.identity)
        return hashlib.sha256(f"{name}\n{text}".encode("utf-8", "surrogatepass")).digest()

    async def _make_known(self, wanted: dict[bytes, str]) -> None:
        missing = {key: text for key, text in wanted.items() if key not in self._known}
        for key in list(missing):
            row = self._file.execute("SELECT vector FROM vectors WHERE key = ?", (key,)).fetchone()
            if row is not None:
                self._known[key] = np.frombuffer(row[0], dtype=np.float32)
                del missing[key]
        keys = list(missing)
        for start in range(0, len(keys), CHUNK):
            await self._compute({key: missing[key] for key in keys[start : start + CHUNK]})

    async def _compute(self, texts: dict[bytes, str]) -> None:
        matrix = await self._inner.embed_documents(list(texts.values()))
        rows = dict(zip(texts, matrix, strict=True))
        with self._lock, self._file:
            self._file.executemany(
                "INSERT OR IGNORE INTO vectors VALUES (?, ?)",
                [(key, np.ascontiguousarray(row, dtype=np.float32).tobytes()) for key, row in rows.items()],
            )
        self._known.update(rows)
        self.computed += len(rows)
