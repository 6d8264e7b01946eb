from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bench.datasets.factconsolidation import load
from bench.errors import BenchError
from bench.model import Dataset, Gold, Turn
from tests.bench.datasets.conftest import Folder

CONTEXT = """Facts:
0. The author of The Fjord is Al.
1. Al is a citizen of Peru.
2. The author of The Fjord is Ida.
3. Ida is a citizen of Chile.
4. Ida is a citizen of Norway.
5. Ida sails.
"""


def read(
    folder: Folder, questions: object, answers: object, *, hops: str = "sh", context: str = CONTEXT
) -> Dataset:
    ids = [f"no{n}" for n in range(2)]
    source = {
        "context": context,
        "questions": questions,
        "answers": answers,
        "metadata": {"qa_pair_ids": ids},
    }
    folder.write(f"factconsolidation/factconsolidation_{hops}_6k.json", source)
    return load(folder.root, hops=hops, size="6k", hashes=folder.hashes)


WHO, WHERE = "Who is the author of The Fjord?", "What is the country of citizenship of Ida?"


def test_each_fact_is_a_turn_without_its_number(folder: Folder) -> None:
    case = read(folder, [WHO, WHERE], [["Ida"], ["Norway"]]).cases[0]
    assert len(case.turns) == 6
    assert case.turns[1] == Turn(
        id="1",
        session="facts",
        speaker=None,
        role="user",
        text="Al is a citizen of Peru.",
        at=datetime(2024, 1, 1, 0, 1, tzinfo=UTC),
    )


def test_gold_of_a_single_hop_is_the_newest_fact_of_its_slot(folder: Folder) -> None:
    data = read(folder, [WHO, WHERE], [["Ida"], ["Norway"]])
    first, second = data.cases[0].questions
    assert (first.id, first.category, first.after) == ("no0", "single-hop", 6)
    assert first.asked_at == datetime(2024, 1, 1, 0, 6, tzinfo=UTC)
    assert first.gold == Gold(
        evidence=(frozenset({"2"}),),
        sessions=frozenset({"facts"}),
        answers=("Ida",),
        stale=frozenset({"0"}),
        fresh=frozenset({"2"}),
    )
    assert (second.gold.stale, second.gold.fresh) == (frozenset({"3"}), frozenset({"4"}))


def test_gold_of_a_multi_hop_is_the_chain_of_newest_facts(folder: Folder) -> None:
    asked = "The author of The Fjord is a citizen of which country?"
    question = read(folder, [asked, WHO], [["Norway"], ["Ida"]], hops="mh").cases[0].questions[0]
    assert question.category == "multi-hop"
    assert question.gold == Gold(
        evidence=(frozenset({"2"}), frozenset({"4"})),
        sessions=frozenset({"facts"}),
        answers=("Norway",),
        stale=frozenset({"0", "3"}),
        fresh=frozenset({"2", "4"}),
    )


def test_answer_that_newest_facts_do_not_give_has_no_evidence_and_is_counted(folder: Folder) -> None:
    data = read(folder, [WHO, WHERE], [["Al"], ["Norway"]])
    assert data.cases[0].questions[0].gold == Gold(answers=("Al",))
    assert data.notes == (
        "1 of 6 facts are of no sentence that is known",
        "1 of 2 questions have an answer to which the newest facts do not lead; they have no evidence",
    )


def test_name_tells_hops_and_size(folder: Folder) -> None:
    assert read(folder, [WHO, WHERE], [["Ida"], ["Norway"]]).name == "factconsolidation-sh-6k"


def test_line_without_a_number_is_an_error(folder: Folder) -> None:
    with pytest.raises(BenchError, match="no numbered fact"):
        read(folder, [WHO, WHERE], [["Ida"], ["Norway"]], context="Facts:\nIda sails.")


def test_fewer_answers_than_questions_are_an_error(folder: Folder) -> None:
    with pytest.raises(BenchError, match="as many answers"):
        read(folder, [WHO, WHERE], [["Ida"]])
