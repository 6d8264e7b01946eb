"""kill -9 anywhere in `add`: afterwards a write is wholly there, wholly absent, or resumed."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from perdure import Memory
from tests.crash.writer import MESSAGES

ABSENT, RESUMED, WHOLE = "absent", "resumed", "whole"
POINTS = [
    ("1:begin:1", ABSENT),
    ("1:after:PutOperation:1", ABSENT),
    ("1:after:PutEpisode:2", ABSENT),
    ("1:after:LinkEntity:1", ABSENT),
    ("1:before_commit:1", ABSENT),
    ("1:after_commit:1", RESUMED),
    ("2:begin:1", RESUMED),
    ("2:after:PutVersion:2", RESUMED),
    ("2:after:PutSource:1", RESUMED),
    ("2:after:PutEntity:1", RESUMED),
    ("2:after:SetVector:1", RESUMED),
    ("2:after:PutDecision:2", RESUMED),
    ("2:after:SetOperation:1", RESUMED),
    ("2:before_commit:1", RESUMED),
    ("2:after_commit:1", WHOLE),
]


def run(path: Path, *args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.crash.writer", str(path), *args]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize(("point", "outcome"), POINTS)
def test_killed_add_is_whole_absent_or_resumed(tmp_path: Path, point: str, outcome: str) -> None:
    path = tmp_path / "memory.db"
    died = run(path, "add", point)
    assert died.returncode == -signal.SIGKILL, died.stderr
    with Memory(path, embedder="hashing", model="rules") as memory:
        assert memory.check() == []
        stats = memory.stats()
        expected = 0 if outcome == ABSENT else len(MESSAGES)
        assert (stats["episodes"], stats["open_operations"]) == (expected, 0)
        facts = memory.get_all(user_id="ana", validity="all")["results"]
        homes = {m["value"]: m["state"] for m in facts if m["attribute"] == "home_city"}
        assert homes == ({} if outcome == ABSENT else {"Porto": "closed", "Lisbon": "current"})
        assert stats["waiting_vectors"] == 0


@pytest.mark.parametrize("point", ["1:before_commit:1", "1:after_commit:1", "2:before_commit:1"])
def test_the_same_add_again_completes_it_once(tmp_path: Path, point: str) -> None:
    path = tmp_path / "memory.db"
    run(path, "add", point)
    with Memory(path, embedder="hashing", model="rules") as memory:
        memory.add(MESSAGES, user_id="ana")
        assert memory.stats()["episodes"] == len(MESSAGES)
        assert memory.check() == []
        values = [m["value"] for m in memory.get_all(user_id="ana", validity="all")["results"]]
        assert sorted(str(v) for v in values) == ["Lisbon", "Porto", "Rex"]


def test_two_processes_writing_at_once_lose_nothing(tmp_path: Path) -> None:
    path, count = tmp_path / "memory.db", 60
    command = [sys.executable, "-m", "tests.crash.writer", str(path), "many"]
    writers = [
        subprocess.Popen(
            [*command, name, str(count)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for name in ("Left", "Right")
    ]
    outputs = [writer.communicate(timeout=120) for writer in writers]
    assert [out for out, _ in outputs] == ["answered\n", "answered\n"], [err for _, err in outputs]
    with Memory(path, embedder="hashing", model="rules") as memory:
        assert memory.check() == []
        assert memory.stats()["episodes"] == 4 * count
        assert memory.stats()["facts"] == 3 * count
