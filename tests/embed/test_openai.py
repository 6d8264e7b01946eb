"""Any embeddings endpoint: its limits, its order, its mistakes."""

from __future__ import annotations

import math
from collections.abc import Callable
from hashlib import sha256

import numpy as np
import pytest

from perdure.core.values import Json
from perdure.embed.openai import OpenAIEmbedder
from perdure.errors import ConfigError, EmbedderError
from perdure.testing import ScriptedTime
from tests.stub_server import Canned, Request, Stub, refusal, serving

DIMENSION = 8


def vector_of(text: str) -> list[float]:
    return [byte / 255 + 0.1 for byte in sha256(text.encode()).digest()[:DIMENSION]]


def unit(text: str) -> list[float]:
    vector = np.array(vector_of(text))
    return [float(each) for each in vector / np.linalg.norm(vector)]


def inputs_of(request: Request) -> list[str]:
    given = request.body["input"]
    assert isinstance(given, list)
    return [str(each) for each in given]


def embeddings(request: Request, change: Callable[[list[Json]], list[Json]] = list) -> Canned:
    items: list[Json] = [
        {"object": "embedding", "index": at, "embedding": list(vector_of(text))}
        for at, text in enumerate(inputs_of(request))
    ]
    return Canned(body={"model": "stub-e", "data": change(items)})


def takes(*, inputs: int = 10_000, tokens: int = 10**9, longest: int = 10**9) -> Callable[[Request], Canned]:
    """An endpoint with limits; a token is two bytes of UTF-8."""

    def answer(request: Request) -> Canned:
        counts = [len(text.encode()) / 2 for text in inputs_of(request)]
        if len(counts) > inputs or sum(counts) > tokens or max(counts) > longest:
            return refusal(400, "the request is not valid")
        return embeddings(request)

    return answer


def embedder_at(stub: Stub, batch_size: int = 128) -> OpenAIEmbedder:
    return OpenAIEmbedder("e", gate=ScriptedTime().gate(), base_url=stub.base_url, batch_size=batch_size)


async def test_every_text_gets_its_own_vector_though_ten_at_a_time_are_taken() -> None:
    texts = [f"fact number {n}" for n in range(700)]
    async with serving(takes(inputs=10)) as stub:
        embedder = embedder_at(stub)
        vectors = await embedder.embed_documents(texts)
        await embedder.close()
    assert np.allclose(vectors, [unit(text) for text in texts], atol=1e-6)
    assert len(stub.requests) <= 105


async def test_found_limit_is_remembered() -> None:
    async with serving(takes(inputs=10)) as stub:
        embedder = embedder_at(stub)
        await embedder.embed_documents([f"fact {n}" for n in range(100)])
        before = len(stub.requests)
        await embedder.embed_documents([f"more {n}" for n in range(100)])
        await embedder.close()
    assert len(stub.requests) - before == 10


