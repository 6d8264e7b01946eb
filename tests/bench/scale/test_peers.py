from __future__ import annotations

from collections.abc import Iterator

import pytest

from bench.scale.peers import adding, asking, fill_peer, listing
from bench.scale.world import BIG, make_world, new_turns
from bench.systems.rivals.rival import RivalSystem
from tests.bench.rivals.test_rival import start

# The fake says that each feed took it half a second, whatever it holds.
FEED_S = 0.5


@pytest.fixture
def peer() -> Iterator[RivalSystem]:
    system = start()
    yield system
    system.close()


def test_a_rival_within_its_budget_holds_the_whole_world(peer: RivalSystem) -> None:
    world, seen = make_world(120), list[int]()
    filled = fill_peer(peer, world, budget_s=60.0, on_step=seen.append)
    batches = list(world.batches(50))
    assert filled.reached == seen[-1] == 120
    assert filled.seconds == FEED_S * len(batches)
    peer.use(world.small)
    assert len(peer.list_newest(100).items) == world.counts[world.small]


def test_a_rival_past_its_budget_is_stopped_and_says_how_far_it_came(peer: RivalSystem) -> None:
    world = make_world(120)
    first, second, *_ = world.batches(50)
    filled = fill_peer(peer, world, budget_s=FEED_S, on_step=lambda reached: None)
    assert filled.reached == len(first.turns) + len(second.turns)
    assert filled.seconds == 2 * FEED_S


def test_seconds_are_the_rivals_own(peer: RivalSystem) -> None:
    peer.reset(BIG)
    assert adding(peer, BIG, new_turns(0, 1)[0]) == FEED_S
    assert asking(peer, BIG, "the") == 0.001
    assert listing(peer, BIG, 5) == 0.001
