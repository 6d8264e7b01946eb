"""Undo: take back decisions, so that what is read is what was read before them, on both clocks.

Where nothing was decided on top, every fact gets back the very body and statements it had. In a settled
slot later statements may stand on top: then the statements that the decisions brought are withdrawn and
the slot is settled from the rest, which is the timeline as if they had never been made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from perdure.core.changes import Change, MarkUndone, ShowEpisode
from perdure.core.values import (
    Action,
    Body,
    Decision,
    DecisionId,
    EpisodeId,
    Fact,
    FactId,
    Json,
    Scope,
    Source,
    SourceId,
    Status,
)
from perdure.errors import NotFound, UndoConflict
from perdure.ports import NewId, Store
from perdure.write.edit import Desk, close_desk, load_slots, open_desk
from perdure.write.settle import settle_slot

MAX_UNDOS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What decisions of one transaction did to statements: which they brought and which they took away.

    known: (episode, text) of the statements that stood there before.
    """

    ids: frozenset[DecisionId]
    known: frozenset[tuple[str | None, str]]
    before: dict[FactId, int]
    brought: tuple[Source, ...]
    taken: tuple[Source, ...]


async def undo_decisions(
    store: Store, new_id: NewId, scope: Scope, decisions: Sequence[Decision]
) -> tuple[Scope, list[Change]]:
    """Changes that take back decisions of one transaction, and the exact scope they belong to.

    scope: where the facts are found.

    UndoConflict if one is undone already or something else was decided on top of it.
    """
    undone = next((d for d in decisions if d.undone_by is not None), None)
    if undone is not None:
        raise UndoConflict(f"decision {undone.id!r}: undone already.")
    facts = await _touched_facts(store, scope, decisions)
    desk = await open_desk(store, new_id, facts)
    effect = await _effect(store, desk, decisions)
    written_by = await _writers(store, desk, effect)
    if _is_on_top(desk, effect, written_by):
        restored = await _restore(store, desk, effect)
    else:
        restored = {}
        await _refuse_changed_words(store, desk, effect)
        _withdraw(desk, effect)
    slots = [e.body.slot for e in desk.ledger.entries.values() if e.body.slot is not None]
    for slot in dict.fromkeys(slots):
        settle_slot(desk.ledger, slot)
    evidence: dict[str, Json] = {"restored": dict(restored)}
    desk.episodes = [ShowEpisode(episode_id=i, is_visible=True) for i in _hidden_episodes(decisions)]
    first = decisions[0].fact_id
    changes = close_desk(desk, Action.UPDATE, first, _reason(decisions), evidence=evidence)
    return desk.scope, [*changes, *(MarkUndone(decision_id=d.id, by=desk.decision_id) for d in decisions)]


async def _touched_facts(store: Store, scope: Scope, decisions: Sequence[Decision]) -> list[Fact]:
    ids: dict[FactId, None] = {}
    for decision in decisions:
        ids |= dict.fromkeys([decision.fact_id, *(i for i, _ in decision.before)])
    facts = await store.facts(scope, list(ids), view=None)
    if not facts:
        raise NotFound("memory", decisions[0].fact_id)
    return facts


async def _effect(store: Store, desk: Desk, decisions: Sequence[Decision]) -> Effect:
    """Read off the store: the statements just after the transaction against those just before."""
    before: dict[FactId, int] = {}
    for decision in decisions:
        for fact_id, number in decision.before:
            before[fact_id] = min(number, before.get(fact_id, number))
    ids, scope = sorted(desk.ledger.entries), desk.scope
    at = decisions[0].recorded_at
    then = {s.id: s for s in await store.sources(scope, ids, known_at=at)}
    earlier = {s.id: s for s in await store.sources(scope, ids, known_at=_just_before(at))}
    return Effect(
        ids=frozenset(d.id for d in decisions),
        known=frozenset(_statement(s) for s in earlier.values()),
        before=before,
        brought=tuple(s for i, s in then.items() if i not in earlier),
        taken=tuple(s for i, s in earlier.items() if i not in then),
    )


def _just_before(moment: datetime | None) -> datetime | None:
    return None if moment is None else moment - timedelta(microseconds=1)


async def _writers(store: Store, desk: Desk, effect: Effect) -> dict[FactId, DecisionId | None]:
    """By which decision each fact says what it says now: an undo gave back the words of an earlier one."""
    writers = {i: e.body.decision_id for i, e in desk.ledger.entries.items() if i in effect.before}
    for _ in range(MAX_UNDOS):
        asked = sorted({d for d in writers.values() if d is not None and d not in effect.ids})
        found = {d.id: d for d in await store.decisions(desk.scope, ids=asked)} if asked else {}
        given = {i: _gave_back(found.get(d) if d else None, i) for i, d in writers.items()}
        earlier = {i: d for i, d in given.items() if d is not None}
        if not earlier:
            break
        writers |= earlier
    return writers


