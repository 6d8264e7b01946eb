"""Relevance spreads over shared names: bounded, damped at hubs, two hops far."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure import Memory
from perdure.core.values import EntityId
from perdure.ports import Link, Ref
from perdure.recall.graph import Node, page_rank, without_hubs

NAMES: list[Node] = [EntityId(f"n{n}") for n in range(4)]
ITEMS: list[Node] = [Ref("fact", f"f{n}") for n in range(5)]
edges = st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(ITEMS)), max_size=20)
restarts = st.dictionaries(st.sampled_from([*NAMES, *ITEMS]), st.floats(0.1, 5), max_size=4)


def both_ways(pairs: Sequence[tuple[Node, Node]]) -> dict[Node, list[Node]]:
    around: dict[Node, dict[Node, None]] = {}
    for one, other in pairs:
        around.setdefault(one, {})[other] = None
        around.setdefault(other, {})[one] = None
    return {node: list(found) for node, found in around.items()}


page_rank({}, {}, stay=0.5)  # loads numpy now, and not while the first example is timed


@given(edges, restarts, st.floats(0.05, 0.95))
def test_shares_lie_in_0_to_1_and_add_up_to_at_most_1(
    pairs: list[tuple[Node, Node]], restart: dict[Node, float], stay: float
) -> None:
    shares = page_rank(both_ways(pairs), restart, stay=stay)
    assert all(0 <= share <= 1 for share in shares.values())
    assert sum(shares.values()) <= 1 + 1e-9


@given(edges, restarts)
def test_the_same_graph_gives_the_same_shares(
    pairs: list[tuple[Node, Node]], restart: dict[Node, float]
) -> None:
    assert page_rank(both_ways(pairs), restart, stay=0.5) == page_rank(both_ways(pairs), restart, stay=0.5)


@given(edges, restarts)
def test_only_the_proportions_of_the_restart_count(
    pairs: list[tuple[Node, Node]], restart: dict[Node, float]
) -> None:
    doubled = {node: 2 * weight for node, weight in restart.items()}
    assert page_rank(both_ways(pairs), doubled, stay=0.5) == pytest.approx(
        page_rank(both_ways(pairs), restart, stay=0.5)
    )


def test_no_start_reaches_nothing() -> None:
    assert page_rank(both_ways([(NAMES[0], ITEMS[0])]), {}, stay=0.5) == {}


def test_a_start_without_neighbours_keeps_what_it_begins_with() -> None:
    assert page_rank({}, {NAMES[0]: 3.0}, stay=0.5) == {NAMES[0]: pytest.approx(0.5)}


def test_nearer_items_get_more() -> None:
    pairs = [(NAMES[0], ITEMS[0]), (NAMES[1], ITEMS[0]), (NAMES[1], ITEMS[1])]
    shares = page_rank(both_ways(pairs), {NAMES[0]: 1.0}, stay=0.5)
    assert shares[ITEMS[0]] > shares[ITEMS[1]] > 0


def test_a_hub_gets_less_than_a_rare_name_beside_it() -> None:
    rare, hub = NAMES[1], NAMES[2]
    pairs = [(NAMES[0], ITEMS[0]), (rare, ITEMS[0]), (hub, ITEMS[0]), (rare, ITEMS[1])]
    crowd: list[Node] = [Ref("fact", f"x{n}") for n in range(30)]
    shares = page_rank(both_ways([*pairs, *((hub, item) for item in crowd)]), {NAMES[0]: 1.0}, stay=0.5)
    assert shares[rare] > 2 * shares[hub]
    assert shares[ITEMS[1]] > 20 * max(shares[item] for item in crowd)


def links(entity: str, kind: str, count: int) -> list[Link]:
    return [
        Link(EntityId(entity), Ref("fact" if kind == "fact" else "episode", f"{entity}-{n}"))
        for n in range(count)
    ]


def test_names_with_more_items_than_were_looked_at_are_left_out_unless_asked_about() -> None:
    few, many, asked = links("few", "fact", 2), links("many", "fact", 3), links("asked", "fact", 3)
    kept = without_hubs([*few, *many, *asked], limit=3, keep={EntityId("asked")})
    assert kept == [*few, *asked]


def test_facts_and_messages_count_apart() -> None:
    mixed = [*links("n", "fact", 2), *links("n", "episode", 2)]
    assert without_hubs(mixed, limit=3, keep=set()) == mixed


# through the whole engine, by the graph alone


def by_graph(memory: Memory, query: str, *, kinds: Sequence[str] = ("episode",)) -> list[str]:
    found = memory.search(query, user_id="ana", signals=["graph"], kinds=kinds, limit=5)
    return [m["memory"] for m in found["results"]]


def test_a_name_in_the_query_is_enough(memory: Memory) -> None:
    memory.add("Priya's brother Dev works at Tidewater.", user_id="ana")
    memory.add("Olga grows tulips.", user_id="ana")
    assert by_graph(memory, "which company does priya's brother work for") == [
        "Priya's brother Dev works at Tidewater."
    ]


def test_two_hops_are_bridged_without_words_and_vectors(memory: Memory) -> None:
    for text in ("Priya has a brother called Dev.", "I met Dev at Tidewater.", "Olga grows tulips."):
        memory.add(text, user_id="ana")
    assert by_graph(memory, "Where did I meet the brother of Priya?") == [
        "Priya has a brother called Dev.",
        "I met Dev at Tidewater.",
    ]


def test_relevance_ends_after_two_hops(memory: Memory) -> None:
    for text in ("Priya has a brother called Dev.", "I met Dev at Tidewater.", "I saw Tidewater from Porto."):
        memory.add(text, user_id="ana")
    assert by_graph(memory, "priya") == ["Priya has a brother called Dev.", "I met Dev at Tidewater."]


def test_messages_bridge_to_facts(memory: Memory) -> None:
    memory.add("Priya has a brother called Dev.", user_id="ana")
    memory.add("Dev keeps eleven hives.", user_id="ana", infer=False)
    assert "Dev keeps eleven hives." in by_graph(memory, "priya", kinds=["fact"])


def test_the_path_names_what_was_gone_through(memory: Memory) -> None:
    memory.add("I met Dev at Tidewater.", user_id="ana")
    (found,) = memory.search("dev", user_id="ana", signals=["graph"], kinds=["episode"], explain=True)[
        "results"
    ]
    assert found["path"][0] == "Dev"
    assert "Tidewater" in found["path"]
    assert found["why"].startswith("found by graph #1; linked through Dev")


def test_a_chinese_name_is_found(memory: Memory) -> None:
    memory.add("周五吃了火锅。", user_id="ana")
    memory.add([{"role": "user", "content": "昨天修好了屋顶。", "name": "林悦"}], user_id="ana")
    assert by_graph(memory, "林悦做了什么") == ["昨天修好了屋顶。"]


def test_an_unknown_name_reaches_nothing(memory: Memory) -> None:
    memory.add("Priya has a brother called Dev.", user_id="ana")
    assert by_graph(memory, "What about Zoltan?") == []


def test_other_owners_names_and_items_are_not_walked_over(memory: Memory) -> None:
    memory.add("Priya has a brother called Dev.", user_id="ben")
    memory.add("I met Dev at Tidewater.", user_id="ana")
    assert by_graph(memory, "Where is the brother of Priya?") == []
