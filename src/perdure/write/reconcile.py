"""Reconcile: each draft meets what is stored, layer by layer; each layer takes what the one before left.

1. exact: the same words, held at the same time      → NOOP, one more source
2. slot:  a recognised (subject, attribute)          → interval insertion in code, in any order of arrival
3. near:  cosine above the embedder's threshold, and the guard finds no difference → NOOP, one more source
4. judge: a model's proposal, checked by code        → NOOP, UPDATE, INVALIDATE
5. new:   what is left is a new fact
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from perdure.core.interval import Interval
from perdure.core.text import fingerprint
from perdure.core.values import (
    Action,
    Body,
    Claim,
    Decision,
    DecisionId,
    Draft,
    EpisodeId,
    FactId,
    FactKind,
    Json,
    Layer,
    OperationId,
    Slot,
    Source,
    SourceId,
    Status,
)
from perdure.write.guard import failed_for_same, side_of_body, side_of_draft
from perdure.write.ledger import Entry, Ledger, new_sources
from perdure.write.settle import settle_slot
from perdure.write.slots import is_settled_by_code, slot_of, value_keys
from perdure.write.verdict import Verdict, apply_verdict, is_same_time

if TYPE_CHECKING:
    from perdure.core.changes import Vector

ALL_LAYERS = frozenset(Layer)
NEAR_THRESHOLDS: Mapping[str, float] = {"local/all-MiniLM-L6-v2-int8": 0.90}
DEFAULT_NEAR_THRESHOLD = 0.93


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A draft ready to be reconciled: its place in the batch, its slot, its vector (d,) of unit length."""

    index: int
    draft: Draft
    slot: Slot | None
    fingerprint: str
    vector: Vector | None = None

    @property
    def is_open(self) -> bool:
        """True if neither its words nor a known slot settle it: the near layer and the judge may."""
        is_settled = self.slot is not None and is_settled_by_code(self.slot.attribute)
        return self.draft.kind is not FactKind.VERBATIM and not is_settled


@dataclass(frozen=True, slots=True, kw_only=True)
class Similar:
    """A stored fact near a draft, by cosine."""

    fact_id: FactId
    cosine: float


@dataclass(slots=True, kw_only=True)
class Batch:
    """What reconcile works on. near: stored neighbours of each draft by index, best first.

    layers: those that may decide; all of them but for a measurement of what one is worth.
    """

    prepared: Sequence[Prepared]
    ledger: Ledger
    near: Mapping[int, Sequence[Similar]]
    near_threshold: float
    operation_id: OperationId
    layers: frozenset[Layer] = ALL_LAYERS
    verdicts: Mapping[int, Verdict] = field(default_factory=dict)
    decisions: list[Decision] = field(default_factory=list)
    residual: list[int] = field(default_factory=list)
    vectors: dict[FactId, Vector] = field(default_factory=dict)


def prepare(
    drafts: Sequence[Draft], vectors: Sequence[Vector] | None, *, layers: frozenset[Layer] = ALL_LAYERS
) -> list[Prepared]:
    """Drafts with their slots and fingerprints, in the order they were said."""
    has_slots = Layer.SLOT in layers
    return [
        Prepared(
            index=n,
            draft=_standing_alone(draft),
            slot=slot_of(draft) if has_slots and draft.kind is not FactKind.VERBATIM else None,
            fingerprint=fingerprint(draft.text),
            vector=None if vectors is None else vectors[n],
        )
        for n, draft in enumerate(drafts)
    ]


def _standing_alone(draft: Draft) -> Draft:
    """Without a slot to close, "no longer X" is a statement that is true from then on."""
    if draft.claim.ends and slot_of(draft) is None:
        claim = replace(draft.claim, interval=Interval(draft.claim.interval.end), ends=False)
        return replace(draft, claim=claim)
    return draft


