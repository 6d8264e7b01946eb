"""What a caller changes by hand: new words or dates for a fact, and hiding.

All of it goes through the ledger, so that slots are settled again and every change is a decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from perdure.core.changes import (
    Change,
    PutDecision,
    PutOperation,
    PutVersion,
    ShowEpisode,
)
from perdure.core.interval import Interval, Precision
from perdure.core.names import find_mentions
from perdure.core.text import fingerprint
from perdure.core.values import (
    Action,
    Body,
    Claim,
    Decision,
    DecisionId,
    Episode,
    EpisodeId,
    Fact,
    FactId,
    Json,
    Layer,
    Operation,
    OperationId,
    Role,
    Scope,
    Slot,
    SourceId,
    Status,
)
from perdure.errors import InvalidInput
from perdure.ports import NewId, Store
from perdure.write.extract_model import OWNER
from perdure.write.graph import entity_changes
from perdure.write.ledger import Entry, Ledger
from perdure.write.rules import extract_by_rules
from perdure.write.settle import settle_slot
from perdure.write.slots import slot_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """New words, dates or labels; what is None stays. forget_expiry: expires_on None is meant."""

    text: str | None = None
    metadata: dict[str, Json] | None = None
    expires_on: date | None = None
    forget_expiry: bool = False
    valid: Interval | None = None
    precision: Precision = Precision.INSTANT


@dataclass(slots=True, kw_only=True)
class Desk:
    """Where one change by hand is prepared: the fact, its slot's facts, and the decision being made."""

    scope: Scope
    ledger: Ledger
    decision_id: DecisionId
    episodes: list[Change] = field(default_factory=list)


async def open_desk(store: Store, new_id: NewId, facts: Sequence[Fact]) -> Desk:
    """A desk with these facts and everything in their slots. The facts share one exact scope."""
    scope = facts[0].scope
    ledger = Ledger(new_id=new_id)
    ledger.load(facts)
    await load_slots(store, scope, ledger, [f.body.slot for f in facts if f.body.slot])
    return Desk(scope=scope, ledger=ledger, decision_id=DecisionId(new_id()))


async def load_slots(store: Store, scope: Scope, ledger: Ledger, slots: Sequence[Slot]) -> None:
    fresh = [s for s in dict.fromkeys(slots) if (s.subject, s.attribute) not in ledger.seen_slots]
    if fresh:
        ledger.load(await store.slot_facts(scope, fresh))
        ledger.note_slots(fresh)


async def edit_fact(store: Store, new_id: NewId, fact: Fact, edit: Edit) -> list[Change]:
    """Changes that give the fact new words, dates or labels."""
    if fact.body.immutable:
        raise InvalidInput("memory_id", "this memory is immutable", "Add a new one instead.")
    body = _edited(fact, edit)
    desk = await open_desk(store, new_id, [fact])
    slots = [s for s in (fact.body.slot, body.slot) if s is not None]
    await load_slots(store, desk.scope, desk.ledger, slots)
    entry = desk.ledger.entries[fact.id]
    entry.body = body
    if edit.valid is not None:
        _claim_for_caller(desk, entry, Claim(interval=edit.valid, precision=edit.precision))
    for slot in dict.fromkeys(slots):
        settle_slot(desk.ledger, slot)
    if edit.valid is not None and entry.body.valid != edit.valid:
        raise InvalidInput(
            "valid_to", "another value of this attribute holds at that time", "Change or delete it first."
        )
    changes = close_desk(desk, Action.UPDATE, fact.id, "changed by the caller", text=body.text)
    return [*changes, *entity_changes(desk.scope, find_mentions(body.text), "fact", fact.id, new_id)]


def _edited(fact: Fact, edit: Edit) -> Body:
    body = replace(fact.body, reason=None)
    if edit.text is not None and edit.text != body.text:
        slot, value = _slot_in(edit.text, fact)
        body = replace(body, text=edit.text, fingerprint=fingerprint(edit.text), slot=slot, value=value)
    if edit.metadata is not None:
        body = replace(body, metadata=edit.metadata)
    if edit.expires_on is not None or edit.forget_expiry:
        body = replace(body, expires_on=edit.expires_on)
    if edit.valid is not None:
        body = replace(body, valid=edit.valid, precision=edit.precision)
    return body


def _slot_in(text: str, fact: Fact) -> tuple[Slot | None, str | None]:
    """The slot that the new words fill, as the rules read them in the mouth of the same speaker."""
    said = Episode(
        id=EpisodeId(""),
        scope=fact.scope,
        role=Role.USER,
        text=text,
        fingerprint="",
        speaker=fact.body.speaker or (fact.body.subject or OWNER).capitalize(),
    )
    drafts = extract_by_rules([said]).drafts
    slots = [(slot_of(d), d.value) for d in drafts if slot_of(d) is not None]
    return slots[0] if len(slots) == 1 else _same_frame(text, fact.body)


