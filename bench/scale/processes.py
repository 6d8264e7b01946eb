"""Figures of whole processes: what an import costs, and two writers on one file."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.errors import BrokenRun
from perdure import Memory

REPEATS = 9
_STARTS = {
    "empty interpreter": "",
    "import json": "import json",
    "import perdure": "import perdure",
    "from perdure import Memory": "from perdure import Memory",
}
_WRITER = (
    "import sys, time\n"
    "from perdure import Memory\n"
    "path, name, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])\n"
    "count, end = 0, time.monotonic() + seconds\n"
    "with Memory(path, embedder='hashing', model='rules') as memory:\n"
    "    while time.monotonic() < end:\n"
    "        memory.add(f'{name} wrote note {count}', user_id='ana', infer=False)\n"
    "        memory.add(f'Both wrote note {count}', user_id='ana', infer=False)\n"
    "        count += 1\n"
    "print(count)\n"
)


def import_times() -> dict[str, float]:
    """Milliseconds of fresh processes, median of `REPEATS`; they take turns."""
    times: dict[str, list[float]] = {name: [] for name in _STARTS}
    for _ in range(REPEATS):
        for name, code in _STARTS.items():
            began = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True)
            times[name].append((time.perf_counter() - began) * 1000)
    return {name: statistics.median(taken) for name, taken in times.items()}


def two_writers(seconds: float) -> dict[str, int]:
    """Two processes add their own and shared notes to one file. All but `adds` must be 0."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "memory.db")
        writers = [
            subprocess.Popen(
                [sys.executable, "-c", _WRITER, path, name, str(seconds)],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for name in ("Left", "Right")
        ]
        outputs = [writer.communicate() for writer in writers]
        failed = [err for writer, (_, err) in zip(writers, outputs, strict=True) if writer.returncode]
        if failed:
            raise BrokenRun(f"a writer got an error:\n{failed[0][-2000:]}")
        counts = [int(out) for out, _ in outputs]
        with Memory(path, embedder="hashing", model="rules") as memory:
            stats, problems = memory.stats(), memory.check()
    return {
        "adds": 2 * sum(counts),
        "episodes lost": 2 * sum(counts) - stats["episodes"],
        "facts lost or doubled": sum(counts) + max(counts) - stats["facts"],
        "broken invariants": len(problems),
    }
