"""Contract: entities and links, decisions, operations, and which model the vectors are of."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from perdure.core.changes import (
    LinkEntity,
    MarkUndone,
    PutDecision,
    PutEntity,
    PutEpisode,
    PutOperation,
    SetOperation,
)
from perdure.core.filters import parse_filter
from perdure.core.values import (
    Action,
    Body,
    Decision,
    DecisionId,
    Entity,
    EntityId,
    FactId,
    Layer,
    Operation,
    OperationId,
    Scope,
    SourceId,
    Status,
    Validity,
)
from perdure.errors import EmbedderMismatch, StillWaiting
from perdure.ports import EmbedderIdentity, Link, Ref, Store, WaitingVector
from perdure.testing.contract_base import (
    ANA,
    BEN,
    FACTS,
    IDENTITY,
    ContractBase,
    StepClock,
    day,
    index,
    match_ids,
    mention,
    new_episode,
    new_fact,
    unit,
    view,
    write,
)

OTHER = EmbedderIdentity(name="other-model", dimension=3, is_normalised=False)


def decided(decision_id: str, fact_id: str, **fields: object) -> Decision:
    plain = Decision(
        id=DecisionId(decision_id),
        operation_id=OperationId("o1"),
        action=Action.UPDATE,
        layer=Layer.SLOT,
        fact_id=FactId(fact_id),
        reason="later start",
        draft_text="Ana moved",
        evidence={"cosine": 0.5},
        sources_added=(SourceId("s1"),),
    )
    return replace(plain, **fields)  # type: ignore[arg-type]  # fields of a dataclass by name


def captured(operation_id: str, *, scope: Scope = ANA, **fields: object) -> PutOperation:
    plain = Operation(id=OperationId(operation_id), scope=scope, kind="add", state="captured")
    return PutOperation(operation=replace(plain, **fields))  # type: ignore[arg-type]  # as above


class LedgerContract(ContractBase):
    """Who mentions whom, what was decided and what is still to be done."""

    async def test_an_entity_of_a_known_key_keeps_its_first_spelling(self, store: Store) -> None:
        for n, name in enumerate(("Porto", "PORTO")):
            entity = Entity(id=EntityId(f"n{n}"), scope=ANA, name=name, key="porto", kind="place")
            await write(store, PutEntity(entity=entity))
        (found,) = await store.entities(ANA, ["porto", "faro"])
        assert (found.id, found.name, found.kind) == ("n0", "Porto", "place")
        assert await store.entities_by_id(ANA, [EntityId("n0"), EntityId("n1")]) == [found]

    async def test_a_wide_scope_sees_the_entities_of_all_it_covers(self, store: Store) -> None:
        for scope, entity_id in ((ANA, "n1"), (BEN, "n2")):
            entity = Entity(id=EntityId(entity_id), scope=scope, name="Porto", key="porto")
            await write(store, PutEntity(entity=entity), scope=scope)
        assert [e.id for e in await store.entities(Scope(workspace="w1"), ["porto"])] == ["n1", "n2"]

    async def test_links_are_found_from_both_ends_and_said_twice_are_one(self, store: Store) -> None:
        await write(store, new_fact("f1", "Ana lives in Porto"), *mention("n1", "Porto", "f1"))
        await write(store, LinkEntity(entity_key="porto", kind="fact", item_id="f1"))
        link = Link(EntityId("n1"), Ref("fact", "f1"))
        assert await store.links_of_entities(ANA, [EntityId("n1")], view=view(), limit=9) == [link]
        assert await store.links_of_items(ANA, [Ref("fact", "f1"), Ref("episode", "f1")], view=view()) == [
            link
        ]

    async def test_links_come_newest_first_at_most_limit_for_each_entity(self, store: Store) -> None:
        for n in range(4):
            await write(store, new_fact(f"f{n}", f"Porto {n}"), *mention("n1", "Porto", f"f{n}"))
        await write(store, new_fact("f9", "Faro"), *mention("n2", "Faro", "f9"))
        asked = [EntityId("n1"), EntityId("n2")]
        links = await store.links_of_entities(ANA, asked, view=view(), limit=2)
        assert [(link.entity_id, link.ref.id) for link in links] == [("n2", "f9"), ("n1", "f3"), ("n1", "f2")]

    async def test_facts_and_episodes_have_a_limit_each(self, store: Store) -> None:
        await write(store, new_fact("f1", "Porto"), *mention("n1", "Porto", "f1"))
        for name in ("e1", "e2"):
            link = LinkEntity(entity_key="porto", kind="episode", item_id=name)
            await write(store, new_episode(name, "to Porto"), link)
        links = await store.links_of_entities(ANA, [EntityId("n1")], view=view(), limit=1)
        assert [link.ref for link in links] == [Ref("episode", "e2"), Ref("fact", "f1")]

    async def test_newer_links_that_do_not_match_hide_nothing(self, store: Store) -> None:
        rare = Body(text="Porto", fingerprint="p", metadata={"kind": "rare"})
        await write(store, new_fact("f1", rare), *mention("n1", "Porto", "f1"))
        for n in range(9):
            await write(store, new_fact(f"x{n}", f"Porto {n}"), *mention("n1", "Porto", f"x{n}"))
        where = parse_filter({"metadata": {"kind": "rare"}})
        links = await store.links_of_entities(ANA, [EntityId("n1")], view=view(), where=where, limit=2)
        assert [link.ref.id for link in links] == ["f1"]

    async def test_links_of_what_the_view_does_not_show_are_left_out(self, store: Store) -> None:
        hidden = Body(text="Porto", fingerprint="p", status=Status.RETRACTED)
        await write(store, new_fact("f1", hidden), *mention("n1", "Porto", "f1"))
        any_time = view(Validity.ANY)
        assert await store.links_of_entities(ANA, [EntityId("n1")], view=any_time, limit=9) == []

    async def test_a_link_is_not_known_before_it_was_made(self, store: Store) -> None:
        before = await write(store, new_fact("f1", "Ana lives in Porto"))
        await write(store, *mention("n1", "Porto", "f1"))
        past = view(known_at=before.recorded_at)
        assert await store.links_of_entities(ANA, [EntityId("n1")], view=past, limit=9) == []

    async def test_every_field_of_a_decision_comes_back(self, store: Store) -> None:
        before = ((FactId("f1"), 1), (FactId("f2"), 0))
        made = decided("d1", "f1", target_id=FactId("f2"), before=before)
        await write(store, new_fact("f1", "one"), new_fact("f2", "two"))
        applied = await write(store, PutDecision(decision=made))
        assert await store.decisions(ANA, ids=[DecisionId("d1")]) == [
            replace(made, recorded_at=applied.recorded_at)
        ]

    async def test_decisions_are_found_by_fact_target_and_what_they_changed(self, store: Store) -> None:
        await write(store, *(new_fact(f"f{n}", f"fact {n}") for n in range(4)))
        await write(store, PutDecision(decision=decided("d3", "f1")))
        await write(store, PutDecision(decision=decided("d1", "f0", target_id=FactId("f1"))))
        await write(store, PutDecision(decision=decided("d2", "f0", before=((FactId("f1"), 1),))))
        await write(store, PutDecision(decision=decided("d4", "f2", operation_id=OperationId("o2"))))
        assert [d.id for d in await store.decisions(ANA, fact_id=FactId("f1"))] == ["d3", "d1", "d2"]
        assert [d.id for d in await store.decisions(ANA, operation_id=OperationId("o2"))] == ["d4"]
        assert await store.decisions(ANA) == []

    async def test_an_undone_decision_says_by_which(self, store: Store) -> None:
        await write(store, new_fact("f1", "one"), PutDecision(decision=decided("d1", "f1")))
        undoes = PutDecision(decision=decided("d2", "f1", action=Action.DELETE))
        await write(store, MarkUndone(decision_id=DecisionId("d1"), by=DecisionId("d2")), undoes)
        found = await store.decisions(ANA, fact_id=FactId("f1"))
        assert [(d.id, d.undone_by) for d in found] == [("d1", "d2"), ("d2", None)]

    async def test_every_field_of_an_operation_comes_back(self, store: Store) -> None:
        put = captured(
            "o1",
            request={"infer": True},
            idempotency_key="i",
            request_hash="h",
            attempts=2,
            error="timeout",
            result={"ids": ["f1"]},
            owner="p1",
            lease_until=day(3),
        )
        applied = await write(store, put)
        expected = replace(put.operation, recorded_at=applied.recorded_at)
        assert await store.operation(ANA, OperationId("o1")) == expected
        assert await store.operation_by_key(ANA, "i") == expected
        assert await store.operation_by_key(Scope(workspace="w2", user_id="ana"), "i") is None

    async def test_a_moved_operation_has_its_result_and_no_lease(self, store: Store) -> None:
        await write(store, captured("o1", owner="p1", lease_until=day(3)))
        moved = SetOperation(operation_id=OperationId("o1"), state="done", result={"ids": []})
        await write(store, moved)
        found = await store.operation(ANA, OperationId("o1"))
        assert found is not None
        assert (found.state, found.result, found.owner, found.lease_until) == (
            "done",
            {"ids": []},
            None,
            None,
        )

    async def test_operations_are_listed_newest_first_by_state(self, store: Store) -> None:
        for n in range(3):
            await write(store, captured(f"o{n}"))
        await write(store, SetOperation(operation_id=OperationId("o1"), state="failed", error="refused"))
        assert [o.id for o in await store.operations(ANA, state=None, limit=2)] == ["o2", "o1"]
        assert [o.id for o in await store.operations(ANA, state="failed", limit=9)] == ["o1"]
        assert await store.operations(BEN, state=None, limit=9) == []

    async def test_claims_take_what_no_living_owner_holds_oldest_first(self, store: Store) -> None:
        await write(store, captured("free"))
        await write(store, captured("ended", owner="p1", lease_until=day(-1)))
        await write(store, captured("orphan", owner="dead", lease_until=day(9)))
        await write(store, captured("held", owner="p1", lease_until=day(9)))
        await write(store, captured("done", state="done"))
        await write(store, captured("bens", scope=BEN), scope=BEN)
        claimed = await store.claim_operations(
            owner="me", lease_until=day(5), is_alive=lambda owner: owner != "dead", limit=9
        )
        assert [o.id for o in claimed] == ["free", "ended", "orphan", "bens"]
        assert {(o.owner, o.lease_until, o.attempts) for o in claimed} == {("me", day(5), 1)}

    async def test_a_claimed_operation_is_not_claimed_again_before_its_lease_ends(self, store: Store) -> None:
        await write(store, captured("o1"))
        soon = StepClock()() + timedelta(hours=1)
        first = await store.claim_operations(
            owner="a", lease_until=soon, is_alive=lambda owner: True, limit=9
        )
        second = await store.claim_operations(
            owner="b", lease_until=soon, is_alive=lambda owner: True, limit=9
        )
        assert (len(first), second) == (1, [])

    async def test_the_episodes_of_an_operation_come_in_order(self, store: Store) -> None:
        puts = [new_episode(i, f"text {i}") for i in ("e2", "e1")]
        operation_id = OperationId("o1")
        owned = [
            PutEpisode(episode=replace(p.episode, operation_id=operation_id), index=p.index) for p in puts
        ]
        await write(store, captured("o1"), *owned, new_episode("e3", "of none"))
        assert [e.id for e in await store.operation_episodes(ANA, operation_id)] == ["e2", "e1"]
        assert await store.operation_episodes(BEN, operation_id) == []

    async def test_a_store_remembers_its_embedder_and_refuses_another(self, store: Store) -> None:
        await store.bind_embedder(IDENTITY)
        with pytest.raises(EmbedderMismatch):
            await store.bind_embedder(OTHER)
        assert await store.embedder() == IDENTITY

    async def test_entries_wait_for_vectors_oldest_first(self, store: Store) -> None:
        await write(store, new_fact("f1", "first"), new_episode("e1", "second"))
        await write(store, new_fact("f2", "third", vector=unit(1, 0, 0, 0)))
        waiting = await store.waiting_vectors(IDENTITY, limit=9)
        assert [w.text for w in waiting] == ["first", "second"]
        await store.store_vectors(IDENTITY, [(w.unit_id, unit(0, 1, 0, 0)) for w in waiting])
        assert await store.waiting_vectors(IDENTITY, limit=9) == []

    async def test_a_switch_is_refused_while_any_entry_waits(self, store: Store) -> None:
        await write(store, new_fact("f1", "first", vector=unit(1, 0, 0, 0)))
        with pytest.raises(StillWaiting):
            await store.switch_embedder(OTHER)
        assert await store.embedder() == IDENTITY

    async def test_after_a_switch_search_uses_the_new_vectors_also_for_the_past(self, store: Store) -> None:
        then = await write(store, new_fact("f1", "first", vector=unit(1, 0, 0, 0)))
        await store.search_vectors(ANA, unit(1, 0, 0, 0), kinds=FACTS, view=view(), where=None, limit=5)
        waiting: list[WaitingVector] = await store.waiting_vectors(OTHER, limit=9)
        await store.store_vectors(OTHER, [(w.unit_id, unit(1, 2, 2)) for w in waiting])
        await store.switch_embedder(OTHER)
        for seen_from in (view(), view(known_at=then.recorded_at)):
            found = await store.search_vectors(
                ANA, unit(1, 2, 2), kinds=FACTS, view=seen_from, where=None, limit=5
            )
            assert match_ids(found) == ["f1"]
        assert await store.embedder() == OTHER
        assert await store.check() == []

    async def test_index_text_may_differ_from_the_text_of_the_fact(self, store: Store) -> None:
        put = replace(new_fact("f1", "Ana likes tea"), index=index("2025-01-01 Ana: tea"))
        await write(store, put)
        assert [w.text for w in await store.waiting_vectors(IDENTITY, limit=9)] == ["2025-01-01 Ana: tea"]
