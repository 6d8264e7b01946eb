"""What every part of the store contract stands on: opening a store, short ways to write and to look."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from perdure.core.changes import Change, IndexText, LinkEntity, PutEntity, PutEpisode, PutSource, PutVersion
from perdure.core.text import fingerprint, tokenise
from perdure.core.values import (
    Body,
    Claim,
    Entity,
    EntityId,
    Episode,
    EpisodeId,
    Fact,
    FactId,
    ItemKind,
    Role,
    Scope,
    Source,
    SourceId,
    Validity,
    View,
)
from perdure.ports import Applied, Clock, EmbedderIdentity, Match, Store

if TYPE_CHECKING:
    from perdure.ports import Vector

START = datetime(2025, 1, 1, tzinfo=UTC)
IDENTITY = EmbedderIdentity(name="contract-model", dimension=4)
ANA = Scope(workspace="w1", user_id="ana")
BEN = Scope(workspace="w1", user_id="ben")
BOTH: tuple[ItemKind, ...] = ("fact", "episode")
FACTS: tuple[ItemKind, ...] = ("fact",)
EPISODES: tuple[ItemKind, ...] = ("episode",)


def day(number: int) -> datetime:
    """Midnight, `number` days after the start of the contract's calendar; may be negative."""
    return START + timedelta(days=number)


class StepClock:
    """A clock that goes on by one second each time it is read."""

    def __init__(self) -> None:
        self._now = START

    def __call__(self) -> datetime:
        self._now += timedelta(seconds=1)
        return self._now


def view(
    validity: Validity = Validity.UNENDED, *, at: datetime = START, known_at: datetime | None = None
) -> View:
    return View(valid_at=at, validity=validity, known_at=known_at)


def unit(*numbers: float) -> Vector:
    """A vector of unit length in the direction of these four numbers."""
    vector = np.array(numbers, dtype=np.float32)
    return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)


def index(text: str, vector: Vector | None = None) -> IndexText:
    return IndexText(text=text, tokens=tuple(tokenise(text)), vector=vector)


def body(text: str) -> Body:
    return Body(text=text, fingerprint=fingerprint(text))


def new_fact(fact_id: str, said: Body | str, *, vector: Vector | None = None) -> PutVersion:
    made = body(said) if isinstance(said, str) else said
    return PutVersion(fact_id=FactId(fact_id), body=made, expected=0, index=index(made.text, vector))


def new_episode(
    episode_id: str,
    text: str,
    *,
    scope: Scope = ANA,
    said_at: datetime | None = None,
    vector: Vector | None = None,
) -> PutEpisode:
    episode = Episode(
        id=EpisodeId(episode_id),
        scope=scope,
        role=Role.USER,
        text=text,
        fingerprint=fingerprint(text),
        said_at=said_at,
    )
    return PutEpisode(episode=episode, index=index(text, vector))


def new_source(source_id: str, fact_id: str, episode_id: str | None, text: str = "") -> PutSource:
    return PutSource(
        source=Source(
            id=SourceId(source_id),
            fact_id=FactId(fact_id),
            text=text,
            claim=Claim(),
            episode_id=None if episode_id is None else EpisodeId(episode_id),
        )
    )


def mention(entity_id: str, name: str, item_id: str, *, scope: Scope = ANA) -> list[Change]:
    """An entity, and that the fact mentions it."""
    key = name.casefold()
    return [
        PutEntity(entity=Entity(id=EntityId(entity_id), scope=scope, name=name, key=key)),
        LinkEntity(entity_key=key, kind="fact", item_id=item_id),
    ]


def fact_ids(facts: Sequence[Fact]) -> list[str]:
    return [fact.id for fact in facts]


def match_ids(matches: Sequence[Match]) -> list[str]:
    return [match.ref.id for match in matches]


def as_recorded(facts: Sequence[Fact]) -> list[Fact]:
    """The facts without the end of their record time, which a later write sets."""
    open_ended = [replace(fact.version, recorded=replace(fact.version.recorded, end=None)) for fact in facts]
    return [replace(fact, version=version) for fact, version in zip(facts, open_ended, strict=True)]


class ContractBase:
    """Open stores for tests; each test writes with keys of its own choice."""

    async def open_store(self, directory: Path, clock: Clock) -> Store:
        """A new, empty store that keeps its files, if any, in `directory` and takes the time from `clock`."""
        raise NotImplementedError

    @pytest.fixture
    async def store(self, tmp_path: Path) -> AsyncIterator[Store]:
        """An empty store with the contract's embedder."""
        store = await self.open_store(tmp_path, StepClock())
        await store.bind_embedder(IDENTITY)
        yield store
        await store.close()

    @asynccontextmanager
    async def fresh_store(self) -> AsyncIterator[Store]:
        """As `store`, for tests that need a new one for each example."""
        with tempfile.TemporaryDirectory() as directory:
            store = await self.open_store(Path(directory), StepClock())
            await store.bind_embedder(IDENTITY)
            try:
                yield store
            finally:
                await store.close()


async def write(store: Store, *changes: Change, scope: Scope = ANA, key: str | None = None) -> Applied:
    """Apply under the given key, or one made of the changes: the same changes again are then a repeat."""
    return await store.apply(scope, changes, key=key or f"{len(changes)}:{changes!r}")
