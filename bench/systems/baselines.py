"""Systems that anyone can write in an afternoon. An engine that does not beat them is not worth its cost."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Mapping, Sequence
from importlib.metadata import version

import numpy as np
from numpy.typing import NDArray

from bench.embedding import CachedEmbedder
from bench.errors import SystemMissing
from bench.model import Json, Turn
from bench.systems.base import Fed, Item, Query, Reply
from bench.systems.text import indexed_text

RRF_K = 60
RRF_DEPTH = 200


def best_first(scores: NDArray[np.float64]) -> NDArray[np.intp]:
    """Places of the scores, best first; of equal ones the latest, which costs nothing and is mostly right."""
    return np.lexsort((-np.arange(len(scores)), -scores))


class Baseline:
    """Holds the turns as they are; what is asked ranks them."""

    name = "baseline"
    limits: tuple[str, ...] = ()

    def __init__(self) -> None:
        self._turns: list[Turn] = []

    @property
    def about(self) -> Mapping[str, Json]:
        return {"system": self.name}

    def reset(self, owner: str) -> None:
        self._turns = []

    def feed(self, turns: Sequence[Turn]) -> Fed:
        began = time.perf_counter()
        embedding = self._index(turns)
        self._turns += turns
        seconds = time.perf_counter() - began - embedding
        return Fed(seconds=seconds, embedding_seconds=embedding, counts={"turns": len(turns)})

    def ask(self, query: Query) -> Reply:
        """The best turns; a turn that shares nothing with the query is not returned."""
        if not self._turns:
            return Reply(items=(), seconds=0.0)
        embedding = self._prepare(query)
        began = time.perf_counter()
        scores = self._scores(query)
        best = best_first(scores)[: query.limit]
        found = [(self._turns[n], float(scores[n])) for n in best if np.isfinite(scores[n])]
        seconds = time.perf_counter() - began
        items = tuple(Item(turns=(t.id,), text=indexed_text(t), score=score) for t, score in found)
        return Reply(items=items, seconds=seconds, embedding_seconds=embedding)

    def close(self) -> None:
        self._turns = []

    def _index(self, turns: Sequence[Turn]) -> float:
        """Take the turns in; the seconds of it that embedding took."""
        return 0.0

    def _prepare(self, query: Query) -> float:
        """Whatever is not to be timed as ranking; the seconds of it that embedding took."""
        return 0.0

    def _scores(self, query: Query) -> NDArray[np.float64]:
        """A score (n,) a turn, -inf for what is not found."""
        raise NotImplementedError


class Bm25(Baseline):
    """BM25 (Lucene's variant, k1 1.5, b 0.75) by bm25s over English stems without stop words."""

    name = "bm25"

    def __init__(self) -> None:
        try:
            import snowballstemmer
            from bm25s.stopwords import STOPWORDS_EN
        except ImportError as exc:
            raise SystemMissing(f"{self.name} needs {exc.name}. Run `pip install '.[bench]'`.") from exc
        super().__init__()
        self._stop_words = frozenset(STOPWORDS_EN)
        self._stem = snowballstemmer.stemmer("english").stemWords
        self._tokens: list[list[str]] = []
        self._ranker: object | None = None

    @property
    def about(self) -> Mapping[str, Json]:
        return {"system": self.name, "library": f"bm25s {version('bm25s')}", "stems": "english"}

    def reset(self, owner: str) -> None:
        super().reset(owner)
        self._tokens, self._ranker = [], None

    def _index(self, turns: Sequence[Turn]) -> float:
        import bm25s

        self._tokens += [self._read(indexed_text(t)) for t in turns]
        ranker = bm25s.BM25()
        ranker.index(self._tokens, show_progress=False)
        self._ranker = ranker
        return 0.0

    def _read(self, text: str) -> list[str]:
        words = [w for w in re.findall(r"\w+", text.lower()) if w not in self._stop_words]
        stems: list[str] = self._stem(words)
        return stems

    def _scores(self, query: Query) -> NDArray[np.float64]:
        vocabulary: Mapping[str, int] = self._ranker.vocab_dict  # type: ignore[union-attr]
        known = [w for w in self._read(query.text) if w in vocabulary]
        if not known:
            return np.full(len(self._turns), -np.inf)
        raw = self._ranker.get_scores(known)  # type: ignore[union-attr]
        scores = np.asarray(raw, dtype=np.float64)
        return np.where(scores > 0, scores, -np.inf)


class Dense(Baseline):
    """Cosine over the same vectors as every other system, exact."""

    name = "dense"

    def __init__(self, embedder: CachedEmbedder) -> None:
        super().__init__()
        self._embedder = embedder
        self._matrix: NDArray[np.float32] = self._empty()
        self._vector: NDArray[np.float32] = np.zeros(embedder.identity.dimension, dtype=np.float32)

    @property
    def about(self) -> Mapping[str, Json]:
        return {"system": self.name, "embedder": str(self._embedder.identity)}

    def reset(self, owner: str) -> None:
        super().reset(owner)
        self._matrix = self._empty()

    def _empty(self) -> NDArray[np.float32]:
        return np.zeros((0, self._embedder.identity.dimension), dtype=np.float32)

    def _index(self, turns: Sequence[Turn]) -> float:
        before = self._embedder.seconds
        rows = asyncio.run(self._embedder.embed_documents([indexed_text(t) for t in turns]))
        self._matrix = np.concatenate([self._matrix, rows])
        return self._embedder.seconds - before

    def _prepare(self, query: Query) -> float:
        before = self._embedder.seconds
        self._vector = asyncio.run(self._embedder.embed_query(query.text))
        return self._embedder.seconds - before

    def _scores(self, query: Query) -> NDArray[np.float64]:
        return (self._matrix @ self._vector).astype(np.float64)


class Fused(Baseline):
    """BM25 and dense joined by reciprocal rank (k 60, Cormack, Clarke and Büttcher, SIGIR 2009), 200 deep."""

    name = "rrf"

    def __init__(self, embedder: CachedEmbedder) -> None:
        super().__init__()
        self._parts: tuple[Baseline, ...] = (Bm25(), Dense(embedder))

    @property
    def about(self) -> Mapping[str, Json]:
        parts: list[Json] = [dict(p.about) for p in self._parts]
        return {"system": self.name, "k": RRF_K, "depth": RRF_DEPTH, "parts": parts}

    def reset(self, owner: str) -> None:
        super().reset(owner)
        for part in self._parts:
            part.reset(owner)

    def _index(self, turns: Sequence[Turn]) -> float:
        return sum(part.feed(turns).embedding_seconds for part in self._parts)

    def _prepare(self, query: Query) -> float:
        return sum(part._prepare(query) for part in self._parts)

    def _scores(self, query: Query) -> NDArray[np.float64]:
        total = np.full(len(self._turns), -np.inf)
        for part in self._parts:
            scores = part._scores(query)
            order = [n for n in best_first(scores)[:RRF_DEPTH] if np.isfinite(scores[n])]
            for rank, n in enumerate(order, start=1):
                total[n] = (total[n] if np.isfinite(total[n]) else 0.0) + 1 / (RRF_K + rank)
        return total


class LastTurns(Baseline):
    """The newest turns, newest first, whatever is asked: the chat window that every agent has anyway."""

    name = "last-turns"

    def _scores(self, query: Query) -> NDArray[np.float64]:
        return np.arange(len(self._turns), dtype=np.float64)


class Transcript(Baseline):
    """Everything that was said, in order, as one item: what a long context is given."""

    name = "transcript"

    def ask(self, query: Query) -> Reply:
        began = time.perf_counter()
        text = "\n".join(indexed_text(t) for t in self._turns)
        turns = tuple(t.id for t in self._turns)
        item = Item(turns=turns, text=text, kind="transcript")
        return Reply(items=(item,), seconds=time.perf_counter() - began)