async def test_sum_of_tokens_is_a_limit_too() -> None:
    texts = [f"{n} " + "word " * 40 for n in range(700)]
    async with serving(takes(tokens=5000)) as stub:
        embedder = embedder_at(stub)
        vectors = await embedder.embed_documents(texts)
        await embedder.close()
    ideal = math.ceil(700 / (5000 // 102))
    assert np.allclose(vectors, [unit(text) for text in texts], atol=1e-6)
    assert len(stub.requests) <= 1.5 * ideal


async def test_configured_batch_size_is_kept() -> None:
    async with serving(takes()) as stub:
        embedder = embedder_at(stub, batch_size=25)
        await embedder.embed_documents([str(n) for n in range(60)])
        await embedder.close()
    assert [len(inputs_of(request)) for request in stub.requests] == [25, 25, 10]


LONG = "设计记忆" * 1500 + " " + "QUJD" * 1500 + " " + "x = f(y)\n" * 600


async def test_long_text_is_sent_in_parts_that_hold_all_of_it() -> None:
    async with serving(takes(longest=8191)) as stub:
        embedder = embedder_at(stub)
        vectors = await embedder.embed_documents(["short one", LONG, "short two"])
        await embedder.close()
    sent = [text for request in stub.requests[1:] for text in inputs_of(request)]
    assert "".join(text for text in sent if not text.startswith("short")) == LONG
    assert max(len(text.encode()) / 2 for text in sent) <= 8191
    assert np.allclose(vectors[[0, 2]], [unit("short one"), unit("short two")], atol=1e-6)


async def test_long_text_has_the_mean_direction_of_its_parts() -> None:
    async with serving(takes(longest=8191)) as stub:
        embedder = embedder_at(stub)
        vector = await embedder.embed_query(LONG)
        await embedder.close()
    mean = np.mean([unit(text) for text in inputs_of(stub.requests[-1])], axis=0)
    assert np.allclose(vector, mean / np.linalg.norm(mean), atol=1e-6)


async def test_single_text_that_is_refused_is_reported_with_the_reason() -> None:
    def refuses_goats(request: Request) -> Canned:
        bad = any("goat" in text for text in inputs_of(request))
        return refusal(400, "input was rejected") if bad else embeddings(request)

    async with serving(refuses_goats) as stub:
        embedder = embedder_at(stub)
        with pytest.raises(EmbedderError, match=r"text 2 of 3 was refused.*input was rejected") as caught:
            await embedder.embed_documents(["a", "goat", "b"])
        await embedder.close()
    assert "goat" not in str(caught.value)


async def test_unknown_model_is_asked_for_once() -> None:
    async with serving([refusal(400, "model e does not exist")]) as stub:
        embedder = embedder_at(stub)
        with pytest.raises(EmbedderError, match="does not exist"):
            await embedder.embed_documents(["a", "b"])
        await embedder.close()
    assert len(stub.requests) == 1


async def test_reordered_answers_are_put_in_order() -> None:
    async with serving(lambda request: embeddings(request, lambda items: items[::-1])) as stub:
        embedder = embedder_at(stub)
        vectors = await embedder.embed_documents(["a", "b", "c"])
        await embedder.close()
    assert np.allclose(vectors, [unit("a"), unit("b"), unit("c")], atol=1e-6)


def spoiled(value: Json) -> Callable[[list[Json]], list[Json]]:
    def change(items: list[Json]) -> list[Json]:
        return [{"index": 0, "embedding": value}, *items[1:]]

    return change


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda items: items[1:], "2 vectors came back for 3 texts"),
        (lambda items: [items[0], items[0], items[2]], "indexes"),
        (spoiled([float("nan")] * DIMENSION), "not finite"),
        (spoiled([1e999] * DIMENSION), "not finite"),
        (spoiled([0.0] * DIMENSION), "no length"),
        (spoiled([0.5] * 3), "vectors of 3, 8 numbers"),
        (spoiled([]), "missing"),
        (spoiled(["a"] * DIMENSION), "something else"),
        (spoiled(None), "missing"),
    ],
    ids=["short", "index twice", "nan", "infinite", "zeros", "dimension", "empty", "text", "null"],
)
async def test_answer_that_cannot_be_right_is_an_error(
    change: Callable[[list[Json]], list[Json]], problem: str
) -> None:
    async with serving(lambda request: embeddings(request, change)) as stub:
        embedder = embedder_at(stub)
        with pytest.raises(EmbedderError, match=problem):
            await embedder.embed_documents(["a", "b", "c"])
        await embedder.close()


async def test_other_model_in_mid_run_is_an_error() -> None:
    def falls_back(request: Request) -> Canned:
        answer = embeddings(request)
        assert isinstance(answer.body, dict)
        return Canned(body={**answer.body, "model": f"stub-{len(stub.requests)}"})

    async with serving(falls_back) as stub:
        embedder = embedder_at(stub)
        await embedder.embed_query("a")
        with pytest.raises(EmbedderError, match="another model"):
            await embedder.embed_query("b")
        await embedder.close()


async def test_dimension_is_found_by_the_first_answer() -> None:
    async with serving(embeddings) as stub:
        embedder = embedder_at(stub)
        await embedder.embed_query("a")
        await embedder.close()
    assert str(embedder.identity) == "openai/e (8 dimensions, unit length)"


def test_unknown_dimension_is_said_before_the_first_answer() -> None:
    embedder = OpenAIEmbedder("e", gate=ScriptedTime().gate(), base_url="http://h")
    with pytest.raises(EmbedderError, match="not known yet"):
        _ = embedder.identity


def test_dimension_of_a_well_known_model_is_known() -> None:
    identity = OpenAIEmbedder(gate=ScriptedTime().gate()).identity
    assert (identity.name, identity.dimension) == ("openai/text-embedding-3-small", 1536)


async def test_blank_text_has_a_vector() -> None:
    async with serving(embeddings) as stub:
        embedder = embedder_at(stub)
        await embedder.embed_documents(["", " \n"])
        await embedder.close()
    assert inputs_of(stub.requests[0]) == [".", "."]


def test_wrong_base_url_names_the_setting() -> None:
    with pytest.raises(ConfigError, match="embedding_base_url"):
        OpenAIEmbedder("e", gate=ScriptedTime().gate(), base_url="ftp://h")
