"""perdure under measurement: filled, searched, opened anew in a child process."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bench.errors import BrokenRun
from bench.model import Turn
from bench.scale.records import Rounds
from bench.scale.vectors import SumEmbedder
from bench.scale.world import BATCH, BIG, World
from perdure import Memory
from perdure.cli.importing import BATCH as IMPORT_BATCH
from perdure.interop.files import read_file
from perdure.store.sqlite import SqliteStore

ROOT = Path(__file__).parents[2]
NAME = "perdure"
NOW = datetime(2025, 6, 1, tzinfo=UTC)
_TENTHS = 10


def open_memory(path: Path) -> Memory:
    return Memory(path, embedder=SumEmbedder(), model="rules")


def messages(turns: Sequence[Turn]) -> list[dict[str, object]]:
    return [
        {"role": turn.role, "content": turn.text, "id": turn.id, "timestamp": turn.at.isoformat()}
        for turn in turns
    ]


def add(memory: Memory, owner: str, turns: Sequence[Turn]) -> float:
    """Seconds to add the turns verbatim in one call."""
    made = messages(turns)
    began = time.perf_counter()
    memory.add(made, user_id=owner, infer=False)
    return time.perf_counter() - began


def fill(memory: Memory, world: World) -> Rounds:
    """Add the whole world. Facts a second of the big user's batches, in ten rounds by how full the store was.

    Only full batches count, unless there is none.
    """
    least = min(BATCH, world.counts[BIG])
    rates: list[list[float]] = [[] for _ in range(_TENTHS)]
    held = 0
    for batch in world.batches():
        seconds = add(memory, batch.owner, batch.turns)
        if batch.owner == BIG and len(batch.turns) >= least:
            rates[held * _TENTHS // world.size].append(len(batch.turns) / seconds)
        held += len(batch.turns)
    facts = sum(memory.stats(user_id=owner)["facts"] for owner in world.counts)
    if facts != world.size:
        raise BrokenRun(f"perdure holds {facts} facts of {world.size}. The generator or the store is broken.")
    return tuple(tuple(one) for one in rates if one)


def search(memory: Memory, owner: str, query: str, signals: Sequence[str] | None = None) -> int:
    """How many items came back."""
    found = memory.search(query, user_id=owner, limit=10, signals=signals, reference_date=NOW)
    return len(found["results"])


def statements(memory: Memory) -> int:
    """SQL statements so far. The store is no public part of a memory; nothing else in here looks inside."""
    store = memory.loop.run(memory.engine._ready()).store
    assert isinstance(store, SqliteStore)
    return store.statements


@dataclass(frozen=True, slots=True, kw_only=True)
class Fresh:
    """What a new process needs: seconds of each step, MB resident once open and once searched."""

    import_s: float
    open_s: float
    first_search_s: float
    idle_mb: float
    searched_mb: float

    @property
    def total_s(self) -> float:
        return self.import_s + self.open_s + self.first_search_s


def fresh(path: Path, query: str) -> Fresh:
    """Open the store and search the big user in a child process."""
    command = [sys.executable, "-m", "bench.scale.child", str(path), BIG, query]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BrokenRun(f"the child process failed with exit code {done.returncode}:\n{done.stderr[-2000:]}")
    return Fresh(**json.loads(done.stdout))


def import_rate(turns: Sequence[Turn]) -> float:
    """Messages a second from a JSONL file into a new store, as `perdure import` does it, rules extracting."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "messages.jsonl"
        file.write_text("".join(json.dumps(m) + "\n" for m in messages(turns)), encoding="utf-8")
        with open_memory(Path(folder) / "memory.db") as memory:
            began = time.perf_counter()
            for conversation in read_file(file).conversations:
                for batch in conversation.batches(IMPORT_BATCH):
                    memory.add(batch, user_id=BIG)
            return len(turns) / (time.perf_counter() - began)


def file_megabytes(path: Path) -> float:
    """Of a file and what SQLite keeps beside it, or of a whole folder."""
    files = path.rglob("*") if path.is_dir() else path.parent.glob(f"{path.name}*")
    return sum(file.stat().st_size for file in files if file.is_file()) / 1e6
