"""The verbs that change what is remembered: update, delete, delete_all, undo, erase, reset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from perdure.api.inputs import (
    UNSET,
    IdValue,
    Unset,
    read_expiry,
    read_memory_id,
    read_metadata,
    read_start,
    write_scope,
)
from perdure.api.results import DeleteAllResult, EraseReceipt, MessageResult, UndoResult
from perdure.api.shapes import fact_item
from perdure.core.changes import Change, PutDecision, ShowEpisode
from perdure.core.interval import Interval, Precision
from perdure.core.text import digest
from perdure.core.times import TimeValue, to_text
from perdure.core.values import (
    DecisionId,
    EpisodeId,
    Fact,
    FactId,
    Json,
    Operation,
    OperationId,
    Scope,
    Slot,
    Validity,
    View,
)
from perdure.errors import InvalidInput, InvalidTime, NotFound, UndoConflict
from perdure.upkeep import Parts, try_fill_vectors
from perdure.verbs.base import Verbs, with_retries
from perdure.write.edit import Edit, edit_fact, episodes_of, hide_everything, hide_fact, settle_again
from perdure.write.undo import undo_decisions


class Changing(Verbs):
    """Correct, hide, bring back and remove."""

    async def update(
        self,
        memory_id: str,
        text: str | None = None,
        *,
        data: str | None = None,
        metadata: Mapping[str, Json] | None = None,
        expiration_date: TimeValue | Unset | None = UNSET,
        valid_from: TimeValue | Unset | None = UNSET,
        valid_to: TimeValue | Unset | None = UNSET,
    ) -> MessageResult:
        """Give a fact new words, labels or dates. The version before stays in its history.

        data: an older name of text. metadata replaces what was there. valid_from and valid_to: None means
        unknown and open.
        """
        parts = await self._ready()
        words = text if text is not None else data
        if words is not None and not _is_text(words):
            raise InvalidInput("text", "blank or no text", "Give the new words.")
        if words is not None and len(words.encode("utf-8", "replace")) > self._max_message_bytes:
            raise InvalidInput("text", f"longer than {self._max_message_bytes} bytes", "Shorten it.")

        async def change() -> None:
            fact = await self._fact(parts, memory_id)
            valid, precision = _new_interval(fact, valid_from, valid_to)
            edit = Edit(
                text=words,
                metadata=None if metadata is None else read_metadata(metadata),
                expires_on=None if isinstance(expiration_date, Unset) else read_expiry(expiration_date),
                forget_expiry=expiration_date is None,
                valid=valid,
                precision=precision,
            )
            if edit == Edit():
                raise InvalidInput("update", "nothing to change", "Give text, metadata or dates.")
            changes = await edit_fact(parts.store, parts.new_id, fact, edit)
            await parts.store.apply(fact.scope, changes, key=f"update:{parts.new_id()}")
            result["undo_id"] = _decision_in(changes)

        result: MessageResult = {"message": "Memory updated successfully!"}
        await with_retries(change)
        await try_fill_vectors(parts.store, parts.embedder)
        return result

    async def delete(self, memory_id: str) -> MessageResult:
        """Hide a fact and the messages it came from, or a message and the facts that rest on it alone.

        History keeps it and `undo` brings it back; `erase` removes it for good. NotFound if there is none.
        """
        parts = await self._ready()

        async def change() -> None:
            fact = await self._fact_or_none(parts, memory_id)
            if fact is None:
                result["undo_id"] = await self._delete_episode(parts, memory_id)
                return
            if fact.body.immutable:
                raise InvalidInput("memory_id", "this memory is immutable", "Use erase() to remove it.")
            shown = await _shown(parts, fact.scope, sorted(episodes_of(fact)))
            changes = await hide_fact(parts.store, parts.new_id, fact, shown)
            await parts.store.apply(fact.scope, changes, key=f"delete:{parts.new_id()}")
            result["undo_id"] = _decision_in(changes)

        result: MessageResult = {"message": "Memory deleted successfully!"}
        await with_retries(change)
        return result

    async def _delete_episode(self, parts: Parts, episode_id: str) -> str:
        view = View(valid_at=parts.clock(), validity=Validity.ANY)
        episodes = await parts.store.episodes(self._everywhere, [episode_id], view=view)
        if not episodes:
            raise NotFound("memory", episode_id)
        episode = episodes[0]
        facts = await parts.store.facts_of_episodes(episode.scope, [episode.id])
        alone = [f for f in facts if f.body.status.has_claims and episodes_of(f) == {episode.id}]
        operation = self._hiding(parts, episode.scope, "delete")
        changes = hide_everything(alone, [episode.id], operation, parts.new_id)
        await parts.store.apply(episode.scope, changes, key=f"delete:{operation.id}")
        return operation.id

    async def delete_all(
        self,
        *,
        user_id: IdValue = None,
        agent_id: IdValue = None,
        app_id: IdValue = None,
        run_id: IdValue = None,
    ) -> DeleteAllResult:
        """Hide every fact and message of a scope, in one transaction; at least one id is needed."""
        parts = await self._ready()
        ids = {"user_id": user_id, "agent_id": agent_id, "app_id": app_id, "run_id": run_id}
        scope = write_scope(self._workspace, ids)

        async def change() -> None:
            fact_ids, episode_ids = await parts.store.scope_items(scope)
            stored = await parts.store.facts(scope, fact_ids, view=None)
            facts = [f for f in stored if f.body.status.has_claims]
            shown = await _shown(parts, scope, episode_ids)
            operation = self._hiding(parts, scope, "delete_all")
            changes = hide_everything(facts, shown, operation, parts.new_id)
            await parts.store.apply(scope, changes, key=f"delete_all:{operation.id}")
            result["facts"] = sum(f.body.status.is_visible for f in facts)
            result["episodes"] = len(shown)
            if facts or shown:
                result["undo_id"] = operation.id

        result: DeleteAllResult = {"message": "Memories deleted successfully!", "facts": 0, "episodes": 0}
        await with_retries(change)
        return result

    def _hiding(self, parts: Parts, scope: Scope, kind: str) -> Operation:
        return Operation(id=OperationId(parts.new_id()), scope=scope, kind=kind, state="done", result={})

    async def undo(self, decision_id: str) -> UndoResult:
        """Take back one decision, or all of an operation that is not undone yet, with the messages it hid.

        UndoConflict if it is undone or a later change rests on it; NotFound if there is no such id.
        """
        parts = await self._ready()
        changed: dict[str, None] = {}

        async def take_back(ids: Sequence[DecisionId]) -> None:
            decisions = await parts.store.decisions(self._everywhere, ids=ids)
            scope, changes = await undo_decisions(parts.store, parts.new_id, self._everywhere, decisions)
            await parts.store.apply(scope, changes, key=f"undo:{digest(*ids)}")
            changed.update({i: None for d in decisions for i in (d.fact_id, *(i for i, _ in d.before))})

        given = read_memory_id(decision_id, field="decision_id")
        groups = await self._to_undo(parts, given)
        for ids in groups:
            await with_retries(partial(take_back, ids))
        if not await self._show_again(parts, given) and not groups:
            if await parts.store.decisions(self._everywhere, operation_id=OperationId(given)):
                raise UndoConflict(f"operation {given!r}: undone already.")
            raise NotFound("decision", given)
        await try_fill_vectors(parts.store, parts.embedder)
        facts = await parts.store.facts(self._everywhere, list(changed), view=None)
        return {
            "message": "Decision undone.",
            "decision_id": decision_id,
            "results": [fact_item(f, parts.clock()) for f in facts],
        }

    async def _to_undo(self, parts: Parts, given: str) -> list[list[DecisionId]]:
        """The decision, or those of the operation, one list for each exact scope that they touch."""
        found = await parts.store.decisions(self._everywhere, ids=[DecisionId(given)])
        if not found:
            of_operation = await parts.store.decisions(self._everywhere, operation_id=OperationId(given))
            found = [d for d in of_operation if d.undone_by is None]
        facts = await parts.store.facts(self._everywhere, [d.fact_id for d in found], view=None)
        scopes = {f.id: f.scope.key for f in facts}
        groups: dict[str | None, list[DecisionId]] = {}
        for decision in found:
            groups.setdefault(scopes.get(decision.fact_id), []).append(decision.id)
        return list(groups.values())

    async def _show_again(self, parts: Parts, given: str) -> bool:
        """Show the messages that an operation hid and no fact rested on; False if there are none."""
        operation = await parts.store.operation(self._everywhere, OperationId(given))
        hidden = (operation.result or {}).get("hidden_episodes") if operation is not None else None
        if operation is None or not isinstance(hidden, list):
            return False
        stored = await parts.store.episodes(operation.scope, [str(i) for i in hidden], view=None)
        if not stored:
            return False
        changes = [ShowEpisode(episode_id=e.id, is_visible=True) for e in stored]
        applied = await parts.store.apply(operation.scope, changes, key=f"undo:{operation.id}")
        if applied.was_repeat:
            raise UndoConflict(f"operation {given!r}: undone already.")
        return True

    async def erase(
        self,
        memory_id: str | None = None,
        *,
        user_id: IdValue = None,
        agent_id: IdValue = None,
        app_id: IdValue = None,
        run_id: IdValue = None,
    ) -> EraseReceipt:
        """Remove for ever: one memory with the messages it came from, or all of a scope.

        Reaches every table, index, vector and the file itself; the receipt counts what went and what,
        searched byte by byte, still remains (0). NotFound if there is no such memory.
        """
        parts = await self._ready()
        ids = {"user_id": user_id, "agent_id": agent_id, "app_id": app_id, "run_id": run_id}
        if (memory_id is None) == all(v is None for v in ids.values()):
            raise InvalidInput("erase", "needs a memory_id or scope ids", "Give one of the two.")
        if memory_id is None:
            scope = write_scope(self._workspace, ids)
            fact_ids, episode_ids = await parts.store.scope_items(scope)
        else:
            scope = self._everywhere
            fact_ids, episode_ids = await self._erasable(parts, memory_id)
        touched = await parts.store.facts(self._everywhere, fact_ids, view=None)
        touched += await parts.store.facts_of_episodes(self._everywhere, episode_ids)
        receipt = await parts.store.erase(scope, fact_ids=fact_ids, episode_ids=episode_ids)
        await self._settle_what_is_left(parts, touched)
        return {
            "message": "Erased.",
            "erased_at": to_text(receipt.erased_at) or "",
            "facts": receipt.facts,
            "episodes": receipt.episodes,
            "rows": dict(receipt.rows),
            "remains": receipt.remains,
        }

    async def _settle_what_is_left(self, parts: Parts, erased: Sequence[Fact]) -> None:
        """Without the erased claims, other values of their slots may hold for longer."""
        slots: dict[Scope, dict[Slot, None]] = {}
        for fact in erased:
            if fact.body.slot is not None:
                slots.setdefault(fact.scope, {})[fact.body.slot] = None

        async def settle(scope: Scope, in_scope: Sequence[Slot]) -> None:
            changes = await settle_again(parts.store, parts.new_id, scope, in_scope)
            if changes:
                await parts.store.apply(scope, changes, key=f"settle:{parts.new_id()}")

        for scope, in_scope in slots.items():
            await with_retries(partial(settle, scope, list(in_scope)))

    async def _erasable(self, parts: Parts, memory_id: str) -> tuple[list[FactId], list[EpisodeId]]:
        """A fact with every message it rests on, or one message."""
        fact = await self._fact_or_none(parts, memory_id, hidden=True)
        if fact is not None:
            return [fact.id], [s.episode_id for s in fact.sources if s.episode_id is not None]
        episodes = await parts.store.episodes(self._everywhere, [memory_id], view=None)
        if not episodes:
            raise NotFound("memory", memory_id)
        return [], [episodes[0].id]

    async def reset(self) -> MessageResult:
        """Remove everything from the store, for every owner and workspace in it."""
        parts = await self._ready()
        await parts.store.reset()
        return {"message": "Memory store reset."}


async def _shown(parts: Parts, scope: Scope, ids: Sequence[EpisodeId]) -> list[EpisodeId]:
    """Those of these messages that no delete has hidden."""
    view = View(valid_at=parts.clock(), validity=Validity.ANY)
    return [e.id for e in await parts.store.episodes(scope, ids, view=view)]


def _decision_in(changes: Sequence[Change]) -> str:
    """The id of the one decision that explains the changes."""
    return next(c.decision.id for c in changes if isinstance(c, PutDecision))


def _is_text(words: object) -> bool:
    return isinstance(words, str) and bool(words.strip())


def _new_interval(
    fact: Fact, valid_from: TimeValue | Unset | None, valid_to: TimeValue | Unset | None
) -> tuple[Interval | None, Precision]:
    """The interval a caller asks for, or None if neither bound was given."""
    old = fact.body
    if isinstance(valid_from, Unset) and isinstance(valid_to, Unset):
        return None, old.precision
    start, precision = old.valid.start, old.precision
    if not isinstance(valid_from, Unset):
        start, precision = (
            (None, Precision.INSTANT) if valid_from is None else read_start(valid_from, field="valid_from")
        )
    end = old.valid.end
    if not isinstance(valid_to, Unset):
        end = None if valid_to is None else read_start(valid_to, field="valid_to")[0]
    if start is not None and end is not None and end < start:
        raise InvalidTime("valid_to", "lies before valid_from", "Give an end after the start.")
    return Interval(start, end), precision
