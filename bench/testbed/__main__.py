"""`python -m bench.testbed`: run the test-bed with perdure and show what came of it."""

from __future__ import annotations

import sys
from dataclasses import replace
from time import monotonic
from typing import Annotated

import typer
from rich.console import Console

from bench.testbed.dials import FIXED, FULL
from bench.testbed.report import measures_table, pairs_table
from bench.testbed.run import MODES, memory_of, run_testbed

WIDTH = 160  # where no terminal says how wide it is


def main(
    preset: Annotated[str, typer.Option(help="fixed or full")] = "fixed",
    mode: Annotated[
        list[str] | None, typer.Option(help="one or several of the modes; all by default")
    ] = None,
    embedder: Annotated[str, typer.Option(help="hashing or local")] = "hashing",
    filler: Annotated[int | None, typer.Option(help="unrelated turns before each step")] = None,
    stories: Annotated[int | None, typer.Option(help="pairs of each kind")] = None,
    faults: Annotated[bool, typer.Option(help="list what each story got wrong")] = False,
) -> None:
    """Run the chosen modes one after the other and show them side by side."""
    console = Console(width=None if sys.stdout.isatty() else WIDTH)
    dials = {"fixed": FIXED, "full": FULL}[preset]
    dials = replace(
        dials, filler=dials.filler if filler is None else filler, stories=stories or dials.stories
    )
    results = []
    for chosen in (m for m in MODES if mode is None or m in mode):
        began = monotonic()
        results.append(run_testbed(dials, memory_of(embedder), chosen))
        console.print(f"{chosen}: {monotonic() - began:.1f} s, stories {results[-1].sha256[:12]}")
    console.print(pairs_table(results))
    console.print(measures_table(results))
    for story in (s for r in results for s in r.stories if faults and s.faults):
        console.print(f"{story.id}: {', '.join(story.faults)}", highlight=False)


if __name__ == "__main__":
    typer.run(main)
