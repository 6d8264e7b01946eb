"""LangGraph's SqliteStore with a vector index: one namespace for each owner, one key for each turn."""

from __future__ import annotations

import json
import shutil
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from worker_lines import Body, Clock, serve, use_loadable_sqlite, versions

PACKAGES = ("langgraph-checkpoint-sqlite", "langgraph-checkpoint", "sqlite-vec")


class Worker:
    """One database at a time, in a folder of its own."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.options: Body = {}
        self.connection: Any = None
        self.store: Any = None
        self.owner = ""
        self.resets = 0

    def hello(self, request: Body) -> Body:
        self.options = dict(request["options"])
        use_loadable_sqlite()
        import langgraph.store.sqlite  # noqa: F401  # fails here rather than later

        return {"versions": versions(*PACKAGES)}

    def reset(self, request: Body) -> Body:
        self._let_go()
        self.resets += 1
        self.owner = str(request["owner"])
        self._open(self._folder())
        return {}

    def use(self, request: Body) -> Body:
        self.owner = str(request["owner"])
        return {}

    def feed(self, request: Body) -> Body:
        turns: Any = request["turns"]
        return self.clock.measure(lambda: self._feed(turns))

    def ask(self, request: Body) -> Body:
        text, limit = str(request["text"]), int(str(request["limit"]))
        return self.clock.measure(lambda: self._items(query=text, limit=limit))

    def list(self, request: Body) -> Body:
        return self.clock.measure(lambda: self._items(query=None, limit=int(str(request["limit"]))))

    def close(self, request: Body) -> Body:
        self._let_go()
        return {}

    def _feed(self, turns: Sequence[dict[str, str]]) -> Body:
        from langgraph.store.base import PutOp

        values = [{"text": t["text"], "turn": t["id"], "said_at": t["at"]} for t in turns]
        self.store.batch([PutOp((self.owner,), value["turn"], value) for value in values])
        return {"counts": {"memories": len(turns)}}

    def _items(self, *, query: str | None, limit: int) -> Body:
        found = self.store.search((self.owner,), query=query, limit=limit)
        return {
            "items": [
                {"turns": [item.value["turn"]], "text": item.value["text"], "score": item.score}
                for item in found
            ]
        }

    def _open(self, folder: Path) -> None:
        import sqlite3

        from langgraph.store.sqlite import SqliteStore

        folder.mkdir(parents=True)
        self.connection = sqlite3.connect(folder / "store.db", check_same_thread=False, isolation_level=None)
        embed = self.clock.embedding(self._embed)
        index = {"dims": self.options["dimension"], "embed": embed, "fields": ["text"]}
        self.store = SqliteStore(self.connection, index=index)
        self.store.setup()

    def _embed(self, texts: Sequence[str]) -> object:
        request = urllib.request.Request(
            f"{self.options['embedding_url']}/embeddings",
            data=json.dumps({"input": list(texts), "model": "local"}).encode(),
            headers={"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request) as answer:
            return [entry["embedding"] for entry in json.load(answer)["data"]]

    def _folder(self) -> Path:
        return Path(str(self.options["folder"])) / f"memory{self.resets}"

    def _let_go(self) -> None:
        if self.connection is not None:
            self.connection.close()
            self.connection = None
            shutil.rmtree(self._folder())


if __name__ == "__main__":
    serve(Worker())
