"""What a score is worth: does it tell answerable from unanswerable, and does 0.8 mean 80 %?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bench.metrics.record import Answered

LOST_AT_MOST = 0.05
BINS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Abstention:
    """auroc: chance that an answerable question has the higher first score (ties count half).

    refused: share of the unanswerable ones below the threshold under which at most 5 % of the answerable
    fall (`lost`, as it came out).
    """

    answerable: int
    unanswerable: int
    auroc: float
    threshold: float
    refused: float
    lost: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """First items with a score in [low, high): how many, their mean score, the share that is evidence."""

    low: float
    high: float
    n: int
    score: float
    right: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Reliability:
    """n: first items, of the questions to which anything came back and whose evidence is known.

    error: the mean distance of score and share over the bins, weighted by n (expected calibration error).
    worst: the largest distance in a bin of 20 or more.
    """

    n: int
    bins: tuple[Bin, ...]
    error: float
    worst: float


def first_score(question: Answered) -> float | None:
    """How sure the system is: the score of its first item; 0 if nothing came back, None without scores."""
    if not question.items:
        return 0.0
    return question.items[0].score


def abstention(questions: Sequence[Answered]) -> Abstention | None:
    """None if there are no unanswerable or no answerable questions, or the system gives no scores."""
    scored = [(first_score(q), q.gold.is_answerable) for q in questions]
    if any(score is None for score, _ in scored):
        return None
    answerable = np.array([s for s, is_answerable in scored if is_answerable], dtype=np.float64)
    rest = np.array([s for s, is_answerable in scored if not is_answerable], dtype=np.float64)
    if not len(answerable) or not len(rest):
        return None
    above = (answerable[:, None] > rest[None, :]).mean() + 0.5 * (answerable[:, None] == rest[None, :]).mean()
    allowed = int(LOST_AT_MOST * len(answerable))
    threshold = float(np.sort(answerable)[allowed])
    return Abstention(
        answerable=len(answerable),
        unanswerable=len(rest),
        auroc=float(above),
        threshold=threshold,
        refused=float((rest < threshold).mean()),
        lost=float((answerable < threshold).mean()),
    )


def reliability(questions: Sequence[Answered]) -> Reliability | None:
    """Score of the first item against whether it is evidence; a question without an answer has none.

    Questions whose evidence is not known are left out. None without scores in [0, 1].
    """
    points = []
    for question in questions:
        is_known = bool(question.gold.evidence) or not question.gold.is_answerable
        if not is_known or not question.items:
            continue
        score = question.items[0].score
        if score is None or not 0 <= score <= 1:
            return None
        wanted = {turn for alternatives in question.gold.evidence for turn in alternatives}
        points.append((score, float(bool(wanted & set(question.items[0].turns)))))
    return _curve(np.array(points, dtype=np.float64)) if points else None


def _curve(points: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> Reliability:
    at = np.minimum((points[:, 0] * BINS).astype(int), BINS - 1)
    bins = []
    for n in range(BINS):
        inside = points[at == n]
        if len(inside):
            mean, share = (float(x) for x in inside.mean(axis=0))
            bins.append(Bin(low=n / BINS, high=(n + 1) / BINS, n=len(inside), score=mean, right=share))
    error = sum(b.n * abs(b.score - b.right) for b in bins) / len(points)
    worst = max((abs(b.score - b.right) for b in bins if b.n >= 20), default=0.0)
    return Reliability(n=len(points), bins=tuple(bins), error=error, worst=worst)
