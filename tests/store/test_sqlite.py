"""What only the SQLite store has: files, processes, threads, a cache, and a count of its statements."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from perdure.core.filters import parse_filter
from perdure.core.values import Scope
from perdure.errors import StoreBusy, StoreError
from perdure.store.sqlite import SqliteStore
from perdure.testing.contract_base import (
    ANA,
    BEN,
    BOTH,
    FACTS,
    IDENTITY,
    StepClock,
    match_ids,
    new_episode,
    new_fact,
    new_source,
    unit,
    view,
    write,
)

EAST = unit(1, 0, 0, 0)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    opened = await SqliteStore.open(tmp_path / "s.db", clock=StepClock())
    await opened.bind_embedder(IDENTITY)
    yield opened
    await opened.close()


@pytest.fixture
async def second(store: SqliteStore, tmp_path: Path) -> AsyncIterator[SqliteStore]:
    """Another store object on the same file, as another process has it."""
    opened = await SqliteStore.open(tmp_path / "s.db", clock=StepClock(), busy_timeout_s=0.05)
    yield opened
    await opened.close()


async def nearest(store: SqliteStore, scope: Scope = ANA) -> list[str]:
    found = await store.search_vectors(scope, EAST, kinds=BOTH, view=view(), where=None, limit=9)
    return match_ids(found)


def files_in(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


async def saying_tea(store: SqliteStore) -> list[str]:
    found = await store.search_keywords(ANA, ["tea"], kinds=BOTH, view=view(), where=None, limit=9)
    return match_ids(found)


async def test_a_write_of_another_process_counts_in_the_next_search(
    store: SqliteStore, second: SqliteStore
) -> None:
    await write(store, new_fact("f1", "tea", vector=EAST))
    before = (await nearest(second), await saying_tea(second))
    await write(store, new_fact("f2", "tea", vector=EAST))
    assert before == (["f1"], ["f1"])
    assert (await nearest(second), await saying_tea(second)) == (["f1", "f2"], ["f1", "f2"])


async def test_an_erase_by_another_process_counts_in_the_next_search(
    store: SqliteStore, second: SqliteStore
) -> None:
    await write(store, new_fact("f1", "tea", vector=EAST), new_fact("f2", "rum", vector=EAST))
    await nearest(second)
    await store.erase(ANA, fact_ids=["f1"], episode_ids=[])
    assert await nearest(second) == ["f2"]


async def test_record_times_grow_over_processes_though_their_clocks_differ(
    store: SqliteStore, second: SqliteStore
) -> None:
    stores = [store, store, second, store, second]
    applied = [await write(s, new_fact(f"f{n}", f"text {n}")) for n, s in enumerate(stores)]
    times = [a.recorded_at for a in applied]
    assert times == sorted(set(times))


async def test_a_lock_held_past_the_bound_is_busy(
    store: SqliteStore, second: SqliteStore, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(tmp_path / "s.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy):
            await write(second, new_fact("f1", "tea"))
    await write(second, new_fact("f1", "tea"))
    assert await saying_tea(store) == ["f1"]


async def test_reads_go_on_while_another_process_writes(store: SqliteStore, tmp_path: Path) -> None:
    await write(store, new_fact("f1", "tea", vector=EAST))
    with closing(sqlite3.connect(tmp_path / "s.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert await nearest(store) == ["f1"]


async def test_statements_of_a_read_do_not_grow_with_its_answer(store: SqliteStore) -> None:
    costs = []
    for batch in range(2):
        ids = [f"f{batch}{n:02}" for n in range(5 + 40 * batch)]
        await write(store, *(new_fact(i, f"tea {i}") for i in ids))
        await write(store, *(new_source(f"s{i}", i, None, "said") for i in ids))
        before = store.statements
        await store.list_facts(ANA, view=view(), where=None, limit=50, after=None)
        costs.append(store.statements - before)
    assert costs == [3, 3]


async def test_statements_of_a_filtered_search_do_not_grow_with_its_answer(store: SqliteStore) -> None:
    where = parse_filter({"kind": "state"})
    await write(store, *(new_fact(f"f{n:02}", "tea", vector=EAST) for n in range(40)))
    costs = []
    for limit in (5, 40):
        before = store.statements
        await store.search_vectors(ANA, EAST, kinds=FACTS, view=view(), where=where, limit=limit)
        costs.append(store.statements - before)
    assert costs == [7, 7]


async def test_a_small_cache_gives_the_same_answers(tmp_path: Path) -> None:
    small = await SqliteStore.open(tmp_path / "s.db", clock=StepClock(), cache_bytes=1)
    await small.bind_embedder(IDENTITY)
    for scope, fact_id in ((ANA, "f1"), (BEN, "f2")):
        await write(small, new_fact(fact_id, "tea", vector=EAST), scope=scope)
    found = [await nearest(small, scope) for scope in (ANA, BEN, ANA, Scope(workspace="w1"))]
    await small.close()
    assert found == [["f1"], ["f2"], ["f1"], ["f1", "f2"]]


async def test_searches_at_once_give_the_same_answers(store: SqliteStore) -> None:
    await write(store, *(new_fact(f"f{n}", "tea", vector=EAST) for n in range(5)))
    answers = await asyncio.gather(*(nearest(store) for _ in range(20)))
    assert answers == [[f"f{n}" for n in range(5)]] * 20


async def test_close_joins_every_thread(tmp_path: Path) -> None:
    opened = await SqliteStore.open(tmp_path / "s.db", clock=StepClock())
    await write(opened, new_fact("f1", "tea"))
    await saying_tea(opened)
    await opened.close()
    assert [t.name for t in threading.enumerate() if t.name.startswith("perdure")] == []


async def test_steps_of_a_write_are_announced_in_order(tmp_path: Path) -> None:
    steps: list[str] = []
    opened = await SqliteStore.open(tmp_path / "s.db", clock=StepClock(), on_step=steps.append)
    await write(opened, new_episode("e1", "I like tea"), new_fact("f1", "Ana likes tea"))
    await opened.close()
    assert steps == ["begin", "after:PutEpisode", "after:PutVersion", "before_commit", "after_commit"]


@pytest.mark.parametrize("step", ["begin", "after:PutEpisode", "after:PutVersion", "before_commit"])
async def test_a_failure_before_the_commit_leaves_nothing(tmp_path: Path, step: str) -> None:
    def fail(reached: str) -> None:
        if reached == step:
            raise InterruptedError

    opened = await SqliteStore.open(tmp_path / "s.db", clock=StepClock(), on_step=fail)
    with pytest.raises(InterruptedError):
        await write(opened, new_episode("e1", "I like tea"), new_fact("f1", "Ana likes tea"))
    items, lines = await opened.scope_items(ANA), await opened.check()
    await opened.close()
    assert (items, lines) == (([], []), [])


@pytest.mark.parametrize(
    ("damage", "claim"),
    [
        ("UPDATE versions SET number = 3", "numbered from 1"),
        ("UPDATE versions SET recorded_to = recorded_from", "exactly one open version"),
        ("DELETE FROM postings WHERE term = 'tea'", "as many words as its length"),
        ("UPDATE vectors SET vector = zeroblob(3)", "four bytes for each dimension"),
        ("UPDATE vectors SET vector = x'0000c07f0000c07f0000c07f0000c07f'", "finite numbers"),
        ("INSERT INTO links VALUES ('n9', 'fact', 'f9', 0)", "a link ends at a live item"),
        ("DELETE FROM scopes", "ends at a live row of scopes"),
        ("UPDATE meta SET value = 0 WHERE name = 'last_recorded_at'", "after the last record time"),
        ("UPDATE versions SET replaced_by = 'f9'", "what replaced a fact"),
    ],
)
async def test_check_names_what_is_broken(tmp_path: Path, damage: str, claim: str) -> None:
    path = tmp_path / "s.db"
    opened = await SqliteStore.open(path, clock=StepClock())
    await opened.bind_embedder(IDENTITY)
    await write(opened, new_fact("f1", "Ana likes tea", vector=EAST))
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute(damage)
    lines = await opened.check()
    await opened.close()
    assert any(claim in line for line in lines), lines


async def test_a_long_erased_text_is_searched_for_in_pieces(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    long = " ".join(f"chapter {n} of the aubergine saga" for n in range(2000))
    opened = await SqliteStore.open(path, clock=StepClock())
    await write(opened, new_episode("e1", long), new_fact("f1", "Ana likes tea"))
    receipt = await opened.erase(ANA, fact_ids=[], episode_ids=["e1"])
    await opened.close()
    assert (receipt.remains, b"aubergine saga" in path.read_bytes()) == (0, False)


async def test_remains_are_counted_where_the_file_still_holds_them(tmp_path: Path) -> None:
    """A copy beside the tables (here: a journal that something left) does not go unseen."""
    path = tmp_path / "s.db"
    opened = await SqliteStore.open(path, clock=StepClock())
    await write(opened, new_fact("f1", "the aubergine safe opens with 90210"))
    (tmp_path / "s.db-journal").write_bytes(b"..the aubergine safe opens with 90210..")
    receipt = await opened.erase(ANA, fact_ids=["f1"], episode_ids=[])
    await opened.close()
    assert receipt.remains == 1


async def test_an_erase_cut_short_is_finished_by_the_next_open(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    await (await SqliteStore.open(path, clock=StepClock())).close()
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("UPDATE meta SET value = 1 WHERE name = 'scrub_due'")
    await (await SqliteStore.open(path, clock=StepClock())).close()
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("SELECT value FROM meta WHERE name = 'scrub_due'").fetchone() == (0,)


async def test_a_path_may_hold_any_signs(tmp_path: Path) -> None:
    opened = await SqliteStore.open(tmp_path / "a?b#c%20 é.db", clock=StepClock())
    await write(opened, new_fact("f1", "tea"))
    found = await saying_tea(opened)
    await opened.close()
    assert (found, files_in(tmp_path)) == (["f1"], ["a?b#c%20 é.db"])


async def test_a_closed_store_is_one_file(tmp_path: Path) -> None:
    opened = await SqliteStore.open(tmp_path / "s.db", clock=StepClock())
    await write(opened, new_fact("f1", "tea"))
    await opened.close()
    assert files_in(tmp_path) == ["s.db"]


def test_importing_the_store_does_not_import_numpy() -> None:
    code = "import sys, perdure.store.sqlite; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


async def test_an_unpaired_surrogate_is_refused_with_a_typed_error(store: SqliteStore) -> None:
    with pytest.raises(ValueError, match="surrogate"):
        await write(store, new_fact("f1", "tea \ud800"), key="k")


async def test_a_cursor_of_another_listing_is_refused(store: SqliteStore) -> None:
    await write(store, *(new_episode(f"e{n}", f"text {n}") for n in range(3)))
    page = await store.list_episodes(ANA, view=view(), where=None, limit=1, after=None)
    with pytest.raises(ValueError, match="no cursor of this listing"):
        await store.list_facts(ANA, view=view(), where=None, limit=1, after=page.next)


async def test_vectors_before_their_model_are_refused(tmp_path: Path) -> None:
    opened = await SqliteStore.open(tmp_path / "s.db", clock=StepClock())
    with pytest.raises(Exception, match="bind_embedder"):
        await write(opened, new_fact("f1", "tea", vector=EAST))
    await opened.close()


async def test_a_new_fact_without_index_text_is_refused(store: SqliteStore) -> None:
    with pytest.raises(StoreError, match="index"):
        await write(store, replace(new_fact("f1", "tea"), index=None))
