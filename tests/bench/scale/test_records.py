from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from bench.errors import BrokenRun
from bench.scale.records import Measurement, Ratio, Rounds, find, growth, ratio, read_lines, write_line
from bench.scale.report import figures_table, notes, ratios_table
from bench.scale.rounds import Contest, hold


def measurement(name: str, values: Rounds, *, size: int = 1_000, note: str = "") -> Measurement:
    return Measurement(
        name=name,
        size=size,
        what="search",
        case="big/common",
        unit="ms",
        values=values,
        commit="abc+",
        cores=2,
        note=note,
    )


OURS = measurement("perdure", ((2.0, 4.0, 6.0), (1.0, 1.0, 10.0)))
FLOOR = measurement("floor", ((1.0, 2.0, 3.0), (2.0, 2.0, 2.0)), note="numpy")


def test_a_line_comes_back_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "new" / "lines.jsonl"
    write_line(path, OURS)
    write_line(path, FLOOR)
    assert read_lines(path) == [OURS, FLOOR]


@pytest.mark.parametrize("line", ["{", "[]", "{}", '{"values": [[1]], "name": "x"}', '{"values": ["a"]}'])
def test_a_broken_line_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "lines.jsonl"
    write_line(path, OURS)
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(BrokenRun, match=r"lines\.jsonl, line 2"):
        read_lines(path)


def test_medians_and_percentiles_are_over_all_samples() -> None:
    assert OURS.median == 3.0
    twenty = measurement("perdure", (tuple(float(n) for n in range(1, 21)),))
    assert twenty.percentile(0.95) == 19.0
    assert twenty.percentile(1.0) == 20.0
    assert twenty.percentile(0.01) == 1.0


def test_a_ratio_is_the_median_of_the_rounds_ratios_with_the_least_and_the_greatest() -> None:
    assert ratio(OURS, FLOOR) == Ratio(value=1.25, low=0.5, high=2.0)
    assert str(ratio(OURS, FLOOR)) == "1.25 (0.5 to 2)"


def test_rounds_that_do_not_pair_have_no_ratio() -> None:
    with pytest.raises(ValueError, match="other rounds"):
        ratio(OURS, measurement("floor", ((1.0,),)))


def test_growth_gives_a_point_for_each_size_in_order() -> None:
    larger = measurement("perdure", ((30.0,), (50.0,)), size=10_000)
    assert growth([larger, FLOOR, OURS], name="perdure", what="search", case="big/common") == [
        (1_000, 3.0, 1.0, 4.0),
        (10_000, 40.0, 30.0, 50.0),
    ]
    assert growth([OURS], name="perdure", what="add one") == []


def test_the_last_measurement_of_a_kind_is_found() -> None:
    again = measurement("perdure", ((9.0,),))
    assert find([OURS, again, FLOOR], name="perdure", size=1_000, what="search", case="big/common") is again
    assert find([OURS], name="perdure", size=2_000, what="search", case="big/common") is None


def test_subjects_take_turns_and_the_first_call_does_not_count() -> None:
    calls: list[tuple[str, int]] = []

    def call(name: str, seconds: float) -> float:
        calls.append((name, len(calls)))
        return seconds

    contest = Contest(
        what="search",
        case="",
        calls={"a": lambda n: call("a", 0.001 * n), "b": lambda n: call("b", 0.5)},
        repeats=2,
    )
    found = hold(contest, rounds=2, budget_s=60.0)
    assert [name for name, _ in calls] == list("ab" + "aabb" + "aabb")
    assert found == {"a": ((1.0, 2.0), (3.0, 4.0)), "b": ((500.0, 500.0), (500.0, 500.0))}


def test_a_round_past_its_budget_ends_after_three_calls() -> None:
    contest = Contest(what="search", case="", calls={"a": lambda n: 1.0}, repeats=10)
    assert hold(contest, rounds=1, budget_s=0.0) == {"a": ((1_000.0,) * 3,)}


def test_the_tables_show_figures_ratios_and_notes() -> None:
    console = Console(record=True, width=140, file=StringIO())
    for table in (figures_table([OURS, FLOOR]), ratios_table([OURS, FLOOR])):
        console.print(table)
    shown = console.export_text()
    assert "3 (10)" in shown
    assert "1.25 (0.5 to 2)" in shown
    assert notes([OURS, FLOOR]) == ["floor, search big/common, 1,000: numpy"]
