from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal

import pytest

from bench.datasets.longmemeval import IDS, load
from bench.errors import BenchError, DataChanged, DataMissing
from bench.model import Dataset, Gold
from tests.bench.datasets.conftest import Folder

FILE = "longmemeval/some.json.gz"


def say(text: str, **more: object) -> dict[str, object]:
    return {"role": "user", "content": text} | more


def instance(name: str = "q1", **change: object) -> dict[str, object]:
    return {
        "question_id": name,
        "question_type": "multi-session",
        "question": "How many?",
        "question_date": "2023/05/30 (Tue) 23:40",
        "answer": 3,
        "answer_session_ids": ["s1"],
        "haystack_dates": ["2023/05/21 (Sun) 02:21", "2023/05/20 (Sat) 02:21"],
        "haystack_session_ids": ["s2", "s1"],
        "haystack_sessions": [[say("Hm.")], [say("Three.", has_answer=True), say("So.", has_answer=False)]],
    } | change


def read(folder: Folder, *instances: object, split: Literal["dev", "held"] | None = None) -> Dataset:
    folder.write(FILE, instances)
    folder.write(IDS, {"dev": ["q1", "q3"], "held_out": ["q2"], "seed": 1, "dev_size": 2})
    return load(folder.root, split=split, hashes=folder.hashes)


def test_sessions_are_fed_by_date(folder: Folder) -> None:
    case = read(folder, instance()).cases[0]
    may = datetime(2023, 5, 20, 2, 21, tzinfo=UTC)
    assert [(t.id, t.session, t.text, t.at) for t in case.turns] == [
        ("s1:1", "s1", "Three.", may),
        ("s1:2", "s1", "So.", may.replace(second=1)),
        ("s2:1", "s2", "Hm.", may.replace(day=21)),
    ]


def test_question_comes_last_at_its_date(folder: Folder) -> None:
    (question,) = read(folder, instance()).cases[0].questions
    assert (question.id, question.category, question.after) == ("q1", "multi-session", 3)
    assert question.asked_at == datetime(2023, 5, 30, 23, 40, tzinfo=UTC)
    assert question.gold == Gold(evidence=(frozenset({"s1:1"}),), sessions=frozenset({"s1"}), answers=("3",))


def test_question_about_nothing_said_is_unanswerable(folder: Folder) -> None:
    assert read(folder, instance("q1_abs")).cases[0].questions[0].gold == Gold(is_answerable=False)


def test_session_that_comes_twice_is_told_apart(folder: Folder) -> None:
    twice = instance(haystack_session_ids=["s1", "s1"])
    assert [t.id for t in read(folder, twice).cases[0].turns] == ["s1:1", "s1:2", "s1#2:1"]


def test_set_is_held_as_soon_as_one_question_is(folder: Folder) -> None:
    assert read(folder, instance("q1")).split == "dev"
    data = read(folder, instance("q1"), instance("q2"), instance("q9"))
    assert data.split == "held"
    assert data.notes == ("questions by split: dev 1, held 1, no split 1",)


def test_one_split_can_be_taken_alone(folder: Folder) -> None:
    data = read(folder, instance("q1"), instance("q2"), instance("q9"), split="dev")
    assert (data.name, data.split, [c.id for c in data.cases]) == ("longmemeval-dev", "dev", ["q1"])


def test_split_without_a_question_is_missing_data(folder: Folder) -> None:
    with pytest.raises(DataMissing, match="split dev"):
        read(folder, instance("q2"), split="dev")


def test_full_file_needs_its_hash_beside_it(folder: Folder) -> None:
    read(folder, instance())
    folder.write("longmemeval/full.json", [instance(), instance("q2")])
    full = folder.hashes.pop("longmemeval/full.json")
    with pytest.raises(DataChanged, match=full):
        load(folder.root, hashes=folder.hashes)
    (folder.root / "longmemeval/full.json.sha256").write_text(full)
    assert [c.id for c in load(folder.root, hashes=folder.hashes).cases] == ["q1", "q2"]


def test_one_question_with_two_haystacks_is_an_error(folder: Folder) -> None:
    with pytest.raises(BenchError, match="one question with two haystacks"):
        read(folder, instance(), instance(question="Else?"))


@pytest.mark.parametrize(
    "change",
    [{"haystack_dates": []}, {"question_date": "soon"}, {"haystack_sessions": [{}, []]}, {"answer": None}],
)
def test_ill_formed_instance_is_an_error_with_its_place(folder: Folder, change: dict[str, object]) -> None:
    with pytest.raises(BenchError, match=r"some\.json\.gz\[0\]"):
        read(folder, instance() | change)
