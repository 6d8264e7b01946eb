"""Intervals and paired tests, against values known from elsewhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.metrics.stats import compare, estimate, mcnemar


def test_the_interval_of_half_yes_is_that_of_the_normal_approximation() -> None:
    found = estimate([1.0, 0.0] * 200)
    assert (found.n, found.mean) == (400, 0.5)
    assert found.low == pytest.approx(0.5 - 1.96 * 0.025, abs=0.006)
    assert found.high == pytest.approx(0.5 + 1.96 * 0.025, abs=0.006)


def test_the_same_values_give_the_same_interval() -> None:
    values = [float(n % 7) for n in range(100)]
    assert estimate(values) == estimate(values)


def test_no_values_are_an_error_and_not_a_zero() -> None:
    with pytest.raises(ValueError, match="no question"):
        estimate([])


@pytest.mark.parametrize(
    ("wins", "losses", "p"),
    [(0, 0, 1.0), (5, 5, 1.0), (1, 9, 0.021484375), (0, 6, 0.03125), (9, 1, 0.021484375)],
)
def test_mcnemar_is_the_exact_binomial(wins: int, losses: int, p: float) -> None:
    assert mcnemar(wins, losses) == pytest.approx(p)


def test_a_clear_win_is_told_from_chance() -> None:
    found = compare([1.0] * 30 + [0.0] * 30, [0.0] * 60)
    assert (found.wins, found.losses, found.test) == (30, 0, "mcnemar")
    assert found.mean == 0.5
    assert found.p < 1e-6
    assert found.low > 0.3


def test_no_difference_is_not_called_one() -> None:
    found = compare([0.2, 0.4, 0.6, 0.8] * 10, [0.8, 0.6, 0.4, 0.2] * 10)
    assert found.test == "bootstrap"
    assert found.mean == pytest.approx(0.0)
    assert found.p > 0.5


def test_unequal_sets_of_questions_are_an_error() -> None:
    with pytest.raises(ValueError, match="same questions"):
        compare([1.0], [1.0, 0.0])


@given(st.lists(st.floats(0, 1), min_size=2, max_size=40))
def test_the_mean_lies_in_its_interval(values: list[float]) -> None:
    found = estimate(values)
    assert found.low - 1e-9 <= found.mean <= found.high + 1e-9
