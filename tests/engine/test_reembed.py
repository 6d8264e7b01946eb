"""Another embedding model: refused at the door, moved to by one command; search works meanwhile."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from perdure import Memory
from perdure.embed.hashing import HashingEmbedder
from perdure.errors import EmbedderError, EmbedderMismatch
from perdure.testing import TableEmbedder
from perdure.upkeep import EMBED_BATCH

if TYPE_CHECKING:
    from perdure.ports import Matrix

COUNT = 2 * EMBED_BATCH + 10


class Stumbling(TableEmbedder):
    """Answers so many batches, then fails, as a server that goes away."""

    def __init__(self, batches: int) -> None:
        super().__init__({}, 32, name="new/v1")
        self.left = batches

    async def embed_documents(self, texts: object) -> Matrix:
        if self.left == 0:
            raise EmbedderError("the server went away")
        self.left -= 1
        return await super().embed_documents(texts)  # type: ignore[arg-type]  # passed on as it came


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "memory.db"
    with Memory(path, embedder=HashingEmbedder(), model="rules") as memory:
        memory.add([f"Note {n} of the harbour" for n in range(COUNT // 2)], user_id="ana", infer=False)
    return path


def found(memory: Memory, query: str) -> str:
    result = memory.search(query, user_id="ana", signals=["vector"], kinds=["fact"], limit=1)
    assert "failed" not in result
    return result["results"][0]["memory"]


def test_another_model_is_refused_with_the_command_that_helps(path: Path) -> None:
    with pytest.raises(EmbedderMismatch, match="perdure reembed") as raised:
        Memory(path, embedder=TableEmbedder({}, 32, name="new/v1"), model="rules")
    assert "hashing/v1" in str(raised.value)
    assert "new/v1" in str(raised.value)


def test_another_dimension_of_the_same_model_is_refused(path: Path) -> None:
    with pytest.raises(EmbedderMismatch):
        Memory(path, embedder=HashingEmbedder(128), model="rules")


def test_reembedding_resumes_where_it_stopped_and_search_goes_on_meanwhile(path: Path) -> None:
    stumbling = Stumbling(batches=1)
    memory = Memory(path, embedder=stumbling, model="rules", for_reembedding=True)
    with memory, pytest.raises(EmbedderError, match="went away"):
        memory.reembed()
    with Memory(path, embedder=HashingEmbedder(), model="rules") as memory:
        assert found(memory, "Note 7 of the harbour") == "Note 7 of the harbour"
        assert memory.check() == []
    fresh = TableEmbedder({}, 32, name="new/v1")
    with Memory(path, embedder=fresh, model="rules", for_reembedding=True) as memory:
        assert memory.reembed() == COUNT // 2 * 2 - EMBED_BATCH
    assert len(stumbling.documents) + len(fresh.documents) == COUNT // 2 * 2
    with Memory(path, embedder=TableEmbedder({}, 32, name="new/v1"), model="rules") as memory:
        assert found(memory, "Note 7 of the harbour") == "Note 7 of the harbour"
        assert memory.stats()["waiting_vectors"] == 0
        assert memory.check() == []


def test_what_another_process_adds_meanwhile_is_embedded_too(path: Path) -> None:
    with Memory(path, embedder=HashingEmbedder(), model="rules") as other:

        class Meddling(TableEmbedder):
            """While it works, somebody adds a note with the old model."""

            async def embed_documents(self, texts: object) -> Matrix:
                if not self.documents:
                    other.add("Late note about a lighthouse", user_id="ana", infer=False)
                return await super().embed_documents(texts)  # type: ignore[arg-type]  # passed on as it came

        meddling = Meddling({}, 32, name="new/v1")
        with Memory(path, embedder=meddling, model="rules", for_reembedding=True) as memory:
            memory.reembed()
            assert found(memory, "Late note about a lighthouse") == "Late note about a lighthouse"
        result = other.search("harbour", user_id="ana")
        assert result["failed"] == {"vector": "EmbedderMismatch"}
        assert len(result["results"]) > 0


def test_facts_wait_for_vectors_while_the_embedder_is_away_and_are_found_by_words() -> None:
    embedder = Stumbling(batches=0)
    with Memory(":memory:", embedder=embedder, model="rules") as memory:
        result = memory.add("I live in Porto.", user_id="ana")
        assert result["warnings"] == ["vectors will be made later: EmbedderError"]
        assert memory.stats()["waiting_vectors"] == 2
        found_by_words = memory.search("Porto", user_id="ana", kinds=["fact"])["results"]
        assert [m["value"] for m in found_by_words] == ["Porto"]
        embedder.left = 9
        memory.resume()
        assert memory.stats()["waiting_vectors"] == 0
        assert found(memory, "User lives in Porto") == "User lives in Porto"
