"""The engine in the test-bed: exact figures of a small preset, and runs that never raise."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from bench.testbed.dials import FIXED, Dials
from bench.testbed.generate import generate
from bench.testbed.measure import Ratio
from bench.testbed.report import measures_table, pairs_table
from bench.testbed.run import Mode, TestbedResult, memory_of, run_testbed, score_pairs
from bench.testbed.scripted import Judge, add_all, invalidate_all
from perdure.embed.hashing import HashingEmbedder
from tests.bench.testbed.blanket import run_blanket

if TYPE_CHECKING:
    from perdure.ports import Vector

# What the engine does not get right with a perfect extractor and a judge who knows the truth.
NOT_YET = {
    "abstain",
    "conflict.boat",
    "conflict_later.boat",
    "conflict_later.city",
    "correction.boat",
    "forget",
    "propagated",
}
# Kinds that a judge who follows one rule must fail; in others the engine's own checks save the outcome.
FAILED_BY_ADDING = ("update.boat", "someone_else.boat", "hypothetical.boat", "refine", "handover")
FAILED_BY_INVALIDATING = ("coexist.courses", "revert.boat", "implied.boat", "handover")


@pytest.fixture(scope="module")
def fixed() -> TestbedResult:
    return run_testbed(FIXED, memory_of(), "oracle")


def test_the_pairs_of_the_fixed_preset(fixed: TestbedResult) -> None:
    assert {kind for kind, score in fixed.pairs.items() if score.hits < score.total} == NOT_YET
    assert fixed.pair_score == Ratio(hits=29, total=36)


def test_the_measures_of_the_fixed_preset(fixed: TestbedResult) -> None:
    assert {name: (r.hits, r.total) for name, r in fixed.measures.items()} == {
        "wrong_merges": (0, 158),
        "missed_contradictions": (2, 55),
        "undecided": (7, 158),
        "lost": (0, 150),
        "filler_lost": (0, 56),
        "wrong_retirements": (1, 159),
        "duplicates": (0, 79),
        "slots_right": (82, 85),
        "leaks": (0, 188),
        "stale_above": (1, 40),
        "stale_as_current": (3, 40),
        "stale_within_ten": (40, 40),
    }


def test_the_answers_of_the_fixed_preset(fixed: TestbedResult) -> None:
    assert {kind: (r.hits, r.total) for kind, r in fixed.answers.items()} == {
        "current": (64, 72),
        "premise": (15, 22),
        "as_of": (29, 30),
        "known_at": (13, 13),
        "when": (14, 14),
        "history": (29, 29),
        "count": (4, 4),
        "unanswerable": (0, 2),
        "answerable": (2, 2),
    }


def test_other_orders_end_in_the_same_timelines_but_for_those_listed(fixed: TestbedResult) -> None:
    assert {k: (r.hits, r.total) for k, r in fixed.permutations.items() if r.hits < r.total} == {
        "revert.boat": (1, 2),
        "chain.boat": (1, 2),
    }


def test_nothing_raises_in_the_fixed_preset(fixed: TestbedResult) -> None:
    assert fixed.raised == {}


def test_the_scores_to_choose_a_threshold_by_are_reported(fixed: TestbedResult) -> None:
    assert {kind: len(scores) for kind, scores in fixed.abstain_scores.items()} == {
        "unanswerable": 2,
        "answerable": 2,
    }


def test_a_run_is_the_same_twice() -> None:
    dials = Dials(seed=2, kinds=("chain.boat", "revert.city"), filler=2)
    first, second = (run_testbed(dials, memory_of(), "faulty-20") for _ in range(2))
    assert first == second


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("mode", ["oracle", "faulty-20", "rules"])
def test_no_seed_makes_a_run_raise(seed: int, mode: Mode) -> None:
    kinds = _some_kinds(seed)
    dials = Dials(seed=seed, kinds=kinds, filler=1, wording="varied", namesakes=True, users=3, batch=2)
    result = run_testbed(replace(dials, permute=seed % 2 == 0, late=seed % 2 == 1), memory_of(), mode)
    assert result.raised == {}
    assert sum(score.total for score in result.pairs.values()) == len(kinds)
    assert len(result.stories) == 2 * len(kinds)


def _some_kinds(seed: int) -> tuple[str, ...]:
    """Two kinds, other ones for each seed."""
    kinds = FIXED.kinds
    return tuple(kinds[(seed * 2 + n) * 7 % len(kinds)] for n in range(2))


@pytest.mark.parametrize(
    ("judge", "kinds"), [(add_all, FAILED_BY_ADDING), (invalidate_all, FAILED_BY_INVALIDATING)]
)
def test_a_blanket_judge_scores_no_pair_that_is_left_to_a_judge(judge: Judge, kinds: tuple[str, ...]) -> None:
    stories = generate(Dials(seed=5, kinds=kinds, filler=0, languages=("en",)))
    scores = score_pairs(run_blanket(stories, judge))
    assert {kind for kind, score in scores.items() if score.hits} == set()


class Blind(HashingEmbedder):
    """Finds nothing alike but what is equal."""

    def _vector(self, text: str) -> Vector:
        return super()._vector(sha256(text.encode()).hexdigest()[:16])


def test_a_candidate_search_that_finds_nothing_costs_pairs() -> None:
    dials = Dials(seed=5, kinds=("update.boat", "handover", "look_alike"), filler=0, shuffles=0)
    seeing, blind = (run_testbed(dials, memory_of(e), "oracle") for e in (HashingEmbedder(), Blind(4096)))
    assert seeing.pair_score == Ratio(hits=3, total=3)
    assert blind.pair_score == Ratio(hits=0, total=3)
    assert blind.asked["judge"] == 0


def test_a_memory_that_stores_nothing_is_not_the_same_in_every_order() -> None:
    dials = Dials(seed=7, kinds=("refine",), languages=("de",), filler=0)
    assert run_testbed(dials, memory_of(), "oracle").permutations == {"refine": Ratio(hits=2, total=2)}
    assert run_testbed(dials, memory_of(), "rules").permutations == {"refine": Ratio(hits=0, total=2)}


def test_users_who_share_a_memory_see_nothing_of_each_other() -> None:
    dials = Dials(kinds=("update.city", "update.boat", "forget"), filler=1, users=6, shuffles=0)
    leaks = run_testbed(dials, memory_of(), "oracle").measures["leaks"]
    assert leaks.hits == 0
    assert leaks.total > 15


def test_faults_of_the_model_are_counted_and_cost_pairs() -> None:
    dials = Dials(seed=4, kinds=("update.boat", "chain.city", "look_alike"), filler=0, stories=2, shuffles=0)
    right, faulty = (run_testbed(dials, memory_of(), mode) for mode in ("oracle", "faulty-20"))
    assert right.faults == {}
    assert sum(faulty.faults.values()) > 5
    assert faulty.pair_score.hits < right.pair_score.hits
    assert faulty.pair_score.total == right.pair_score.total


def test_the_tables_name_every_kind_and_every_measure(fixed: TestbedResult) -> None:
    console = Console(width=200, record=True, file=StringIO())
    for table in (pairs_table([fixed]), measures_table([fixed])):
        console.print(table)
    shown = console.export_text()
    assert [name for name in (*fixed.pairs, *fixed.measures, *fixed.answers) if name not in shown] == []


def test_a_run_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    run_testbed(Dials(seed=1, kinds=("update.boat",), filler=4), memory_of(), "faulty-20")
    assert capfd.readouterr() == ("", "")
