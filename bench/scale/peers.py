"""A rival in the scale bench: filled with the same world within a time budget, then asked the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bench.model import Turn
from bench.scale.vectors import SumEmbedder
from bench.scale.world import BATCH, World
from bench.systems.base import Query
from bench.systems.rivals.catalogue import make_rival
from bench.systems.rivals.rival import RivalSystem

_NOW = datetime(2025, 6, 1, tzinfo=UTC)
_CALL_TIMEOUT_S = 600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """reached: turns it took in before its budget was spent. seconds: its own, without embedding."""

    system: RivalSystem
    reached: int
    seconds: float


def start_peer(name: str, *, folder: Path | None = None) -> RivalSystem:
    return make_rival(name, SumEmbedder(), folder=folder, call_timeout_s=_CALL_TIMEOUT_S)


def fill_peer(
    system: RivalSystem, world: World, *, budget_s: float, on_step: Callable[[int], None]
) -> Filled:
    """Feed the world until the budget (of own seconds) or the world ends; `on_step` gets how many are in.

    Batches come in the same order as for perdure, so a rival that stops early holds a mix of all users.
    """
    system.reset(next(iter(world.counts)))
    reached, seconds = 0, 0.0
    for batch in world.batches(BATCH // 10):
        if seconds > budget_s:
            break
        system.use(batch.owner)
        seconds += system.feed(batch.turns).seconds
        reached += len(batch.turns)
        on_step(reached)
    return Filled(system=system, reached=reached, seconds=seconds)


def asking(system: RivalSystem, owner: str, text: str) -> float:
    """The rival's own seconds."""
    system.use(owner)
    return system.ask(Query(text=text, asked_at=_NOW, limit=10)).seconds


def adding(system: RivalSystem, owner: str, turn: Turn) -> float:
    system.use(owner)
    return system.feed([turn]).seconds


def listing(system: RivalSystem, owner: str, count: int) -> float:
    system.use(owner)
    return system.list_newest(count).seconds
