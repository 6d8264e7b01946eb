from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from perdure.embed.local import IDENTITY, LocalEmbedder

if TYPE_CHECKING:
    from perdure.ports import Matrix

LONG = "The committee went through the minutes of the last meeting and approved them. " * 60
FACT = "Ilse keeps a parrot that speaks Portuguese."


@pytest.fixture(scope="module")
def embedder() -> LocalEmbedder:
    return LocalEmbedder()


def cosine(vectors: Matrix, a: int, b: int) -> float:
    return float(vectors[a] @ vectors[b])


async def test_paraphrase_is_nearer_than_the_unrelated(embedder: LocalEmbedder) -> None:
    vectors = await embedder.embed_documents(
        ["Ilse's bird can talk.", FACT, "The invoice is due on the ninth of March."]
    )
    assert cosine(vectors, 0, 1) > cosine(vectors, 0, 2) + 0.2


async def test_vectors_have_unit_length_and_the_dimension_of_the_identity(embedder: LocalEmbedder) -> None:
    vectors = await embedder.embed_documents(["one", "two words"])
    assert (vectors.shape, str(vectors.dtype)) == ((2, IDENTITY.dimension), "float32")
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)


async def test_batches_by_length_come_back_in_the_order_given(embedder: LocalEmbedder) -> None:
    texts = [f"note {n}: " + "word " * ((n * 7) % 23) for n in range(40)]
    together = await embedder.embed_documents(texts)
    alone = np.stack([await embedder.embed_query(text) for text in texts])
    assert np.argmax(together @ alone.T, axis=1).tolist() == list(range(40))


async def test_fact_at_the_end_of_a_long_text_counts(embedder: LocalEmbedder) -> None:
    vectors = await embedder.embed_documents([LONG, LONG + FACT, FACT])
    assert cosine(vectors, 1, 2) > cosine(vectors, 0, 2) + 0.05


async def test_empty_text_has_a_vector(embedder: LocalEmbedder) -> None:
    assert np.linalg.norm(await embedder.embed_query("")) == pytest.approx(1.0)


async def test_no_texts_give_no_rows(embedder: LocalEmbedder) -> None:
    assert (await embedder.embed_documents([])).shape == (0, IDENTITY.dimension)


async def test_closed_embedder_loads_again(embedder: LocalEmbedder) -> None:
    before = await embedder.embed_query(FACT)
    await embedder.close()
    assert np.array_equal(await embedder.embed_query(FACT), before)
