"""Any automatic decision, in any history, is taken back by one call: what is read is what was read before."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from perdure import Memory
from perdure.api.results import MemoryItem
from perdure.errors import InvalidInput, InvalidTime, UndoConflict
from perdure.testing import FixedClock

START = datetime(2025, 1, 6, 9, 0, tzinfo=UTC)
SENTENCES = [
    "I live in Porto.",
    "I live in Lisbon.",
    "I moved to Braga.",
    "I no longer live in Porto.",
    "I work at Acme.",
    "I quit Acme.",
    "I work at Birch.",
    "I'm allergic to nuts.",
    "My sister Eva plays the oboe.",
    "I love jazz.",
    "I hate jazz.",
]
Said = list[tuple[int, int]]
statements = st.lists(
    st.tuples(st.integers(0, len(SENTENCES) - 1), st.integers(0, 30)), min_size=1, max_size=5
)


def messages(said: Said) -> list[dict[str, object]]:
    return [
        {
            "role": "user",
            "name": "Ana",
            "content": SENTENCES[n],
            "timestamp": (START - timedelta(days=days)).isoformat(),
        }
        for n, days in said
    ]


def shown(memory: Memory) -> list[tuple[object, ...]]:
    items = memory.get_all(user_id="ana", validity="all", limit=1000)["results"]
    return sorted(
        (
            m["id"],
            m["memory"],
            m["valid_from"],
            m["valid_to"],
            m["state"],
            tuple(sorted((s["episode_id"] or "", s["text"]) for s in m["sources"])),
        )
        for m in items
    )


@given(statements, statements)
@settings(max_examples=60, deadline=None)
def test_undo_of_an_add_restores_what_was_read_before(first: Said, second: Said) -> None:
    clock = FixedClock(START, step=timedelta(seconds=1))
    with Memory(":memory:", embedder="hashing", model="rules", clock=clock) as memory:
        memory.add(messages(first), user_id="ana")
        before = shown(memory)
        result = memory.add(messages(second), user_id="ana")
        if result["operation_id"] is None:  # every message was stored before: nothing to undo
            return
        memory.undo(result["operation_id"])
        assert shown(memory) == before
        assert memory.check() == []


def timeline(memory: Memory) -> list[tuple[object, ...]]:
    items = memory.get_all(user_id="ana", validity="all", limit=1000)["results"]
    return sorted(
        (str(m["attribute"]), str(m["value"]), m["valid_from"] or "", m["valid_to"] or "", m["state"])
        for m in items
        if m["kind"] == "state"
    )


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 30)), min_size=1, max_size=5), st.integers(0, 4))
@settings(max_examples=60, deadline=None)
def test_undo_of_any_one_decision_on_slots_is_as_if_it_had_never_been_said(said: Said, which: int) -> None:
    spaced = [(n, 10 * place + days % 10) for place, (n, days) in enumerate(said)]
    chosen = which % len(spaced)
    with (
        Memory(":memory:", embedder="hashing", model="rules", clock=FixedClock(START)) as memory,
        Memory(":memory:", embedder="hashing", model="rules", clock=FixedClock(START)) as without,
    ):
        results = [memory.add(m, user_id="ana") for m in messages(spaced)]
        for place, message in enumerate(messages(spaced)):
            if place != chosen:
                without.add(message, user_id="ana")
        memory.undo(results[chosen]["results"][0]["decision_id"])
        assert timeline(memory) == timeline(without)
        assert memory.check() == []


def open_memory() -> Memory:
    return Memory(
        ":memory:", embedder="hashing", model="rules", clock=FixedClock(START, timedelta(seconds=1))
    )


@pytest.mark.parametrize(
    "sentence", ["I love tea.", "I live in Rome.", "I don't live in Rome.", "I quit Acme."]
)
def test_a_chain_of_changes_by_hand_is_unwound_step_by_step(sentence: str) -> None:
    with open_memory() as memory:
        added = memory.add(sentence, user_id="ana")
        fact_id = added["results"][0]["id"]
        seen = [shown(memory)]
        undo_ids = [memory.update(fact_id, "Something else entirely")["undo_id"]]
        seen.append(shown(memory))
        undo_ids.append(memory.update(fact_id, "Something else again")["undo_id"])
        seen.append(shown(memory))
        undo_ids.append(memory.delete(fact_id)["undo_id"])
        for undo_id, before in zip(reversed(undo_ids), reversed(seen), strict=True):
            memory.undo(undo_id)
            assert shown(memory) == before
        assert added["operation_id"] is not None
        memory.undo(added["operation_id"])
        assert shown(memory) == []
        assert memory.check() == []


def test_an_update_is_undone_after_another_one_was_made_and_undone() -> None:
    with open_memory() as memory:
        fact_id = memory.add("Keeps two beehives", user_id="ana", infer=False)["results"][0]["id"]
        first = memory.update(fact_id, "Keeps three beehives")["undo_id"]
        second = memory.update(fact_id, "Keeps four beehives")["undo_id"]
        with pytest.raises(UndoConflict):
            memory.undo(first)
        memory.undo(second)
        memory.undo(first)
        assert [s[1] for s in shown(memory)] == ["Keeps two beehives"]


HOMES = "I live in Porto.", "I live in Lisbon."
EARLY, MIDDLE, LATE = ((START - timedelta(days=d)).isoformat() for d in (300, 200, 100))


def live_in(memory: Memory, place: int, timestamp: str) -> str:
    return memory.add(HOMES[place], user_id="ana", timestamp=timestamp)["results"][0]["id"]


def test_new_dates_are_undone_below_a_later_value_as_if_never_given() -> None:
    with open_memory() as memory, open_memory() as without:
        first = live_in(memory, 0, MIDDLE)
        dated = memory.update(first, valid_from=EARLY)["undo_id"]
        live_in(without, 0, MIDDLE)
        for each in (memory, without):
            live_in(each, 1, LATE)
        memory.undo(dated)
        assert timeline(memory) == timeline(without)
        assert memory.check() == []


def test_of_two_new_dates_below_a_later_value_the_later_is_undone_first() -> None:
    with open_memory() as memory, open_memory() as without:
        live_in(without, 0, MIDDLE)
        first = live_in(memory, 0, MIDDLE)
        one = memory.update(first, valid_from=EARLY)["undo_id"]
        two = memory.update(first, valid_from=None)["undo_id"]
        for each in (memory, without):
            live_in(each, 1, LATE)
        before = shown(memory)
        with pytest.raises(UndoConflict):
            memory.undo(one)
        assert shown(memory) == before
        memory.undo(two)
        memory.undo(one)
        assert timeline(memory) == timeline(without)
        assert memory.check() == []


def test_an_add_is_not_undone_silently_below_dates_given_by_hand() -> None:
    with open_memory() as memory:
        added = memory.add(HOMES[0], user_id="ana", timestamp=MIDDLE)
        dated = memory.update(added["results"][0]["id"], valid_from=EARLY)["undo_id"]
        with pytest.raises(UndoConflict):
            memory.undo(added["results"][0]["decision_id"])
        memory.undo(dated)
        memory.undo(added["results"][0]["decision_id"])
        assert shown(memory) == []


def test_new_words_below_a_later_value_are_not_undone_silently() -> None:
    with open_memory() as memory:
        worded = memory.update(live_in(memory, 0, MIDDLE), "User lives in Paris")["undo_id"]
        added = memory.add(HOMES[1], user_id="ana", timestamp=LATE)
        before = shown(memory)
        with pytest.raises(UndoConflict):
            memory.undo(worded)
        assert shown(memory) == before
        memory.undo(added["results"][0]["decision_id"])
        memory.undo(worded)
        assert [m["memory"] for m in memory.get_all(user_id="ana")["results"]] == ["User lives in Porto"]


STEPS = st.sampled_from(["add", "words", "from", "until", "labels", "delete", "delete_all"])
steps = st.lists(
    st.tuples(STEPS, st.integers(0, len(SENTENCES) - 1), st.integers(1, 30)), min_size=1, max_size=7
)


def take_step(memory: Memory, step: str, pick: int, days: int) -> str | None:
    """Do one thing by any verb that changes memory; the id that undoes it, None if it changed nothing."""
    said = (START - timedelta(days=days)).isoformat()
    facts = [m["id"] for m in shown_items(memory)]
    if step == "add" or not facts:
        message = {"role": "user", "name": "Ana", "content": SENTENCES[pick], "timestamp": said}
        added = memory.add([message], user_id="ana")
        return added["operation_id"] if added["results"] else None
    if step == "delete_all":
        return memory.delete_all(user_id="ana")["undo_id"]
    fact_id = facts[pick % len(facts)]
    try:
        if step == "words":
            return memory.update(fact_id, f"Rewritten {days} times")["undo_id"]
        if step == "labels":
            return memory.update(fact_id, metadata={"n": days})["undo_id"]
        if step == "from":
            return memory.update(fact_id, valid_from=said)["undo_id"]
        if step == "until":
            return memory.update(fact_id, valid_to=said)["undo_id"]
    except (InvalidInput, InvalidTime):
        return None
    return memory.delete(fact_id)["undo_id"]


def shown_items(memory: Memory) -> list[MemoryItem]:
    return memory.get_all(user_id="ana", validity="all", limit=1000)["results"]


@given(steps)
@example([("add", 1, 1), ("labels", 0, 1), ("add", 0, 1), ("words", 0, 1)])
@example([("add", 0, 2), ("add", 1, 1), ("from", 0, 2), ("delete_all", 0, 1), ("add", 0, 1)])
@settings(max_examples=80, deadline=None)
def test_any_chain_of_changes_is_unwound_step_by_step(chain: list[tuple[str, int, int]]) -> None:
    with open_memory() as memory:
        done: list[tuple[str, list[tuple[object, ...]]]] = []
        for step, pick, days in chain:
            before = shown(memory)
            undo_id = take_step(memory, step, pick, days)
            if undo_id is None:
                assert shown(memory) == before
            else:
                done.append((undo_id, before))
        for undo_id, before in reversed(done):
            memory.undo(undo_id)
            assert shown(memory) == before
            assert memory.check() == []


@given(steps, st.permutations(range(7)))
@settings(max_examples=60, deadline=None)
def test_undo_in_any_order_is_whole_or_refused(chain: list[tuple[str, int, int]], order: list[int]) -> None:
    with open_memory() as memory:
        done = [undo_id for step in chain if (undo_id := take_step(memory, *step)) is not None]
        for undo_id in [done[n] for n in order if n < len(done)]:
            before = shown(memory)
            try:
                memory.undo(undo_id)
            except UndoConflict:
                assert shown(memory) == before
            assert memory.check() == []
