"""First figures of the engine; `bench/README.md` says what each command measures."""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from perdure import Memory

ROOT = Path(__file__).parents[1]
console = Console()


def show(title: str, rows: dict[str, str]) -> None:
    table = Table(title=title, title_justify="left", show_header=False)
    for name, value in rows.items():
        table.add_row(name, value)
    console.print(table)


def milliseconds(work: Callable[[], object], *, repeats: int) -> tuple[float, float]:
    """Median and 95th percentile of one call, in ms."""
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        work()
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times), float(np.percentile(times, 95))


def import_time() -> None:
    def run(code: str) -> Callable[[], object]:
        return lambda: subprocess.run([sys.executable, "-c", code], check=True)

    rows = {}
    for name, code in {
        "empty interpreter": "",
        "import json": "import json",
        "import perdure": "import perdure",
        "from perdure import Memory": "from perdure import Memory",
    }.items():
        median, _ = milliseconds(run(code), repeats=9)
        rows[name] = f"{median:.0f} ms"
    show("Fresh processes, median of 9", rows)


def two_writers(seconds: float) -> None:
    """Each process adds its own and shared notes until the time is up, and says how many it added."""
    code = (
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
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "memory.db")
        command = [sys.executable, "-c", code, path]
        writers = [
            subprocess.Popen(
                [*command, name, str(seconds)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
            for name in ("Left", "Right")
        ]
        outputs = [writer.communicate() for writer in writers]
        counts = [int(out or -1) for out, _ in outputs]
        with Memory(path, embedder="hashing", model="rules") as memory:
            stats, problems = memory.stats(), memory.check()
    expected_facts = sum(counts) + max(counts)
    show(
        f"Two processes, {seconds:g} s",
        {
            "adds": str(2 * sum(counts)),
            "errors that reached a caller": str(sum(writer.returncode != 0 for writer in writers)),
            "episodes lost": str(2 * sum(counts) - stats["episodes"]),
            "facts lost or doubled": str(expected_facts - stats["facts"]),
            "broken invariants": str(len(problems)),
        },
    )


def store(count: int) -> None:
    rows: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        with Memory(path, embedder="hashing", model="rules") as memory:
            notes = [f"Note {n} tells of ship {n % 977} in harbour {n % 613}" for n in range(count)]
            began = time.perf_counter()
            for start in range(0, count, 500):
                memory.add(notes[start : start + 500], user_id="ana", infer=False)
            rows["batched adds"] = f"{count / (time.perf_counter() - began):.0f} /s"
            median, p95 = milliseconds(
                lambda: memory.add(f"Single note {time.perf_counter_ns()}", user_id="ana", infer=False),
                repeats=200,
            )
            rows["one add, durable"] = f"{median:.2f} ms (p95 {p95:.2f}), {1000 / median:.0f} /s"
            query = "Which ship lies in harbour 77?"
            memory.search(query, user_id="ana")
            for signals in (None, ["vector"], ["keyword"], ["graph"]):
                median, p95 = milliseconds(
                    lambda s=signals: memory.search(query, user_id="ana", signals=s),  # type: ignore[misc]
                    repeats=50,
                )
                rows[f"search, {signals[0] if signals else 'all four signals'}"] = (
                    f"{median:.2f} ms (p95 {p95:.2f})"
                )
            median, _ = milliseconds(lambda: memory.get_all(user_id="ana", limit=100), repeats=50)
            rows["list 100 newest"] = f"{median:.2f} ms"
        began = time.perf_counter()
        with Memory(path, embedder="hashing", model="rules") as memory:
            memory.search(query, user_id="ana")
            rows["open and first search"] = f"{(time.perf_counter() - began) * 1000:.0f} ms"
    matrix = np.random.default_rng(7).standard_normal((2 * count, 256)).astype(np.float32)
    vector = matrix[0]

    def scan() -> object:
        products = matrix @ vector
        return np.argpartition(-products, 20)[:20]

    median, _ = milliseconds(scan, repeats=50)
    rows["floor: exact scan of as many vectors by numpy"] = f"{median:.2f} ms"
    show(f"{count} facts and as many episodes in one scope, vectors of 256 by hashing", rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("import-time")
    commands.add_parser("two-writers").add_argument("--seconds", type=float, default=60)
    commands.add_parser("store").add_argument("--facts", type=int, default=10_000)
    given = parser.parse_args()
    if given.command == "import-time":
        import_time()
    elif given.command == "two-writers":
        two_writers(given.seconds)
    else:
        store(given.facts)


if __name__ == "__main__":
    main()
