"""Intervals and paired tests. Seeded, so that the same lines always give the same figures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Sample: TypeAlias = NDArray[np.float64]

RESAMPLES = 2000
SEED = 20240501


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A mean over n questions with its 95 % interval."""

    n: int
    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Mean of a − b on the same n questions with its 95 % interval; p: of no difference, two-sided.

    wins, losses: questions where a is above, below b. test: `mcnemar` for yes-or-no measures, else
    `bootstrap`.
    """

    n: int
    mean: float
    low: float
    high: float
    wins: int
    losses: int
    p: float
    test: str


def estimate(values: Sequence[float]) -> Estimate:
    """The mean with the 2.5 and 97.5 % points of 2,000 bootstrap means (Efron, 1979). ValueError if empty."""
    sample = np.asarray(values, dtype=np.float64)
    low, high = _interval(sample)
    return Estimate(n=len(sample), mean=float(sample.mean()), low=low, high=high)


def compare(a: Sequence[float], b: Sequence[float]) -> Difference:
    """a against b, question by question. ValueError if they do not pair up."""
    if len(a) != len(b):
        raise ValueError("the two systems did not answer the same questions")
    delta = np.asarray(a, dtype=np.float64) - np.asarray(b, dtype=np.float64)
    low, high = _interval(delta)
    wins, losses = int((delta > 0).sum()), int((delta < 0).sum())
    is_binary = set(a) | set(b) <= {0.0, 1.0}
    return Difference(
        n=len(delta),
        mean=float(delta.mean()),
        low=low,
        high=high,
        wins=wins,
        losses=losses,
        p=mcnemar(wins, losses) if is_binary else _bootstrap_p(delta),
        test="mcnemar" if is_binary else "bootstrap",
    )


def mcnemar(wins: int, losses: int) -> float:
    """The exact two-sided p of McNemar's test (1947): a fair coin over the questions that differ."""
    n = wins + losses
    tail = sum(math.comb(n, i) for i in range(min(wins, losses) + 1))
    return float(min(1.0, 2 * tail / 2**n)) if n else 1.0


def _means(sample: Sample) -> Sample:
    if not len(sample):
        raise ValueError("no question to take a mean of")
    picks = np.random.default_rng(SEED).integers(0, len(sample), (RESAMPLES, len(sample)))
    means: Sample = sample[picks].mean(axis=1)
    return means


def _interval(sample: Sample) -> tuple[float, float]:
    low, high = np.percentile(_means(sample), [2.5, 97.5])
    return float(low), float(high)


def _bootstrap_p(delta: Sample) -> float:
    """Two-sided: how often a mean resampled about zero is as far out as the one seen."""
    centred = _means(delta - delta.mean())
    return float((1 + (np.abs(centred) >= abs(delta.mean()) - 1e-12).sum()) / (1 + len(centred)))
