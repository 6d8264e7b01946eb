"""The command line as a stranger meets it: output, JSON, exit codes, real files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from perdure.cli.app import app

QUIET = ["--embedder", "hashing", "--model", "rules"]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


def cli(store: Path, *args: str) -> Result:
    return CliRunner().invoke(app, ["--path", str(store), *QUIET, *args])


def as_json(store: Path, *args: str) -> Any:  # Any: whatever the command printed
    result = cli(store, "--json", *args)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def process(store: Path, *args: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "perdure", "--path", str(store), *QUIET, *args]
    return subprocess.run(
        command, capture_output=True, env={**os.environ, **environment}, timeout=60, check=False
    )


def test_add_search_list_history_undo_stats_doctor(store: Path) -> None:
    added = as_json(store, "add", "I live in Porto.", "--at", "2024-01-05")
    newer = as_json(store, "add", "I moved to Lisbon.", "--at", "2024-06-05")
    fact_id = added["results"][0]["id"]
    found = as_json(store, "search", "Who moved to Lisbon?")["results"]
    assert [m["value"] for m in found if m["kind"] != "episode"] == ["Lisbon"]
    assert [m["value"] for m in as_json(store, "list")["results"]] == ["Lisbon"]
    assert [m["value"] for m in as_json(store, "list", "--as-of", "2024-02-01")["results"]] == ["Porto"]
    assert [h["event"] for h in as_json(store, "history", fact_id)] == ["ADD", "INVALIDATE"]
    as_json(store, "undo", newer["results"][0]["decision_id"])
    assert [m["value"] for m in as_json(store, "list")["results"]] == ["Porto"]
    assert as_json(store, "stats")["facts"] == 1
    assert as_json(store, "doctor")["healthy"] is True


def test_tables_show_the_same_to_people(store: Path) -> None:
    result = cli(store, "add", "I live in Porto.")
    assert "User lives in Porto" in result.output
    assert "ADD" in result.output
    found = cli(store, "search", "Porto", "--explain")
    assert "keyword #1" in found.output
    assert " ms" in found.output


def test_what_is_left_out_is_said(store: Path) -> None:
    assert "question" in cli(store, "add", "Where do you live?").output


def test_text_may_come_from_stdin(store: Path) -> None:
    result = CliRunner().invoke(
        app, ["--path", str(store), *QUIET, "--json", "add", "-"], input="I live in Porto."
    )
    assert json.loads(result.stdout)["results"][0]["event"] == "ADD"


def test_owners_are_kept_apart(store: Path) -> None:
    cli(store, "add", "I live in Porto.", "--user", "ana")
    assert as_json(store, "list")["results"] == []
    assert len(as_json(store, "list", "--user", "ana")["results"]) == 1


def test_wrong_input_is_exit_code_2_with_one_line(store: Path) -> None:
    process(store, "add", "I live in Porto.")
    done = process(store, "search", "  ")
    assert done.returncode == 2
    assert done.stderr.decode() == "perdure: query: blank. Say what to look for, or list with get_all().\n"


def test_not_found_is_exit_code_1(store: Path) -> None:
    process(store, "add", "I live in Porto.")
    assert process(store, "history", "nothing-of-that-id").returncode == 1


def test_errors_are_json_with_json(store: Path) -> None:
    process(store, "add", "I live in Porto.")
    done = process(store, "--json", "search", "  ")
    assert json.loads(done.stderr)["error"] == "InvalidInput"
    assert done.stdout == b""


def test_a_foreign_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    foreign = tmp_path / "notes.txt"
    foreign.write_text("these are my notes, not a memory")
    done = process(foreign, "stats")
    assert done.returncode == 3
    assert foreign.read_text() == "these are my notes, not a memory"


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8"])
def test_any_console_shows_something(store: Path, encoding: str) -> None:
    process(store, "add", "★ 🔥 café 設計", PYTHONIOENCODING="utf-8")
    done = process(store, "list", PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert done.returncode == 0, done.stderr


def test_import_is_idempotent_and_a_transcript_is_understood(store: Path, tmp_path: Path) -> None:
    file = tmp_path / "chat.txt"
    file.write_text(
        "# 2024-03-04\nAna: I live in Porto.\nBen: Nice!\n\n# 2024-06-04\nAna: I moved to Lisbon.\n"
    )
    first = as_json(store, "import", str(file), "--user", "ana")
    assert (first["format"], first["new_messages"], first["messages"]) == ("text", 3, 3)
    again = as_json(store, "import", str(file), "--user", "ana")
    assert (again["new_messages"], again["new_facts"], again["known_facts"]) == (0, 0, 0)
    assert [m["value"] for m in as_json(store, "list", "--user", "ana")["results"]] == ["Lisbon"]


def test_import_of_a_missing_file_says_so(store: Path) -> None:
    done = process(store, "import", "no-such-file.json")
    assert done.returncode == 2
    assert b"file: cannot be read" in done.stderr


def test_reembed_moves_a_store_to_another_model(store: Path) -> None:
    cli(store, "add", "I live in Porto.")
    refused = subprocess.run(
        [sys.executable, "-m", "perdure", "--path", str(store), "--model", "rules", "stats"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert refused.returncode == 3
    assert "perdure reembed" in refused.stderr
    moved = CliRunner().invoke(app, ["--path", str(store), "--model", "rules", "--json", "reembed"])
    assert json.loads(moved.stdout) == {"vectors": 2}
    found = CliRunner().invoke(
        app, ["--path", str(store), "--model", "rules", "--json", "search", "home town"]
    )
    assert json.loads(found.stdout)["results"][0]["value"] == "Porto"


def test_demo_tells_the_story_without_key_or_network() -> None:
    result = CliRunner().invoke(
        app, ["--json", "demo"], env={"OPENAI_API_KEY": "x", "HTTPS_PROXY": "http://127.0.0.1:9"}
    )
    assert result.exit_code == 0, result.output
    story = json.loads(result.stdout)
    homes = {m["value"]: m["state"] for m in story["facts"] if m["attribute"] == "home_city"}
    assert homes == {"Porto": "closed", "Coimbra": "closed", "Lisbon": "current"}
    jobs = {(m["value"], m["state"]) for m in story["facts"] if m["attribute"] == "employer"}
    assert ("Birchwood Labs", "closed") in jobs
    assert ("Tidewater", "current") in jobs
    assert story["now"]["results"][0]["value"] == "Lisbon"
    assert story["as_of"]["results"][0]["value"] == "Coimbra"
    signals = {s["signal"] for hit in story["timed"]["results"] for s in hit["signals"]}
    assert signals == {"vector", "keyword", "temporal", "graph"}
    dentist = [m["memory"] for m in story["facts"] if "dentist" in m["memory"]]
    assert len(dentist) == 1
    assert "Lindqvist" not in dentist[0]


def test_the_per_user_place_is_made_on_first_use(tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path), "XDG_DATA_HOME": ""}
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PERDURE_")} | home

    def run(*args: str) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "perdure", *QUIET, *args]
        return subprocess.run(command, capture_output=True, env=environment, timeout=60, check=False)

    nothing = run("list")
    assert nothing.returncode == 1
    assert b"`perdure add` makes one" in nothing.stderr
    assert run("add", "I moved to Porto last week.").returncode == 0
    assert run("list").returncode == 0
    assert list(tmp_path.rglob("memory.db"))


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    done = process(tmp_path / "nowhere" / "memory.db", "add", "I live in Porto.")
    assert done.returncode == 2
    assert b"there is no folder" in done.stderr


def test_json_may_stand_behind_the_command(store: Path) -> None:
    process(store, "add", "I live in Porto.")
    assert json.loads(process(store, "list", "--json").stdout)["results"][0]["value"] == "Porto"


def test_version_is_told(store: Path) -> None:
    assert process(store, "--version").stdout.strip() == b"0.1.0"
