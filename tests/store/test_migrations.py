"""Numbered migrations: remembered by hash, refused when changed, newer or foreign."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from perdure.errors import SchemaError, StoreError
from perdure.store.migrate import Migration, load_migrations, pending
from perdure.store.sqlite import SqliteStore
from perdure.testing.contract_base import ANA, StepClock, new_fact, view, write

ONE = Migration(1, "one", "CREATE TABLE a (x);")
TWO = Migration(2, "two", "CREATE TABLE b (x);")


def run_sql(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute(statement)


def table_count(path: Path) -> int:
    with closing(sqlite3.connect(path)) as raw:
        return int(raw.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])


async def make_store(path: Path) -> None:
    store = await SqliteStore.open(path, clock=StepClock())
    await write(store, new_fact("f1", "Ana likes tea"))
    await store.close()


async def open_refused(path: Path, *, read_only: bool = False) -> str:
    with pytest.raises(StoreError) as caught:
        await SqliteStore.open(path, clock=StepClock(), read_only=read_only)
    assert isinstance(caught.value, SchemaError | StoreError)
    return type(caught.value).__name__


def test_only_what_was_not_applied_is_pending() -> None:
    assert pending([ONE, TWO], {1: ONE.sha256}) == [TWO]


def test_an_altered_migration_is_refused() -> None:
    with pytest.raises(SchemaError, match="migration 1 differs"):
        pending([ONE, TWO], {1: TWO.sha256})


def test_a_newer_store_is_refused() -> None:
    with pytest.raises(SchemaError, match="Upgrade perdure"):
        pending([ONE], {1: ONE.sha256, 2: TWO.sha256})


def test_a_gap_in_the_numbers_is_refused(tmp_path: Path) -> None:
    (tmp_path / "0001_one.sql").write_text("SELECT 1;")
    (tmp_path / "0003_three.sql").write_text("SELECT 1;")
    with pytest.raises(SchemaError, match="gap"):
        load_migrations(tmp_path)


def test_files_that_are_no_migrations_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "0001_one.sql").write_text("SELECT 1;")
    (tmp_path / "README.md").write_text("no")
    assert load_migrations(tmp_path) == [Migration(1, "one", "SELECT 1;")]


async def test_a_store_opened_again_holds_what_was_written(tmp_path: Path) -> None:
    await make_store(tmp_path / "s.db")
    store = await SqliteStore.open(tmp_path / "s.db", clock=StepClock())
    count = await store.count_facts(ANA, view=view(), where=None)
    await store.close()
    assert count == 1


async def test_a_store_with_an_altered_hash_is_refused(tmp_path: Path) -> None:
    await make_store(tmp_path / "s.db")
    run_sql(tmp_path / "s.db", "UPDATE migrations SET sha256 = 'other'")
    assert await open_refused(tmp_path / "s.db") == "SchemaError"


async def test_a_store_of_a_newer_program_is_refused(tmp_path: Path) -> None:
    await make_store(tmp_path / "s.db")
    run_sql(tmp_path / "s.db", "INSERT INTO migrations VALUES (999, 'future', 'hash')")
    assert await open_refused(tmp_path / "s.db") == "SchemaError"


async def test_a_foreign_database_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "theirs.db"
    run_sql(path, "CREATE TABLE theirs (x)")
    before = path.read_bytes()
    assert await open_refused(path) == "SchemaError"
    assert path.read_bytes() == before


async def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database at all, only some longer text\n" * 40)
    assert await open_refused(path) == "SchemaError"


async def test_a_read_only_open_creates_no_file(tmp_path: Path) -> None:
    assert await open_refused(tmp_path / "none.db", read_only=True) == "StoreError"
    assert not await asyncio.to_thread(os.listdir, tmp_path)


async def test_a_read_only_open_creates_no_tables(tmp_path: Path) -> None:
    path = tmp_path / "empty.db"
    path.touch()
    assert await open_refused(path, read_only=True) == "SchemaError"
    assert table_count(path) == 0


async def test_a_read_only_store_reads_and_refuses_writes(tmp_path: Path) -> None:
    await make_store(tmp_path / "s.db")
    store = await SqliteStore.open(tmp_path / "s.db", clock=StepClock(), read_only=True)
    with pytest.raises(StoreError):
        await write(store, new_fact("f2", "Ana likes rum"))
    count = await store.count_facts(ANA, view=view(), where=None)
    lines = await store.check()
    await store.close()
    assert (count, lines) == (1, [])


OPENER = """
import asyncio, sys
from perdure.store.sqlite import SqliteStore
from perdure.testing.contract_base import StepClock, new_fact, write
async def main():
    store = await SqliteStore.open(sys.argv[1], clock=StepClock())
    for n in range(5):
        await write(store, new_fact(f"{sys.argv[2]}-{n}", f"fact {n}"), key=f"{sys.argv[2]}-{n}")
    await store.close()
asyncio.run(main())
"""


async def test_processes_that_create_one_file_at_once_all_work(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    racers = [
        subprocess.Popen(  # noqa: ASYNC220  # the point is that they start at the same moment
            [sys.executable, "-c", OPENER, str(path), str(n)], stderr=subprocess.PIPE
        )
        for n in range(4)
    ]
    errors = [racer.communicate(timeout=60)[1] for racer in racers]
    assert [racer.returncode for racer in racers] == [0, 0, 0, 0], errors
    store = await SqliteStore.open(path, clock=StepClock())
    count = await store.count_facts(ANA, view=view(), where=None)
    lines = await store.check()
    await store.close()
    assert (count, lines) == (20, [])
