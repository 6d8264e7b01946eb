"""Summaries as tables for the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.table import Table

from bench.metrics.measures import MEASURES
from bench.metrics.stats import Difference, Estimate
from bench.metrics.summary import ALL, Summary
from bench.suites import headlines


def shown(estimate: Estimate | None, measure: str, *, has_interval: bool = True) -> str:
    """`59.3` above its interval `56.1–62.4`: percent for shares; `–` where the measure does not apply."""
    if estimate is None:
        return "–"
    factor, digits = (100, 1) if MEASURES[measure].is_share else (1, _digits(estimate.mean))
    mean, low, high = (
        f"{x * factor:.{digits}f}".replace("100.0", "100")
        for x in (estimate.mean, estimate.low, estimate.high)
    )
    return f"{mean}\n[dim]{low}–{high}[/dim]" if has_interval else mean


def _digits(value: float) -> int:
    return 0 if abs(value) >= 100 else 1


def overview(summaries: Sequence[Summary]) -> Table:
    """One dataset: a row a system, the headline measures with their intervals, the speed beside them."""
    first = summaries[0]
    measures = [m for m in headlines(first.run.dataset) if any(s.figure(m) for s in summaries)]
    table = Table(title=_title(first), title_justify="left")
    table.add_column("system", no_wrap=True)
    for measure in measures:
        figure = next(f for s in summaries if (f := s.figure(measure)))
        low = " ↓" if MEASURES[measure].is_better_low else ""
        head = measure.replace(" ", "\n", 1)
        table.add_column(f"{head}{low}\nn={figure.n}", justify="right", overflow="fold")
    table.add_column("search\nms p50\np95", justify="right", overflow="fold")
    table.add_column("fed\nturns/s", justify="right", overflow="fold")
    for summary in summaries:
        speed = summary.speed
        rate = "–" if speed.turns_per_s is None else f"{speed.turns_per_s:.0f}"
        table.add_row(
            summary.run.system,
            *(shown(summary.figure(m), m) for m in measures),
            f"{speed.search_p50_ms:.1f}\n[dim]{speed.search_p95_ms:.1f}[/dim]",
            rate,
        )
    return table


def _title(summary: Summary) -> str:
    run = summary.run
    has_audit = any(q.audited is not None or q.is_disputed for q in run.questions)
    audited = ", with the audit's corrections" if summary.is_audited and has_audit else ""
    return f"{run.dataset} ({run.identity['split']}{audited}), {len(run.questions)} questions"


def by_category(summaries: Sequence[Summary], measure: str) -> Table:
    """One measure: a row a category, a column a system; intervals for all of them together."""
    names = [n for s in summaries for n in s.figures.get(measure, {}) if n != ALL]
    table = Table(title=f"{summaries[0].run.dataset}: {measure} by category", title_justify="left")
    table.add_column("category", overflow="fold")
    table.add_column("n", justify="right", overflow="fold")
    for summary in summaries:
        table.add_column(
            summary.run.system.replace("perdure-", "perdure-\n"), justify="right", overflow="fold"
        )
    for category in [*dict.fromkeys(sorted(names)), ALL]:
        figures = [s.figure(measure, category) for s in summaries]
        n = next(f.n for f in figures if f)
        table.add_row(category, str(n), *(shown(f, measure, has_interval=category == ALL) for f in figures))
    return table


def confidence(summaries: Sequence[Summary]) -> Table | None:
    """Abstention and reliability; None if they apply to no system."""
    rows = [s for s in summaries if s.abstention or s.reliability]
    if not rows:
        return None
    table = Table(title=f"{rows[0].run.dataset}: what the score is worth", title_justify="left")
    for name in ("system", "AUROC", "refused of unanswerable", "at lost answers", "calibration error ↓"):
        table.add_column(name, justify="left" if name == "system" else "right")
    for summary in rows:
        kept, curve = summary.abstention, summary.reliability
        table.add_row(
            summary.run.system,
            f"{kept.auroc:.3f}" if kept else "–",
            f"{100 * kept.refused:.1f} of {kept.unanswerable}" if kept else "–",
            f"{100 * kept.lost:.1f}" if kept else "–",
            f"{curve.error:.3f} of {curve.n}" if curve else "–",
        )
    return table


def comparison(a: str, b: str, found: Sequence[tuple[str, Difference]]) -> Table:
    """a against b: the mean difference with its interval, questions won and lost, p."""
    table = Table(title=f"{a} against {b}, the same questions", title_justify="left")
    for name in ("measure", "n", f"{a} − {b}", "won / lost", "p", "test"):
        table.add_column(name, justify="left" if name in ("measure", "test") else "right")
    for measure, difference in found:
        estimate = Estimate(n=difference.n, mean=difference.mean, low=difference.low, high=difference.high)
        table.add_row(
            measure,
            str(difference.n),
            shown(estimate, measure),
            f"{difference.wins} / {difference.losses}",
            f"{difference.p:.2g}",
            difference.test,
        )
    return table


def ablation_table(dataset: str, measure: str, found: Mapping[str, Difference]) -> Table:
    """A row a part switched off: the mean change of the measure with its interval."""
    table = Table(title=f"{dataset}: {measure} against all parts on", title_justify="left")
    for name in ("switched off", "change", "won / lost", "p"):
        table.add_column(name, justify="left" if name == "switched off" else "right")
    for part, difference in found.items():
        estimate = Estimate(n=difference.n, mean=difference.mean, low=difference.low, high=difference.high)
        table.add_row(
            part, shown(estimate, measure), f"{difference.wins} / {difference.losses}", f"{difference.p:.2g}"
        )
    return table
