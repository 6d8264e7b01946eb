from __future__ import annotations

import subprocess
import sys
import uuid
from datetime import UTC, datetime, timedelta

import pytest

from perdure.errors import ModelUnavailable
from perdure.ports import Question
from perdure.prompts.replies import ExtractReply
from perdure.testing import CountingIds, FixedClock, ScriptedModel, ScriptExhausted, TableEmbedder

QUESTION = Question(purpose="extract", system="s", user="u", reply=ExtractReply)


async def test_exception_in_a_script_is_raised() -> None:
    with pytest.raises(ModelUnavailable):
        await ScriptedModel([ModelUnavailable("down")]).ask(QUESTION)


async def test_script_that_is_too_short_says_so() -> None:
    with pytest.raises(ScriptExhausted, match="has 0 replies"):
        await ScriptedModel().ask(QUESTION)


async def test_table_gives_its_vectors_and_hashes_the_rest() -> None:
    embedder = TableEmbedder({"a": [0.0, 1.0]}, 2)
    vectors = await embedder.embed_documents(["b", "a"])
    assert vectors[1].tolist() == [0.0, 1.0]
    assert abs(float(vectors[0].sum())) == 1.0
    assert embedder.documents == ["b", "a"]


def test_table_refuses_vectors_of_another_size() -> None:
    with pytest.raises(ValueError, match="2 numbers"):
        TableEmbedder({"a": [1.0]}, 2)


def test_clock_stands_still_by_default() -> None:
    clock = FixedClock()
    assert clock() == clock()


def test_clock_moves_by_its_step() -> None:
    clock = FixedClock(datetime(2025, 1, 1, tzinfo=UTC), timedelta(seconds=1))
    assert [clock().second for _ in range(3)] == [0, 1, 2]


def test_ids_are_valid_and_the_same_in_every_run() -> None:
    ids = CountingIds()
    assert [ids(), ids()] == [CountingIds(0)(), CountingIds(1)()]
    assert uuid.UUID(CountingIds()()).version == 7


def test_ids_sort_by_their_number() -> None:
    ids = CountingIds()
    made = [ids() for _ in range(300)]
    assert made == sorted(set(made))


HEAVY = ("numpy", "onnxruntime", "tokenizers", "openai", "anthropic", "json_repair")


@pytest.mark.parametrize(
    "module",
    ["perdure", "perdure.embed.local", "perdure.embed.openai", "perdure.models.openai", "perdure.prompts"],
)
def test_heavy_packages_are_not_imported_before_they_are_needed(module: str) -> None:
    code = f"import sys, {module}; print([m for m in {HEAVY} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
