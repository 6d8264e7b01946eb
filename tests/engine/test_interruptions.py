"""What breaks a call off must not lose what it stored, and must not hold up who comes next."""

from __future__ import annotations

import asyncio
import os
import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any  # for arguments that are wrong on purpose

import pytest

from perdure import AsyncMemory, Memory, errors
from perdure.embed.hashing import HashingEmbedder
from perdure.errors import InvalidInput, NotFound, StoreClosed
from perdure.ports import Answer, Question
from perdure.prompts.replies import ExtractReply

DATED = {"role": "user", "content": "I live in Porto.", "timestamp": "2024-01-05"}


class Stalling(HashingEmbedder):
    """Never answers while `is_stalling`."""

    is_stalling = True

    def __init__(self) -> None:
        super().__init__()
        self.reached = asyncio.Event()

    async def embed_documents(self, texts: Sequence[str]):  # type: ignore[no-untyped-def]  # as its parent
        self.reached.set()
        if self.is_stalling:
            await asyncio.Event().wait()
        return await super().embed_documents(texts)


async def break_off(memory: AsyncMemory, embedder: Stalling, *, key: str | None = None) -> None:
    task = asyncio.create_task(memory.add(DATED, user_id="ana", idempotency_key=key))
    await embedder.reached.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_cancelled_add_is_finished_by_its_repeat() -> None:
    embedder = Stalling()
    async with AsyncMemory(":memory:", embedder=embedder, model="rules") as memory:
        await break_off(memory, embedder)
        assert (await memory.stats())["failed_operations"] == 1
        embedder.is_stalling = False
        again = await memory.add(DATED, user_id="ana")
        assert [item["event"] for item in again["results"]] == ["ADD"]
        stats = await memory.stats()
        assert (stats["episodes"], stats["facts"], stats["failed_operations"], stats["open_operations"]) == (
            1,
            1,
            0,
            0,
        )


async def test_a_cancelled_add_is_finished_by_resume() -> None:
    embedder = Stalling()
    async with AsyncMemory(":memory:", embedder=embedder, model="rules") as memory:
        await break_off(memory, embedder)
        embedder.is_stalling = False
        assert await memory.resume() == 1
        assert (await memory.stats())["facts"] == 1
        assert await memory.check() == []


async def test_a_cancelled_add_with_a_key_is_finished_by_its_repeat() -> None:
    embedder = Stalling()
    async with AsyncMemory(":memory:", embedder=embedder, model="rules") as memory:
        await break_off(memory, embedder, key="k")
        embedder.is_stalling = False
        again = await memory.add(DATED, user_id="ana", idempotency_key="k")
        assert [item["event"] for item in again["results"]] == ["ADD"]


class Silent:
    """A model that never answers."""

    name = "silent"

    def __init__(self) -> None:
        self.reached = asyncio.Event()

    async def ask(self, question: Question) -> Answer:
        self.reached.set()
        await asyncio.Event().wait()
        return Answer(value=ExtractReply(facts=[]), model=self.name)

    async def close(self) -> None:
        """Nothing is held."""


async def test_opening_and_reading_never_wait_for_a_model(tmp_path: Path) -> None:
    path, model, silent = tmp_path / "memory.db", Silent(), Silent()
    first = AsyncMemory(path, embedder="hashing", model=silent)
    adding = asyncio.create_task(first.add(DATED, user_id="ana"))
    await silent.reached.wait()
    async with AsyncMemory(path, embedder="hashing", model=model) as second:
        found = await second.search("Porto", user_id="ana")
        assert [m["memory"] for m in found["results"]] == ["I live in Porto."]
        assert not model.reached.is_set()
    adding.cancel()
    await asyncio.gather(adding, return_exceptions=True)
    await first.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_memory_opened_before_a_fork_says_so_in_the_child() -> None:
    with Memory(":memory:", embedder="hashing", model="rules") as memory:
        child = os.fork()
        if child == 0:
            try:
                memory.stats()
            except StoreClosed:
                os._exit(7)
            os._exit(1)
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == 7


@pytest.mark.parametrize(
    "error",
    [
        NotFound("memory", "x"),
        InvalidInput("limit", "zero", "Use 1 to 1000."),
        errors.EmbedderMismatch("one", "two"),
        errors.ExtractionFailed("o1", "ModelUnavailable"),
        errors.IdempotencyConflict(),
        errors.StaleWrite("f1"),
    ],
)
def test_errors_cross_processes_as_they_are(error: errors.PerdureError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), vars(copy)) == (type(error), str(error), vars(error))


def test_slot_value_that_is_updated_stays_in_its_slot(tmp_path: Path) -> None:
    with Memory(":memory:", embedder="hashing", model="rules") as memory:
        home = memory.add("I live in Porto.", user_id="ana", timestamp="2024-01-01")["results"][0]["id"]
        memory.update(home, "User lives in Braga")
        memory.add("I moved to Rome.", user_id="ana", timestamp="2024-06-01")
        assert [m["value"] for m in memory.get_all(user_id="ana")["results"]] == ["Rome"]


def test_erasing_the_newest_value_opens_the_one_before() -> None:
    with Memory(":memory:", embedder="hashing", model="rules") as memory:
        memory.add("I live in Porto.", user_id="ana", timestamp="2024-01-01")
        newest = memory.add("I live in Lisbon.", user_id="ana", timestamp="2024-02-01")["results"][0]["id"]
        memory.erase(newest)
        (left,) = memory.get_all(user_id="ana")["results"]
        assert (left["value"], left["valid_to"], left["state"]) == ("Porto", None, "current")
        assert memory.check() == []


def test_a_deleted_message_told_again_is_said_to_be_deleted() -> None:
    with Memory(":memory:", embedder="hashing", model="rules") as memory:
        home = memory.add(DATED, user_id="ana")["results"][0]["id"]
        memory.delete(home)
        again = memory.add(DATED, user_id="ana")
        assert "was deleted; undo the deletion" in again["skipped"][0]["reason"]


def test_a_bound_that_another_value_overrules_is_refused() -> None:
    with Memory(":memory:", embedder="hashing", model="rules") as memory:
        home = memory.add("I live in Porto.", user_id="ana", timestamp="2024-01-01")["results"][0]["id"]
        memory.add("I live in Lisbon.", user_id="ana", timestamp="2024-02-01")
        with pytest.raises(InvalidInput, match="another value of this attribute"):
            memory.update(home, valid_to=None)


@pytest.mark.parametrize("wrong", [5, b"x", None, ""])
def test_ids_that_are_no_text_are_refused_by_name(wrong: object) -> None:
    with Memory(":memory:", embedder="hashing", model="rules") as memory:
        verbs: list[Any] = [memory.get, memory.delete, memory.history, memory.undo, memory.decision]
        for verb in verbs:
            with pytest.raises(InvalidInput, match="_id"):
                verb(wrong)


def test_identity_of_an_embedder_is_part_of_the_store() -> None:
    with Memory(":memory:", embedder="hashing", model="rules") as memory:
        memory.add("Keeps bees", user_id="ana", infer=False)
        assert memory.stats()["embedder"] == "hashing/v1 (256 dimensions, unit length)"
