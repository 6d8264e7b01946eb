"""One write on its way through the pipeline, and what its caller asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

from perdure.core.values import Episode, Json, Layer, Operation, OperationId
from perdure.write.extract import Extraction
from perdure.write.reconcile import ALL_LAYERS, DEFAULT_NEAR_THRESHOLD, Prepared
from perdure.write.verdict import Verdict

if TYPE_CHECKING:
    from perdure.core.changes import Vector

NOTHING_EXTRACTED = Extraction(drafts=(), skipped=(), by="rules")


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteOptions:
    """What a caller may ask of an add. metadata and the rest go onto every fact it makes."""

    infer: bool = True
    instructions: str | None = None
    metadata: Mapping[str, Json] = field(default_factory=dict)
    expires_on: date | None = None
    immutable: bool = False


@dataclass(slots=True, kw_only=True)
class Work:
    """One write on its way: each step adds what the next one needs.

    adopted: operations that failed before and whose messages this one settles too. withheld: messages that
    asked not to be kept.
    """

    operation: Operation
    episodes: Sequence[Episode]
    adopted: Sequence[OperationId] = ()
    withheld: int = 0
    extraction: Extraction = NOTHING_EXTRACTED
    prepared: Sequence[Prepared] = ()
    episode_vectors: Mapping[str, Vector] = field(default_factory=dict)
    layers: frozenset[Layer] = ALL_LAYERS
    near_threshold: float = DEFAULT_NEAR_THRESHOLD
    verdicts: Mapping[int, Verdict] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
