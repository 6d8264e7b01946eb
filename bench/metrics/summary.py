"""A run in figures: every measure that applies, by category, with its interval; confidence, speed, size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bench.errors import BrokenRun
from bench.metrics.confidence import Abstention, Reliability, abstention, reliability
from bench.metrics.measures import MEASURES
from bench.metrics.record import Answered, Run
from bench.metrics.stats import Difference, Estimate, compare, estimate

ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Speed:
    """ms of a search without embedding the query, and of that; turns/s fed, without and with embedding."""

    search_p50_ms: float
    search_p95_ms: float
    embed_p50_ms: float
    turns_per_s: float | None
    turns_per_s_embedded: float | None
    resident_mb: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """figures: by measure, then by category, `all` included. counts: what the system made while fed."""

    run: Run
    is_audited: bool
    figures: Mapping[str, Mapping[str, Estimate]]
    abstention: Abstention | None
    reliability: Reliability | None
    speed: Speed
    counts: Mapping[str, int]

    def figure(self, measure: str, category: str = ALL) -> Estimate | None:
        return self.figures.get(measure, {}).get(category)


def summarise(run: Run, *, is_audited: bool = False, measures: Sequence[str] = tuple(MEASURES)) -> Summary:
    """is_audited: with the gold as the audit corrects it, and without the questions that it disputes."""
    questions = asked(run, is_audited=is_audited)
    return Summary(
        run=run,
        is_audited=is_audited,
        figures={name: by for name in measures if (by := _by_category(questions, name))},
        abstention=abstention(questions),
        reliability=reliability(questions),
        speed=_speed(run),
        counts=_counts(run),
    )


def asked(run: Run, *, is_audited: bool = False) -> list[Answered]:
    """The questions to be counted, with the gold to be used."""
    if not is_audited:
        return list(run.questions)
    return [q.as_audited for q in run.questions if not q.is_disputed]


def values(questions: Sequence[Answered], measure: str) -> dict[str, float]:
    """The measure of each question that it applies to, by question id."""
    of = MEASURES[measure].of
    return {q.id: value for q in questions if (value := of(q)) is not None}


def pair(a: Run, b: Run, measure: str, *, is_audited: bool = False) -> Difference | None:
    """a against b on the questions of both; None if the measure applies to none. BrokenRun if they do not
    hold the same questions."""
    mine = values(asked(a, is_audited=is_audited), measure)
    theirs = values(asked(b, is_audited=is_audited), measure)
    if a.identity["data_sha256"] != b.identity["data_sha256"] or set(mine) != set(theirs):
        raise BrokenRun(f"{a.path} and {b.path} do not hold the same questions; they cannot be paired.")
    ids = sorted(mine)
    return compare([mine[i] for i in ids], [theirs[i] for i in ids]) if ids else None


def _by_category(questions: Sequence[Answered], measure: str) -> dict[str, Estimate]:
    found = values(questions, measure)
    if not found:
        return {}
    groups: dict[str, list[float]] = {ALL: list(found.values())}
    for question in questions:
        if question.id in found:
            groups.setdefault(question.category, []).append(found[question.id])
    return {name: estimate(group) for name, group in groups.items()}


def _speed(run: Run) -> Speed:
    search = np.array([q.seconds for q in run.questions]) * 1000
    embed = np.array([q.embedding_seconds for q in run.questions]) * 1000
    turns = sum(f.turns for f in run.fed)
    own = sum(f.seconds for f in run.fed)
    whole = own + sum(f.embedding_seconds for f in run.fed)
    return Speed(
        search_p50_ms=float(np.percentile(search, 50)),
        search_p95_ms=float(np.percentile(search, 95)),
        embed_p50_ms=float(np.percentile(embed, 50)),
        turns_per_s=turns / own if own else None,
        turns_per_s_embedded=turns / whole if whole else None,
        resident_mb=max(f.resident_mb for f in run.fed),
    )


def _counts(run: Run) -> dict[str, int]:
    total: dict[str, int] = {}
    for fed in run.fed:
        for name, count in fed.counts.items():
            total[name] = total.get(name, 0) + count
    return dict(sorted(total.items()))
