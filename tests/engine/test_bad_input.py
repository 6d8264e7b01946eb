"""What cannot be right is refused with an error that names the field and the remedy; nothing is stored."""

# ruff: noqa: E501  # one case a line reads better than wrapped ones
from __future__ import annotations

import math
from collections.abc import Callable
from datetime import datetime
from typing import Any

import numpy as np
import pytest

from perdure import Memory
from perdure.errors import (
    InvalidFilter,
    InvalidInput,
    InvalidLimit,
    InvalidMessage,
    InvalidScope,
    InvalidTime,
)
from perdure.testing import TableEmbedder

Call = Callable[[Memory], object]
ADDS: list[tuple[str, type[InvalidInput], str, Call]] = [
    ("empty list", InvalidMessage, "messages", lambda m: m.add([], user_id="ana")),
    ("blank text", InvalidMessage, "messages", lambda m: m.add("   ", user_id="ana")),
    ("none", InvalidMessage, "messages", lambda m: m.add(wrong(None), user_id="ana")),
    ("number", InvalidMessage, "messages[0]", lambda m: m.add(wrong([7]), user_id="ana")),
    ("bytes", InvalidMessage, "messages", lambda m: m.add(wrong(b"hi"), user_id="ana")),
    ("role", InvalidMessage, "role", lambda m: m.add({"role": "wizard", "content": "hi"}, user_id="ana")),
    ("role kind", InvalidMessage, "role", lambda m: m.add({"role": 7, "content": "hi"}, user_id="ana")),
    (
        "content kind",
        InvalidMessage,
        "content",
        lambda m: m.add({"role": "user", "content": 7}, user_id="ana"),
    ),
    (
        "part without type",
        InvalidMessage,
        "content[0]",
        lambda m: m.add({"role": "user", "content": [{"image_url": "x"}]}, user_id="ana"),
    ),
    ("ten megabytes", InvalidMessage, "content", lambda m: m.add("x" * 10_000_000, user_id="ana")),
    ("many messages", InvalidMessage, "messages", lambda m: m.add(["x"] * 1001, user_id="ana")),
    ("no id", InvalidScope, "user_id", lambda m: m.add("Keeps bees")),
    ("blank id", InvalidScope, "user_id", lambda m: m.add("Keeps bees", user_id="  ")),
    ("star", InvalidScope, "user_id", lambda m: m.add("Keeps bees", user_id="*")),
    ("id kind", InvalidScope, "user_id", lambda m: m.add("Keeps bees", user_id=wrong(["a"]))),
    ("true as id", InvalidScope, "user_id", lambda m: m.add("Keeps bees", user_id=True)),
    ("half a character", InvalidScope, "user_id", lambda m: m.add("Keeps bees", user_id="a\ud800")),
    ("long id", InvalidScope, "user_id", lambda m: m.add("Keeps bees", user_id="a" * 600)),
    (
        "year 12000",
        InvalidTime,
        "timestamp",
        lambda m: m.add("Keeps bees", user_id="a", timestamp="12000-01-01"),
    ),
    ("year 0", InvalidTime, "timestamp", lambda m: m.add("Keeps bees", user_id="a", timestamp="0000-01-01")),
    (
        "no date",
        InvalidTime,
        "timestamp",
        lambda m: m.add("Keeps bees", user_id="a", timestamp="next spring"),
    ),
    (
        "30 February",
        InvalidTime,
        "timestamp",
        lambda m: m.add("Keeps bees", user_id="a", timestamp="2023-02-30"),
    ),
    ("huge number", InvalidTime, "timestamp", lambda m: m.add("Keeps bees", user_id="a", timestamp=1e30)),
    ("nan time", InvalidTime, "timestamp", lambda m: m.add("Keeps bees", user_id="a", timestamp=math.nan)),
    (
        "message time",
        InvalidTime,
        "messages[0].timestamp",
        lambda m: m.add({"role": "user", "content": "x", "timestamp": "12000-01-01"}, user_id="a"),
    ),
    (
        "metadata kind",
        InvalidInput,
        "metadata",
        lambda m: m.add("Keeps bees", user_id="a", metadata=wrong("x")),
    ),
    (
        "nan metadata",
        InvalidInput,
        "metadata.x",
        lambda m: m.add("Keeps bees", user_id="a", metadata={"x": math.nan}),
    ),
    (
        "object in metadata",
        InvalidInput,
        "metadata.x",
        lambda m: m.add("Keeps bees", user_id="a", metadata={"x": wrong(datetime(2024, 1, 1))}),  # noqa: DTZ001
    ),
    (
        "expiry",
        InvalidTime,
        "expiration_date",
        lambda m: m.add("Keeps bees", user_id="a", expiration_date="soon"),
    ),
    ("infer as text", InvalidInput, "infer", lambda m: m.add("Keeps bees", user_id="a", infer=wrong("no"))),
    (
        "blank key",
        InvalidInput,
        "idempotency_key",
        lambda m: m.add("Keeps bees", user_id="a", idempotency_key=""),
    ),
]
READS: list[tuple[str, type[InvalidInput], str, Call]] = [
    ("blank query", InvalidInput, "query", lambda m: m.search("  ", user_id="ana")),
    ("query kind", InvalidInput, "query", lambda m: m.search(wrong(None), user_id="ana")),
    ("no id", InvalidScope, "user_id", lambda m: m.search("bees")),
    ("or without owner", InvalidScope, "user_id", lambda m: m.search("bees", filters={"OR": [{"user_id": "a"}, {"x": 1}]})),
    ("two ids", InvalidScope, "user_id", lambda m: m.search("bees", user_id="a", filters={"user_id": "b"})),
    ("limit 0", InvalidLimit, "limit", lambda m: m.search("bees", user_id="a", limit=0)),
    ("limit -1", InvalidLimit, "limit", lambda m: m.search("bees", user_id="a", limit=-1)),
    ("limit a million", InvalidLimit, "limit", lambda m: m.search("bees", user_id="a", limit=1_000_000)),
    ("limit text", InvalidLimit, "limit", lambda m: m.search("bees", user_id="a", limit=wrong("10"))),
    ("limit 2.5", InvalidLimit, "limit", lambda m: m.search("bees", user_id="a", limit=wrong(2.5))),
    ("limit true", InvalidLimit, "limit", lambda m: m.search("bees", user_id="a", limit=True)),
    ("top_k 0", InvalidLimit, "top_k", lambda m: m.search("bees", user_id="a", top_k=0)),
    ("limit and top_k", InvalidLimit, "limit", lambda m: m.search("bees", user_id="a", limit=1, top_k=2)),
    ("list limit 0", InvalidLimit, "limit", lambda m: m.get_all(user_id="a", limit=0)),
    ("threshold", InvalidInput, "threshold", lambda m: m.search("bees", user_id="a", threshold=3)),
    ("kinds", InvalidInput, "kinds", lambda m: m.search("bees", user_id="a", kinds=["fish"])),
    ("signals", InvalidInput, "signals", lambda m: m.search("bees", user_id="a", signals=["smell"])),
    ("validity", InvalidInput, "validity", lambda m: m.search("bees", user_id="a", validity="maybe")),
    ("as_of", InvalidTime, "as_of", lambda m: m.search("bees", user_id="a", as_of="Jan 2025")),
    ("month 13", InvalidTime, "as_of", lambda m: m.search("bees", user_id="a", as_of="2025-13-01")),
    ("operator", InvalidFilter, "filters.x", lambda m: m.search("bees", filters={"user_id": "a", "x": {"like": 1}})),
    ("in without list", InvalidFilter, "filters.x", lambda m: m.search("bees", filters={"user_id": "a", "x": {"in": 1}})),
    ("small and", InvalidFilter, "AND", lambda m: m.search("bees", filters={"user_id": "a", "$and": [{"x": 1}]})),
    ("empty or", InvalidFilter, "filters.OR", lambda m: m.search("bees", filters={"user_id": "a", "OR": []})),
    ("date filter", InvalidFilter, "created_at", lambda m: m.search("bees", filters={"user_id": "a", "created_at": {"gt": "x"}})),
    ("cursor", InvalidInput, "cursor", lambda m: m.get_all(user_id="a", cursor="not-a-cursor")),
    ("decisions of nothing", InvalidInput, "decisions", lambda m: m.decisions()),
    ("erase of nothing", InvalidInput, "erase", lambda m: m.erase()),
]  # fmt: skip