def reconcile(batch: Batch) -> None:
    """Decide every draft of the batch; the ledger, the decisions and the residual hold the outcome."""
    for item in batch.prepared:
        before = batch.ledger.bodies()
        numbers = {e.id: e.number for e in batch.ledger.entries.values()}
        outcome = _decide(batch, item)
        decision_id = DecisionId(batch.ledger.new_id())
        batch.ledger.stamp(decision_id, before)
        changed = [i for i, body in batch.ledger.bodies().items() if body != before.get(i)]
        sources = _claim_sources(batch.ledger, decision_id)
        batch.decisions.append(
            Decision(
                id=decision_id,
                operation_id=batch.operation_id,
                action=outcome.action,
                layer=outcome.layer,
                fact_id=outcome.fact_id,
                target_id=outcome.target_id,
                reason=outcome.reason,
                draft_text=item.draft.text,
                evidence=outcome.evidence,
                before=tuple((i, numbers.get(i, 0)) for i in sorted(changed)),
                sources_added=sources,
            )
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    action: Action
    layer: Layer
    fact_id: FactId
    reason: str
    target_id: FactId | None = None
    evidence: Mapping[str, Json] = field(default_factory=dict)


def _decide(batch: Batch, item: Prepared) -> Outcome:
    exact = _exact(batch, item) if Layer.EXACT in batch.layers else None
    if exact is not None:
        return exact
    if item.slot is not None and (not item.is_open or _is_known_value(batch, item, item.slot)):
        return _in_slot(batch, item, item.slot)
    if item.is_open:
        near = _near(batch, item) if Layer.NEAR in batch.layers else None
        decided = near or _judged(batch, item)
        if decided is not None:
            return decided
        batch.residual.append(item.index)
    if item.slot is not None:
        return _in_slot(batch, item, item.slot)
    entry = _create(batch, item)
    return Outcome(
        action=Action.ADD, layer=Layer.NEW, fact_id=entry.id, reason="nothing stored says the same"
    )


def _exact(batch: Batch, item: Prepared) -> Outcome | None:
    """The same words about the same time; slots settle their own repeats unless nothing new is claimed."""
    for entry in batch.ledger.by_fingerprint(item.fingerprint):
        if item.slot is not None or entry.body.slot is not None:
            if not item.draft.episode_ids or not set(item.draft.episode_ids) <= _episodes_of(entry, item):
                continue
        elif not is_same_time(entry.body, kind=item.draft.kind, claimed=item.draft.claim.interval):
            continue
        _support(batch, entry, item)
        return Outcome(
            action=Action.NOOP, layer=Layer.EXACT, fact_id=entry.id, reason="the same words are stored"
        )
    return None


def _in_slot(batch: Batch, item: Prepared, slot: Slot) -> Outcome:
    ledger = batch.ledger
    before = ledger.bodies()
    entry = _slot_entry(batch, item, slot)
    if not _support(batch, entry, item):
        return Outcome(
            action=Action.NOOP, layer=Layer.EXACT, fact_id=entry.id, reason="this source is known already"
        )
    settle_slot(ledger, slot, value=entry.body.value)
    entry = _holder(ledger, slot, item, entry)
    is_new = entry.id not in before
    if is_new and item.vector is not None:
        batch.vectors[entry.id] = item.vector
    after = ledger.entries
    closed = sorted(
        i
        for i, body in before.items()
        if body is not None and i != entry.id and after[i].body.valid.end != body.valid.end
    )
    return _slot_outcome(batch, item, slot, entry, is_new, closed, before.get(entry.id))


def _is_known_value(batch: Batch, item: Prepared, slot: Slot) -> bool:
    """True if a fact of the slot has the draft's value at a time that the draft's own touches."""
    claimed = item.draft.claim.interval
    entries = [e for e in batch.ledger.in_slot(slot) if e.body.valid.touches(claimed)]
    stored = [e.body.value or "" for e in entries]
    value = item.draft.value or ""
    keys = value_keys([value, *stored])
    return keys[value] in {keys[v] for v in stored}


def _slot_entry(batch: Batch, item: Prepared, slot: Slot) -> Entry:
    """The slot's fact of this value (of this ending, for one that ends), or a new one."""
    ends = item.draft.claim.ends
    entries = [e for e in batch.ledger.in_slot(slot) if e.says_ended == ends]
    keys = value_keys([item.draft.value or "", *(e.body.value or "" for e in entries)])
    wanted = keys[item.draft.value or ""]
    same = [e for e in entries if keys[e.body.value or ""] == wanted]
    if same:
        return min(same, key=lambda e: (not e.body.status.is_visible, e.id))
    return batch.ledger.create(_body_of(item))


def _holder(ledger: Ledger, slot: Slot, item: Prepared, entry: Entry) -> Entry:
    """The fact that holds the draft's statement once its slot is settled: a second period is another one."""
    draft = item.draft
    holders = [
        e
        for e in ledger.in_slot(slot)
        if any(
            s.claim == draft.claim and s.text == draft.text and s.episode_id in (*draft.episode_ids, None)
            for s in e.sources
        )
    ]
    return entry if entry in holders or not holders else holders[0]


def _slot_outcome(
    batch: Batch,
    item: Prepared,
    slot: Slot,
    entry: Entry,
    is_new: bool,
    closed: Sequence[FactId],
    old: Body | None,
) -> Outcome:
    evidence: dict[str, Json] = {
        "slot": f"{slot.subject}.{slot.attribute}",
        "cardinality": slot.cardinality.value,
        "closed": [str(i) for i in closed],
    }
    if entry.body.status is Status.DISPUTED:
        action = Action.ADD if is_new else Action.NOOP
        reason = "two statements of one date name different values; both are kept as disputed"
    elif closed and is_new:
        action, reason = Action.INVALIDATE, "a value that began later takes the place of the earlier one"
        if item.draft.claim.ends:
            reason = "the value is said to have ended"
    elif is_new:
        action, reason = Action.ADD, "a new value"
        if entry.body.valid.end is not None and item.draft.claim.interval.end is None:
            reason = "older than what is stored: kept as history"
        if entry.body.status is Status.RETRACTED:
            reason = "other values hold at every time it was claimed for"
    else:
        action = Action.NOOP if entry.body == old and not closed else Action.UPDATE
        reason = "the value is known" if action is Action.NOOP else "the same value, with other dates"
    return Outcome(
        action=action,
        layer=Layer.SLOT,
        fact_id=entry.id,
        target_id=closed[0] if closed else None,
        reason=reason,
        evidence=evidence,
    )


def _near(batch: Batch, item: Prepared) -> Outcome | None:
    new = side_of_draft(item.draft)
    for similar in neighbours(batch, item):
        if similar.cosine < batch.near_threshold:
            break
        entry = batch.ledger.entries[similar.fact_id]
        if not entry.body.status.is_visible or not is_same_time(
            entry.body, kind=item.draft.kind, claimed=item.draft.claim.interval
        ):
            continue
        if failed_for_same(side_of_body(entry.body), new):
            continue
        _support(batch, entry, item)
        if entry.body.slot is not None:
            settle_slot(batch.ledger, entry.body.slot, value=entry.body.value)
        return Outcome(
            action=Action.NOOP,
            layer=Layer.NEAR,
            fact_id=entry.id,
            reason="says the same in other words",
            evidence={"cosine": round(similar.cosine, 4)},
        )
    return None


def neighbours(batch: Batch, item: Prepared) -> list[Similar]:
    """Stored facts and facts made earlier in the batch, nearest first."""
    found = [s for s in batch.near.get(item.index, ()) if s.fact_id in batch.ledger.entries]
    if item.vector is not None:
        found += [Similar(fact_id=i, cosine=float(v @ item.vector)) for i, v in batch.vectors.items()]
    return sorted(found, key=lambda s: (-s.cosine, s.fact_id))


def _judged(batch: Batch, item: Prepared) -> Outcome | None:
    verdict = batch.verdicts.get(item.index)
    if verdict is None:
        return None
    cosines = {s.fact_id: s.cosine for s in neighbours(batch, item)}
    entry = _create(batch, item)
    applied = apply_verdict(
        batch.ledger, entry, verdict, cosine=cosines.get(verdict.target_id or FactId(""), 0.0)
    )
    if applied.kept.id != entry.id:
        batch.vectors.pop(entry.id, None)
        del batch.ledger.entries[entry.id]
    _settle_touched(batch.ledger, applied.kept, verdict.target_id)
    return Outcome(
        action=applied.action,
        layer=Layer.JUDGE,
        fact_id=applied.kept.id,
        target_id=verdict.target_id,
        reason=applied.reason,
        evidence={"said": verdict.action, "refused": list(applied.refused)},
    )


def _settle_touched(ledger: Ledger, kept: Entry, target_id: FactId | None) -> None:
    """Settle the slots of what a verdict touched, so that later statements find them in order."""
    target = ledger.entries.get(target_id) if target_id else None
    slots = [e.body.slot for e in (kept, target) if e is not None and e.body.slot is not None]
    for slot in dict.fromkeys(slots):
        settle_slot(ledger, slot)


def _create(batch: Batch, item: Prepared) -> Entry:
    entry = batch.ledger.create(_body_of(item))
    _support(batch, entry, item)
    if item.vector is not None:
        batch.vectors[entry.id] = item.vector
    return entry


def _body_of(item: Prepared) -> Body:
    draft = item.draft
    return Body(
        text=draft.text,
        fingerprint=item.fingerprint,
        kind=FactKind.ENDING if draft.claim.ends else draft.kind,
        subject=draft.subject,
        slot=item.slot,
        value=draft.value if item.slot else None,
        valid=_own_interval(draft.claim),
        precision=draft.claim.precision,
        confidence=draft.confidence,
        speaker=draft.speaker,
        role=draft.role,
        metadata=draft.metadata,
        expires_on=draft.expires_on,
        immutable=draft.immutable,
        raw_date=draft.raw_date,
    )


def _own_interval(claim: Claim) -> Interval:
    return Interval(claim.interval.end) if claim.ends else claim.interval


def _support(batch: Batch, entry: Entry, item: Prepared) -> bool:
    """Add the draft's episodes as sources of the entry; False if it has them all with this claim."""
    known = _episodes_of(entry, item)
    template = Source(id=SourceId(""), fact_id=entry.id, text=item.draft.text, claim=item.draft.claim)
    fresh = [
        s
        for s in new_sources(batch.ledger.new_id, item.draft.episode_ids, template)
        if s.episode_id is None or s.episode_id not in known
    ]
    for source in fresh:
        batch.ledger.add_source(entry, source)
    return bool(fresh)


def _episodes_of(entry: Entry, item: Prepared) -> set[EpisodeId | None]:
    """The episodes that support the entry already in these words and for this time."""
    claim = item.draft.claim
    return {
        s.episode_id
        for s in entry.sources
        if s.text == item.draft.text
        and s.claim.ends == claim.ends
        and s.claim.interval.touches(claim.interval)
    }


def _claim_sources(ledger: Ledger, decision_id: DecisionId) -> tuple[SourceId, ...]:
    """Mark the sources that a draft brought as its decision's; moved ones keep the decision they had."""
    mine = []
    for n, source in enumerate(ledger.added):
        if source.decision_id is not None:
            continue
        owned = replace(source, decision_id=decision_id)
        owner = ledger.entries[source.fact_id]
        owner.sources[owner.sources.index(source)] = owned
        ledger.added[n] = owned
        mine.append(owned.id)
    return tuple(mine)
