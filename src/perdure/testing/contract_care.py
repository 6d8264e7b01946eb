"""Contract: erase removes for ever, check sees what is broken, stats count, reset empties, close closes."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from perdure.core.changes import (
    PutDecision,
    PutEpisode,
    PutOperation,
    PutRelation,
    PutSource,
    SetOperation,
)
from perdure.core.interval import Interval
from perdure.core.values import (
    Action,
    Body,
    Cardinality,
    Decision,
    DecisionId,
    EntityId,
    FactId,
    Layer,
    Operation,
    OperationId,
    Scope,
    Slot,
    Status,
)
from perdure.errors import PerdureError, StoreClosed
from perdure.ports import Receipt, Store
from perdure.testing.contract_base import (
    ANA,
    BEN,
    BOTH,
    IDENTITY,
    ContractBase,
    StepClock,
    day,
    fact_ids,
    mention,
    new_episode,
    new_fact,
    new_source,
    unit,
    view,
    write,
)

SECRET = "the aubergine safe opens with 90210"


async def _tell_secret(store: Store) -> None:
    """A fact with everything that can hold its words, from an episode of an operation."""
    operation = Operation(id=OperationId("o1"), scope=ANA, kind="add", state="captured")
    said = new_episode("e1", f"I say {SECRET}", said_at=day(0), vector=unit(1, 0, 0, 0))
    said = PutEpisode(episode=replace(said.episode, operation_id=operation.id), index=said.index)
    decision = Decision(
        id=DecisionId("d1"),
        operation_id=operation.id,
        action=Action.ADD,
        layer=Layer.NEW,
        fact_id=FactId("f1"),
        reason="nothing like it",
        draft_text=f"Ana says {SECRET}",
        evidence={"quote": SECRET},
    )
    stated = new_source("s1", "f1", "e1", f"she said {SECRET}").source
    fact = new_fact("f1", Body(text=f"Ana says {SECRET}", fingerprint="fp", value=SECRET))
    await write(store, PutOperation(operation=operation), said, fact)
    await write(store, PutSource(source=replace(stated, decision_id=DecisionId("d1"))))
    await write(store, *mention("n1", "Aubergine safe", "f1"), PutDecision(decision=decision))
    await write(
        store,
        PutRelation(
            fact_id=FactId("f1"), source_key="aubergine safe", label="opens", target_key="aubergine safe"
        ),
    )
    await write(store, SetOperation(operation_id=operation.id, state="done", result={"memory": SECRET}))


class CareContract(ContractBase):
    """The store as a whole."""

    async def test_an_erased_fact_is_nowhere(self, store: Store) -> None:
        await _tell_secret(store)
        receipt = await store.erase(ANA, fact_ids=["f1"], episode_ids=["e1"])
        assert (receipt.facts, receipt.episodes, receipt.remains) == (1, 1, 0)
        assert await store.scope_items(ANA) == ([], [])
        assert await store.history(ANA, FactId("f1")) == []
        assert await store.decisions(ANA, ids=[DecisionId("d1")]) == []
        assert await store.entities_by_id(ANA, [EntityId("n1")]) == []
        assert (
            await store.search_keywords(ANA, ["aubergine"], kinds=BOTH, view=view(), where=None, limit=5)
            == []
        )
        assert await store.check() == []

    async def test_an_erased_fact_is_not_known_at_an_earlier_time_either(self, store: Store) -> None:
        told = await write(store, new_fact("f1", SECRET, vector=unit(1, 0, 0, 0)))
        past = view(known_at=told.recorded_at)
        asked = (ANA, unit(1, 0, 0, 0))
        await store.search_vectors(*asked, kinds=BOTH, view=past, where=None, limit=5)
        await store.erase(ANA, fact_ids=["f1"], episode_ids=[])
        assert await store.search_vectors(*asked, kinds=BOTH, view=past, where=None, limit=5) == []
        assert await store.facts(ANA, ["f1"], view=past) == []

    async def test_no_file_holds_an_erased_text(self, tmp_path: Path) -> None:
        store = await self.open_store(tmp_path, StepClock())
        await store.bind_embedder(IDENTITY)
        await _tell_secret(store)
        await write(store, *(new_fact(f"g{n}", f"some other fact number {n}") for n in range(50)))
        await store.erase(ANA, fact_ids=["f1"], episode_ids=["e1"])
        held = await asyncio.to_thread(_files_holding, tmp_path, b"aubergine s")
        await store.close()
        assert held == []

    async def test_a_fact_that_rests_on_erased_episodes_alone_goes_too(self, store: Store) -> None:
        await write(store, new_episode("e1", "I like tea"), new_fact("f1", "Ana likes tea"))
        await write(store, new_source("s1", "f1", "e1"))
        assert (await store.erase(ANA, fact_ids=[], episode_ids=["e1"])).facts == 1
        assert await store.facts(ANA, ["f1"], view=None) == []

    async def test_a_fact_with_another_source_loses_only_the_erased_one(self, store: Store) -> None:
        await write(store, new_episode("e1", "I like tea"), new_episode("e2", "Tea, as ever"))
        await write(store, new_fact("f1", "Ana likes tea"))
        await write(store, new_source("s1", "f1", "e1"), new_source("s2", "f1", "e2"))
        await store.erase(ANA, fact_ids=[], episode_ids=["e1"])
        (fact,) = await store.facts(ANA, ["f1"], view=None)
        assert [source.id for source in fact.sources] == ["s2"]
        assert await store.check() == []

    async def test_a_decision_on_a_fact_that_stays_loses_the_erased_words(self, store: Store) -> None:
        await write(store, new_episode("e1", "I like tea"), new_episode("e2", SECRET))
        await write(store, new_fact("f1", "Ana likes tea"), new_source("s1", "f1", "e1"))
        again = Decision(
            id=DecisionId("d2"),
            operation_id=None,
            action=Action.NOOP,
            layer=Layer.EXACT,
            fact_id=FactId("f1"),
            reason=SECRET,
            draft_text=SECRET,
            sources_added=(new_source("s2", "f1", "e2").source.id,),
        )
        await write(store, new_source("s2", "f1", "e2", SECRET), PutDecision(decision=again))
        receipt: Receipt = await store.erase(ANA, fact_ids=[], episode_ids=["e2"])
        (decision,) = await store.decisions(ANA, ids=[DecisionId("d2")])
        assert (decision.draft_text, decision.sources_added, receipt.remains) == ("", (), 0)
        assert SECRET not in decision.reason

    async def test_the_answer_of_an_operation_goes_with_what_it_answered(self, store: Store) -> None:
        await _tell_secret(store)
        await write(store, new_fact("f9", "Ana likes rye"))
        await store.erase(ANA, fact_ids=["f1"], episode_ids=["e1"])
        operation = await store.operation(ANA, OperationId("o1"))
        assert operation is not None
        assert operation.result is None

    async def test_an_owner_of_whom_nothing_is_left_has_no_operations_either(self, store: Store) -> None:
        await _tell_secret(store)
        await store.erase(ANA, fact_ids=["f1"], episode_ids=["e1"])
        assert await store.operations(ANA, state=None, limit=9) == []

    async def test_an_entity_that_others_mention_stays(self, store: Store) -> None:
        await write(store, new_fact("f1", "Porto is wet"), *mention("n1", "Porto", "f1"))
        await write(store, new_fact("f2", "Porto is old"), *mention("n1", "Porto", "f2"))
        await store.erase(ANA, fact_ids=["f1"], episode_ids=[])
        assert [e.id for e in await store.entities(ANA, ["porto"])] == ["n1"]

    async def test_words_that_another_user_said_too_are_no_remains(self, store: Store) -> None:
        await write(store, new_fact("f1", SECRET))
        await write(store, new_fact("f2", SECRET), scope=BEN)
        assert (await store.erase(ANA, fact_ids=["f1"], episode_ids=[])).remains == 0
        assert fact_ids(await store.facts(BEN, ["f2"], view=None)) == ["f2"]

    async def test_nobody_disputes_or_replaces_by_an_erased_fact(self, store: Store) -> None:
        linked = Body(
            text="kept", fingerprint="k", replaced_by=FactId("f1"), disputes=(FactId("f1"), FactId("f3"))
        )
        await write(store, new_fact("f1", SECRET), new_fact("f2", linked), new_fact("f3", "third"))
        await store.erase(ANA, fact_ids=["f1"], episode_ids=[])
        (fact,) = await store.facts(ANA, ["f2"], view=None)
        assert (fact.body.replaced_by, fact.body.disputes) == (None, ("f3",))

    async def test_stats_count_the_scope(self, store: Store) -> None:
        ended = Body(text="was", fingerprint="w", valid=Interval(day(-9), day(-1)))
        gone = Body(text="gone", fingerprint="g", status=Status.DELETED)
        await write(store, new_fact("f1", "is", vector=unit(1, 0, 0, 0)), new_fact("f2", ended))
        await write(store, new_fact("f3", gone), new_episode("e1", "said"), *mention("n1", "Porto", "f1"))
        open_one = Operation(id=OperationId("o1"), scope=ANA, kind="add", state="captured")
        failed = replace(open_one, id=OperationId("o2"), state="failed")
        await write(store, PutOperation(operation=open_one), PutOperation(operation=failed))
        stats = await store.stats(ANA)
        assert (stats.facts, stats.closed, stats.episodes, stats.entities) == (2, 1, 1, 1)
        assert (stats.waiting_vectors, stats.open_operations, stats.failed_operations) == (3, 1, 1)
        assert stats.embedder == IDENTITY
        assert stats.bytes > 0

    async def test_a_store_full_of_everything_is_whole(self, store: Store) -> None:
        await _tell_secret(store)
        assert await store.check() == []

    async def test_check_sees_two_current_values_in_one_single_slot(self, store: Store) -> None:
        home = Slot(subject="ana", attribute="home", cardinality=Cardinality.SINGLE)
        porto = Body(text="Porto", fingerprint="p", slot=home, value="Porto")
        faro = Body(text="Faro", fingerprint="f", slot=home, value="Faro")
        await write(store, new_fact("f1", porto), new_fact("f2", faro))
        assert len(await store.check()) == 1

    async def test_reset_empties_every_scope(self, store: Store) -> None:
        await _tell_secret(store)
        await write(store, new_fact("f2", "Ben likes tea"), scope=BEN, key="k")
        await store.reset()
        assert await store.scope_items(Scope(workspace="w1")) == ([], [])
        assert await store.embedder() is None
        assert not (await write(store, new_fact("f2", "Ben likes tea"), scope=BEN, key="k")).was_repeat
        assert await store.check() == []

    async def test_a_closed_store_says_so(self, tmp_path: Path) -> None:
        store = await self.open_store(tmp_path, StepClock())
        await store.close()
        await store.close()
        with pytest.raises(StoreClosed):
            await store.facts(ANA, ["f1"], view=None)
        with pytest.raises(StoreClosed):
            await write(store, new_fact("f1", "late"))

    async def test_errors_hold_no_text_of_a_user(self, store: Store) -> None:
        await write(store, new_fact("f1", "plain"))
        with pytest.raises(PerdureError) as caught:
            await write(store, new_fact("f1", SECRET))
        assert "aubergine" not in str(caught.value)


def _files_holding(directory: Path, words: bytes) -> list[str]:
    files = [file for file in directory.rglob("*") if file.is_file()]
    return [file.name for file in files if words in file.read_bytes()]
