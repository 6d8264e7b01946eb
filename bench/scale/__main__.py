"""Speed and size: run, show, import-time, two-writers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from bench.scale.processes import REPEATS, import_times, two_writers
from bench.scale.records import read_lines
from bench.scale.run import PEERS, SIZES, run_scale
from bench.scale.run import show as show_tables
from bench.scale.stage import Effort

app = typer.Typer(help=__doc__, no_args_is_help=True, add_completion=False)
console = Console()


@app.command()
def run(
    out: Annotated[Path, typer.Argument(help="The file of result lines; they are appended.")],
    sizes: Annotated[list[int] | None, typer.Option("--size", help="Facts; give it again for more.")] = None,
    peers: Annotated[list[str] | None, typer.Option("--peer", help="A rival; `none` for none.")] = None,
    rounds: int = Effort().rounds,
    fill_budget_s: Annotated[float, typer.Option(help="For a rival's fill.")] = Effort().fill_budget_s,
) -> None:
    """Measure perdure, the floor and rivals at each size."""
    names = [name for name in peers or PEERS if name != "none"]
    effort = Effort(rounds=rounds, fill_budget_s=fill_budget_s)
    run_scale(sizes or SIZES, out, peers=names, effort=effort, console=console)


@app.command()
def show(file: Path) -> None:
    """The tables of a file of result lines."""
    show_tables(read_lines(file), console)


@app.command("import-time")
def import_time() -> None:
    """`import perdure` against an empty interpreter."""
    times = {name: f"{taken:.0f} ms" for name, taken in import_times().items()}
    _pairs(f"Fresh processes, median of {REPEATS}", times)


@app.command("two-writers")
def writers(seconds: float = 60.0) -> None:
    """Two processes on one file: what is lost."""
    found = {name: str(count) for name, count in two_writers(seconds).items()}
    _pairs(f"Two processes, {seconds:g} s", found)


def _pairs(title: str, rows: dict[str, str]) -> None:
    table = Table(title=title, title_justify="left", show_header=False)
    for name, value in rows.items():
        table.add_row(name, value)
    console.print(table)


if __name__ == "__main__":
    app()
