"""The README's table, from result lines: never typed by hand."""

from __future__ import annotations

from collections.abc import Sequence

from bench.metrics.measures import MEASURES
from bench.metrics.summary import Summary
from bench.suites import headlines

SHOWN_MEASURES = 3


def markdown_table(groups: Sequence[Sequence[Summary]]) -> str:
    """A table a dataset: its first measures, a row a system, means with 95 % intervals."""
    return "\n".join(_one(group) for group in groups)


def _one(group: Sequence[Summary]) -> str:
    run = group[0].run
    measures = [m for m in headlines(run.dataset) if any(s.figure(m) for s in group)][:SHOWN_MEASURES]
    names = [f"{m}{' ↓' if MEASURES[m].is_better_low else ''}" for m in measures]
    head = f"| {run.dataset} ({run.identity['split']}) | {' | '.join(names)} | search p50 ms |"
    rule = f"|---|{'---:|' * (len(measures) + 1)}"
    rows = [
        f"| {s.run.system} | {' | '.join(_cell(s, m) for m in measures)} | {s.speed.search_p50_ms:.1f} |"
        for s in group
    ]
    source = (
        f"n = {len(run.questions)}, data `{str(run.identity['data_sha256'])[:12]}`, "
        f"code `{run.identity['code']}`"
    )
    return "\n".join([head, rule, *rows, "", source, ""])


def _cell(summary: Summary, measure: str) -> str:
    figure = summary.figure(measure)
    if figure is None:
        return "–"
    factor, digits = (100, 1) if MEASURES[measure].is_share else (1, 0)
    mean, low, high = (f"{x * factor:.{digits}f}" for x in (figure.mean, figure.low, figure.high))
    return f"{mean} ({low}–{high})"
