"""Writes as data: what one transaction does to a store. Record times are the store's to give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from perdure.core.values import (
    Body,
    Decision,
    DecisionId,
    Entity,
    Episode,
    EpisodeId,
    FactId,
    ItemKind,
    Metadata,
    Operation,
    OperationId,
    OperationState,
    Source,
    SourceId,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexText:
    """What the signals see of an item: the text to embed, its tokens, and its vector once there is one.

    tokens: of `text`, repeats included. vector: (d,), unit length if the embedder normalises; None
    means "waiting for its vector", which is searchable by words already.
    """

    text: str
    tokens: tuple[str, ...]
    vector: Vector | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PutEpisode:
    """Store an episode; one with the same id is left as it is."""

    episode: Episode
    index: IndexText


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowEpisode:
    """Make an episode visible or hidden from now on; as_of earlier record times it stays as it was."""

    episode_id: EpisodeId
    is_visible: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PutVersion:
    """Close the fact's current version and open this one; a new fact if `expected` is 0.

    expected: the number of the current version the decision was based on; StaleWrite if it moved.
    index: None keeps the index entry of the version before (its text did not change).
    """

    fact_id: FactId
    body: Body
    expected: int
    index: IndexText | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectVersion:
    """Refuse the transaction with StaleWrite unless the fact's current version has this number."""

    fact_id: FactId
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectAbsent:
    """Refuse the transaction with StaleWrite if the exact scope now holds what was not there before.

    episodes: fingerprints of episodes. fingerprints: of current, visible facts. slots: (subject, attribute)
    and how many facts, whatever their status but deleted and merged, were seen in it.
    """

    episodes: tuple[str, ...] = ()
    fingerprints: tuple[str, ...] = ()
    slots: tuple[tuple[str, str, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PutSource:
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseSource:
    """The statement no longer supports its fact from now on."""

    source_id: SourceId


@dataclass(frozen=True, slots=True, kw_only=True)
class PutEntity:
    """Store an entity unless its exact scope already has one of this key; the first spelling stays."""

    entity: Entity


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkEntity:
    """The item mentions the entity of this key (of the exact scope); said twice it is one link."""

    entity_key: str
    kind: ItemKind
    item_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PutRelation:
    fact_id: FactId
    source_key: str
    label: str
    target_key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetVector:
    """Give the item's current index entry its vector, if it waits for one."""

    kind: ItemKind
    item_id: str
    vector: Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class PutDecision:
    """Journal a decision."""

    decision: Decision


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkUndone:
    """Refused with StaleWrite if it is undone already."""

    decision_id: DecisionId
    by: DecisionId


@dataclass(frozen=True, slots=True, kw_only=True)
class PutOperation:
    operation: Operation


@dataclass(frozen=True, slots=True, kw_only=True)
class SetOperation:
    """Move an operation to a state; its lease ends. What is done stays done."""

    operation_id: OperationId
    state: OperationState
    result: Metadata | None = None
    error: str | None = None


Change: TypeAlias = (
    PutEpisode
    | ShowEpisode
    | PutVersion
    | ExpectVersion
    | ExpectAbsent
    | PutSource
    | CloseSource
    | PutEntity
    | LinkEntity
    | PutRelation
    | SetVector
    | PutDecision
    | MarkUndone
    | PutOperation
    | SetOperation
)
