"""A layer that is switched off decides nothing: what a measurement of its worth rests on."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from perdure.compose import open_parts
from perdure.config import Settings
from perdure.core.values import Layer
from perdure.engine import Engine
from perdure.sync import SyncEngine
from perdure.testing import CountingIds, FixedClock, TableEmbedder

SAID = (
    "I live in Porto.",
    "I collect brass telescopes.",
    "I collect brass telescopes.",
    "I collect telescopes of brass.",
)
SAME = TableEmbedder(
    dict.fromkeys(("User collects brass telescopes", "User collects telescopes of brass"), (1.0, 0.0)), 2
)


def decided_by(tmp_path: Path, layers: frozenset[Layer]) -> list[str]:
    """The layer of each decision on a slot, a new fact, the same words, the same in other words."""
    path = tmp_path / "memory.db"
    opener = partial(
        open_parts,
        path,
        Settings(path=path),
        embedder=SAME,
        fast=None,
        strong=None,
        clock=FixedClock(step=timedelta(milliseconds=1)),
        new_id=CountingIds(),
        check_embedder=True,
        by_rules=True,
        layers=layers,
    )
    with SyncEngine(Engine(opener, workspace="w")) as memory:
        added = [memory.add(text, user_id="ana", timestamp=f"2024-03-0{n}") for n, text in enumerate(SAID, 1)]
    return [item["layer"] for result in added for item in result["results"]]


def test_each_layer_decides_what_is_its_own(tmp_path: Path) -> None:
    assert decided_by(tmp_path, frozenset(Layer)) == ["slot", "new", "exact", "near"]


@pytest.mark.parametrize(
    ("off", "layers"),
    [
        (Layer.SLOT, ["new", "new", "exact", "near"]),
        (Layer.EXACT, ["slot", "new", "near", "near"]),
        (Layer.NEAR, ["slot", "new", "exact", "new"]),
    ],
)
def test_what_a_layer_that_is_off_would_have_decided_falls_to_the_next(
    tmp_path: Path, off: Layer, layers: list[str]
) -> None:
    assert decided_by(tmp_path, frozenset(Layer) - {off}) == layers
