"""The command line with a chat model behind a real HTTP endpoint, good and bad."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any  # whatever the command printed

from tests.stub_server import Canned, Stub, chat, refusal, serving

FACT = json.dumps(
    {
        "facts": [
            {
                "text": "User keeps two beehives.",
                "subject": "user",
                "turns": [1],
                "kind": "state",
            }
        ]
    }
)
SAID = "I keep two beehives behind the house."


async def perdure(stub: Stub, path: Path, *args: str) -> tuple[int, Any, str]:
    """Exit code, JSON on stdout (None if there is none), stderr."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PERDURE_", "OPENAI_"))} | {
        "PERDURE_MODEL_BASE_URL": stub.base_url,
        "PERDURE_MODEL": "stub-1",
        "PERDURE_MODEL_ATTEMPTS": "2",
        "PERDURE_EMBEDDER": "hashing",
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "perdure",
        "--path",
        str(path),
        "--json",
        *args,
        env=environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    return process.returncode or 0, json.loads(out) if out else None, err.decode()


async def test_a_fact_that_the_model_finds_is_stored_with_its_usage(tmp_path: Path) -> None:
    async with serving([chat(FACT)]) as stub:
        code, added, err = await perdure(stub, tmp_path / "m.db", "add", SAID)
    assert code == 0, err
    assert added["extractor"] == "model"
    assert [i["memory"] for i in added["results"]] == ["User keeps two beehives."]
    assert added["usage"] == {"model_calls": 1, "input_tokens": 10, "output_tokens": 5}
    assert SAID in json.dumps(stub.requests[0].body)


async def test_a_model_that_is_down_loses_nothing_and_resume_finishes(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    async with serving(lambda _: Canned(status=503)) as stub:
        code, _, err = await perdure(stub, path, "add", SAID)
        assert code == 3
        assert json.loads(err)["error"] == "ExtractionFailed"
        assert SAID not in err
        _, found, _ = await perdure(stub, path, "search", "beehives")
        assert [m["memory"] for m in found["results"]] == [SAID]
    async with serving([chat(FACT)]) as stub:
        _, report, _ = await perdure(stub, path, "doctor", "--resume")
        assert (report["resumed"], report["failed_operations"], report["facts"]) == (1, 0, 1)


async def test_a_refused_key_is_told_in_the_endpoints_words(tmp_path: Path) -> None:
    async with serving([refusal(401, "no such key")]) as stub:
        code, _, _ = await perdure(stub, tmp_path / "m.db", "add", SAID)
        assert code == 3
        _, report, _ = await perdure(stub, tmp_path / "m.db", "doctor")
    assert report["failed_operations"] == 1
    assert len(stub.requests) == 1


async def test_prose_instead_of_json_is_asked_for_once_more(tmp_path: Path) -> None:
    async with serving([chat("I would say that bees matter."), chat(FACT)]) as stub:
        code, added, err = await perdure(stub, tmp_path / "m.db", "add", SAID)
    assert code == 0, err
    assert added["usage"]["model_calls"] == 2
    assert len(added["results"]) == 1
