"""Many callers at once: what one would store once is stored once, and nothing is lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from perdure import AsyncMemory

DATED = {"role": "user", "content": "I live in Porto.", "timestamp": "2024-01-05"}


@pytest.fixture
async def memory() -> AsyncIterator[AsyncMemory]:
    async with AsyncMemory(":memory:", embedder="hashing", model="rules") as opened:
        yield opened


async def test_one_dated_message_delivered_ten_times_at_once_is_stored_once(memory: AsyncMemory) -> None:
    results = await asyncio.gather(*(memory.add(DATED, user_id="ana") for _ in range(10)))
    stats = await memory.stats()
    assert (stats["episodes"], stats["facts"], stats["decisions"]) == (1, 1, 1)
    assert sum(len(r["episodes"]) for r in results) == 1
    assert await memory.check() == []


async def test_twenty_equal_adds_at_once_make_one_fact_with_twenty_sources(memory: AsyncMemory) -> None:
    adds = (memory.add("Keeps bees", user_id="ana", infer=False) for _ in range(20))
    events = sorted(r["results"][0]["event"] for r in await asyncio.gather(*adds))
    assert events == ["ADD", *["NOOP"] * 19]
    (fact,) = (await memory.get_all(user_id="ana"))["results"]
    assert len(fact["sources"]) == 20


async def test_one_idempotency_key_at_once_is_one_operation(memory: AsyncMemory) -> None:
    adds = (memory.add("Keeps bees", user_id="ana", infer=False, idempotency_key="k") for _ in range(10))
    results = await asyncio.gather(*adds)
    assert all(result == results[0] for result in results)
    assert (await memory.stats())["episodes"] == 1


async def test_different_values_at_once_end_in_one_timeline(memory: AsyncMemory) -> None:
    cities = ["Porto", "Lisbon", "Braga", "Faro", "Coimbra", "Evora", "Setubal", "Aveiro"]
    adds = (
        memory.add(
            {"role": "user", "content": f"I live in {city}.", "timestamp": f"2024-0{n}-01"}, user_id="ana"
        )
        for n, city in enumerate(cities, start=1)
    )
    await asyncio.gather(*adds)
    items = (await memory.get_all(user_id="ana", validity="all"))["results"]
    assert sorted((m["valid_from"], m["value"]) for m in items) == [
        (f"2024-0{n}-01T00:00:00+00:00", city) for n, city in enumerate(cities, start=1)
    ]
    assert [m["value"] for m in items if m["state"] == "current"] == ["Aveiro"]
    assert await memory.check() == []
