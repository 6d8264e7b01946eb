"""Subjects take turns: A, B, C, A, B, C ..., so that whatever else the machine does hits all of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bench.scale.records import Rounds

# A call with its running number; it answers the seconds that count.
Call = Callable[[int], float]
LEAST_CALLS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """One thing that several subjects do. calls: by name of the subject. repeats: calls in each round."""

    what: str
    case: str
    calls: Mapping[str, Call]
    repeats: int


def timed(work: Callable[[int], object]) -> Call:
    """The whole time of the call."""

    def call(number: int) -> float:
        began = time.perf_counter()
        work(number)
        return time.perf_counter() - began

    return call


def hold(contest: Contest, *, rounds: int, budget_s: float) -> dict[str, Rounds]:
    """Milliseconds of every call by subject and round, after one call each that does not count.

    budget_s: for one subject in one round; past it the round ends early, but not before `LEAST_CALLS`.
    """
    for call in contest.calls.values():
        call(0)
    found: dict[str, list[tuple[float, ...]]] = {name: [] for name in contest.calls}
    number = 1
    for _ in range(rounds):
        for name, call in contest.calls.items():
            found[name].append(_one_round(call, number, repeats=contest.repeats, budget_s=budget_s))
        number += contest.repeats
    return {name: tuple(values) for name, values in found.items()}


def _one_round(call: Call, number: int, *, repeats: int, budget_s: float) -> tuple[float, ...]:
    began = time.perf_counter()
    times: list[float] = []
    for n in range(repeats):
        if n >= min(LEAST_CALLS, repeats) and time.perf_counter() - began > budget_s:
            break
        times.append(call(number + n) * 1000)
    return tuple(times)
