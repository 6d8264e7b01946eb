"""What the engine asks of the world: a store, models, embedders. Small protocols; adapters implement them.

The clock is a callable giving an aware datetime in UTC; ids come from a callable too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Generic, Literal, Protocol, TypeAlias, TypeVar

from perdure.core.changes import Change
from perdure.core.filters import Filter
from perdure.core.interval import Interval
from perdure.core.values import (
    Decision,
    DecisionId,
    Entity,
    EntityId,
    Episode,
    EpisodeId,
    Fact,
    FactId,
    ItemKind,
    Operation,
    OperationId,
    Scope,
    Slot,
    Source,
    Version,
    View,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from pydantic import BaseModel

    Vector: TypeAlias = NDArray[np.float32]
    Matrix: TypeAlias = NDArray[np.float32]

Clock: TypeAlias = Callable[[], datetime]
NewId: TypeAlias = Callable[[], str]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Ref:
    """A fact or an episode, by id."""

    kind: ItemKind
    id: str


@dataclass(frozen=True, slots=True)
class Match:
    """A found item with the raw score of the signal that found it (cosine in [-1, 1], BM25 > 0)."""

    ref: Ref
    score: float


@dataclass(frozen=True, slots=True)
class Link:
    """An item mentions an entity."""

    entity_id: EntityId
    ref: Ref


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """The record time of the transaction; was_repeat: its key was applied before, nothing was done."""

    recorded_at: datetime
    was_repeat: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(Generic[T]):
    """One page in a fixed order; `next` is the opaque cursor of the page after it, or None."""

    items: tuple[T, ...]
    next: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderIdentity:
    """What makes vectors comparable: model, dimension, and whether they have unit length."""

    name: str
    dimension: int
    is_normalised: bool = True

    def __str__(self) -> str:
        unit = "unit length" if self.is_normalised else "not normalised"
        return f"{self.name} ({self.dimension} dimensions, {unit})"


@dataclass(frozen=True, slots=True)
class WaitingVector:
    """An index entry without a vector of the wanted model; `unit_id` names it to `store_vectors`."""

    unit_id: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What an erase removed. rows: per table. remains: erased texts still found in the files; 0 is proof."""

    erased_at: datetime
    facts: int
    episodes: int
    rows: Mapping[str, int]
    remains: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreStats:
    """Counts in a scope. closed: facts whose valid time has ended. bytes: of the whole store."""

    facts: int
    closed: int
    episodes: int
    entities: int
    decisions: int
    waiting_vectors: int
    open_operations: int
    failed_operations: int
    bytes: int
    schema_version: int
    embedder: EmbedderIdentity | None


