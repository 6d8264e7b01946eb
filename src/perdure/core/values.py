"""The nouns of perdure (see ARCHITECTURE.md, Words), as frozen values."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Literal, NewType, TypeAlias

from perdure.core.interval import ALWAYS, Interval, Precision

FactId = NewType("FactId", str)
EpisodeId = NewType("EpisodeId", str)
SourceId = NewType("SourceId", str)
EntityId = NewType("EntityId", str)
DecisionId = NewType("DecisionId", str)
OperationId = NewType("OperationId", str)

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
Metadata: TypeAlias = Mapping[str, Json]
NO_METADATA: Metadata = MappingProxyType({})

ENTITY_FIELDS = ("user_id", "agent_id", "app_id", "run_id")


class Action(StrEnum):
    """What reconcile did with a draft."""

    ADD = "ADD"
    UPDATE = "UPDATE"
    INVALIDATE = "INVALIDATE"
    NOOP = "NOOP"
    DELETE = "DELETE"


class Layer(StrEnum):
    """Who decided: a layer of reconcile, or the caller."""

    EXACT = "exact"
    NEAR = "near"
    SLOT = "slot"
    JUDGE = "judge"
    NEW = "new"
    CALLER = "caller"


class Status(StrEnum):
    """How far a version is to be believed; whether it holds *now* is a matter of its valid interval."""

    ACTIVE = "active"
    DISPUTED = "disputed"
    SUSPECT = "suspect"
    RETRACTED = "retracted"
    MERGED = "merged"
    DELETED = "deleted"

    @property
    def has_claims(self) -> bool:
        """True if its statements count in its slot, whether they win or not."""
        return self not in (Status.DELETED, Status.MERGED)

    @property
    def is_visible(self) -> bool:
        """True where ordinary reads may show it; the rest is for history only."""
        return self in VISIBLE_STATUSES


VISIBLE_STATUSES = frozenset({Status.ACTIVE, Status.DISPUTED, Status.SUSPECT})


class FactKind(StrEnum):
    """A state holds over time; an event happened on a day; an ending says that a slot's value stopped;
    verbatim text was stored as given.
    """

    STATE = "state"
    ENDING = "ending"
    EVENT = "event"
    VERBATIM = "verbatim"


class Cardinality(StrEnum):
    """How many values a slot may hold at one time."""

    SINGLE = "single"
    MULTI = "multi"


class Role(StrEnum):
    """Who spoke, in the terms of chat APIs."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"


