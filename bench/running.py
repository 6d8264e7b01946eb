"""Suites at work: progress while they run, tables when they are done."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from bench import fixed
from bench import run as runner
from bench.datasets import load_dataset
from bench.embedding import CachedEmbedder, ParallelEmbedder
from bench.errors import BrokenRun
from bench.metrics.record import Run, read_run
from bench.metrics.stats import Difference
from bench.metrics.summary import Summary, asked, check_comparable, pair, summarise, values
from bench.model import Dataset
from bench.places import Places
from bench.progress import bars as progress_bars
from bench.report.tables import ablation_table, by_category, confidence, overview
from bench.suites import Part, headlines
from bench.systems import ABLATION, make_system
from perdure.embed.local import LocalEmbedder


def open_embedder(places: Places) -> CachedEmbedder:
    """The packaged model, a copy a core, behind the cache on disk."""
    copies = [LocalEmbedder() for _ in range(os.cpu_count() or 1)]
    return CachedEmbedder(ParallelEmbedder(copies), places.cache)


def run_suite(suite: Sequence[Part], places: Places, console: Console, *, is_fresh: bool) -> None:
    """Run every part, then show all that came out."""
    began = time.perf_counter()
    for part in suite:
        run_part(part, places, console, is_fresh=is_fresh)
    for dataset in dict.fromkeys(part.dataset for part in suite):
        systems = [name for part in suite if part.dataset == dataset for name in part.systems]
        show_runs([dataset], systems, places, console)
    console.print(f"[dim]{time.perf_counter() - began:.0f} s[/dim]")


def run_part(part: Part, places: Places, console: Console, *, is_fresh: bool) -> None:
    """Run the systems of one part, one after the other."""
    dataset = load_dataset(part.dataset, places.data)
    embedder = open_embedder(places)
    try:
        with progress_bars(console) as bars:
            for name in part.systems:
                _run_one(dataset, name, embedder, places, bars, is_fresh=is_fresh)
    finally:
        embedder.shut()


def _run_one(
    dataset: Dataset, name: str, embedder: CachedEmbedder, places: Places, bars: Progress, *, is_fresh: bool
) -> None:
    task = bars.add_task(f"{dataset.name}: {name}", total=dataset.question_count)

    def report(progress: runner.Progress) -> None:
        bars.update(task, completed=progress.done)

    system = make_system(name, embedder, rivals=places.rivals)
    try:
        path = places.run_file(dataset.name, name)
        runner.run(dataset, system, path, is_fresh=is_fresh, report=report)
        bars.update(task, completed=dataset.question_count)
    finally:
        system.close()


def finished_datasets(places: Places) -> list[str]:
    """The datasets that have a run; BrokenRun if there is none."""
    names = sorted(p.name for p in places.runs.glob("*") if any(p.glob("*.jsonl")))
    if not names:
        raise BrokenRun(f"no run is in {places.runs}. Make one with `perdure bench quick`.")
    return names


def summaries(
    dataset: str, systems: Sequence[str] | None, places: Places, *, is_audited: bool = False
) -> list[Summary]:
    """What the systems reached on the dataset; all that have run if None."""
    paths = [places.run_file(dataset, name) for name in systems or ()]
    paths = paths or sorted((places.runs / dataset).glob("*.jsonl"))
    if not paths:
        raise BrokenRun(f"{dataset}: no run is there. Make one with `perdure bench run {dataset}`.")
    runs = [read_named(path) for path in paths]
    check_comparable(runs)
    return [summarise(run, is_audited=is_audited, measures=headlines(dataset)) for run in runs]


def read_named(path: Path) -> Run:
    """The run in a file of `Places`; BrokenRun if it is not the one that folder and name say."""
    run = read_run(path)
    if (run.dataset, run.system) != (path.parent.name, path.stem):
        raise BrokenRun(f"{path} holds {run.system} on {run.dataset}. Move it to where it belongs.")
    return run


def check_fixed(console: Console, *, is_written: bool = False) -> bool:
    """Measure the fixed set; True if every figure is as expected. is_written: make what is found expected."""
    with console.status("fixed set") as status:
        found = fixed.measure(lambda name: status.update(f"fixed set: {name}"))
    if is_written:
        fixed.write(found)
    moved = fixed.differences(fixed.expected(), found)
    if moved:
        table = Table(title="Figures that are not as expected", title_justify="left")
        for head in ("figure", "expected", "found"):
            table.add_column(head)
        for row in moved:
            table.add_row(*row)
        console.print(table)
    else:
        console.print(f"fixed set: {len(found)} figures as expected")
    return not moved


def groups(datasets: Sequence[str], places: Places, *, is_audited: bool = False) -> list[list[Summary]]:
    """The summaries of each dataset, all measures."""
    found = []
    for dataset in datasets:
        paths = sorted((places.runs / dataset).glob("*.jsonl"), key=_ours_first)
        if not paths:
            raise BrokenRun(f"{dataset}: no run is there. Make one with `perdure bench run {dataset}`.")
        runs = [read_named(path) for path in paths]
        check_comparable(runs)
        found.append([summarise(run, is_audited=is_audited) for run in runs])
    return found


def _ours_first(path: Path) -> tuple[bool, str]:
    return not path.stem.startswith("perdure"), path.stem


def ablation(dataset: str, measure: str | None, places: Places) -> tuple[str, dict[str, Difference]]:
    """The measure, and what it changes by when a part is switched off; of the parts that have run."""
    default = read_named(places.run_file(dataset, "perdure"))
    applies = (m for m in headlines(dataset) if values(asked(default), m))
    leading = measure or next(applies)
    found = {}
    for name in ABLATION[1:]:
        path = places.run_file(dataset, name)
        difference = pair(read_named(path), default, leading) if path.exists() else None
        if difference is not None:
            found[name.removeprefix("perdure-")] = difference
    return leading, found


def show_ablation(dataset: str, measure: str | None, places: Places, console: Console) -> None:
    """The table of what each part is worth."""
    leading, found = ablation(dataset, measure, places)
    console.print(ablation_table(dataset, leading, found))


def write_page(path: Path, datasets: Sequence[str], places: Places, *, is_audited: bool) -> None:
    """All that has run, as one page."""
    from bench.report.page import page

    ablations = {}
    for dataset in datasets:
        if all(places.run_file(dataset, name).exists() for name in ABLATION):
            leading, found = ablation(dataset, None, places)
            ablations[f"{dataset}, {leading}"] = found
    audited = " --audited" if is_audited else ""
    html = page(
        groups(datasets, places, is_audited=is_audited),
        command=f"perdure bench report --html {path.name}{audited}",
        ablations=ablations,
    )
    path.write_text(html, encoding="utf-8")


def show_runs(
    datasets: Sequence[str],
    systems: Sequence[str] | None,
    places: Places,
    console: Console,
    *,
    is_audited: bool = False,
) -> None:
    """The tables of each dataset: headlines, the first of them by category, what scores are worth."""
    for dataset in datasets:
        found = summaries(dataset, systems, places, is_audited=is_audited)
        console.print(overview(found))
        leading = next(m for m in headlines(dataset) if any(s.figure(m) for s in found))
        console.print(by_category(found, leading))
        table = confidence(found)
        if table is not None:
            console.print(table)
        for note in dict.fromkeys(note for s in found for note in s.run.notes):
            console.print(f"[dim]{note}[/dim]")
