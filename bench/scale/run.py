"""The scale bench from end to end: sizes in, lines and tables out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from bench.run import commit
from bench.scale.records import Measurement, Recorder
from bench.scale.report import figures_table, notes, ratios_table
from bench.scale.stage import Effort, measure, open_stage

SIZES = (1_000, 10_000, 100_000)
PEERS = ("mem0-plain",)


def run_scale(
    sizes: Sequence[int],
    out: Path,
    *,
    peers: Sequence[str] = PEERS,
    peer_folder: Path | None = None,
    effort: Effort | None = None,
    console: Console | None = None,
) -> list[Measurement]:
    """Measure every size and append a line for each figure to `out`; tables at the end.

    peers: names of rivals (`bench.systems.rivals.catalogue`), none for perdure and the floor alone.
    peer_folder: where their environments are.
    """
    screen = console or Console(stderr=True)
    record = Recorder(out=out, commit=commit(), cores=os.cpu_count() or 1)
    with screen.status("starting") as status:
        for size in sorted(sizes):
            with open_stage(
                size,
                peer_names=peers,
                peer_folder=peer_folder,
                effort=effort or Effort(),
                record=record,
                say=status.update,
            ) as stage:
                measure(stage)
            screen.print(f"{size:,} facts: done")
    show(record.measured, screen)
    return record.measured


def show(measured: Sequence[Measurement], screen: Console) -> None:
    screen.print(figures_table(measured))
    screen.print(ratios_table(measured))
    for note in notes(measured):
        screen.print(note)
