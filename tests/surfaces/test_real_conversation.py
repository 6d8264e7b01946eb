"""The main job on real input: a LoCoMo conversation, without any model; skipped without the data."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from perdure import Memory
from perdure.interop.conversations import Conversation
from perdure.interop.files import read_file

DATA = Path(os.environ.get("PERDURE_DATA", Path(__file__).parents[3] / "shared" / "data"))
FILE = DATA / "locomo" / "locomo-dev5.json"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not FILE.exists(), reason="set PERDURE_DATA to a folder with locomo/locomo-dev5.json"),
]


@pytest.fixture(scope="module")
def conversation() -> Conversation:
    return read_file(FILE).conversations[0]


@pytest.fixture(scope="module")
def memory(conversation: Conversation, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    path = tmp_path_factory.mktemp("real") / "memory.db"
    with Memory(path, embedder="local", model="rules") as opened:
        for batch in conversation.batches(40):
            opened.add(batch, user_id="pair")
        yield opened


def test_every_turn_is_found_by_its_own_words(memory: Memory, conversation: Conversation) -> None:
    missed = []
    for message in conversation.messages:
        text = str(message["content"])
        found = memory.search(text, user_id="pair", kinds=["episode"], limit=5, validity="all")["results"]
        if text not in {m["memory"] for m in found}:
            missed.append(message["id"])
    assert missed == []


def test_every_fact_names_the_turn_it_comes_from(memory: Memory) -> None:
    facts = memory.get_all(user_id="pair", validity="all", limit=1000)["results"]
    assert len(facts) > 100
    for fact in facts:
        assert fact["sources"]
        assert all(source["episode_id"] and memory.get(source["episode_id"]) for source in fact["sources"])


def test_a_second_import_adds_no_row(memory: Memory, conversation: Conversation) -> None:
    before = memory.stats()
    for batch in conversation.batches(40):
        result = memory.add(batch, user_id="pair")
        assert (result["results"], result["episodes"], result["usage"]["model_calls"]) == ([], [], 0)
    assert memory.stats() == before
    assert memory.check() == []
