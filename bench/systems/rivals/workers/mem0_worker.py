"""mem0's library, verbatim adds (`infer=False`), no model, no telemetry.

Options: store (qdrant or faiss), keywords (BM25 by mem0 and fastembed; stop words from spaCy, since
fastembed's own list lies on a model hub), entities (linked to each memory by mem0's own function, which its
`infer=False` leaves out), folder, embedding_url, dimension.
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from worker_lines import Body, Clock, serve, versions

PACKAGES = ("mem0ai", "qdrant-client", "faiss-cpu", "fastembed", "spacy", "en-core-web-sm", "openai", "numpy")


class Worker:
    """One memory at a time, in a folder of its own."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.options: Body = {}
        self.memory: Any = None
        self.owner = ""
        self.resets = 0
        self.linked = 0

    def hello(self, request: Body) -> Body:
        self.options = dict(request["options"])
        import mem0.utils.spacy_models as language
        from mem0.memory.telemetry import MEM0_TELEMETRY

        if MEM0_TELEMETRY:
            raise RuntimeError("telemetry is on: set MEM0_TELEMETRY=False before the import")
        if not (self.options["entities"] or self.options["keywords"]):
            # As an installation without the `nlp` extra finds itself.
            language._load_failed_full = language._load_failed_lemma = True
        elif language.get_nlp_full() is None or language.get_nlp_lemma() is None:
            raise RuntimeError("the spaCy model en_core_web_sm cannot be loaded; set the environment up anew")
        return {"versions": versions(*PACKAGES)}

    def reset(self, request: Body) -> Body:
        self._let_go()
        self.resets += 1
        self.owner, self.linked = str(request["owner"]), 0
        self.memory = self._open(Path(str(self.options["folder"])) / f"memory{self.resets}")
        return {}

    def use(self, request: Body) -> Body:
        self.owner = str(request["owner"])
        return {}

    def feed(self, request: Body) -> Body:
        return self.clock.measure(lambda: self._feed(request["turns"]))

    def ask(self, request: Body) -> Body:
        return self.clock.measure(lambda: self._ask(str(request["text"]), int(str(request["limit"]))))

    def list(self, request: Body) -> Body:
        return self.clock.measure(lambda: self._list(int(str(request["limit"]))))

    def close(self, request: Body) -> Body:
        self._let_go()
        return {}

    def _feed(self, turns: Sequence[dict[str, str]]) -> Body:
        linked = self.linked
        for turn in turns:
            added = self.memory.add(
                turn["text"],
                user_id=self.owner,
                infer=False,
                metadata={"turn": turn["id"], "session": turn["session"], "said_at": turn["at"]},
            )["results"]
            if len(added) != 1:
                raise RuntimeError(f"one turn became {len(added)} memories")
            if self.options["entities"]:
                self.memory._link_entities_for_memory(added[0]["id"], turn["text"], {"user_id": self.owner})
        counts = {"memories": len(turns)}
        if self.options["entities"]:
            counts["entity_links"] = self.linked - linked
        return {"counts": counts}

    def _ask(self, text: str, limit: int) -> Body:
        found = self.memory.search(text, filters={"user_id": self.owner}, top_k=limit, threshold=0.0)
        return {"items": [_item(memory) for memory in found["results"]]}

    def _list(self, limit: int) -> Body:
        found = self.memory.get_all(filters={"user_id": self.owner}, top_k=limit)
        return {"items": [_item(memory) for memory in found["results"]]}

    def _open(self, folder: Path) -> Any:
        from mem0 import Memory

        folder.mkdir(parents=True)
        memory = Memory.from_config(_config(self.options, folder))
        memory.embedding_model.embed = self.clock.embedding(memory.embedding_model.embed)
        memory.embedding_model.embed_batch = self.clock.embedding(memory.embedding_model.embed_batch)
        upsert = memory._upsert_entity

        def counted(*args: object) -> None:
            upsert(*args)
            self.linked += 1

        memory._upsert_entity = counted
        if self.options["store"] == "qdrant":
            memory.vector_store._bm25_encoder = _keyword_encoder() if self.options["keywords"] else False
        if self.options["keywords"] and memory.vector_store._encode_bm25("harbour") is None:
            raise RuntimeError("BM25 was asked for and does not work; mem0 would go on without it, silently")
        return memory

    def _let_go(self) -> None:
        if self.memory is None:
            return
        client = getattr(self.memory.vector_store, "client", None)
        if client is not None:
            client.close()
        self.memory.db.close()
        self.memory = None
        shutil.rmtree(Path(str(self.options["folder"])) / f"memory{self.resets}")


def _config(options: Body, folder: Path) -> dict[str, object]:
    openai = {"api_key": "none", "openai_base_url": options["embedding_url"]}
    store: dict[str, object] = {
        "path": str(folder / "store"),
        "collection_name": "turns",
        "embedding_model_dims": options["dimension"],
    }
    if options["store"] == "qdrant":
        store["on_disk"] = True
    else:
        store["distance_strategy"] = "cosine"
    return {
        "llm": {"provider": "openai", "config": openai},
        "embedder": {
            "provider": "openai",
            "config": {**openai, "model": "local", "embedding_dims": options["dimension"]},
        },
        "vector_store": {"provider": options["store"], "config": store},
        "history_db_path": str(folder / "history.db"),
    }


def _keyword_encoder() -> Any:
    from fastembed import SparseTextEmbedding
    from spacy.lang.en.stop_words import STOP_WORDS

    return SparseTextEmbedding(
        "Qdrant/bm25", specific_model_path=str(Path(__file__).parent), stopwords=set(STOP_WORDS)
    )


def _item(memory: dict[str, Any]) -> Body:
    return {
        "turns": [memory["metadata"]["turn"]],
        "text": memory["memory"],
        "score": memory.get("score"),
        "kind": "turn",
    }


if __name__ == "__main__":
    # mem0 warns once for each thing that is not there offline; the parent says them as limits.
    logging.basicConfig(level=logging.ERROR)
    serve(Worker())
