"""Contract: vectors, words and times find the right items, rightly scored, filtered before the limit."""

from __future__ import annotations

import math

import numpy as np
import pytest

from perdure.core.changes import IndexText, PutVersion, SetVector
from perdure.core.filters import parse_filter
from perdure.core.interval import Interval
from perdure.core.values import Body, FactId, Scope, Validity
from perdure.errors import EmbedderMismatch
from perdure.ports import Ref, Store
from perdure.testing.contract_base import (
    ANA,
    BEN,
    BOTH,
    EPISODES,
    FACTS,
    ContractBase,
    body,
    day,
    index,
    match_ids,
    new_episode,
    new_fact,
    unit,
    view,
    write,
)

EAST = unit(1, 0, 0, 0)
NORTH = unit(0, 1, 0, 0)
CROWD = 600


class SignalContract(ContractBase):
    """Scope, view and filter come before ranking and before the limit, in every signal."""

    async def test_vectors_come_nearest_first_with_their_cosine(self, store: Store) -> None:
        await write(store, new_fact("f1", "north", vector=NORTH))
        await write(store, new_fact("f2", "east", vector=EAST))
        await write(store, new_episode("e1", "between", vector=unit(1, 1, 0, 0)))
        found = await store.search_vectors(ANA, EAST, kinds=BOTH, view=view(), where=None, limit=5)
        assert [m.ref for m in found] == [Ref("fact", "f2"), Ref("episode", "e1"), Ref("fact", "f1")]
        assert [m.score for m in found] == pytest.approx([1.0, math.sqrt(0.5), 0.0], abs=1e-6)

    async def test_equal_vectors_come_by_id(self, store: Store) -> None:
        ids = ["f3", "f1", "f2"]
        await write(store, *(new_fact(i, f"text of {i}", vector=unit(3, 1, 2, 5)) for i in ids))
        found = await store.search_vectors(
            ANA, unit(1, 2, 3, 4), kinds=BOTH, view=view(), where=None, limit=2
        )
        assert match_ids(found) == ["f1", "f2"]
        assert found[0].score == found[1].score

    async def test_vectors_of_any_length_are_compared_by_cosine(self, store: Store) -> None:
        long_way_off = np.asarray(unit(1, 1, 0, 0) * 50, dtype=np.float32)
        await write(store, new_fact("f1", "long", vector=long_way_off))
        await write(store, new_fact("f2", "near", vector=np.asarray(EAST / 10, dtype=np.float32)))
        query = np.asarray(EAST * 7, dtype=np.float32)
        found = await store.search_vectors(ANA, query, kinds=BOTH, view=view(), where=None, limit=2)
        assert match_ids(found) == ["f2", "f1"]
        assert found[0].score == pytest.approx(1.0, abs=1e-6)

    async def test_kinds_choose_what_vectors_find(self, store: Store) -> None:
        await write(store, new_fact("f1", "a fact", vector=EAST), new_episode("e1", "said", vector=EAST))
        found = [
            match_ids(await store.search_vectors(ANA, EAST, kinds=k, view=view(), where=None, limit=5))
            for k in (FACTS, EPISODES)
        ]
        assert found == [["f1"], ["e1"]]

    async def test_an_item_waiting_for_its_vector_is_found_once_it_has_one(self, store: Store) -> None:
        waits = await write(store, new_fact("f1", "Ana likes tea"))
        await write(store, SetVector(kind="fact", item_id="f1", vector=EAST))
        now = await store.search_vectors(ANA, EAST, kinds=BOTH, view=view(), where=None, limit=5)
        then = await store.search_vectors(
            ANA, EAST, kinds=BOTH, view=view(known_at=waits.recorded_at), where=None, limit=5
        )
        assert (match_ids(now), match_ids(then)) == (["f1"], [])

    async def test_a_vector_that_is_there_is_not_replaced(self, store: Store) -> None:
        await write(store, new_fact("f1", "Ana likes tea", vector=EAST))
        await write(store, SetVector(kind="fact", item_id="f1", vector=NORTH))
        (match,) = await store.search_vectors(ANA, EAST, kinds=BOTH, view=view(), where=None, limit=5)
        assert match.score == pytest.approx(1.0, abs=1e-6)

    async def test_a_query_of_another_size_is_refused(self, store: Store) -> None:
        with pytest.raises(EmbedderMismatch):
            await store.search_vectors(ANA, unit(1, 0), kinds=BOTH, view=view(), where=None, limit=5)

    async def test_the_old_words_and_vector_are_found_at_their_record_time_only(self, store: Store) -> None:
        then = await write(store, new_fact("f1", "Ana likes tea", vector=EAST))
        rum = PutVersion(
            fact_id=FactId("f1"), body=body("Ana likes rum"), expected=1, index=index("rum", NORTH)
        )
        await write(store, rum)
        past = view(known_at=then.recorded_at)
        scores = [
            (await store.search_vectors(ANA, EAST, kinds=FACTS, view=v, where=None, limit=5))[0].score
            for v in (past, view())
        ]
        words = [
            match_ids(await store.search_keywords(ANA, ["tea"], kinds=FACTS, view=v, where=None, limit=5))
            for v in (past, view())
        ]
        assert scores == pytest.approx([1.0, 0.0], abs=1e-6)
        assert words == [["f1"], []]

    async def test_keyword_scores_are_bm25(self, store: Store) -> None:
        texts = {"f1": "tea tea milk", "f2": "tea", "f3": "rum rum rum rum"}
        await write(store, *(new_fact(i, text) for i, text in texts.items()))
        found = await store.search_keywords(
            ANA, ["tea", "milk", "tea"], kinds=FACTS, view=view(), where=None, limit=5
        )
        mean = (3 + 1 + 4) / 3

        def part(holding: int, times: int, length: int) -> float:
            idf = math.log(1 + (3 - holding + 0.5) / (holding + 0.5))
            return idf * times * 2.2 / (times + 1.2 * (0.25 + 0.75 * length / mean))

        expected = {"f1": part(2, 2, 3) + part(1, 1, 3), "f2": part(2, 1, 1)}
        assert {m.ref.id: m.score for m in found} == pytest.approx(expected, abs=1e-9)
        assert match_ids(found) == ["f1", "f2"]

    async def test_equal_keyword_scores_come_by_id(self, store: Store) -> None:
        await write(store, *(new_fact(i, "tea and rum") for i in ("f2", "f3", "f1")))
        found = await store.search_keywords(ANA, ["rum"], kinds=FACTS, view=view(), where=None, limit=2)
        assert match_ids(found) == ["f1", "f2"]

    async def test_corpus_statistics_are_those_of_the_scope(self, store: Store) -> None:
        await write(store, new_fact("f1", "tea with milk"), new_fact("f2", "rum"))
        asked = await store.search_keywords(ANA, ["tea"], kinds=FACTS, view=view(), where=None, limit=5)
        await write(store, *(new_fact(f"b{n}", "tea tea tea") for n in range(9)), scope=BEN)
        again = await store.search_keywords(ANA, ["tea"], kinds=FACTS, view=view(), where=None, limit=5)
        assert again == asked

    @pytest.mark.parametrize(
        "token", ['"', "*", "tea OR rum", "'; DROP TABLE facts; --", "a\0b", "NEAR(", "%"]
    )
    async def test_tokens_are_data(self, store: Store, token: str) -> None:
        odd = PutVersion(
            fact_id=FactId("f1"),
            body=body("odd"),
            expected=0,
            index=IndexText(text="odd", tokens=(token, "other")),
        )
        await write(store, odd, new_fact("f2", "tea rum a b"))
        found = await store.search_keywords(ANA, [token], kinds=FACTS, view=view(), where=None, limit=5)
        assert match_ids(found) == ["f1"]

    async def test_no_tokens_find_nothing(self, store: Store) -> None:
        await write(store, new_fact("f1", "tea"))
        assert await store.search_keywords(ANA, [], kinds=FACTS, view=view(), where=None, limit=5) == []

    async def test_times_find_what_begins_in_the_window_latest_first(self, store: Store) -> None:
        begins = {"f1": day(1), "f2": day(2), "f3": day(3), "f4": None}
        bodies = {i: Body(text=i, fingerprint=i, valid=Interval(at, None)) for i, at in begins.items()}
        await write(store, *(new_fact(i, said) for i, said in bodies.items()))
        await write(store, new_episode("e1", "on the second", said_at=day(2)), new_episode("e2", "undated"))
        found = await store.search_times(
            ANA, Interval(day(1), day(3)), kinds=BOTH, view=view(), where=None, limit=9
        )
        assert [ref.id for ref in found] == ["e1", "f2", "f1"]

    async def test_nearer_vectors_of_others_do_not_hide_ones_own(self, store: Store) -> None:
        await write(store, *(new_fact(f"b{n:03}", f"b {n}", vector=EAST) for n in range(CROWD)), scope=BEN)
        await write(store, *(new_fact(f"f{n}", f"f {n}", vector=unit(1, 1, n, 0)) for n in range(3)))
        found = await store.search_vectors(ANA, EAST, kinds=FACTS, view=view(), where=None, limit=3)
        everyone = Scope(workspace="w1")
        where = parse_filter({"user_id": "ana"})
        filtered = await store.search_vectors(everyone, EAST, kinds=FACTS, view=view(), where=where, limit=3)
        assert match_ids(found) == match_ids(filtered) == ["f0", "f1", "f2"]

    async def test_better_words_that_are_not_shown_do_not_hide_what_is(self, store: Store) -> None:
        closed = Body(text="tea tea tea", fingerprint="x", valid=Interval(day(-9), day(-1)))
        await write(store, *(new_fact(f"c{n:03}", closed) for n in range(CROWD)))
        await write(store, *(new_fact(f"f{n}", "tea with some milk and honey") for n in range(3)))
        found = await store.search_keywords(ANA, ["tea"], kinds=FACTS, view=view(), where=None, limit=3)
        assert match_ids(found) == ["f0", "f1", "f2"]

    async def test_later_items_that_do_not_match_do_not_hide_what_does(self, store: Store) -> None:
        late = [
            Body(text=f"late {n}", fingerprint=f"l{n}", valid=Interval(day(5), None)) for n in range(CROWD)
        ]
        await write(store, *(new_fact(f"l{n:03}", said) for n, said in enumerate(late)))
        early = Body(text="early", fingerprint="e", valid=Interval(day(1), None), metadata={"kind": "rare"})
        await write(store, new_fact("f1", early))
        found = await store.search_times(
            ANA,
            Interval(day(0), None),
            kinds=FACTS,
            view=view(Validity.ANY),
            where=parse_filter({"metadata": {"kind": "rare"}}),
            limit=1,
        )
        assert found == [Ref("fact", "f1")]

    async def test_a_limit_of_nothing_finds_nothing(self, store: Store) -> None:
        await write(store, new_fact("f1", "tea", vector=EAST))
        assert await store.search_vectors(ANA, EAST, kinds=FACTS, view=view(), where=None, limit=0) == []
        assert await store.search_vectors(ANA, EAST, kinds=[], view=view(), where=None, limit=3) == []
