"""What the terminal shows of a scale run."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from bench.scale.ours import NAME
from bench.scale.records import Measurement, find, ratio


def figures_table(measured: Sequence[Measurement]) -> Table:
    """Every figure: one row for a subject and a case, one column for a size."""
    sizes = sorted({m.size for m in measured})
    table = Table(title="Median (95th percentile) by number of facts", title_justify="left")
    for heading in ("what", "case", "who", "unit"):
        table.add_column(heading)
    for size in sizes:
        table.add_column(f"{size:,}", justify="right")
    rows = dict.fromkeys((m.what, m.case, m.name, m.unit) for m in measured)
    for what, case, name, unit in rows:
        found = [find(measured, name=name, size=size, what=what, case=case) for size in sizes]
        table.add_row(what, case, name, unit, *(_cell(one) for one in found))
    return table


def ratios_table(measured: Sequence[Measurement]) -> Table:
    """perdure in units of everyone it took turns with; below 1 it is faster."""
    sizes = sorted({m.size for m in measured})
    table = Table(
        title="perdure's time in units of another's: median round (least to greatest round)",
        title_justify="left",
    )
    for heading in ("what", "case", "against"):
        table.add_column(heading)
    for size in sizes:
        table.add_column(f"{size:,}", justify="right")
    rows = dict.fromkeys((m.what, m.case, m.name) for m in measured if m.name != NAME and m.unit == "ms")
    for what, case, other in rows:
        table.add_row(what, case, other, *(_ratio(measured, size, what, case, other) for size in sizes))
    return table


def notes(measured: Sequence[Measurement]) -> list[str]:
    """What a reader of the figures must know."""
    noted = [m for m in measured if m.note]
    return [f"{m.name}, {f'{m.what} {m.case}'.strip()}, {m.size:,}: {m.note}" for m in noted]


def _ratio(measured: Sequence[Measurement], size: int, what: str, case: str, other: str) -> str:
    mine = find(measured, name=NAME, size=size, what=what, case=case)
    theirs = find(measured, name=other, size=size, what=what, case=case)
    return str(ratio(mine, theirs)) if mine and theirs else "–"


def _cell(one: Measurement | None) -> str:
    if one is None:
        return "–"
    if len(one.samples) < 5:
        return _number(one.median)
    return f"{_number(one.median)} ({_number(one.percentile(0.95))})"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
