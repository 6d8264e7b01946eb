"""perdure in several configurations: each signal and each layer of the write path can be switched off."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bench.embedding import CachedEmbedder
from bench.model import Json, Turn
from bench.systems.base import Fed, Item, Query, Reply
from bench.systems.given import GivenModel
from perdure import __version__
from perdure.api.results import MemoryItem
from perdure.compose import open_parts
from perdure.config import Settings
from perdure.core.values import Layer
from perdure.engine import Engine
from perdure.recall.pipeline import SIGNALS
from perdure.sync import SyncEngine
from perdure.testing import CountingIds, FixedClock

BATCH = 50
WORKSPACE = "bench"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """kinds: what is searched, facts or messages (episodes) or both. extraction: `rules`, `given` (the
    dataset's own statements stand for a perfect extractor) or `verbatim`. layers: those that may decide."""

    kinds: tuple[str, ...] = ("fact", "episode")
    signals: frozenset[str] = SIGNALS
    extraction: str = "rules"
    layers: frozenset[Layer] = frozenset(Layer)

    def as_json(self) -> dict[str, Json]:
        return {
            "kinds": list(self.kinds),
            "signals": sorted(self.signals),
            "extraction": self.extraction,
            "layers": sorted(layer.value for layer in self.layers),
        }


class Ours:
    """One configuration over a fresh file for each case. Ids and the clock are the same in every run."""

    def __init__(self, name: str, embedder: CachedEmbedder, options: Options) -> None:
        self.name = name
        self.limits: tuple[str, ...] = ()
        self._embedder = embedder
        self._options = options
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._memory: SyncEngine | None = None
        self._clock = FixedClock()
        self._given = GivenModel()
        self._owner = ""
        self._turn_of: dict[str, str] = {}

    @property
    def about(self) -> Mapping[str, Json]:
        return {
            "system": "perdure",
            "version": __version__,
            "embedder": str(self._embedder.identity),
            "batch": BATCH,
            **self._options.as_json(),
        }

    def reset(self, owner: str) -> None:
        self.close()
        self._owner, self._turn_of = owner, {}
        self._clock, self._given = FixedClock(), GivenModel()
        self._folder = tempfile.TemporaryDirectory(prefix="perdure-bench-")
        path = Path(self._folder.name) / "memory.db"
        settings = Settings(path=path, workspace=WORKSPACE)
        is_given = self._options.extraction == "given"
        opener = partial(
            open_parts,
            path,
            settings,
            embedder=self._embedder,
            fast=self._given if is_given else None,
            strong=None,
            clock=self._clock,
            new_id=CountingIds(),
            check_embedder=True,
            by_rules=not is_given,
            layers=self._options.layers - ({Layer.JUDGE} if is_given else set()),
        )
        self._memory = SyncEngine(Engine(opener, workspace=WORKSPACE))

    def feed(self, turns: Sequence[Turn]) -> Fed:
        """Add the turns in batches of at most 50 of one session."""
        memory = self._opened()
        began, embedding_before = time.perf_counter(), self._embedder.seconds
        counts: Counter[str] = Counter()
        warnings: list[str] = []
        for batch in _batches(turns):
            self._given.learn(batch)
            self._clock.set(max(self._clock(), batch[-1].at))
            result = memory.add(
                [_message(t) for t in batch],
                user_id=self._owner,
                infer=self._options.extraction != "verbatim",
            )
            warnings += result.get("warnings", [])
            for item in result["results"]:
                counts[f"{item['event']} {item.get('layer', '')}".strip()] += 1
        embedding = self._embedder.seconds - embedding_before
        seconds = time.perf_counter() - began - embedding
        counts["turns"] = len(turns)
        return Fed(
            seconds=seconds,
            embedding_seconds=embedding,
            counts=dict(counts),
            warnings=tuple(dict.fromkeys(warnings)),
        )

    def ask(self, query: Query) -> Reply:
        memory = self._opened()
        before = self._embedder.seconds
        asyncio.run(self._embedder.embed_query(query.text))
        embedding = self._embedder.seconds - before
        self._clock.set(max(self._clock(), query.asked_at))
        began = time.perf_counter()
        result = memory.search(
            query.text,
            user_id=self._owner,
            limit=query.limit,
            kinds=list(self._options.kinds),
            signals=sorted(self._options.signals),
            reference_date=query.asked_at,
        )
        seconds = time.perf_counter() - began
        items = tuple(self._item(memory, hit) for hit in result["results"])
        warnings = tuple(f"{name} failed: {why}" for name, why in result.get("failed", {}).items())
        return Reply(items=items, seconds=seconds, embedding_seconds=embedding, warnings=warnings)

    def close(self) -> None:
        if self._memory is not None:
            self._memory.close()
            self._memory = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _opened(self) -> SyncEngine:
        if self._memory is None:
            raise RuntimeError("reset comes first")
        return self._memory

    def _item(self, memory: SyncEngine, hit: MemoryItem) -> Item:
        sources = [s["episode_id"] for s in hit["sources"]]
        turns = [self._turn(memory, i) for i in sources if i is not None]
        return Item(
            turns=tuple(dict.fromkeys(turns)),
            text=_shown(hit),
            kind="turn" if hit["kind"] == "episode" else "fact",
            score=hit["score"],
            state=hit["state"],
        )

    def _turn(self, memory: SyncEngine, episode_id: str) -> str:
        if episode_id not in self._turn_of:
            episode = memory.get(episode_id)
            metadata = (episode["metadata"] if episode else None) or {}
            self._turn_of[episode_id] = str(metadata["turn"])
        return self._turn_of[episode_id]


def _shown(hit: MemoryItem) -> str:
    """A hit as a reader sees it: the day, the speaker of a message, the words, the state if not current."""
    since = (hit["valid_from"] or "")[:10]
    until = (hit["valid_to"] or "")[:10]
    state = "" if hit["state"] == "current" else f" [{hit['state']}{f' until {until}' if until else ''}]"
    speaker = f" {hit['speaker']}:" if hit["kind"] == "episode" and hit["speaker"] else ""
    return f"{since}{speaker} {hit['memory']}{state}".strip()


def _message(turn: Turn) -> dict[str, object]:
    return {
        "role": turn.role,
        "content": turn.text,
        "name": turn.speaker,
        "timestamp": turn.at.isoformat(),
        "id": turn.id,
        "session": turn.session,
        "metadata": {"turn": turn.id},
    }


def _batches(turns: Sequence[Turn]) -> Iterator[list[Turn]]:
    batch: list[Turn] = []
    for turn in turns:
        if batch and (len(batch) == BATCH or turn.session != batch[-1].session):
            yield batch
            batch = []
        batch.append(turn)
    if batch:
        yield batch
