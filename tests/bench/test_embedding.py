"""One embedder for all: the same vectors whether cached, kept on disk or made side by side."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest

from bench.embedding import CachedEmbedder, ParallelEmbedder
from perdure.embed.hashing import HashingEmbedder
from perdure.testing import TableEmbedder

TEXTS = ["a bee", "two bees in a hive", "clock", "", "a bee", "the long story of the tower clock of Olmen"]


def plain() -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    return asyncio.run(HashingEmbedder().embed_documents(TEXTS))


@pytest.mark.parametrize("copies", [1, 2, 3, 9])
def test_copies_side_by_side_give_the_vectors_of_one_in_order(copies: int) -> None:
    parallel = ParallelEmbedder([HashingEmbedder() for _ in range(copies)])
    assert np.array_equal(asyncio.run(parallel.embed_documents(TEXTS)), plain())


def test_no_texts_give_no_vectors() -> None:
    parallel = ParallelEmbedder([HashingEmbedder(), HashingEmbedder()])
    assert asyncio.run(parallel.embed_documents([])).shape == (0, parallel.identity.dimension)


def test_each_text_is_embedded_once_ever(tmp_path: Path) -> None:
    inner = TableEmbedder({}, 8)
    cached = CachedEmbedder(inner, tmp_path / "cache.db")
    first = asyncio.run(cached.embed_documents(TEXTS))
    second = asyncio.run(cached.embed_documents(TEXTS))
    cached.shut()
    assert inner.documents == list(dict.fromkeys(TEXTS))
    assert np.array_equal(first, second)
    unused = TableEmbedder({}, 8)
    again = CachedEmbedder(unused, tmp_path / "cache.db")
    assert np.array_equal(asyncio.run(again.embed_documents(TEXTS)), first)
    assert again.computed == 0
    assert unused.documents == []
    again.shut()


def test_another_model_does_not_get_the_vectors_of_the_first(tmp_path: Path) -> None:
    one = CachedEmbedder(TableEmbedder({"x": (1.0, 0.0)}, 2, name="one/v1"), tmp_path / "cache.db")
    two = CachedEmbedder(TableEmbedder({"x": (0.0, 1.0)}, 2, name="two/v1"), tmp_path / "cache.db")
    assert asyncio.run(one.embed_query("x")).tolist() == [1.0, 0.0]
    assert asyncio.run(two.embed_query("x")).tolist() == [0.0, 1.0]
    one.shut()
    two.shut()


def test_its_time_is_counted() -> None:
    cached = CachedEmbedder(HashingEmbedder())
    asyncio.run(cached.embed_documents(TEXTS))
    assert cached.seconds > 0
    cached.shut()
