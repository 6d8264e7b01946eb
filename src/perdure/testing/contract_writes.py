"""Contract: one transaction, all or nothing, once for each key, never over what changed meanwhile."""

from __future__ import annotations

import asyncio

import pytest

from perdure.core.changes import (
    Change,
    CloseSource,
    ExpectAbsent,
    ExpectVersion,
    LinkEntity,
    MarkUndone,
    PutDecision,
    PutOperation,
    PutVersion,
    SetOperation,
    SetVector,
    ShowEpisode,
)
from perdure.core.text import fingerprint
from perdure.core.values import (
    Action,
    Body,
    Cardinality,
    Decision,
    DecisionId,
    EpisodeId,
    FactId,
    Layer,
    Operation,
    OperationId,
    Slot,
    SourceId,
    Status,
    Validity,
)
from perdure.errors import EmbedderMismatch, IdempotencyConflict, NotFound, StaleWrite, StoreError
from perdure.ports import Store
from perdure.testing.contract_base import (
    ANA,
    BEN,
    FACTS,
    ContractBase,
    body,
    fact_ids,
    index,
    match_ids,
    new_episode,
    new_fact,
    new_source,
    unit,
    view,
    write,
)

HOME = Slot(subject="ana", attribute="home", cardinality=Cardinality.SINGLE)


def new_version(fact_id: str, text: str, *, expected: int) -> PutVersion:
    return PutVersion(fact_id=FactId(fact_id), body=body(text), expected=expected, index=index(text))


def decision(decision_id: str, fact_id: str) -> Decision:
    return Decision(
        id=DecisionId(decision_id),
        operation_id=None,
        action=Action.ADD,
        layer=Layer.NEW,
        fact_id=FactId(fact_id),
        reason="nothing like it",
    )


def operation(operation_id: str, *, key: str | None = None, request_hash: str = "h") -> Operation:
    return Operation(
        id=OperationId(operation_id),
        scope=ANA,
        kind="add",
        state="captured",
        idempotency_key=key,
        request_hash=request_hash,
    )