def _gave_back(decision: Decision | None, fact_id: FactId) -> DecisionId | None:
    """Whose words an undo gave back to the fact; None if it is no undo or gave it none."""
    restored = decision.evidence.get("restored") if decision is not None else None
    given = restored.get(fact_id) if isinstance(restored, dict) else None
    return DecisionId(given) if isinstance(given, str) else None


def _is_on_top(desk: Desk, effect: Effect, written_by: Mapping[FactId, DecisionId | None]) -> bool:
    """True if nothing was decided later on what these decisions changed, and they were all that did it."""
    entries = desk.ledger.entries
    last_written = all(i in entries and written_by.get(i) in effect.ids for i in effect.before)
    still_there = {_mark(s) for e in entries.values() for s in e.sources}
    own = all(s.decision_id in effect.ids or _statement(s) in effect.known for s in effect.brought)
    return last_written and own and all(_mark(s) in still_there for s in effect.brought)


async def _restore(store: Store, desk: Desk, effect: Effect) -> dict[str, Json]:
    """Give every fact the body and the statements it had; says whose words each has again."""
    restored: dict[str, Json] = {}
    ledger = desk.ledger
    for source in effect.brought:
        owner = ledger.entries[source.fact_id]
        ledger.remove_source(next(s for s in owner.sources if _mark(s) == _mark(source)), owner)
    for fact_id, number in sorted(effect.before.items()):
        entry = ledger.entries[fact_id]
        if number == 0:
            entry.body = replace(entry.body, status=Status.RETRACTED, reason="its decision was undone")
            continue
        body = next(v.body for v in await store.history(desk.scope, fact_id) if v.number == number)
        await load_slots(store, desk.scope, ledger, [body.slot] if body.slot is not None else [])
        entry.body = body
        restored[fact_id] = body.decision_id
    for source in effect.taken:
        ledger.add_source(ledger.entries[source.fact_id], replace(source, id=SourceId(ledger.new_id())))
    return restored


async def _refuse_changed_words(store: Store, desk: Desk, effect: Effect) -> None:
    """Words and labels are not settled from statements: with something on top they cannot be given back."""
    for fact_id, number in sorted(effect.before.items()):
        versions = {v.number: v.body for v in await store.history(desk.scope, fact_id)} if number else {}
        before, after = versions.get(number), versions.get(number + 1)
        if before and after and _words(before) != _words(after):
            raise UndoConflict(f"fact {fact_id!r}: something was decided about it later. Undo that first.")


def _words(body: Body) -> tuple[object, ...]:
    return body.text, body.metadata, body.expires_on


def _withdraw(desk: Desk, effect: Effect) -> None:
    """Take the statements of these decisions out of a slot and put back those that they took out.

    Elsewhere than in a slot, or where the caller later gave one of them other dates, that stands in the way.
    """
    entries = desk.ledger.entries
    for fact_id in effect.before:
        if fact_id in entries and entries[fact_id].body.slot is None:
            raise UndoConflict(f"fact {fact_id!r}: something was decided about it later. Undo that first.")
    own = {_statement(s) for e in entries.values() for s in e.sources if s.decision_id in effect.ids}
    for source in effect.brought:
        if source.decision_id in effect.ids and _statement(source) not in own:
            raise UndoConflict(f"fact {source.fact_id!r}: its dates were changed later. Undo that first.")
    for entry in list(entries.values()):
        for source in list(entry.sources):
            if source.decision_id in effect.ids:
                desk.ledger.remove_source(source, entry)
    left = {_statement(s) for e in entries.values() for s in e.sources}
    for source in effect.taken:
        if _statement(source) not in left:
            again = replace(source, id=SourceId(desk.ledger.new_id()))
            desk.ledger.add_source(entries[source.fact_id], again)


def _mark(source: Source) -> Source:
    """The source without its id: one that an undo gave back is the same one again."""
    return replace(source, id=SourceId(""))


def _statement(source: Source) -> tuple[str | None, str]:
    """Which message says what: the same also where the statement moved to another fact."""
    return source.episode_id, source.text


def _hidden_episodes(decisions: Sequence[Decision]) -> list[EpisodeId]:
    hidden: dict[EpisodeId, None] = {}
    for decision in decisions:
        listed = decision.evidence.get("hidden_episodes")
        if isinstance(listed, list):
            hidden |= {EpisodeId(str(i)): None for i in listed}
    return list(hidden)


def _reason(decisions: Sequence[Decision]) -> str:
    if len(decisions) == 1:
        return f"undo of decision {decisions[0].id}"
    return f"undo of operation {decisions[0].operation_id}"