def wrong(value: object) -> Any:  # Any: on purpose of another type than the parameter
    return value


@pytest.mark.parametrize(("error", "field", "call"), [c[1:] for c in ADDS], ids=[c[0] for c in ADDS])
def test_wrong_add_is_refused_and_stores_nothing(
    memory: Memory, error: type[InvalidInput], field: str, call: Call
) -> None:
    with pytest.raises(error) as raised:
        call(memory)
    assert field in str(raised.value)
    assert raised.value.remedy
    stats = memory.stats()
    assert (stats["facts"], stats["episodes"], stats["open_operations"], stats["failed_operations"]) == (
        0,
        0,
        0,
        0,
    )


@pytest.mark.parametrize(("error", "field", "call"), [c[1:] for c in READS], ids=[c[0] for c in READS])
def test_wrong_read_is_refused(memory: Memory, error: type[InvalidInput], field: str, call: Call) -> None:
    with pytest.raises(error) as raised:
        call(memory)
    assert field in str(raised.value)
    assert raised.value.remedy


def test_the_next_call_works_after_a_refused_one(memory: Memory) -> None:
    with pytest.raises(InvalidMessage):
        memory.add([], user_id="ana")
    assert memory.add("Keeps bees", user_id="ana", infer=False)["results"][0]["event"] == "ADD"


