"""The fixed set: what is expected stands in a file, and every figure that moves is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import fixed
from bench.errors import BenchError


def test_every_figure_that_moved_is_told_missing_and_new_ones_too() -> None:
    wanted = {"a": "1/2", "b": "3/4", "c": "5/6"}
    found = {"a": "1/2", "b": "2/4", "d": "7/8"}
    assert fixed.differences(wanted, found) == [
        ("b", "3/4", "2/4"),
        ("c", "5/6", "missing"),
        ("d", "missing", "7/8"),
    ]


def test_the_expected_figures_are_of_the_stories_that_are_generated() -> None:
    from bench.testbed.dials import FIXED
    from bench.testbed.generate import generate, hash_of

    assert fixed.expected()["truth, oracle: stories"] == hash_of(generate(FIXED))[:16]


def test_the_expected_figures_name_every_system_and_mode() -> None:
    names = {name.split(":")[0] for name in fixed.expected()}
    assert names == {*fixed.SYSTEMS, *(f"truth, {mode}" for mode in fixed.TRUTH_MODES)}


@pytest.mark.parametrize("content", ["", "[]", "{"])
def test_a_broken_file_is_an_error_that_says_how_to_make_it(
    content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "expected.json"
    broken.write_text(content)
    monkeypatch.setattr(fixed, "EXPECTED", broken)
    with pytest.raises(BenchError, match="--write"):
        fixed.expected()
