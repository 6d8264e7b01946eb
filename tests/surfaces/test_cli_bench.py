"""`perdure bench` hands over to the harness of the checkout, and says so where there is none."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from perdure.cli import bench
from perdure.errors import ConfigError

ROOT = Path(__file__).parents[2]


def run(*arguments: str, data: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "COLUMNS": "200"}
    if data is not None:
        environment["PERDURE_BENCH_DATA"] = str(data)
    command = [sys.executable, "-m", "perdure", "bench", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def test_list_names_systems_and_datasets() -> None:
    done = run("list")
    assert done.returncode == 0, done.stderr
    assert all(name in done.stdout for name in ("perdure-no-graph", "bm25", "mem0", "locomo", "realmem"))


def test_help_is_that_of_the_harness() -> None:
    done = run("--help")
    assert done.returncode == 0
    assert "ablate" in done.stdout


def test_missing_data_is_an_error_that_says_where_to_put_it(tmp_path: Path) -> None:
    done = run("run", "locomo", "-s", "bm25", "--work", str(tmp_path / "work"), data=tmp_path)
    assert done.returncode == 2
    assert "PERDURE_BENCH_DATA" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_unknown_dataset_or_system_is_named_with_those_there_are(tmp_path: Path) -> None:
    done = run("run", "locomoto", "-s", "bm25", "--work", str(tmp_path))
    assert done.returncode == 2
    assert "locomoto" in done.stderr
    assert "realmem" in done.stderr


def test_a_report_without_runs_says_how_to_make_one(tmp_path: Path) -> None:
    done = run("report", "--work", str(tmp_path))
    assert done.returncode == 2
    assert "perdure bench quick" in done.stderr


def test_outside_a_checkout_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Iterator[Path]:
        return iter(())

    monkeypatch.setattr(bench, "_checkouts", nowhere)
    with pytest.raises(ConfigError, match="no checkout"):
        bench.run_bench(["list"])