def test_error_does_not_repeat_what_was_said(memory: Memory) -> None:
    with pytest.raises(InvalidMessage) as raised:
        memory.add({"role": "secret-role-4711", "content": "CANARY"}, user_id="ana")
    assert "4711" not in str(raised.value)
    assert "CANARY" not in str(raised.value)


@pytest.mark.parametrize("spoiled", [np.nan, np.inf])
def test_vectors_that_are_no_numbers_are_never_stored(spoiled: float) -> None:
    embedder = TableEmbedder({"Keeps bees": [spoiled, 0.0, 0.0, 0.0]}, 4)
    with Memory(":memory:", embedder=embedder, model="rules") as memory:
        result = memory.add("Keeps bees", user_id="ana", infer=False)
        assert result["warnings"] == ["vectors will be made later: EmbedderError"]
        assert memory.stats()["waiting_vectors"] == 2
        assert memory.check() == []
        found = memory.search("bees", user_id="ana", kinds=["fact"])
        assert [m["memory"] for m in found["results"]] == ["Keeps bees"]


QUERIES = [
    "AND", "NOT", "rollout OR", "(", ")", "*", "^x", '"unclosed', "NEAR(", "-only", "col:val", "{x}",
    "'; DROP TABLE facts; --", "🙂", "\\", "%", "_", "\x00", "a" * 5000, "\ud83d",
]  # fmt: skip


@pytest.mark.parametrize("query", QUERIES)
def test_any_characters_may_be_searched_for(memory: Memory, query: str) -> None:
    memory.add("Keeps bees", user_id="ana", infer=False)
    assert isinstance(memory.search(query, user_id="ana")["results"], list)


CODED = [
    "notes/2025/plan", "RMA-77-0412", "doesn't", "std::vector", "auth.core", "12.5", "C++", "C#", "mg/dL",
    "D:\\work\\atlas", "pat+test@mail.example", "a_b%c", "beta-3 AND unicode",
    "火锅", "林悦", "retry", "会議", "한빛", "杭州吃", "茶",
]  # fmt: skip
STORED = [
    "See notes/2025/plan for it", "Return RMA-77-0412 is open", "The tap doesn't close", "Uses std::vector",
    "Broke in auth.core", "It weighs 12.5 kilos", "Writes C++ at work", "Writes C# at home",
    "Measured in mg/dL", "Saved in D:\\work\\atlas", "Writes to pat+test@mail.example", "Key a_b%c is set",
    "Tested beta-3 AND unicode", "周五和林悦在杭州吃火锅", "周五和林悦在杭州吃火锅", "修好了retry-queue后重新上线",
    "東京の会議は来週です", "한빛소프트에서 일한다", "周五和林悦在杭州吃火锅", "我喜欢喝茶",
]  # fmt: skip


@pytest.mark.parametrize(("query", "stored"), list(zip(CODED, STORED, strict=True)), ids=CODED)
def test_words_of_any_script_are_found_by_the_keyword_signal_alone(
    memory: Memory, query: str, stored: str
) -> None:
    for text in dict.fromkeys(STORED):
        memory.add(text, user_id="ana", infer=False)
    found = memory.search(query, user_id="ana", signals=["keyword"], kinds=["fact"])["results"]
    assert found[0]["memory"] == stored
