"""A small set with exact figures: generated stories, hashed vectors, no file of anyone, the same everywhere.

It is in CI. When a change moves a figure, `perdure bench fixed --write` puts the new ones into
`expected.json`, and the change says why they moved.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from bench.embedding import CachedEmbedder
from bench.errors import BenchError
from bench.metrics.record import read_run
from bench.metrics.summary import summarise
from bench.run import run
from bench.systems import make_system
from bench.testbed.dials import FIXED
from bench.testbed.generate import as_dataset, generate
from bench.testbed.run import Mode, memory_of, run_testbed
from perdure.embed.hashing import HashingEmbedder

EXPECTED = Path(__file__).parent / "expected.json"
SYSTEMS = ("perdure", "perdure-messages", "perdure-facts", "bm25", "dense", "rrf")
MEASURES = ("turns all@10", "turns R@10", "turns MRR", "newest first", "stale@10")
TRUTH_MODES: tuple[Mode, ...] = ("oracle", "rules")
DIGITS = 6
REMEDY = "write it with `perdure bench fixed --write`."

Figures = dict[str, str]
Report = Callable[[str], None]


def measure(report: Report = lambda name: None) -> Figures:
    """Every figure of the fixed set by name; `report` is told what is at work."""
    figures = _truth(report)
    with tempfile.TemporaryDirectory(prefix="perdure-fixed-") as folder:
        for name in SYSTEMS:
            report(name)
            figures |= _recall(name, Path(folder))
    return figures


def _truth(report: Report) -> Figures:
    figures: Figures = {}
    for mode in TRUTH_MODES:
        report(f"truth, {mode}")
        result = run_testbed(FIXED, memory_of(), mode)
        figures[f"truth, {mode}: stories"] = result.sha256[:16]
        figures[f"truth, {mode}: pairs right"] = f"{result.pair_score.hits}/{result.pair_score.total}"
        for name, ratio in [*result.measures.items(), *result.answers.items()]:
            figures[f"truth, {mode}: {name}"] = f"{ratio.hits}/{ratio.total}"
    return figures


def _recall(name: str, folder: Path) -> Figures:
    dataset = as_dataset(generate(FIXED))
    system = make_system(name, CachedEmbedder(HashingEmbedder()))
    try:
        summary = summarise(read_run(run(dataset, system, folder / f"{name}.jsonl")), measures=MEASURES)
    finally:
        system.close()
    found = {m: summary.figure(m) for m in MEASURES}
    return {
        f"{name}: {m}": f"{figure.mean:.{DIGITS}f} of {figure.n}" for m, figure in found.items() if figure
    }


def expected() -> Figures:
    """The figures that stand in `expected.json`; BenchError if they cannot be read."""
    try:
        value = json.loads(EXPECTED.read_text(encoding="utf-8"))
    except (OSError, ValueError) as exc:
        raise BenchError(
            f"{EXPECTED.name} cannot be read. Write it with `perdure bench fixed --write`."
        ) from exc
    if not isinstance(value, dict):
        raise BenchError(f"{EXPECTED.name} holds no figures: {REMEDY}")
    return {str(name): str(figure) for name, figure in value.items()}


def write(figures: Mapping[str, str]) -> None:
    """Make these the expected ones."""
    EXPECTED.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def differences(wanted: Mapping[str, str], found: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """Name, expected and found of each figure that is not as expected, missing ones included."""
    names = dict.fromkeys([*wanted, *found])
    return [
        (name, wanted.get(name, "missing"), found.get(name, "missing"))
        for name in names
        if wanted.get(name) != found.get(name)
    ]
