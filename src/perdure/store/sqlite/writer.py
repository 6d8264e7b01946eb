"""Threads that own connections: one writer, a few readers. A job is a plain function of a connection."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import TypeVar

from perdure.errors import StoreClosed
from perdure.store.sqlite.connection import Db, translated

T = TypeVar("T")


class Lane:
    """Some threads and as many connections; a job takes one connection for its time, in arrival order."""

    def __init__(self, connections: list[Db], *, name: str) -> None:
        self._connections = connections
        self._free: SimpleQueue[Db] = SimpleQueue()
        for db in connections:
            self._free.put(db)
        self._threads = ThreadPoolExecutor(len(connections), thread_name_prefix=name)

    @property
    def statements(self) -> int:
        return sum(db.statements for db in self._connections)

    async def read(self, job: Callable[[Db], T]) -> T:
        """The job's answer from one snapshot."""
        return await self._await(self._submit(lambda db: _in_transaction(db, "DEFERRED", job)))

    async def write(self, job: Callable[[Db], T]) -> T:
        """The job's answer once its transaction is on disk; nothing is kept if it raises."""
        return await self._await(self._submit(lambda db: _in_transaction(db, "IMMEDIATE", job)))

    async def run(self, job: Callable[[Db], T]) -> T:
        """The job's answer, outside any transaction."""
        return await self._await(self._submit(job))

    def close(self) -> None:
        """Finish what was accepted, join the threads, close the connections."""
        self._threads.shutdown(wait=True)
        for db in self._connections:
            db.close()

    def _submit(self, job: Callable[[Db], T]) -> Future[T]:
        try:
            return self._threads.submit(self._with_connection, job)
        except RuntimeError as exc:  # the executor was shut down
            raise StoreClosed("store: used after close(). Open it again.") from exc

    def _with_connection(self, job: Callable[[Db], T]) -> T:
        db = self._free.get()
        try:
            with translated():
                return job(db)
        finally:
            self._free.put(db)

    async def _await(self, future: Future[T]) -> T:
        return await asyncio.wrap_future(future)


def _in_transaction(db: Db, kind: str, job: Callable[[Db], T]) -> T:
    with db.transaction(kind):
        return job(db)
