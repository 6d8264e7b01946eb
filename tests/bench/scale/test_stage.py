from __future__ import annotations

from pathlib import Path

import pytest
from rich.console import Console

from bench.scale.floor import make_floor, matrix_of
from bench.scale.ours import add, file_megabytes, fill, open_memory, search, statements
from bench.scale.records import Measurement, read_lines
from bench.scale.run import run_scale
from bench.scale.stage import Effort
from bench.scale.vectors import SumEmbedder
from bench.scale.world import BIG, make_world, new_turns

QUICK = Effort(rounds=1, call_budget_s=0.0)


def test_the_floor_finds_the_texts_that_are_asked_for() -> None:
    world, embedder = make_world(100), SumEmbedder()
    matrix = matrix_of(world, BIG, embedder)
    assert matrix.shape == (55, 384)
    wanted = list(world.turns(BIG))[7].text
    nearest = make_floor(matrix, matrix[:3]).scan(embedder.embed([wanted])[0])
    assert len(nearest) == 10
    assert nearest[0] == 7


def test_a_filled_store_holds_the_world_and_grows_by_what_is_added(tmp_path: Path) -> None:
    world = make_world(60)
    with open_memory(tmp_path / "memory.db") as memory:
        assert [len(one) for one in fill(memory, world)] == [1]
        add(memory, BIG, new_turns(0, 3))
        assert memory.stats(user_id=BIG)["facts"] == world.counts[BIG] + 3
        before = statements(memory)
        assert search(memory, BIG, "Where was it?") == 10
        assert statements(memory) > before
        assert file_megabytes(tmp_path / "memory.db") > 0


@pytest.mark.slow
def test_a_run_writes_a_line_for_each_figure_and_names_its_commit(tmp_path: Path) -> None:
    out = tmp_path / "lines.jsonl"
    measured = run_scale([40], out, peers=(), effort=QUICK, console=Console(quiet=True))
    assert read_lines(out) == measured
    assert {m.what for m in measured} == {
        "add batched", "search", "search statements", "search vector", "search keyword", "search graph",
        "search temporal", "list 100", "get", "fresh import", "fresh open", "fresh first search",
        "fresh, all three", "memory idle", "memory searched", "file", "add one", "add 500", "import",
    }  # fmt: skip
    assert {m.name for m in measured} == {"perdure", "floor"}
    assert all(m.size == 40 and m.commit and m.cores > 0 and m.samples for m in measured)
    assert isinstance(measured[0], Measurement)
