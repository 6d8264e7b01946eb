"""A worker that plays a rival: it remembers turns in a list and finds those that share a word.

What the query or the owner says makes it misbehave: `die`, `nonsense`, `hang`, `fail`, `no answer`.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

MEMORY: dict[str, list[dict[str, str]]] = {}
STATE = {"owner": "", "options": "", "greeting": ""}


def hello(request: dict[str, Any]) -> dict[str, object]:
    if "fake" not in request["options"]:
        sys.exit("no options")
    STATE["greeting"] = request["variables"].get("GREETING", "")
    return {"versions": {"fake": "1.2"}}


def reset(request: dict[str, Any]) -> dict[str, object]:
    if " " in request["owner"]:
        sys.exit("a user id with a blank")
    MEMORY.clear()
    STATE["owner"] = request["owner"]
    return {}


def use(request: dict[str, Any]) -> dict[str, object]:
    STATE["owner"] = request["owner"]
    return {}


def feed(request: dict[str, Any]) -> dict[str, object]:
    MEMORY.setdefault(STATE["owner"], []).extend(request["turns"])
    counts = {"memories": len(request["turns"])}
    return {
        "seconds": 0.5,
        "embedding_seconds": 0.25,
        "embedding_calls": 1,
        "counts": counts,
        "warnings": ["slow"],
    }


def ask(request: dict[str, Any]) -> dict[str, object]:
    words = set(request["text"].split())
    if "die" in words:
        sys.stderr.write("the last words\n")
        sys.stderr.flush()
        os._exit(3)
    if "hang" in words:
        time.sleep(60)
    if "greeting" in words:
        return _found([{"id": "greeting", "text": STATE["greeting"]}])
    found = [turn for turn in MEMORY.get(STATE["owner"], []) if words & set(turn["text"].split())]
    return _found(found if "many" in words else found[: request["limit"]])


def listed(request: dict[str, Any]) -> dict[str, object]:
    return _found(MEMORY.get(STATE["owner"], [])[::-1][: request["limit"]])


def _found(turns: list[dict[str, str]]) -> dict[str, object]:
    items = [{"turns": [turn["id"]], "text": turn["text"], "score": 1.0} for turn in turns]
    return {"seconds": 0.001, "embedding_seconds": 0.0, "items": items}


OPS: dict[str, Callable[[dict[str, Any]], dict[str, object]]] = {
    "hello": hello,
    "reset": reset,
    "use": use,
    "feed": feed,
    "ask": ask,
    "list": listed,
    "close": lambda request: {},
}


def answer(request: dict[str, Any]) -> str:
    if "nonsense" in str(request.get("text")):
        return "Traceback, or so it seems"
    if "wordless" in str(request.get("text")):
        return json.dumps({"items": []})
    if "fail" in str(request.get("text")):
        return json.dumps({"ok": False, "error": "ValueError: no"})
    return json.dumps({"ok": True, **OPS[request["op"]](request)})


for line in sys.stdin:
    said = answer(json.loads(line))
    sys.stdout.write(said + "\n")
    sys.stdout.flush()
    if '"ok": false' in said:
        sys.exit(1)
