"""What a memory system must do to be measured: four methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from bench.model import Json, Turn, TurnId


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A question as a system sees it: its words, the asker's now (UTC) and how many items are wanted."""

    text: str
    asked_at: datetime
    limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing that came back. turns: the turns that it was made from, most telling first; an item that
    knows none has an empty tuple and counts as noise. kind: `turn`, `fact` or `window`.
    score: as the system gives it, None if it gives none. state: current, closed ... where it has one.
    """

    turns: tuple[TurnId, ...]
    text: str
    kind: str = "turn"
    score: float | None = None
    state: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """items: best first. seconds: the system's own time without that of embedding the query, which is
    `embedding_seconds`. warnings: what went less than well, for the result line."""

    items: tuple[Item, ...]
    seconds: float
    embedding_seconds: float = 0.0
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fed:
    """What one `feed` did. seconds, embedding_seconds: as in Reply. counts: what the system made, such as
    facts, decisions by layer, model calls."""

    seconds: float
    embedding_seconds: float = 0.0
    counts: Mapping[str, int] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


class System(Protocol):
    """One configuration of a memory system.

    about: all that makes its figures what they are (name, versions, embedder, options); it goes into every
    result line and tells runs apart. limits: what it cannot do here and why, said beside its figures.
    """

    @property
    def name(self) -> str: ...

    @property
    def about(self) -> Mapping[str, Json]: ...

    @property
    def limits(self) -> tuple[str, ...]: ...

    def reset(self, owner: str) -> None:
        """Forget everything; what follows belongs to this user."""

    def feed(self, turns: Sequence[Turn]) -> Fed:
        """Take in these turns, which follow those fed before."""

    def ask(self, query: Query) -> Reply:
        """What answers the query, best first, at most `limit` items."""

    def close(self) -> None:
        """Let go of everything."""
