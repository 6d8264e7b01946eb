"""A run, or several side by side, as tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rich.table import Table

from bench.testbed.measure import Measure, Ratio
from bench.testbed.run import TestbedResult

NOTES: Mapping[Measure, str] = {
    "wrong_retirements": "true, and closed, retracted or merged away",
    "missed_contradictions": "over, and still current",
    "undecided": "disputed where one side is right, or the other way round",
    "lost": "true now or once, and never stored",
    "filler_lost": "said beside the story, and never stored",
    "wrong_merges": "taken into a fact that says something else",
    "duplicates": "one truth in several current facts",
    "slots_right": "whole timelines as the story tells them",
    "stale_above": "of 'now' questions: a stale value stands above the right one",
    "stale_as_current": "of 'now' questions: a stale value is shown as current in the first ten",
    "stale_within_ten": "of 'now' questions: a stale value is in the first ten, marked or not",
    "leaks": "of all questions: something of another user is shown",
}


def pairs_table(results: Sequence[TestbedResult]) -> Table:
    """Kinds down, runs across: pairs of which both halves are right; permutations of the first run last."""
    table = _table("pairs right, both halves", results, "same in other orders")
    kinds = list(dict.fromkeys(kind for r in results for kind in r.pairs))
    orders = results[0].permutations
    for kind in kinds:
        cells = [_show(r.pairs.get(kind)) for r in results]
        table.add_row(kind, *cells, _show(orders.get(kind)))
    total = Ratio()
    for ratio in orders.values():
        total = total + ratio
    table.add_section()
    table.add_row("all", *[_show(r.pair_score) for r in results], _show(total))
    return table


def measures_table(results: Sequence[TestbedResult]) -> Table:
    """Measures and kinds of questions down, runs across."""
    table = _table("measures", results, "what is counted")
    for name, note in NOTES.items():
        table.add_row(name, *[_show(r.measures.get(name)) for r in results], note)
    table.add_section()
    for kind in dict.fromkeys(k for r in results for k in r.answers):
        table.add_row(kind, *[_show(r.answers.get(kind)) for r in results], "questions answered right")
    table.add_section()
    counts: Mapping[str, Callable[[TestbedResult], int]] = {
        "stories that raised": lambda r: len(r.raised),
        "asked to extract": lambda r: r.asked.get("extract", 0),
        "asked to judge": lambda r: r.asked.get("judge", 0),
        "faults of the model": lambda r: sum(r.faults.values()),
    }
    for label, count in counts.items():
        table.add_row(label, *[str(count(r)) for r in results], "")
    return table


def _table(title: str, results: Sequence[TestbedResult], last: str) -> Table:
    table = Table(title=title)
    table.add_column("")
    for result in results:
        table.add_column(result.mode, justify="right")
    table.add_column(last)
    return table


def _show(ratio: Ratio | None) -> str:
    return "" if ratio is None else f"{ratio.hits}/{ratio.total}"