ItemKind: TypeAlias = Literal["fact", "episode"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Whose memory: a workspace and any of four ids.

    As the scope of a write it is exact. As the scope of a read, an id left out is unconstrained
    and an id given must be equal, byte for byte.
    """

    workspace: str
    user_id: str | None = None
    agent_id: str | None = None
    app_id: str | None = None
    run_id: str | None = None

    @property
    def key(self) -> str:
        """An unambiguous text form, equal exactly when the scopes are."""
        return json.dumps([self.workspace, *self.ids().values()], ensure_ascii=False)

    @property
    def has_id(self) -> bool:
        return any(value is not None for value in self.ids().values())

    def ids(self) -> dict[str, str | None]:
        return {
            "user_id": self.user_id,
            "agent_id": self.agent_id,
            "app_id": self.app_id,
            "run_id": self.run_id,
        }

    def covers(self, other: Scope) -> bool:
        """True if a read of this scope may see what was written under `other`."""
        return self.workspace == other.workspace and all(
            mine is None or mine == theirs
            for mine, theirs in zip(self.ids().values(), other.ids().values(), strict=True)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """One message as it was said, kept verbatim.

    said_at: UTC, or None when the transcript gives no time. utc_offset_minutes: the speaker's zone,
    for reading words such as "yesterday". reference: the caller's own id of the message, if any.
    fingerprint: equal for the same message delivered again (see `write.capture`).
    """

    id: EpisodeId
    scope: Scope
    role: Role
    text: str
    fingerprint: str
    speaker: str | None = None
    session: str | None = None
    position: int = 0
    said_at: datetime | None = None
    utc_offset_minutes: int = 0
    reference: str | None = None
    operation_id: OperationId | None = None
    metadata: Metadata = field(default_factory=dict)
    recorded_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """(subject, attribute) with a cardinality; both are normalised keys (`text.entity_key`)."""

    subject: str
    attribute: str
    cardinality: Cardinality


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What one statement says about time: when it holds, how exactly that is known, when it was said.

    ends: the statement says that the value stopped holding at `interval.end` ("no longer", "quit").
    """

    interval: Interval = ALWAYS
    precision: Precision = Precision.INSTANT
    said_at: datetime | None = None
    ends: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A name found in text. kind: person, place, organisation, thing or other."""

    name: str
    kind: str = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftRelation:
    """A typed edge that a draft states, by entity names."""

    source: str
    label: str
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A candidate fact that extraction proposes.

    text: stands alone. subject: whom it is about, as named ("user" for the unnamed owner).
    attribute, value, cardinality: the slot, where one was recognised. raw_date: a date expression
    that could not be resolved, kept as said. confidence in (0, 1].
    """

    text: str
    subject: str
    claim: Claim
    episode_ids: tuple[EpisodeId, ...] = ()
    kind: FactKind = FactKind.STATE
    attribute: str | None = None
    value: str | None = None
    cardinality: Cardinality | None = None
    speaker: str | None = None
    role: Role = Role.USER
    mentions: tuple[Mention, ...] = ()
    relations: tuple[DraftRelation, ...] = ()
    confidence: float = 1.0
    raw_date: str | None = None
    metadata: Metadata = field(default_factory=dict)
    expires_on: date | None = None
    immutable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One statement that supports a fact: the episode it came from and what it claimed.

    episode_id is None where it came from no message.
    span: character offsets in the episode's text, where known.
    """

    id: SourceId
    fact_id: FactId
    text: str
    claim: Claim
    episode_id: EpisodeId | None = None
    span: tuple[int, int] | None = None
    decision_id: DecisionId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """What a fact says: all that one version records of it, apart from the record time."""

    text: str
    fingerprint: str
    kind: FactKind = FactKind.STATE
    subject: str | None = None
    slot: Slot | None = None
    value: str | None = None
    valid: Interval = ALWAYS
    precision: Precision = Precision.INSTANT
    status: Status = Status.ACTIVE
    confidence: float = 1.0
    speaker: str | None = None
    role: Role = Role.USER
    metadata: Metadata = field(default_factory=dict)
    expires_on: date | None = None
    immutable: bool = False
    raw_date: str | None = None
    reason: str | None = None
    replaced_by: FactId | None = None
    disputes: tuple[FactId, ...] = ()
    decision_id: DecisionId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """What was recorded about a fact during `recorded`; number counts from 1."""

    fact_id: FactId
    number: int
    body: Body
    recorded: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A stored statement as one view shows it: the version in that view and its sources."""

    id: FactId
    scope: Scope
    created_at: datetime
    version: Version
    sources: tuple[Source, ...] = ()

    @property
    def body(self) -> Body:
        return self.version.body

    def with_body(self, body: Body) -> Fact:
        return replace(self, version=replace(self.version, body=body))


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A node of the graph. key: `text.entity_key` of the name, unique in its exact scope."""

    id: EntityId
    scope: Scope
    name: str
    key: str
    kind: str = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """A typed edge between two entities; it lives and ends with the fact that states it."""

    fact_id: FactId
    source_id: EntityId
    label: str
    target_id: EntityId


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What reconcile (or the caller) did, on which layer, why, from what evidence.

    before: (fact, version number) of every fact the decision changed, as it stood before;
    0 for a fact the decision made. undone_by is set once it is undone.
    """

    id: DecisionId
    operation_id: OperationId | None
    action: Action
    layer: Layer
    fact_id: FactId
    reason: str
    draft_text: str = ""
    target_id: FactId | None = None
    evidence: Metadata = field(default_factory=dict)
    before: tuple[tuple[FactId, int], ...] = ()
    sources_added: tuple[SourceId, ...] = ()
    recorded_at: datetime | None = None
    undone_by: DecisionId | None = None


OperationState: TypeAlias = Literal["captured", "done", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One write as a unit of work: captured first, then done or failed.

    request: what is needed to run it again (options of the call; the messages are the episodes).
    owner, lease_until: which process works on it and until when others must keep off.
    result: the answer given, so that a replay gives the same.
    """

    id: OperationId
    scope: Scope
    kind: str
    state: OperationState
    request: Metadata = field(default_factory=dict)
    idempotency_key: str | None = None
    request_hash: str | None = None
    attempts: int = 0
    error: str | None = None
    result: Metadata | None = None
    owner: str | None = None
    lease_until: datetime | None = None
    recorded_at: datetime | None = None


class Validity(StrEnum):
    """Which facts a view shows by their valid interval."""

    UNENDED = "unended"
    AT = "at"
    ANY = "any"


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """From where one looks at the store on its two clocks.

    validity UNENDED: what has not ended by `valid_at` (the default read: current and upcoming);
    AT: what held at `valid_at` (as_of); ANY: closed facts too. known_at None: what is known now.
    unexpired_on: hide facts whose expires_on is before this date; None shows them.
    """

    valid_at: datetime
    validity: Validity = Validity.UNENDED
    known_at: datetime | None = None
    unexpired_on: date | None = None

    def shows_valid(self, valid: Interval) -> bool:
        if self.validity is Validity.ANY:
            return True
        if self.validity is Validity.AT:
            return valid.contains(self.valid_at)
        return valid.end is None or valid.end > self.valid_at

    def shows(self, version: Version) -> bool:
        """The reference rule that every store's SQL must equal."""
        body = version.body
        known = (
            version.recorded.end is None
            if self.known_at is None
            else version.recorded.contains(self.known_at)
        )
        fresh = self.unexpired_on is None or body.expires_on is None or body.expires_on >= self.unexpired_on
        return known and fresh and body.status.is_visible and self.shows_valid(body.valid)


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalScore:
    """One signal's part in a hit: its rank (from 1), raw score and weight in the fusion."""

    signal: str
    rank: int
    score: float
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A found fact or episode; score in [0, 1]; `signals` say who found it, `path` how the graph did.

    is_stale: an episode all of whose facts have ended by the view's `valid_at`.
    """

    kind: ItemKind
    score: float
    fact: Fact | None = None
    episode: Episode | None = None
    signals: tuple[SignalScore, ...] = ()
    parts: Mapping[str, float] = field(default_factory=dict)
    path: tuple[str, ...] = ()
    is_stale: bool = False
    why: str = ""

    @property
    def id(self) -> str:
        found = self.fact or self.episode
        if found is None:
            raise ValueError("a hit holds a fact or an episode")
        return found.id
