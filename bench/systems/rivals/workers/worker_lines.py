"""The worker's side of the talk: JSON lines in and out, time with and without that of embedding.

Runs under the rival's own interpreter, so it needs the standard library only and nothing of ours.
Each request is one object with `op`; each answer is one object with `ok`. An error ends the worker: the
parent never goes on with a half-fed memory.
"""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from collections.abc import Callable
from importlib import metadata

Body = dict[str, object]
OPS = ("hello", "reset", "use", "feed", "ask", "list", "close")


class Clock:
    """Seconds of a piece of work, and how many of them went into embedding."""

    def __init__(self) -> None:
        self.embedding_seconds = 0.0
        self.embedding_calls = 0

    def embedding(self, work: Callable[..., object]) -> Callable[..., object]:
        """The same function; its time counts as embedding, the way to the server and back included."""

        def timed(*args: object, **kwargs: object) -> object:
            began = time.perf_counter()
            try:
                return work(*args, **kwargs)
            finally:
                self.embedding_seconds += time.perf_counter() - began
                self.embedding_calls += 1

        return timed

    def measure(self, work: Callable[[], Body]) -> Body:
        """What the work answers, with `seconds` (without embedding) and `embedding_seconds`."""
        self.embedding_seconds, self.embedding_calls = 0.0, 0
        began = time.perf_counter()
        answer = work()
        took = time.perf_counter() - began
        return {
            "seconds": max(0.0, took - self.embedding_seconds),
            "embedding_seconds": self.embedding_seconds,
            "embedding_calls": self.embedding_calls,
            **answer,
        }


def versions(*packages: str) -> dict[str, str]:
    """Installed versions, for the result line; what is not installed is left out."""
    found = {"python": sys.version.split()[0]}
    for package in packages:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


def serve(worker: object) -> None:
    """Answer requests by the worker's methods of those names, until `close` or the end of input.

    What the rival prints goes to stderr.
    """
    ops: dict[str, Callable[[Body], Body]] = {op: getattr(worker, op) for op in OPS}
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin:
        request = json.loads(line)
        # With `hello`: before the rival is imported, which reads them then.
        os.environ.update(request.get("variables", {}))
        try:
            body = {"ok": True, **ops[request["op"]](request)}
        except BaseException as exc:
            traceback.print_exc()
            print(
                json.dumps({"ok": False, "error": f"{type(exc).__name__}: {exc}"}), file=answers, flush=True
            )
            raise
        print(json.dumps(body), file=answers, flush=True)
        if request["op"] == "close":
            return


def use_loadable_sqlite() -> None:
    """Put pysqlite3 in the place of a `sqlite3` built without extensions; sqlite-vec is one."""
    import sqlite3

    if not hasattr(sqlite3.Connection, "enable_load_extension"):
        import pysqlite3

        sys.modules["sqlite3"] = pysqlite3
