"""A process that writes to a store and may be told to die at a named step; used by the crash tests.

argv: path, what (`add`, `many`), then for `add` the step to die at as `<apply>:<step>:<occurrence>`
(`1` is the transaction of capture, `2` that of persist), for `many` a name and a count.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections import Counter
from functools import partial

from perdure.compose import IdSource, open_parts, utc_now
from perdure.config import load_settings
from perdure.embed.hashing import HashingEmbedder
from perdure.engine import Engine

MESSAGES = [
    {"role": "user", "name": "Ana", "timestamp": "2024-01-05T10:00:00Z", "content": "I live in Porto."},
    {"role": "user", "name": "Ana", "timestamp": "2024-06-05T10:00:00Z", "content": "I live in Lisbon."},
    {"role": "user", "name": "Ana", "timestamp": "2024-06-05T10:01:00Z", "content": "My dog is called Rex."},
]


class Killer:
    """Ends this process, as the power going out would, at one step of one transaction."""

    def __init__(self, where: str) -> None:
        rest, occurrence = where.rsplit(":", 1)
        number, self._step = rest.split(":", 1)
        self._apply = int(number)
        self._occurrence = int(occurrence)
        self._begun = 0
        self._seen: Counter[str] = Counter()

    def __call__(self, step: str) -> None:
        if step == "begin":
            self._begun += 1
            self._seen.clear()
        self._seen[step] += 1
        is_there = (self._begun, step) == (self._apply, self._step)
        if is_there and self._seen[step] == self._occurrence:
            os.kill(os.getpid(), signal.SIGKILL)


def make_engine(path: str, killer: Killer | None = None) -> Engine:
    settings = load_settings(path=path)
    return Engine(
        partial(
            open_parts,
            path,
            settings,
            embedder=HashingEmbedder(),
            fast=None,
            strong=None,
            clock=utc_now,
            new_id=IdSource(),
            check_embedder=True,
            by_rules=True,
            on_step=killer,
        ),
        workspace="default",
    )


async def add_once(path: str, where: str) -> None:
    async with make_engine(path, Killer(where)) as memory:
        await memory.add(MESSAGES, user_id="ana")
        sys.stdout.write("answered\n")


async def add_many(path: str, name: str, count: int) -> None:
    async with make_engine(path) as memory:
        for n in range(count):
            await memory.add(f"{name} wrote note number {n}", user_id="ana", infer=False)
            await memory.add(f"Both wrote note number {n}", user_id="ana", infer=False)
        sys.stdout.write("answered\n")


if __name__ == "__main__":
    if sys.argv[2] == "add":
        asyncio.run(add_once(sys.argv[1], sys.argv[3]))
    else:
        asyncio.run(add_many(sys.argv[1], sys.argv[3], int(sys.argv[4])))
