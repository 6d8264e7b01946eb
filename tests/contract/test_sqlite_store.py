"""The SQLite store keeps the contract of every store, in a file and in memory."""

from __future__ import annotations

from pathlib import Path

from perdure.ports import Clock, Store
from perdure.store.sqlite import SqliteStore
from perdure.testing.contract import StoreContract


class TestSqliteStore(StoreContract):
    async def open_store(self, directory: Path, clock: Clock) -> Store:
        return await SqliteStore.open(directory / "store.db", clock=clock)


class TestSqliteStoreInMemory(StoreContract):
    async def open_store(self, directory: Path, clock: Clock) -> Store:
        return await SqliteStore.open(":memory:", clock=clock)