class WriteContract(ContractBase):
    """Whatever goes wrong, nothing of the transaction is there."""

    async def test_a_key_applied_again_does_nothing_and_gives_the_first_time(self, store: Store) -> None:
        first = await write(store, new_fact("f1", "Ana likes tea"), key="k")
        again = await write(store, new_fact("f2", "Ana likes rum"), key="k")
        assert (again.recorded_at, again.was_repeat) == (first.recorded_at, True)
        assert await store.facts(ANA, ["f2"], view=None) == []

    async def test_a_key_is_remembered_for_its_workspace_only(self, store: Store) -> None:
        other = type(ANA)(workspace="w2", user_id="ana")
        await write(store, new_fact("f1", "Ana likes tea"), key="k")
        applied = await write(store, new_fact("f2", "Ana likes rum"), key="k", scope=other)
        assert not applied.was_repeat

    async def test_record_times_grow_strictly(self, store: Store) -> None:
        times = [(await write(store, new_fact(f"f{n}", f"fact {n}"))).recorded_at for n in range(5)]
        assert times == sorted(set(times))

    async def test_a_version_based_on_an_older_one_is_refused(self, store: Store) -> None:
        await write(store, new_fact("f1", "Ana likes tea"))
        await write(store, new_version("f1", "Ana likes rum", expected=1))
        with pytest.raises(StaleWrite):
            await write(store, new_version("f1", "Ana likes ale", expected=1))
        assert [v.body.text for v in await store.history(ANA, FactId("f1"))] == [
            "Ana likes tea",
            "Ana likes rum",
        ]

    async def test_a_new_fact_with_a_taken_id_is_refused(self, store: Store) -> None:
        await write(store, new_fact("f1", "Ana likes tea"))
        with pytest.raises(StaleWrite):
            await write(store, new_fact("f1", "Ana likes rum"))

    async def test_a_refused_transaction_leaves_nothing(self, store: Store) -> None:
        await write(store, new_fact("f1", "Ana likes tea"))
        changes: list[Change] = [
            new_episode("e1", "I like rum"),
            new_fact("f2", "Ana likes rum"),
            new_source("s1", "f2", "e1"),
            ExpectVersion(fact_id=FactId("f1"), number=7),
        ]
        with pytest.raises(StaleWrite):
            await write(store, *changes, key="k")
        assert await store.scope_items(ANA) == (["f1"], [])
        assert not (await write(store, new_fact("f3", "Ana likes ale"), key="k")).was_repeat
        assert await store.check() == []

    async def test_expected_version_passes_while_it_stands(self, store: Store) -> None:
        await write(store, new_fact("f1", "Ana likes tea"))
        await write(store, ExpectVersion(fact_id=FactId("f1"), number=1), new_fact("f2", "Ana likes rum"))
        assert fact_ids(await store.facts(ANA, ["f2"], view=None)) == ["f2"]

    async def test_absent_fingerprint_is_refused_once_it_is_there(self, store: Store) -> None:
        expect = ExpectAbsent(fingerprints=(fingerprint("Ana likes tea"),))
        await write(store, expect, new_fact("f1", "Ana likes tea"))
        with pytest.raises(StaleWrite):
            await write(store, expect, new_fact("f2", "Ana likes tea"))

    async def test_absent_fingerprint_looks_at_the_exact_scope_only(self, store: Store) -> None:
        await write(store, new_fact("f1", "Likes tea"), scope=BEN)
        expect = ExpectAbsent(fingerprints=(fingerprint("Likes tea"),))
        assert not (await write(store, expect, new_fact("f2", "Likes tea"))).was_repeat

    async def test_expecting_an_episode_absent_fails_where_it_is_stored(self, store: Store) -> None:
        stored = new_episode("e1", "I like tea")
        await write(store, stored)
        expect = ExpectAbsent(episodes=(stored.episode.fingerprint,))
        with pytest.raises(StaleWrite):
            await write(store, expect)
        await write(store, expect, scope=BEN)

    async def test_slot_that_grew_is_refused(self, store: Store) -> None:
        home = Body(text="Ana lives in Porto", fingerprint="p", slot=HOME, value="Porto")
        expect = ExpectAbsent(slots=(("ana", "home", 0),))
        await write(store, expect, new_fact("f1", home))
        with pytest.raises(StaleWrite):
            await write(store, expect, new_fact("f2", home))

    async def test_deleted_facts_do_not_count_in_a_slot(self, store: Store) -> None:
        gone = Body(text="Ana lives in Porto", fingerprint="p", slot=HOME, status=Status.DELETED)
        await write(store, new_fact("f1", gone))
        expect = ExpectAbsent(slots=(("ana", "home", 0),))
        assert not (await write(store, expect, new_fact("f2", "Ana lives in Faro"))).was_repeat

    @pytest.mark.parametrize(
        "change",
        [
            new_version("f1", "Ben likes rum", expected=1),
            ExpectVersion(fact_id=FactId("f1"), number=1),
            new_source("s2", "f1", None),
            new_source("s2", "f2", "e1"),
            CloseSource(source_id=SourceId("s1")),
            ShowEpisode(episode_id=EpisodeId("e1"), is_visible=False),
            LinkEntity(entity_key="tea", kind="fact", item_id="f1"),
            SetVector(kind="episode", item_id="e1", vector=unit(1, 0, 0, 0)),
            PutDecision(decision=decision("d2", "f1")),
            MarkUndone(decision_id=DecisionId("d1"), by=DecisionId("d2")),
            SetOperation(operation_id=OperationId("o1"), state="done"),
        ],
        ids=lambda change: type(change).__name__,
    )
    async def test_what_the_scope_does_not_cover_cannot_be_changed(
        self, store: Store, change: Change
    ) -> None:
        await write(store, new_episode("e1", "I like tea"), new_fact("f1", "Ana likes tea"))
        await write(store, new_source("s1", "f1", "e1"), PutDecision(decision=decision("d1", "f1")))
        await write(store, PutOperation(operation=operation("o1")))
        await write(store, new_fact("f2", "Ben likes tea"), scope=BEN)
        with pytest.raises(NotFound):
            await write(store, change, scope=BEN)

    async def test_a_wider_scope_may_change_what_it_covers(self, store: Store) -> None:
        await write(store, new_fact("f1", "Ana likes tea"))
        workspace = type(ANA)(workspace="w1")
        await write(store, new_version("f1", "Ana likes rum", expected=1), scope=workspace)
        (fact,) = await store.facts(ANA, ["f1"], view=None)
        assert (fact.scope, fact.body.text) == (ANA, "Ana likes rum")

    async def test_an_undone_decision_cannot_be_undone_again(self, store: Store) -> None:
        await write(store, new_fact("f1", "Ana likes tea"), PutDecision(decision=decision("d1", "f1")))
        undo = MarkUndone(decision_id=DecisionId("d1"), by=DecisionId("d2"))
        await write(store, undo, key="once")
        with pytest.raises(StaleWrite):
            await write(store, undo, key="twice")

    async def test_one_idempotency_key_with_another_body_is_a_conflict(self, store: Store) -> None:
        await write(store, PutOperation(operation=operation("o1", key="i", request_hash="a")))
        with pytest.raises(IdempotencyConflict):
            await write(store, PutOperation(operation=operation("o2", key="i", request_hash="b")))

    async def test_one_idempotency_key_captured_twice_is_stale(self, store: Store) -> None:
        await write(store, PutOperation(operation=operation("o1", key="i")))
        with pytest.raises(StaleWrite):
            await write(store, PutOperation(operation=operation("o2", key="i")))

    async def test_an_episode_stored_again_is_left_as_it_is(self, store: Store) -> None:
        await write(store, new_episode("e1", "I like tea"))
        await write(store, new_episode("e1", "I like rum"))
        assert [e.text for e in await store.episodes(ANA, ["e1"], view=None)] == ["I like tea"]

    async def test_a_text_that_did_not_change_keeps_its_words_and_vector(self, store: Store) -> None:
        await write(store, new_fact("f1", "Ana likes tea", vector=unit(1, 0, 0, 0)))
        closed = PutVersion(fact_id=FactId("f1"), body=body("Ana likes tea"), expected=1)
        await write(store, closed)
        found = await store.search_vectors(
            ANA, unit(1, 0, 0, 0), kinds=FACTS, view=view(Validity.ANY), where=None, limit=5
        )
        assert match_ids(found) == ["f1"]

    async def test_a_vector_of_another_size_is_refused(self, store: Store) -> None:
        with pytest.raises(EmbedderMismatch):
            await write(store, new_fact("f1", "Ana likes tea", vector=unit(1, 0)))

    async def test_a_link_to_an_unknown_entity_is_refused(self, store: Store) -> None:
        with pytest.raises(StoreError):
            await write(
                store,
                new_fact("f1", "Ana likes tea"),
                LinkEntity(entity_key="tea", kind="fact", item_id="f1"),
            )
        assert await store.scope_items(ANA) == ([], [])

    async def test_twenty_writes_at_once_all_arrive_in_some_order(self, store: Store) -> None:
        applied = await asyncio.gather(
            *(write(store, new_fact(f"f{n:02}", f"Ana likes tea number {n}")) for n in range(20))
        )
        assert len({a.recorded_at for a in applied}) == 20
        assert await store.count_facts(ANA, view=view(), where=None) == 20
        assert await store.check() == []

    async def test_of_twenty_writes_on_one_version_one_wins(self, store: Store) -> None:
        await write(store, new_fact("f1", "Ana likes tea"))
        outcomes = await asyncio.gather(
            *(write(store, new_version("f1", f"Ana likes tea {n}", expected=1)) for n in range(20)),
            return_exceptions=True,
        )
        assert sum(isinstance(outcome, StaleWrite) for outcome in outcomes) == 19
        assert len(await store.history(ANA, FactId("f1"))) == 2
