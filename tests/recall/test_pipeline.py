"""Search through the whole engine: each signal alone, filters inside all of them, both clocks, cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from perdure import Memory
from perdure.api.results import MemoryItem, SearchResult
from perdure.core.values import Json
from perdure.errors import EmbedderError, InvalidInput
from perdure.recall.weights import DEFAULT_WEIGHTS
from perdure.store.sqlite import SqliteStore
from perdure.testing import FixedClock, TableEmbedder

JANUARY, JUNE = "2024-01-05T10:00:00Z", "2024-06-05T10:00:00Z"
EACH_SIGNAL = ("vector", "keyword", "temporal", "graph")
CROWD = 400


def search(memory: Memory, query: str, **options: Any) -> SearchResult:  # Any: the options of the verb
    return memory.search(query, **{"user_id": "ana", **options})


def texts(result: SearchResult) -> list[str]:
    return [m["memory"] for m in result["results"]]


def only(signal: str) -> dict[str, Any]:  # Any: as above
    return {"signals": [signal]}


# each signal alone


def test_vector_alone_finds_what_shares_no_word() -> None:
    near, query = "A cat sleeps on the sill", "feline pets"
    table = {near: [1.0, 0.0, 0.0], query: [0.9, 0.1, 0.0], "The tax form is due": [0.0, 0.0, 1.0]}
    with Memory(":memory:", embedder=TableEmbedder(table, 3), model="rules", clock=FixedClock()) as memory:
        memory.add(near, user_id="ana", infer=False)
        memory.add("The tax form is due", user_id="ana", infer=False)
        found = search(memory, query, kinds=["fact"], **only("vector"))
        assert texts(found)[0] == near
        assert texts(search(memory, query, **only("keyword"))) == []


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Invoice INV-2041 is unpaid", "INV-2041"),
        ("She writes C++ at work", "C++"),
        ("周五和林悦在杭州吃火锅", "火锅"),
        ("修好了retry-queue后重新上线", "retry"),
        ("한빛소프트에서 일한다", "한빛"),
        ("Анна живёт в Казани", "казани"),
        ("يعمل سامي في الميناء", "الميناء"),
    ],
)
def test_keyword_alone_finds_codes_and_every_script(memory: Memory, text: str, query: str) -> None:
    memory.add(text, user_id="ana", infer=False)
    memory.add("Nothing of the kind 無関係", user_id="ana", infer=False)
    assert texts(search(memory, query, kinds=["fact"], **only("keyword"))) == [text]


def test_temporal_alone_finds_what_began_in_the_window(memory: Memory) -> None:
    for day in ("2024-05-12", "2024-05-14", "2024-05-15"):
        memory.add(f"Said on {day}", user_id="ana", infer=False, timestamp=f"{day}T12:00:00Z")
    found = search(
        memory,
        "what happened yesterday",
        kinds=["fact"],
        reference_date="2024-05-15T18:00:00Z",
        **only("temporal"),
    )
    assert texts(found) == ["Said on 2024-05-14"]


def test_temporal_alone_finds_the_newest_when_the_latest_is_asked_for(memory: Memory) -> None:
    for month in ("01", "03", "02"):
        memory.add(f"Said in {month}", user_id="ana", infer=False, timestamp=f"2024-{month}-01T12:00:00Z")
    found = search(memory, "the latest news", kinds=["fact"], **only("temporal"))
    assert texts(found) == ["Said in 03", "Said in 02", "Said in 01"]


def test_a_query_of_no_time_has_no_temporal_hits(memory: Memory) -> None:
    memory.add("Keeps bees", user_id="ana", infer=False)
    assert texts(search(memory, "bees", **only("temporal"))) == []


def test_graph_alone_finds_by_name(memory: Memory) -> None:
    memory.add("Dev keeps bees", user_id="ana", infer=False)
    memory.add("Olga keeps goats", user_id="ana", infer=False)
    assert texts(search(memory, "dev", kinds=["fact"], **only("graph"))) == ["Dev keeps bees"]


def test_unknown_signals_are_refused(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="signals"):
        search(memory, "bees", signals=["smell"])


def test_a_hit_names_only_the_signals_that_were_asked(memory: Memory) -> None:
    memory.add("Dev keeps bees", user_id="ana", infer=False)
    found = search(memory, "Does Dev keep bees?", signals=["keyword", "graph"], explain=True)
    assert {s["signal"] for m in found["results"] for s in m["signals"]} == {"keyword", "graph"}


# filters are inside every signal

QUERY = "what did Dev do yesterday"
ASKED = {"reference_date": "2024-05-15T12:00:00Z", "limit": 5}


def crowd(memory: Memory, *, owner: str = "ana", metadata: dict[str, Json] | None = None) -> None:
    """Many items that every signal ranks first."""
    said: list[dict[str, object]] = [
        {"role": "user", "content": f"Dev did {n}", "timestamp": "2024-05-14T20:00:00Z"} for n in range(CROWD)
    ]
    memory.add(said, user_id=owner, infer=False, metadata=metadata)


def few(memory: Memory, *, metadata: dict[str, Json] | None = None) -> list[str]:
    wanted = [f"Dev and Olga painted wall number {n} with all of the neighbours" for n in range(3)]
    for text in wanted:
        memory.add(text, user_id="ana", infer=False, metadata=metadata, timestamp="2024-05-14T08:00:00Z")
    return wanted


@pytest.mark.parametrize("signal", EACH_SIGNAL)
def test_better_items_that_do_not_match_hide_nothing(memory: Memory, signal: str) -> None:
    wanted = few(memory, metadata={"tag": "rare"})
    crowd(memory)
    found = search(
        memory, QUERY, filters={"metadata": {"tag": "rare"}}, kinds=["fact"], **ASKED, **only(signal)
    )
    assert sorted(texts(found)) == wanted


@pytest.mark.parametrize("signal", EACH_SIGNAL)
@pytest.mark.parametrize("where", [{}, {"filters": {"OR": [{"user_id": "ana"}, {"user_id": "zoe"}]}}])
def test_better_items_of_another_owner_hide_nothing(
    memory: Memory, signal: str, where: dict[str, Json]
) -> None:
    wanted = few(memory)
    crowd(memory, owner="ben")
    owner = {} if where else {"user_id": "ana"}
    found = memory.search(QUERY, kinds=["fact"], **owner, **where, **ASKED, **only(signal))  # type: ignore[arg-type]
    assert sorted(texts(found)) == wanted


@pytest.mark.parametrize("signal", EACH_SIGNAL)
def test_better_messages_hide_no_fact(memory: Memory, signal: str) -> None:
    wanted = few(memory)
    said: list[dict[str, object]] = [
        {"role": "tool", "content": f"Dev did {n}", "timestamp": "2024-05-14T20:00:00Z"} for n in range(CROWD)
    ]
    memory.add(said, user_id="ana", infer=False)
    found = search(memory, QUERY, kinds=["fact"], **ASKED, **only(signal))
    assert sorted(texts(found)) == wanted


def test_what_does_not_match_carries_no_relevance(memory: Memory) -> None:
    memory.add("Priya met Dev.", user_id="ana", infer=False, metadata={"tag": "other"})
    memory.add("Dev met Olga.", user_id="ana", infer=False, metadata={"tag": "mine"})
    found = search(memory, "priya", filters={"metadata": {"tag": "mine"}}, **only("graph"))
    assert texts(found) == []


# both clocks


@pytest.fixture
def moved(memory: Memory) -> tuple[Memory, str]:
    """Porto until June 2024, then Lisbon; and when only Porto was known."""
    memory.add("I live in Porto.", user_id="ana", timestamp=JANUARY)
    known = memory.get_all(user_id="ana")["results"][0]["updated_at"]
    memory.add("I live in Lisbon.", user_id="ana", timestamp=JUNE)
    assert known is not None
    return memory, known


HOME = {
    "vector": "User lives",
    "keyword": "lives",
    "temporal": "where did they live in 2024",
    "graph": "Porto Lisbon",
}


@pytest.mark.parametrize("signal", EACH_SIGNAL)
def test_every_signal_shows_what_held_then(moved: tuple[Memory, str], signal: str) -> None:
    memory, _ = moved
    found = search(memory, HOME[signal], kinds=["fact"], as_of="2024-03-01", **only(signal))
    assert texts(found) == ["User lives in Porto"]


@pytest.mark.parametrize("signal", EACH_SIGNAL)
def test_every_signal_shows_what_was_known_then(moved: tuple[Memory, str], signal: str) -> None:
    memory, known = moved
    found = search(memory, HOME[signal], known_at=known, validity="current", **only(signal))
    assert {m["memory"] for m in found["results"]} <= {"User lives in Porto", "I live in Porto."}
    assert "User lives in Porto" in texts(found)


@pytest.mark.parametrize("signal", EACH_SIGNAL)
def test_every_signal_shows_the_present_by_default(moved: tuple[Memory, str], signal: str) -> None:
    memory, _ = moved
    found = search(memory, HOME[signal], kinds=["fact"], validity="current", **only(signal))
    assert texts(found) == ["User lives in Lisbon"]


def test_a_superseded_message_ranks_below_the_current_one_and_says_so(moved: tuple[Memory, str]) -> None:
    memory, _ = moved
    found = search(memory, "Where do I live?", kinds=["episode"])["results"]
    assert [(m["memory"], m["state"]) for m in found] == [
        ("I live in Lisbon.", "current"),
        ("I live in Porto.", "superseded"),
    ]


def test_a_question_about_the_past_shows_closed_facts_marked(moved: tuple[Memory, str]) -> None:
    memory, _ = moved
    found = search(memory, "Where did the user live before?", kinds=["fact"])["results"]
    assert {(m["value"], m["state"]) for m in found} == {("Porto", "closed"), ("Lisbon", "current")}


# limit, threshold, kinds, repeats, reasons


def bees(memory: Memory) -> None:
    for n in range(30):
        memory.add(f"Hive {n} has bees", user_id="ana", infer=False)


@pytest.mark.parametrize("limit", [1, 7, 30])
def test_limit_is_how_many_come_back_and_a_larger_one_only_adds(memory: Memory, limit: int) -> None:
    bees(memory)
    found = texts(search(memory, "bees in hive 4", kinds=["fact"], limit=limit))
    assert len(found) == limit
    assert found == texts(search(memory, "bees in hive 4", kinds=["fact"], limit=40))[:limit]


def test_threshold_leaves_out_what_scores_less(memory: Memory) -> None:
    bees(memory)
    scores = [m["score"] for m in search(memory, "Hive 4 has bees", kinds=["fact"])["results"]]
    cut = (scores[0] + scores[1]) / 2
    assert len(search(memory, "Hive 4 has bees", kinds=["fact"], threshold=cut)["results"]) == 1
    assert search(memory, "Hive 4 has bees", threshold=1.0)["results"] == []


@pytest.mark.parametrize(("kinds", "found"), [(["fact"], {"verbatim"}), (["episode"], {"episode"})])
def test_kinds_choose_what_comes_back(memory: Memory, kinds: Sequence[str], found: set[str]) -> None:
    bees(memory)
    assert {m["kind"] for m in search(memory, "bees", kinds=kinds)["results"]} == found


def test_a_message_that_is_its_own_fact_is_shown_once(memory: Memory) -> None:
    memory.add("Keeps two beehives", user_id="ana", infer=False)
    assert [m["kind"] for m in search(memory, "beehives")["results"]] == ["verbatim"]


def rebuilt(item: MemoryItem) -> float:
    """The score from the parts that explain shows."""
    parts = item["score_details"]
    return parts["fused"] * parts["state"] * parts["kind"] + parts["recency"] + parts.get("context", 0.0)


def test_explain_rebuilds_every_score_from_its_parts(moved: tuple[Memory, str]) -> None:
    memory, _ = moved
    found = search(memory, "Where did the user live before?", explain=True)["results"]
    assert len(found) > 2
    assert [rebuilt(m) for m in found] == pytest.approx([m["score"] for m in found], abs=1e-5)


def test_explain_rebuilds_the_score_of_an_answer_in_a_dialogue(memory: Memory) -> None:
    talk: list[dict[str, object]] = [
        {"role": "user", "content": "Which colour should the hives be?", "name": "Ana"},
        {"role": "user", "content": "The bright one.", "name": "Ben"},
        {"role": "user", "content": "My hives hum.", "name": "Olga"},
    ]
    memory.add(talk, user_id="ana")
    found = search(memory, "colour of the hives, bright or not", kinds=["episode"], explain=True)["results"]
    assert [rebuilt(m) for m in found] == pytest.approx([m["score"] for m in found], abs=1e-5)
    assert found[1]["memory"] == "The bright one."
    assert found[1]["score_details"]["context"] > 0


def test_explain_rebuilds_the_fused_score_from_the_signals(memory: Memory) -> None:
    from perdure.recall.fuse import strength

    bees(memory)
    whole = DEFAULT_WEIGHTS.signals["vector"] + DEFAULT_WEIGHTS.signals["keyword"]
    for item in search(memory, "Hive 4 has bees", explain=True, kinds=["fact"])["results"]:
        total = 0.0
        for part in item["signals"]:
            strong = strength(part["signal"], part["score"], DEFAULT_WEIGHTS)
            by_rank = (DEFAULT_WEIGHTS.rank_k + 1) / (DEFAULT_WEIGHTS.rank_k + part["rank"]) * strong**0.5
            share = DEFAULT_WEIGHTS.rank_share
            total += part["weight"] * (share * by_rank + (1 - share) * strong)
        assert item["score_details"]["fused"] == pytest.approx(min(1.0, total / whole), abs=1e-5)


def test_explain_says_how_the_query_was_read(memory: Memory) -> None:
    bees(memory)
    found = search(memory, "bees yesterday", reference_date="2024-05-15", explain=True)
    assert found["plan"]["intent"] == "current"
    assert found["plan"]["window"] == ["2024-05-14T00:00:00+00:00", "2024-05-15T00:00:00+00:00"]
    assert found["plan"]["found"]["keyword"] == 60


# a signal that cannot run


class Failing(TableEmbedder):
    """Embeds what is stored but no query."""

    async def embed_query(self, text: str) -> Any:  # Any: it gives nothing
        raise EmbedderError("the embedder is away")


def test_a_failing_embedder_leaves_the_other_signals_and_is_named() -> None:
    with Memory(":memory:", embedder=Failing({}, 8), model="rules", clock=FixedClock()) as memory:
        memory.add("Dev keeps bees", user_id="ana", infer=False)
        found = search(memory, "Does Dev keep bees?", explain=True)
        assert texts(found) == ["Dev keeps bees"]
        assert found["failed"] == {"vector": "EmbedderError"}
        assert {s["signal"] for s in found["results"][0]["signals"]} == {"keyword", "graph"}


def test_nothing_failed_is_not_mentioned(memory: Memory) -> None:
    memory.add("Dev keeps bees", user_id="ana", infer=False)
    assert "failed" not in search(memory, "bees")


# cost


def statements(memory: Memory) -> int:
    parts = memory.engine._parts
    assert parts is not None
    assert isinstance(parts.store, SqliteStore)
    return parts.store.statements


@pytest.mark.parametrize("options", [{}, {"kinds": ["fact"]}, {"as_of": "2025-01-06"}])
def test_the_statements_of_a_search_do_not_grow_with_the_store(
    memory: Memory, options: dict[str, Any]
) -> None:
    costs = []
    for size in (10, 1000):
        said = [f"Dev told Olga about hive {size} {n}" for n in range(size)]
        memory.add(said, user_id=f"owner{size}", infer=False)
        memory.search("warm up", user_id=f"owner{size}")
        before = statements(memory)
        memory.search("What did Dev say about the latest hive?", user_id=f"owner{size}", **options)
        costs.append(statements(memory) - before)
    assert costs[0] == costs[1]
