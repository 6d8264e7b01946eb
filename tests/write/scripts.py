"""Scripted replies and exact vectors: what the tests of the write path share."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from perdure import Memory
from perdure.api.results import AddResult
from perdure.core.values import Json
from perdure.ports import Embedder
from perdure.testing import FixedClock, RawReply, ScriptedModel, TableEmbedder

DIMENSION = 64
Reply = str | RawReply | Exception


def fact(text: str, **more: Json) -> dict[str, Json]:
    return {"text": text, **more}


def found(*facts: dict[str, Json] | str) -> str:
    """A reply of the extracting model."""
    return json.dumps({"facts": [fact(f) if isinstance(f, str) else f for f in facts]})


def verdict(
    action: str, target: str | None = None, quote: str | None = None, **more: Json
) -> dict[str, Json]:
    return {"draft": "D1", "action": action, "target": target, "quote": quote, "reason": "as told", **more}


def judged(*verdicts: dict[str, Json]) -> str:
    """A reply of the judging model."""
    return json.dumps({"decisions": list(verdicts)})


def near(cosine: float, axis: int, *, base: int = 0) -> list[float]:
    """A unit vector whose cosine to the `base` axis is given; two of them differ in their own `axis`."""
    vector = [0.0] * DIMENSION
    vector[base] = cosine
    vector[axis] = math.sqrt(1 - cosine**2)
    return vector


@dataclass(kw_only=True)
class World:
    """A memory with the models it asks."""

    memory: Memory
    extractor: ScriptedModel
    judge: ScriptedModel
    clock: FixedClock

    def tell(self, text: str, **more: Json) -> AddResult:
        return self.memory.add({"role": "user", "content": text, **more}, user_id="ana")

    def current(self) -> list[str]:
        """The texts of all unended facts, sorted."""
        return sorted(m["memory"] for m in self.memory.get_all(user_id="ana")["results"])

    def everything(self) -> list[str]:
        return sorted(m["memory"] for m in self.memory.get_all(user_id="ana", validity="all")["results"])

    def id_of(self, text: str) -> str:
        (one,) = [
            m["id"]
            for m in self.memory.get_all(user_id="ana", validity="all")["results"]
            if m["memory"] == text
        ]
        return one


@contextmanager
def world(
    extracts: Sequence[Reply],
    *,
    verdicts: Sequence[Reply] = (),
    table: Mapping[str, Sequence[float]] | None = None,
    embedder: Embedder | None = None,
) -> Iterator[World]:
    """A fresh memory; every model call beyond the script fails the test."""
    extractor, judge = ScriptedModel(extracts), ScriptedModel(verdicts)
    clock = FixedClock(datetime(2026, 1, 5, 9, 0, tzinfo=UTC), timedelta(seconds=1))
    with Memory(
        ":memory:",
        embedder=embedder or TableEmbedder(table or {}, DIMENSION),
        model=extractor,
        strong_model=judge,
        clock=clock,
    ) as memory:
        yield World(memory=memory, extractor=extractor, judge=judge, clock=clock)
        assert memory.check() == []


def only(result: AddResult) -> dict[str, object]:
    """The one item of an answer."""
    (item,) = result["results"]
    return dict(item)
