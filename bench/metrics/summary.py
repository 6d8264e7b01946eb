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
REMEDY = "Run those that are older again with --fresh."


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
    """a against b on the questions of both; None if the measure applies to none.

    BrokenRun if they do not hold the same questions with the same gold, or are of two versions of perdure.
    """
    check_comparable([a, b])
    mine = values(asked(a, is_audited=is_audited), measure)
    theirs = values(asked(b, is_audited=is_audited), measure)
    ids = sorted(mine)
    return compare([mine[i] for i in ids], [theirs[i] for i in ids]) if ids else None


def check_comparable(runs: Sequence[Run]) -> None:
    """BrokenRun unless the runs are on the same data read alike, and those of perdure of the same code."""
    for field, what in (("data_sha256", "data"), ("gold", "gold")):
        if len({str(run.identity.get(field)) for run in runs}) > 1:
            raise BrokenRun(f"{_named(runs)} do not hold the same questions ({what}). {REMEDY}")
    ours = [run for run in runs if _system(run) == "perdure"]
    if len({str(run.identity["code"]) for run in ours}) > 1:
        raise BrokenRun(f"{_named(ours)} are of different versions of perdure. {REMEDY}")


def _named(runs: Sequence[Run]) -> str:
    return ", ".join(str(run.path) for run in runs)


def _system(run: Run) -> str:
    about = run.identity["about"]
    return str(about.get("system")) if isinstance(about, Mapping) else ""


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
