"""Importing twice, or in two goes, gives the very memory that importing once gives."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from perdure import Memory
from perdure.api.results import AddResult
from perdure.cli.app import app
from perdure.interop.conversations import Conversation
from perdure.interop.files import read_file
from perdure.testing import FixedClock

HOMES = ("Porto", "Braga", "Lisbon", "Faro")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Twelve dated turns of two people in four sessions; some words are said again."""
    turns = []
    for n, home in enumerate(HOMES):
        day = f"2024-0{2 * n + 1}-05"
        turns += [f"# {day}", f"Ines: I moved to {home}.", "Tomas: Nice!", "Ines: My sister Dora keeps bees."]
    path = tmp_path / "talk.txt"
    path.write_text("\n".join(turns), encoding="utf-8")
    return path


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory(":memory:", embedder="hashing", model="rules", clock=FixedClock()) as opened:
        yield opened


class Interrupted(Exception):
    """Somebody pulled the plug."""


def add_all(
    memory: Memory, talk: Conversation, *, size: int, stop_after: int | None = None
) -> list[AddResult]:
    answers = []
    for n, batch in enumerate(talk.batches(size)):
        if n == stop_after:
            raise Interrupted
        answers.append(memory.add(batch, user_id="ines"))
    return answers


def told(memory: Memory) -> list[tuple[object, ...]]:
    """All that the store knows, without ids."""
    facts = memory.get_all(user_id="ines", validity="all", limit=1000)["results"]
    return sorted(
        (m["memory"], str(m["valid_from"]), str(m["valid_to"]), m["state"], len(m["sources"])) for m in facts
    )


def rows(memory: Memory) -> tuple[int, ...]:
    stats = memory.stats(user_id="ines")
    return stats["facts"], stats["closed"], stats["episodes"], stats["entities"], stats["decisions"]


@pytest.mark.parametrize("stop_after", [1, 2, 3])
def test_an_import_broken_off_and_done_again_equals_one_whole_import(
    memory: Memory, file: Path, stop_after: int
) -> None:
    (talk,) = read_file(file).conversations
    with pytest.raises(Interrupted):
        add_all(memory, talk, size=3, stop_after=stop_after)
    add_all(memory, talk, size=3)
    with Memory(":memory:", embedder="hashing", model="rules", clock=FixedClock()) as whole:
        add_all(whole, talk, size=3)
        assert told(memory) == told(whole)
        assert rows(memory) == rows(whole)


def test_a_second_import_adds_no_row(memory: Memory, file: Path) -> None:
    (talk,) = read_file(file).conversations
    add_all(memory, talk, size=5)
    before = rows(memory), told(memory)
    again = add_all(memory, talk, size=5)
    assert [answer["episodes"] for answer in again] == [[]] * len(again)
    assert [answer["operation_id"] for answer in again] == [None] * len(again)
    assert (rows(memory), told(memory)) == before


def test_other_batches_of_the_same_file_add_no_row(memory: Memory, file: Path) -> None:
    (talk,) = read_file(file).conversations
    add_all(memory, talk, size=5)
    before = rows(memory)
    add_all(memory, talk, size=2)
    assert rows(memory) == before


def test_every_turn_is_kept_though_words_repeat(memory: Memory, file: Path) -> None:
    (talk,) = read_file(file).conversations
    add_all(memory, talk, size=4)
    assert memory.stats(user_id="ines")["episodes"] == 3 * len(HOMES)


def run(store: Path, *args: str) -> tuple[int, str, str]:
    options = ["--path", str(store), "--embedder", "hashing", "--model", "rules", "--json"]
    result = CliRunner().invoke(app, [*options, *args])
    return result.exit_code, result.stdout, str(result.exception)


def test_a_bad_file_stores_nothing(tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    file.write_text('{"role": "user", "content": "I live in Porto."}\n{"role": "us')
    code, _, error = run(tmp_path / "m.db", "import", str(file))
    assert (code, "line 2" in error) == (1, True)
    with closing(Memory(tmp_path / "m.db", embedder="hashing", model="rules")) as memory:
        assert memory.stats(user_id="talk")["episodes"] == 0


def test_skip_bad_imports_the_rest_and_reports(tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    file.write_text('{"role": "user", "content": "I live in Porto."}\n{"role": "us')
    code, output, _ = run(tmp_path / "m.db", "import", str(file), "--skip-bad")
    report = json.loads(output)
    assert (code, report["new_messages"], report["left_out"]) == (
        0,
        1,
        ["line 2: is no JSON or is cut off"],
    )


def test_an_empty_conversation_among_others_is_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "export.json"
    said = {"sender": "human", "text": "I live in Porto."}
    file.write_text(json.dumps([{"uuid": "a", "chat_messages": []}, {"uuid": "b", "chat_messages": [said]}]))
    code, output, _ = run(tmp_path / "m.db", "import", str(file), "--user", "ines")
    assert (code, json.loads(output)["new_messages"]) == (0, 1)
