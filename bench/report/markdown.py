"""The README's table, from result lines: never typed by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bench.errors import BenchError
from bench.metrics.measures import MEASURES
from bench.metrics.summary import Summary
from bench.suites import headlines

COLUMNS = ("perdure", "bm25", "dense", "rrf", "mem0")
MEASURES_A_DATASET = 3
BEGIN, END = "<!-- figures -->", "<!-- /figures -->"


def markdown_table(groups: Sequence[Sequence[Summary]]) -> str:
    """A row a dataset and measure, a column a system: means with 95 % intervals, and where they come from."""
    names = [name for name in COLUMNS if any(s.run.system == name for group in groups for s in group)]
    head = f"| dataset, measure | n | {' | '.join(names)} |\n|---|---:|{'---:|' * len(names)}\n"
    rows = [row for group in groups for row in _rows(group, names)]
    sources = "; ".join(_source(group) for group in groups)
    return f"{head}{''.join(rows)}\nData: {sources}.\n"


def write_into(page: Path, table: str) -> None:
    """Put the table between the page's two marks; BenchError if it has none."""
    text = page.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise BenchError(f"{page} has no place for the table: put {BEGIN} and {END} on lines of their own.")
    page.write_text(f"{before}{BEGIN}\n{table}{END}{after}", encoding="utf-8")


def _rows(group: Sequence[Summary], names: Sequence[str]) -> list[str]:
    by_name = {s.run.system: s for s in group}
    told = [m for m in headlines(group[0].run.dataset) if any(s.figure(m) for s in group)]
    rows = []
    for measure in told[:MEASURES_A_DATASET]:
        n = next(f.n for s in group if (f := s.figure(measure)))
        low = " ↓" if MEASURES[measure].is_better_low else ""
        cells = [_cell(by_name.get(name), measure) for name in names]
        rows.append(f"| {group[0].run.dataset}, {measure}{low} | {n} | {' | '.join(cells)} |\n")
    return rows


def _source(group: Sequence[Summary]) -> str:
    identity = group[0].run.identity
    code = next((s.run.identity for s in group if s.run.system == "perdure"), identity)
    return (
        f"{group[0].run.dataset} ({identity['split']}) `{str(identity['data_sha256'])[:8]}` "
        f"at `{code['commit']}`"
    )


def _cell(summary: Summary | None, measure: str) -> str:
    figure = summary.figure(measure) if summary else None
    if figure is None:
        return "–"
    factor, digits = (100, 1) if MEASURES[measure].is_share else (1, 0)
    mean, low, high = (f"{x * factor:.{digits}f}" for x in (figure.mean, figure.low, figure.high))
    return f"{mean} ({low}–{high})"
