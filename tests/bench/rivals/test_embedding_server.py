from __future__ import annotations

import asyncio
import base64
import json
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest

from bench.systems.rivals.embedding_server import EmbeddingServer
from perdure.embed.hashing import HashingEmbedder

TEXTS = ["Ana keeps bees", "Bo sails", "Ana keeps bees"]


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with EmbeddingServer(HashingEmbedder(16)) as running:
        yield running


def post(server: EmbeddingServer, body: Mapping[str, object], *, path: str = "/embeddings") -> Any:
    request = urllib.request.Request(f"{server.base_url}{path}", data=json.dumps(body).encode())
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def test_floats_are_the_embedders_own_numbers_in_order(server: EmbeddingServer) -> None:
    answer = post(server, {"input": TEXTS, "model": "any"})
    expected = asyncio.run(HashingEmbedder(16).embed_documents(TEXTS))
    assert [entry["index"] for entry in answer["data"]] == [0, 1, 2]
    assert np.array_equal(np.array([e["embedding"] for e in answer["data"]], dtype=np.float32), expected)


def test_base64_holds_the_same_numbers_as_float(server: EmbeddingServer) -> None:
    floats = post(server, {"input": TEXTS, "encoding_format": "float"})
    packed = post(server, {"input": TEXTS, "encoding_format": "base64"})
    for plain, coded in zip(floats["data"], packed["data"], strict=True):
        numbers = np.frombuffer(base64.b64decode(coded["embedding"]), dtype="<f4")
        assert numbers.tolist() == np.array(plain["embedding"], dtype=np.float32).tolist()


def test_one_text_alone_is_taken_too(server: EmbeddingServer) -> None:
    assert len(post(server, {"input": "Bo sails"})["data"]) == 1


def test_calls_and_texts_are_counted_and_seconds_grow(server: EmbeddingServer) -> None:
    post(server, {"input": TEXTS})
    first = server.spent
    post(server, {"input": "Bo sails"})
    assert (first.calls, first.texts) == (1, 3)
    assert (server.spent.calls, server.spent.texts) == (2, 4)
    assert server.spent.seconds > first.seconds > 0


@pytest.mark.parametrize(
    "body", [{}, {"input": []}, {"input": [1]}, {"input": "a", "encoding_format": "hex"}, ["a"]]
)
def test_a_bad_request_is_refused_and_not_counted(server: EmbeddingServer, body: Any) -> None:
    with pytest.raises(urllib.error.HTTPError, match="400") as refused:
        post(server, body)
    refused.value.close()
    assert server.spent.calls == 0


def test_other_paths_are_not_served(server: EmbeddingServer) -> None:
    with pytest.raises(urllib.error.HTTPError, match="404") as refused:
        post(server, {"input": "a"}, path="/chat/completions")
    refused.value.close()
