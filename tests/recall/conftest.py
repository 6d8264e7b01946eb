"""A memory that needs no model, no file and no clock."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from perdure import Memory
from perdure.testing import FixedClock


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(step=timedelta(seconds=1))


@pytest.fixture
def memory(clock: FixedClock) -> Iterator[Memory]:
    with Memory(":memory:", embedder="hashing", model="rules", clock=clock) as opened:
        yield opened
