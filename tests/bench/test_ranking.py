"""Places and ranks, against values worked out by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.metrics.ranking import (
    all_at,
    any_at,
    first_places,
    ndcg_at,
    places,
    recall_at,
    reciprocal_rank,
)


def test_an_item_of_three_turns_takes_three_places() -> None:
    assert places([("a", "b", "c"), ("d",)]) == ["a", "b", "c", "d"]


def test_a_turn_that_was_listed_takes_no_second_place() -> None:
    assert places([("a",), ("a",), ("b", "a"), ("c",)]) == ["a", "b", "c"]


def test_an_item_without_turns_takes_a_place() -> None:
    assert places([(), ("a",), ()]) == [None, "a", None]


def test_evidence_is_found_at_the_first_of_its_alternatives() -> None:
    listed = ["x", "b", "a", "y"]
    assert first_places(listed, [frozenset({"a", "b"}), frozenset({"y"}), frozenset({"z"})]) == [2, 4, None]


def test_any_all_and_share_at_a_depth() -> None:
    ranks = [2, 11, None]
    assert (any_at(ranks, 1), any_at(ranks, 2)) == (0.0, 1.0)
    assert (all_at([2, 10], 10), all_at(ranks, 20)) == (1.0, 0.0)
    assert recall_at(ranks, 10) == pytest.approx(1 / 3)
    assert recall_at(ranks, 11) == pytest.approx(2 / 3)


def test_reciprocal_rank_is_that_of_the_first_found() -> None:
    assert reciprocal_rank([None, 4, 2]) == 0.5
    assert reciprocal_rank([None]) == 0.0


def test_ndcg_by_hand() -> None:
    gain = 1 / math.log2(2) + 1 / math.log2(4)
    ideal = 1 / math.log2(2) + 1 / math.log2(3)
    assert ndcg_at([1, 3], 10) == pytest.approx(gain / ideal)
    assert ndcg_at([1, 2], 10) == pytest.approx(1.0)
    assert ndcg_at([11, None], 10) == 0.0


RANKS = st.lists(st.none() | st.integers(1, 60), min_size=1, max_size=8)


@given(RANKS, st.integers(1, 50))
def test_measures_stay_in_their_ranges_and_in_order(ranks: list[int | None], k: int) -> None:
    share = recall_at(ranks, k)
    assert all_at(ranks, k) <= share <= any_at(ranks, k)
    assert share <= recall_at(ranks, k + 1)
    assert 0 <= ndcg_at(ranks, k) <= 1 + 1e-9
    assert 0 <= reciprocal_rank(ranks) <= 1


@given(RANKS, st.integers(2, 50))
def test_a_better_place_never_lowers_a_measure(ranks: list[int | None], k: int) -> None:
    better = [None if r is None else max(1, r - 1) for r in ranks]
    assert recall_at(better, k) >= recall_at(ranks, k)
    assert reciprocal_rank(better) >= reciprocal_rank(ranks)
