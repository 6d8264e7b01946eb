"""The laws of the two clocks, through the public verbs (ARCHITECTURE.md, Two clocks)."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from perdure import Memory
from perdure.api.results import MemoryItem
from perdure.errors import UndoConflict
from perdure.testing import FixedClock

Span = tuple[str | None, str | None, str | None]
START = datetime(2025, 1, 6, 9, 0, tzinfo=UTC)
CITIES = ("Porto", "Lisbon", "Braga", "Faro")


def open_memory(path: str | Path = ":memory:", clock: FixedClock | None = None) -> Memory:
    return Memory(
        path, embedder="hashing", model="rules", clock=clock or FixedClock(step=timedelta(seconds=1))
    )


def said(city: str, when: str) -> dict[str, object]:
    return {"role": "user", "name": "Ana", "timestamp": when, "content": f"I live in {city}."}


def timeline(memory: Memory) -> list[Span]:
    items = memory.get_all(user_id="ana", validity="all", limit=1000)["results"]
    return sorted(
        (m["value"], m["valid_from"], m["valid_to"]) for m in items if m["attribute"] == "home_city"
    )


STATEMENTS = [
    said("Porto", "2023-01-10T10:00:00Z"),
    said("Lisbon", "2023-06-10T10:00:00Z"),
    said("Porto", "2024-02-10T10:00:00Z"),
    said("Braga", "2024-08-10T10:00:00Z"),
]


@pytest.mark.parametrize("order", list(permutations(range(4))), ids=str)
def test_any_permutation_of_dated_statements_gives_one_timeline(order: tuple[int, ...]) -> None:
    with open_memory() as memory:
        for n in order:
            memory.add(STATEMENTS[n], user_id="ana")
        assert timeline(memory) == [
            ("Braga", "2024-08-10T10:00:00+00:00", None),
            ("Lisbon", "2023-06-10T10:00:00+00:00", "2024-02-10T10:00:00+00:00"),
            ("Porto", "2023-01-10T10:00:00+00:00", "2023-06-10T10:00:00+00:00"),
            ("Porto", "2024-02-10T10:00:00+00:00", "2024-08-10T10:00:00+00:00"),
        ]
        assert memory.stats()["waiting_vectors"] == 0
        assert memory.check() == []


@given(st.lists(st.tuples(st.sampled_from(CITIES), st.integers(0, 40)), min_size=1, max_size=6), st.randoms())
@settings(max_examples=80, deadline=None)
def test_batched_single_and_shuffled_adds_agree(stated: list[tuple[str, int]], random: object) -> None:
    messages = [said(c, (START - timedelta(days=d)).isoformat()) for c, d in stated]
    shuffled = list(messages)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # Hypothesis gives a random.Random
    with open_memory() as batched, open_memory() as single:
        batched.add(messages, user_id="ana")
        for message in shuffled:
            single.add(message, user_id="ana")
        assert timeline(single) == timeline(batched)


Step = Callable[[Memory, int], object]


def add_city(memory: Memory, n: int) -> object:
    when = (START - timedelta(days=(n * 37) % 400)).isoformat()
    return memory.add(said(CITIES[n % 4], when), user_id="ana")


def add_note(memory: Memory, n: int) -> object:
    return memory.add(f"Note {n % 5} about the garden of Quinta {n % 3}", user_id="ana", infer=False)


def change_one(memory: Memory, n: int) -> object:
    facts = memory.get_all(user_id="ana", validity="all")["results"]
    return facts and memory.update(facts[n % len(facts)]["id"], f"Note {n} was rewritten")


def delete_one(memory: Memory, n: int) -> object:
    facts = memory.get_all(user_id="ana", validity="all")["results"]
    return facts and memory.delete(facts[n % len(facts)]["id"])


def undo_last(memory: Memory, n: int) -> object:
    """The latest decision on a fact that is shown; a later one on a hidden fact may stand in the way."""
    facts = memory.get_all(user_id="ana", validity="all")["results"]
    decisions = [d for f in facts for d in memory.decisions(memory_id=f["id"]) if not d["undone"]]
    with suppress(UndoConflict):
        if decisions:
            memory.undo(max(decisions, key=lambda d: d["id"])["id"])
    return None


STEPS: list[Step] = [add_city, add_city, add_note, add_note, change_one, delete_one, undo_last]


def answers(memory: Memory, moment: datetime, known_at: datetime | None) -> list[object]:
    """All that can be asked of a store at one moment, in full."""
    asked = {"user_id": "ana", "known_at": known_at}
    found: list[object] = []
    for validity in ("current", "all"):
        listed = memory.get_all(**asked, validity=validity, as_of=None)["results"]  # type: ignore[arg-type]
        found.append([_told(m, moment) for m in listed])
    found.append([m["id"] for m in memory.get_all(**asked, as_of="2024-12-15")["results"]])  # type: ignore[arg-type]
    for query in ("Where does Ana live?", "garden of Quinta 1", "Note 3", "Ana before Lisbon"):
        result = memory.search(query, **asked, reference_date=moment, limit=50)  # type: ignore[arg-type]
        found.append([(m["id"], m["memory"], m.get("score"), m["state"]) for m in result["results"]])
    return found


def _told(item: MemoryItem, moment: datetime) -> object:
    return {k: v for k, v in item.items() if k != "state"}


@given(st.lists(st.integers(0, 200), min_size=3, max_size=9), st.integers(0, 8))
@example(choices=[1, 0, 74, 61, 48], cut=0)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_known_at_equals_a_copy_of_the_store_taken_then(choices: list[int], cut: int) -> None:
    clock = FixedClock(START, step=timedelta(seconds=1))
    with tempfile.TemporaryDirectory() as folder, open_memory(Path(folder) / "a.db", clock) as memory:
        moment = None
        for n, choice in enumerate(choices):
            if n == cut % len(choices):
                moment = clock()
                _copy(Path(folder) / "a.db", Path(folder) / "b.db")
            STEPS[choice % len(STEPS)](memory, choice)
        assert moment is not None
        with open_memory(Path(folder) / "b.db", FixedClock(moment)) as copy:
            expected = answers(copy, moment, None)
        assert answers(memory, moment, moment) == expected
        assert memory.check() == []


def _copy(source: Path, target: Path) -> None:
    reader, writer = sqlite3.connect(source), sqlite3.connect(target)
    try:
        reader.backup(writer)
    finally:
        reader.close()
        writer.close()


def test_same_value_twice_with_a_gap_is_two_facts() -> None:
    with open_memory() as memory:
        for message in (STATEMENTS[0], STATEMENTS[1], STATEMENTS[2]):
            memory.add(message, user_id="ana")
        assert [s[0] for s in timeline(memory)] == ["Lisbon", "Porto", "Porto"]


def test_same_value_without_a_gap_is_one_fact_with_two_sources() -> None:
    with open_memory() as memory:
        memory.add(STATEMENTS[0], user_id="ana")
        memory.add(said("Porto", "2023-02-01T10:00:00Z"), user_id="ana")
        (fact,) = memory.get_all(user_id="ana")["results"]
        assert len(fact["sources"]) == 2


@pytest.mark.parametrize("year", ["0000-01-01", "12000-01-01", "9999-06-01"])
def test_years_outside_what_stores_hold_never_enter(year: str) -> None:
    with open_memory() as memory:
        with pytest.raises(ValueError, match="timestamp"):
            memory.add("Keeps bees", user_id="ana", timestamp=year)
        assert memory.stats()["episodes"] == 0
