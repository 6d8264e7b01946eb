"""`perdure bench answer`: models at work on a run, then accuracy by both judges, and the cost."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.asking import JUDGES, Report, Told, ask_all, read_answers
from bench.errors import SystemMissing
from bench.metrics.record import Run, read_run
from bench.metrics.stats import estimate
from bench.places import Places
from bench.progress import bars
from perdure.compose import make_model
from perdure.config import Settings
from perdure.ports import Model

ALL = "all"


def answer_run(
    places: Places,
    console: Console,
    *,
    dataset: str,
    system: str,
    reader: str,
    judge: str,
    base_url: str | None,
    most: int | None,
    price: tuple[float, float] | None,
) -> None:
    """Answer and judge what is not yet, then show the table. price: dollars a million tokens in and out."""
    run = read_run(places.run_file(dataset, system))
    path = places.answers_file(dataset, system, f"{reader}+{judge}")
    with bars(console) as shown:
        task = shown.add_task(f"{dataset}: {system} read by {reader}", total=None)

        def report(done: int, total: int) -> None:
            shown.update(task, completed=done, total=total)

        asyncio.run(_ask(run, _model(reader, base_url), _model(judge, base_url), path, most, report))
    console.print(accuracy_table(run, read_answers(path, run, most=most), price=price))


async def _ask(run: Run, reader: Model, judge: Model, path: Path, most: int | None, report: Report) -> None:
    try:
        await ask_all(run, reader, judge, path, most=most, report=report)
    finally:
        await reader.close()
        await judge.close()


def _model(name: str, base_url: str | None) -> Model:
    model = make_model(Settings(model=name, model_base_url=base_url), name)
    if model is None:
        raise SystemMissing(f"model {name!r}: give --base-url, or set OPENAI_API_KEY")
    return model


def accuracy_table(run: Run, told: Sequence[Told], *, price: tuple[float, float] | None) -> Table:
    """Right answers by category and judge with 95 % intervals; failures, tokens and cost beneath."""
    failed = sum(t.error is not None for t in told)
    tokens_in, tokens_out = sum(t.tokens_in for t in told), sum(t.tokens_out for t in told)
    spent = f"{sum(t.calls for t in told)} calls, {tokens_in} tokens in, {tokens_out} out"
    if price is not None:
        spent += f", ${(tokens_in * price[0] + tokens_out * price[1]) / 1e6:.4f}"
    table = Table(
        title=f"{run.dataset}: answers from {run.system}, % right",
        caption=f"{failed} of {len(told)} calls failed and count as wrong; {spent}",
        title_justify="left",
        caption_justify="left",
    )
    for name in ("category", "n", *JUDGES):
        table.add_column(name, justify="left" if name == "category" else "right")
    for category in [*sorted({t.category for t in told}), ALL]:
        group = [t for t in told if category in (t.category, ALL)]
        table.add_row(category, str(len(group)), *(_share([t.right[name] for t in group]) for name in JUDGES))
    return table


def _share(right: Sequence[bool]) -> str:
    found = estimate([float(r) for r in right])
    return f"{100 * found.mean:.1f} [dim]({100 * found.low:.1f}–{100 * found.high:.1f})[/dim]"
