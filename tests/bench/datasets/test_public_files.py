"""The loaders on the public files; skipped where those are not. Counts are facts, no line of them is here."""

from __future__ import annotations

import os
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from bench.datasets import load_dataset
from bench.datasets.fact_reader import FoundFact, answer
from bench.errors import DataMissing
from bench.model import Case, Dataset, Gold, Question

_BESIDE = Path(__file__).parents[4] / "shared" / "data"
ROOT = Path(os.environ.get("PERDURE_BENCH_DATA", _BESIDE))

pytestmark = pytest.mark.skipif(not ROOT.is_dir(), reason="the public benchmark files are not here")

# cases, turns, questions; then of the questions: unanswerable, with evidence, with sessions, with stale turns
SIZES = {
    "locomo": (5, 2760, 999, 237, 760, 760, 0),
    "locomo-short": (2, 788, 304, 71, 231, 231, 0),
    "factconsolidation-sh-6k": (1, 455, 100, 0, 100, 100, 74),
    "factconsolidation-mh-6k": (1, 455, 100, 0, 96, 96, 96),
    "factconsolidation-sh-32k": (1, 2310, 100, 0, 98, 98, 63),
    "factconsolidation-mh-32k": (1, 2310, 100, 0, 87, 87, 87),
    "statebench": (209, 1104, 248, 0, 0, 0, 0),
    "statebench-train": (839, 4543, 1001, 0, 0, 0, 0),
    "halumem": (1, 1020, 55, 10, 0, 45, 0),
    "halumem-points": (1, 273, 55, 10, 45, 45, 46),
    "beam100k": (10, 2362, 200, 20, 179, 179, 18),
    "realmem": (5, 7105, 728, 0, 685, 728, 0),
    "longmemeval": (1, 550, 1, 0, 1, 1, 0),
    "longmemeval-held": (1, 550, 1, 0, 1, 1, 0),
}
CATEGORIES = {
    "locomo": {"multi-hop": 142, "temporal": 156, "open-domain": 46, "single-hop": 418, "adversarial": 237},
    "realmem": {
        "Dynamic Incremental": 555,
        "Dynamic Updating": 71,
        "Implicit Preference": 92,
        "Temporal-reasoning": 10,
    },
    "halumem": {
        "Basic Fact Recall": 13,
        "Dynamic Update": 7,
        "Generalization & Application": 14,
        "Memory Boundary": 10,
        "Memory Conflict": 8,
        "Multi-hop Inference": 3,
    },
}


@cache
def dataset(name: str) -> Dataset:
    return load_dataset(name, ROOT)


def questions(name: str) -> list[Question]:
    return [q for case in dataset(name).cases for q in case.questions]


@pytest.mark.parametrize("name", SIZES)
def test_counts_are_those_of_the_files(name: str) -> None:
    cases, asked = dataset(name).cases, questions(name)
    assert SIZES[name] == (
        len(cases),
        sum(len(c.turns) for c in cases),
        len(asked),
        sum(not q.gold.is_answerable for q in asked),
        sum(bool(q.gold.evidence) for q in asked),
        sum(bool(q.gold.sessions) for q in asked),
        sum(bool(q.gold.stale) for q in asked),
    )


@pytest.mark.parametrize("name", CATEGORIES)
def test_categories_are_those_of_the_files(name: str) -> None:
    assert Counter(q.category for q in questions(name)) == CATEGORIES[name]


def test_beam_has_twenty_questions_of_each_ability() -> None:
    counts = Counter(q.category for q in questions("beam100k"))
    assert (len(counts), set(counts.values())) == (10, {20})


def test_statebench_has_thirteen_tracks() -> None:
    counts = Counter(q.category for q in questions("statebench"))
    assert (len(counts), counts["supersession"], counts["brutal_realistic"]) == (13, 27, 54)
    assert sum(len(t.statements) for c in dataset("statebench").cases for t in c.turns) == 681


@pytest.mark.parametrize("name", SIZES)
def test_gold_names_only_turns_and_sessions_fed_before_the_question(name: str) -> None:
    for case in dataset(name).cases:
        fed = {turn.id: position for position, turn in enumerate(case.turns)}
        for question in case.questions:
            for gold in filter(None, (question.gold, question.audited)):
                assert all(fed[turn] < question.after for turn in _named(gold)), question.id
                assert gold.sessions <= _sessions(case, question.after), question.id


def _named(gold: Gold) -> set[str]:
    return {turn for member in gold.evidence for turn in member} | gold.stale | gold.fresh


def _sessions(case: Case, after: int) -> set[str]:
    return {turn.session for turn in case.turns[:after]}


@pytest.mark.parametrize("name", [n for n in SIZES if not n.startswith("statebench")])
def test_time_never_stands_still_or_goes_back(name: str) -> None:
    for case in dataset(name).cases:
        times = [turn.at for turn in case.turns]
        assert all(a < b for a, b in pairwise(times)), case.id


@pytest.mark.parametrize("name", SIZES)
def test_ids_of_questions_are_unique_in_their_set_and_no_text_is_empty(name: str) -> None:
    for case in dataset(name).cases:
        assert len({q.id for q in case.questions}) == len(case.questions)
        assert all(
            text.strip() for text in (*(t.text for t in case.turns), *(q.text for q in case.questions))
        )


def test_audit_of_locomo() -> None:
    asked = questions("locomo")
    assert sum(q.audited is not None for q in asked) == 85
    assert sum(q.is_disputed for q in asked) == 23


def test_one_longmemeval_instance_is_of_the_held_split() -> None:
    assert dataset("longmemeval").split == "held"
    with pytest.raises(DataMissing):
        load_dataset("longmemeval-dev", ROOT)


@pytest.mark.parametrize(("size", "single", "multi"), [("6k", 100, 96), ("32k", 98, 87)])
def test_code_reader_with_all_facts_is_right_wherever_the_key_keeps_the_sets_rule(
    size: str, single: int, multi: int
) -> None:
    assert _right_answers(f"factconsolidation-sh-{size}") == single
    assert _right_answers(f"factconsolidation-mh-{size}") == multi


def _right_answers(name: str) -> int:
    (case,) = dataset(name).cases
    found = [FoundFact(id=turn.id, text=turn.text) for turn in case.turns]
    return sum(answer(q.text, found) in q.gold.answers for q in case.questions)


@pytest.mark.parametrize("name", [n for n in SIZES if n.startswith("factconsolidation")])
def test_code_reader_needs_every_fact_of_the_chain(name: str) -> None:
    (case,) = dataset(name).cases
    texts = {turn.id: turn.text for turn in case.turns}
    for question in (q for q in case.questions if q.gold.evidence):
        chain = [turn for member in question.gold.evidence for turn in member]
        found = [FoundFact(id=turn, text=texts[turn]) for turn in chain]
        assert answer(question.text, found) in question.gold.answers, question.id
        for missing in found:
            rest = [f for f in found if f is not missing]
            assert answer(question.text, rest) not in question.gold.answers, question.id
