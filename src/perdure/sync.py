"""The same verbs without async: each runs on one background loop and waits for the result."""

from __future__ import annotations

import asyncio
import functools
import os
import threading
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Concatenate, ParamSpec, Self, TypeVar

from perdure.engine import Engine
from perdure.errors import StoreClosed

P = ParamSpec("P")
R = TypeVar("R")
PATIENCE_S = 5.0


class Loop:
    """An event loop on a thread of its own, started when made and ended by `stop`."""

    def __init__(self) -> None:
        self._process_id = os.getpid()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="perdure-loop", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[object, object, R]) -> R:
        """The result of the coroutine; interrupting the wait cancels it."""
        if self._loop.is_closed() or os.getpid() != self._process_id:
            work.close()
            raise StoreClosed("this memory was closed, or opened before a fork. Open a new one.")
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def finish_tasks(self) -> None:
        """Wait until calls that were broken off have let go of what they held; five seconds at most."""

        async def others() -> None:
            tasks = asyncio.all_tasks() - {asyncio.current_task()}
            if tasks:
                await asyncio.wait(tasks, timeout=PATIENCE_S)

        self.run(others())

    def stop(self) -> None:
        if not self._loop.is_closed() and os.getpid() == self._process_id:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()


def blocking(
    verb: Callable[Concatenate[Engine, P], Coroutine[object, object, R]],
) -> Callable[Concatenate[SyncEngine, P], R]:
    """The verb with the same signature, waiting for its result."""

    @functools.wraps(verb)
    def wait(self: SyncEngine, *args: P.args, **kwargs: P.kwargs) -> R:
        return self.loop.run(verb(self.engine, *args, **kwargs))

    return wait  # type: ignore[return-value]  # wraps keeps the async annotations for the docs


class SyncEngine:
    """Every verb of `Engine`, blocking. Safe to share between threads."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.loop = Loop()
        try:
            self.loop.run(engine.open())
        except BaseException:
            self.loop.stop()
            raise

    add = blocking(Engine.add)
    search = blocking(Engine.search)
    get = blocking(Engine.get)
    get_all = blocking(Engine.get_all)
    history = blocking(Engine.history)
    update = blocking(Engine.update)
    delete = blocking(Engine.delete)
    delete_all = blocking(Engine.delete_all)
    undo = blocking(Engine.undo)
    erase = blocking(Engine.erase)
    reset = blocking(Engine.reset)
    decisions = blocking(Engine.decisions)
    decision = blocking(Engine.decision)
    operations = blocking(Engine.operations)
    resume = blocking(Engine.resume)
    reembed = blocking(Engine.reembed)
    check = blocking(Engine.check)
    stats = blocking(Engine.stats)

    def close(self) -> None:
        """Close the memory and end its thread; closing twice is fine."""
        try:
            self.loop.finish_tasks()
            self.loop.run(self.engine.close())
        except StoreClosed:
            return
        finally:
            self.loop.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