class Store(Protocol):
    """One place that keeps facts, words, vectors and graph in step.

    `scope` comes first and has no default. A read of a scope sees every item whose scope it covers
    (`Scope.covers`), except where a method says *exact scope*. Every `view` is applied, together with
    scope and `where`, before ranking and before `limit`. Results that tie are ordered by id.
    Driver errors arrive as StoreError.
    """

    async def apply(self, scope: Scope, changes: Sequence[Change], *, key: str) -> Applied:
        """Do all changes in one transaction, or none. A key that was applied in this workspace is a no-op.

        `scope` is the exact scope of what is new, and must cover what is changed (else NotFound).
        Record times grow strictly from one transaction to the next, over all processes.
        """
        ...

    # facts

    async def facts(self, scope: Scope, ids: Sequence[str], *, view: View | None) -> list[Fact]:
        """The facts with these ids, in the order asked; those missing or not shown are left out.

        view None: the current version, whatever its status or validity. Sources are those of the view.
        """
        ...

    async def list_facts(
        self, scope: Scope, *, view: View, where: Filter | None, limit: int, after: str | None
    ) -> Page[Fact]:
        """Facts by creation, newest first; `after` is the cursor of the page before."""
        ...

    async def count_facts(self, scope: Scope, *, view: View, where: Filter | None) -> int: ...

    async def history(self, scope: Scope, fact_id: FactId) -> list[Version]:
        """Every version of a fact, oldest first; empty if there is no such fact in the scope."""
        ...

    async def slot_facts(self, scope: Scope, slots: Sequence[Slot]) -> list[Fact]:
        """Exact scope: current versions in these slots, save deleted and merged ones, with sources."""
        ...

    async def facts_by_fingerprint(self, scope: Scope, fingerprints: Sequence[str]) -> list[Fact]:
        """Exact scope: current visible versions with these fingerprints, with sources."""
        ...

    async def facts_of_episodes(self, scope: Scope, episode_ids: Sequence[EpisodeId]) -> list[Fact]:
        """Facts that currently rest on any of these episodes, whatever their status, with sources."""
        ...

    async def sources(
        self, scope: Scope, fact_ids: Sequence[str], *, known_at: datetime | None
    ) -> list[Source]:
        """What supported these facts at a record time (None: now), whatever their status; oldest first."""
        ...

    # episodes

    async def episodes(self, scope: Scope, ids: Sequence[str], *, view: View | None) -> list[Episode]:
        """The episodes with these ids, in the order asked. view None shows hidden ones too."""
        ...

    async def list_episodes(
        self, scope: Scope, *, view: View, where: Filter | None, limit: int, after: str | None
    ) -> Page[Episode]:
        """Episodes in the order they were recorded, oldest first."""
        ...

    async def stale_episodes(self, scope: Scope, ids: Sequence[EpisodeId], *, view: View) -> set[EpisodeId]:
        """Of these episodes, those that state something, all of which has ended by the view's `valid_at`.

        A retracted fact counts as ended; an episode that no fact rests on is never stale.
        """
        ...

    async def episode_ids(self, scope: Scope, fingerprints: Sequence[str]) -> dict[str, EpisodeId]:
        """Exact scope: which of these fingerprints are stored, hidden ones too."""
        ...

    # signals; kinds says which of facts and episodes to look at

    async def search_vectors(
        self,
        scope: Scope,
        vector: Vector,
        *,
        kinds: Sequence[ItemKind],
        view: View,
        where: Filter | None,
        limit: int,
    ) -> list[Match]:
        """The nearest items by cosine, best first: exact under every filter."""
        ...

    async def search_keywords(
        self,
        scope: Scope,
        tokens: Sequence[str],
        *,
        kinds: Sequence[ItemKind],
        view: View,
        where: Filter | None,
        limit: int,
    ) -> list[Match]:
        """The best items by BM25 (k1 1.2, b 0.75) over the distinct tokens, best first.

        Corpus statistics are those of the scope, at the view's record time. Tokens are data.
        """
        ...

    async def search_times(
        self,
        scope: Scope,
        window: Interval,
        *,
        kinds: Sequence[ItemKind],
        view: View,
        where: Filter | None,
        limit: int,
    ) -> list[Ref]:
        """Items that begin in the window (facts by valid_from, episodes by said_at), latest first."""
        ...

    # graph

    async def entities(self, scope: Scope, keys: Sequence[str]) -> list[Entity]:
        """The entities with these keys, in every scope covered."""
        ...

    async def entities_by_id(self, scope: Scope, ids: Sequence[EntityId]) -> list[Entity]: ...

    async def links_of_entities(
        self,
        scope: Scope,
        ids: Sequence[EntityId],
        *,
        view: View,
        limit: int,
        where: Filter | None = None,
    ) -> list[Link]:
        """What mentions these entities and is shown by the view, newest first; for each entity at most
        `limit` facts and `limit` episodes."""
        ...

    async def links_of_items(self, scope: Scope, refs: Sequence[Ref], *, view: View) -> list[Link]:
        """Which entities these items mention, as the view's record time knows; shown or not."""
        ...

    # decisions and operations

    async def decisions(
        self,
        scope: Scope,
        *,
        ids: Sequence[DecisionId] = (),
        fact_id: FactId | None = None,
        operation_id: OperationId | None = None,
    ) -> list[Decision]:
        """By id, by fact (as fact, target or one it changed) or by operation; oldest first."""
        ...

    async def operation(self, scope: Scope, operation_id: OperationId) -> Operation | None: ...

    async def operation_by_key(self, scope: Scope, idempotency_key: str) -> Operation | None:
        """The operation of this workspace that carries the key."""
        ...

    async def operations(
        self, scope: Scope, *, state: Literal["captured", "done", "failed"] | None, limit: int
    ) -> list[Operation]:
        """Newest first."""
        ...

    async def claim_operations(
        self, *, owner: str, lease_until: datetime, is_alive: Callable[[str], bool], limit: int
    ) -> list[Operation]:
        """Take captured operations of every scope whose lease ended or whose owner is dead; oldest first."""
        ...

    async def operation_episodes(self, scope: Scope, operation_id: OperationId) -> list[Episode]:
        """The episodes that an operation captured, in order."""
        ...

    # embedder

    async def embedder(self) -> EmbedderIdentity | None:
        """The model whose vectors search uses; None before the first."""
        ...

    async def bind_embedder(self, identity: EmbedderIdentity) -> None:
        """Remember the model of a new store; EmbedderMismatch if the store has another one."""
        ...

    async def waiting_vectors(self, identity: EmbedderIdentity, *, limit: int) -> list[WaitingVector]:
        """Index entries that have no vector of this model yet, oldest first."""
        ...

    async def store_vectors(self, identity: EmbedderIdentity, vectors: Sequence[tuple[int, Vector]]) -> None:
        """Keep vectors of this model beside those in use, by unit id."""
        ...

    async def switch_embedder(self, identity: EmbedderIdentity) -> None:
        """Use this model from now on, drop the vectors of others; StillWaiting if any misses its vector."""
        ...

    # care

    async def erase(self, scope: Scope, *, fact_ids: Sequence[str], episode_ids: Sequence[str]) -> Receipt:
        """Remove for ever: the facts, the episodes, and all that holds their words, in every table and file.

        Facts that rest on erased episodes alone go too; others lose that source. Entities that nothing
        mentions any more go with them. Kept answers of operations that touched them are dropped.
        """
        ...

    async def scope_items(self, scope: Scope) -> tuple[list[FactId], list[EpisodeId]]:
        """The ids of all facts and episodes that the scope covers, whatever their status."""
        ...

    async def check(self) -> list[str]:
        """Every broken invariant, one line each; empty when rows, words, vectors and graph agree."""
        ...

    async def stats(self, scope: Scope) -> StoreStats: ...

    async def reset(self) -> None:
        """Remove everything from the store, for every scope."""
        ...

    async def close(self) -> None: ...


