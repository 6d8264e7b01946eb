"""mcp-memory-service's own storage class on sqlite-vec, hybrid search; an owner is a `store` of it."""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from worker_lines import Body, Clock, serve, use_loadable_sqlite, versions

PACKAGES = ("mcp-memory-service", "sqlite-vec", "numpy", "requests")


class Worker:
    """One database at a time, in a folder of its own."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.loop = asyncio.new_event_loop()
        self.folder = Path()
        self.storage: Any = None
        self.owner = ""
        self.resets = 0
        # Its key is the text's hash over all owners, so one memory can stand for several equal turns.
        self.turns: dict[str, list[str]] = {}

    def hello(self, request: Body) -> Body:
        self.folder = Path(request["options"]["folder"])
        use_loadable_sqlite()
        import mcp_memory_service.storage.sqlite_vec  # noqa: F401  # fails here rather than later

        return {"versions": versions(*PACKAGES)}

    def reset(self, request: Body) -> Body:
        self._let_go()
        self.resets += 1
        self.owner, self.turns = str(request["owner"]), {}
        self.storage = self._open(self.folder / f"memory{self.resets}")
        return {}

    def use(self, request: Body) -> Body:
        self.owner = str(request["owner"])
        return {}

    def feed(self, request: Body) -> Body:
        turns: Any = request["turns"]
        return self.clock.measure(lambda: self.loop.run_until_complete(self._feed(turns)))

    def ask(self, request: Body) -> Body:
        found = self.storage.retrieve_hybrid
        text, limit = str(request["text"]), int(str(request["limit"]))

        def work() -> Body:
            results = self.loop.run_until_complete(found(text, n_results=limit, store=self.owner))
            return {"items": [self._item(result.memory, result.relevance_score) for result in results]}

        return self.clock.measure(work)

    def list(self, request: Body) -> Body:
        listed = self.storage.get_all_memories

        def work() -> Body:
            memories = self.loop.run_until_complete(listed(limit=request["limit"], store=self.owner))
            return {"items": [self._item(memory, None) for memory in memories]}

        return self.clock.measure(work)

    def close(self, request: Body) -> Body:
        self._let_go()
        return {}

    async def _feed(self, turns: Sequence[dict[str, str]]) -> Body:
        from mcp_memory_service.models.memory import Memory
        from mcp_memory_service.utils.hashing import generate_content_hash

        stored = repeated = 0
        for turn in turns:
            key = generate_content_hash(turn["text"])
            if key in self.turns:
                self.turns[key].append(turn["id"])
                repeated += 1
                continue
            memory = Memory(
                content=turn["text"],
                content_hash=key,
                metadata={"turn": turn["id"], "session": turn["session"]},
                created_at=datetime.fromisoformat(turn["at"]).timestamp(),
                created_at_iso=turn["at"],
            )
            is_stored, why = await self.storage.store(memory, skip_semantic_dedup=True, store=self.owner)
            if not is_stored:
                raise RuntimeError(f"a turn was not stored: {why}")
            self.turns[key] = [turn["id"]]
            stored += 1
        return {"counts": {"memories": stored, "repeated": repeated}}

    def _open(self, folder: Path) -> Any:
        from mcp_memory_service.storage.sqlite_vec import SqliteVecMemoryStorage

        folder.mkdir(parents=True)
        storage = SqliteVecMemoryStorage(str(folder / "memory.db"))
        self.loop.run_until_complete(storage.initialize())
        if "External" not in type(storage.embedding_model).__name__:
            raise RuntimeError(f"embeds by {type(storage.embedding_model).__name__}, not by the given server")
        storage._generate_embedding = self.clock.embedding(storage._generate_embedding)
        return storage

    def _item(self, memory: Any, score: float | None) -> Body:
        return {"turns": self.turns[memory.content_hash], "text": memory.content, "score": score}

    def _let_go(self) -> None:
        if self.storage is not None:
            self.loop.run_until_complete(self.storage.close())
            self.storage = None
            shutil.rmtree(self.folder / f"memory{self.resets}")


if __name__ == "__main__":
    logging.disable(logging.INFO)
    serve(Worker())