def _same_frame(text: str, old: Body) -> tuple[Slot | None, str | None]:
    """The old slot with what now stands where its value stood, if all around it stayed the same."""
    if old.slot is None or not old.value or old.value not in old.text:
        return None, None
    before, after = old.text.split(old.value, 1)
    inner = text[len(before) : len(text) - len(after)].strip()
    if text.startswith(before) and text.endswith(after) and inner:
        return old.slot, inner
    return None, None


def _claim_for_caller(desk: Desk, entry: Entry, claim: Claim) -> None:
    """What the fact rests on now claims what the caller says; it still came from the same messages."""
    for source in list(entry.sources):
        desk.ledger.remove_source(source, entry)
        again = replace(source, id=SourceId(desk.ledger.new_id()), claim=claim, decision_id=desk.decision_id)
        desk.ledger.add_source(entry, again)


def episodes_of(fact: Fact) -> set[EpisodeId]:
    return {s.episode_id for s in fact.sources if s.episode_id is not None}


async def hide_fact(store: Store, new_id: NewId, fact: Fact, episodes: Sequence[EpisodeId]) -> list[Change]:
    """Changes that hide the fact, and those shown episodes it was taken from, from every ordinary read."""
    desk = await open_desk(store, new_id, [fact])
    entry = desk.ledger.entries[fact.id]
    entry.body = replace(entry.body, status=Status.DELETED, reason="deleted by the caller")
    if fact.body.slot is not None:
        settle_slot(desk.ledger, fact.body.slot)
    desk.episodes = [ShowEpisode(episode_id=i, is_visible=False) for i in episodes]
    return close_desk(
        desk,
        Action.DELETE,
        fact.id,
        "deleted by the caller",
        evidence={"hidden_episodes": [*episodes]},
    )


def close_desk(
    desk: Desk,
    action: Action,
    fact_id: FactId,
    reason: str,
    *,
    text: str = "",
    evidence: dict[str, Json] | None = None,
) -> list[Change]:
    """The desk as changes, with the one decision that explains them."""
    ledger = desk.ledger
    ledger.stamp(desk.decision_id, {e.id: e.stored for e in ledger.entries.values()})
    changed = [e for e in ledger.entries.values() if e.has_changed]
    decision = Decision(
        id=desk.decision_id,
        operation_id=None,
        action=action,
        layer=Layer.CALLER,
        fact_id=fact_id,
        reason=reason,
        draft_text=text,
        evidence=evidence or {},
        before=tuple((e.id, e.number) for e in sorted(changed, key=lambda e: e.id)),
        sources_added=tuple(s.id for s in ledger.added if s.decision_id == desk.decision_id),
    )
    return [*ledger.changes({}), *desk.episodes, PutDecision(decision=decision)]


def hide_everything(
    facts: Sequence[Fact], episodes: Sequence[EpisodeId], operation: Operation, new_id: NewId
) -> list[Change]:
    """Changes that hide facts and shown episodes, as one operation with a decision for each fact.

    A decision lists the episodes of its fact, the operation's result those that no hidden fact rests on.
    """
    resting = {f.id: episodes_of(f).intersection(episodes) for f in facts}
    known = {i for listed in resting.values() for i in listed}
    alone: list[Json] = [i for i in episodes if i not in known]
    changes: list[Change] = [PutOperation(operation=replace(operation, result={"hidden_episodes": alone}))]
    for fact in facts:
        decision_id = DecisionId(new_id())
        body = replace(
            fact.body, status=Status.DELETED, reason="deleted by the caller", decision_id=decision_id
        )
        changes.append(PutVersion(fact_id=fact.id, body=body, expected=fact.version.number))
        changes.append(
            PutDecision(
                decision=Decision(
                    id=decision_id,
                    operation_id=OperationId(operation.id),
                    action=Action.DELETE,
                    layer=Layer.CALLER,
                    fact_id=fact.id,
                    reason="deleted by the caller",
                    before=((fact.id, fact.version.number),),
                    evidence={"hidden_episodes": [*sorted(resting[fact.id])]},
                )
            )
        )
    changes += [ShowEpisode(episode_id=i, is_visible=False) for i in episodes]
    return changes


async def settle_again(store: Store, new_id: NewId, scope: Scope, slots: Sequence[Slot]) -> list[Change]:
    """Changes that settle slots from the claims that are left in them; none if nothing changes."""
    ledger = Ledger(new_id=new_id)
    await load_slots(store, scope, ledger, slots)
    desk = Desk(scope=scope, ledger=ledger, decision_id=DecisionId(new_id()))
    for slot in slots:
        settle_slot(ledger, slot)
    changed = sorted(e.id for e in ledger.entries.values() if e.has_changed)
    if not changed:
        return []
    return close_desk(desk, Action.UPDATE, changed[0], "another fact of its slot was erased")