class Embedder(Protocol):
    """Text to vectors. Answers are float32, one row a text, in the order given."""

    @property
    def identity(self) -> EmbedderIdentity: ...

    async def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """(n, d) with n = len(texts). Batches respect the model's limits. EmbedderError on failure."""
        ...

    async def embed_query(self, text: str) -> Vector:
        """(d,)"""
        ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One call to a chat model. reply: the pydantic model that the answer must fit."""

    purpose: str
    system: str
    user: str
    reply: type[BaseModel]
    max_tokens: int = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens as the endpoint counted them (0 where it does not say), and calls made."""

    input_tokens: int = 0
    output_tokens: int = 0
    calls: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            calls=self.calls + other.calls,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A reply that was read and validated. value: an instance of the question's `reply`."""

    value: BaseModel
    model: str
    usage: Usage = field(default_factory=Usage)
    dropped: int = 0


class Model(Protocol):
    """A chat model that answers in a shape."""

    @property
    def name(self) -> str: ...

    async def ask(self, question: Question) -> Answer:
        """One call, at most one re-ask if the reply cannot be read.

        ModelUnavailable when the retry budget is spent, ModelRefused when asking again would not help,
        UnreadableReply when the re-ask failed too. `dropped` counts members of lists that had to be skipped.
        """
        ...

    async def close(self) -> None: ...
