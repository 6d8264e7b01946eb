"""What the verbs return: typed, and plain mappings at the same time (they serialise as they are)."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from perdure.core.values import Json


class SignalItem(TypedDict):
    """One signal's part in a hit."""

    signal: str
    rank: int
    score: float
    weight: float


class SourceItem(TypedDict):
    """Where a fact comes from: the episode, what it said and when."""

    episode_id: str | None
    text: str
    said_at: str | None


class MemoryItem(TypedDict):
    """A fact (kind state, event or verbatim) or an episode (kind episode).

    state: current, upcoming, closed, superseded (a message all of whose facts have ended), or the status
    disputed, suspect, retracted, merged, deleted.
    valid_from and valid_to are ISO 8601; null means unknown and open. valid_from is cut to its precision.
    """

    id: str
    memory: str
    kind: str
    state: str
    user_id: str | None
    agent_id: str | None
    app_id: str | None
    run_id: str | None
    metadata: dict[str, Json] | None
    categories: list[Json] | None
    hash: str
    created_at: str | None
    updated_at: str | None
    valid_from: str | None
    valid_to: str | None
    subject: str | None
    attribute: str | None
    value: str | None
    speaker: str | None
    role: str
    confidence: float
    expiration_date: str | None
    immutable: bool
    replaced_by: str | None
    disputes: list[str]
    reason: str | None
    sources: list[SourceItem]
    score: NotRequired[float]
    signals: NotRequired[list[SignalItem]]
    score_details: NotRequired[dict[str, float]]
    path: NotRequired[list[str]]
    why: NotRequired[str]


class AddItem(TypedDict):
    """What became of one draft. event: ADD, UPDATE, INVALIDATE or NOOP; layer: who decided."""

    id: str
    memory: str
    event: str
    layer: str
    reason: str
    decision_id: str
    previous_memory: NotRequired[str]
    replaced_by: NotRequired[str]


class SkippedItem(TypedDict):
    """A message that gave no fact, and why; episode_id is None for one that asked not to be kept."""

    episode_id: str | None
    reason: str


class UsageItem(TypedDict):
    """What the models cost."""

    model_calls: int
    input_tokens: int
    output_tokens: int


class AddResult(TypedDict):
    """extractor: model, rules, verbatim or none. episodes: ids of the messages stored by this call.

    operation_id: None if every message was stored before and there was nothing to do.
    """

    results: list[AddItem]
    operation_id: str | None
    extractor: str
    episodes: list[str]
    skipped: list[SkippedItem]
    warnings: list[str]
    usage: UsageItem


class SearchPlan(TypedDict):
    """How a query was read, and how many candidates each signal had."""

    intent: str
    validity: str
    tokens: list[str]
    window: list[str | None] | None
    found: dict[str, int]


class SearchResult(TypedDict):
    """results: best first. failed: signals that could not run, with the reason."""

    results: list[MemoryItem]
    failed: NotRequired[dict[str, str]]
    plan: NotRequired[SearchPlan]


class ListResult(TypedDict):
    """A page, newest first; `next` is the cursor of the page after it."""

    results: list[MemoryItem]
    next: str | None


class HistoryItem(TypedDict):
    """One version of a fact, oldest first."""

    id: str
    memory_id: str
    version: int
    event: str
    old_memory: str | None
    new_memory: str | None
    state: str
    valid_from: str | None
    valid_to: str | None
    known_from: str | None
    known_to: str | None
    created_at: str | None
    updated_at: str | None
    is_deleted: bool
    layer: str | None
    reason: str | None
    decision_id: str | None
    replaced_by: str | None


class MessageResult(TypedDict):
    """A plain confirmation. undo_id: what `undo` takes to bring back what was changed or hidden."""

    message: str
    undo_id: NotRequired[str]


class DeleteAllResult(TypedDict):
    """How much was hidden. undo_id: what `undo` takes to bring it back; absent if there was nothing."""

    message: str
    facts: int
    episodes: int
    undo_id: NotRequired[str]


class UndoResult(TypedDict):
    """The facts as they stand after the undo."""

    message: str
    decision_id: str
    results: list[MemoryItem]


class EraseReceipt(TypedDict):
    """Proof of an erase. remains: erased texts still found in the files; 0 is proof."""

    message: str
    erased_at: str
    facts: int
    episodes: int
    rows: dict[str, int]
    remains: int


class DecisionItem(TypedDict):
    """A journaled decision."""

    id: str
    action: str
    layer: str
    memory_id: str
    target_id: str | None
    reason: str
    draft: str
    evidence: dict[str, Json]
    decided_at: str | None
    undone: bool


class StatsItem(TypedDict):
    """Counts in a scope. closed: facts whose valid time has ended; bytes: of the whole store.

    waiting_vectors: entries that are found by words but not yet by meaning.
    """

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
    embedder: str | None


class OperationItem(TypedDict):
    """A write as a unit of work."""

    id: str
    kind: str
    state: str
    attempts: int
    error: str | None
    created_at: str | None
