from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bench.datasets.halumem import FILE, load, load_points
from bench.errors import BenchError
from bench.model import Dataset, Gold
from tests.bench.datasets.conftest import Folder

START, END = "Jan 05, 2030, 08:00:00", "Jan 05, 2030, 09:00:00"
LATER = "Feb 01, 2030, 09:00:00"


def point(
    index: int, text: str, *, at: str = END, replaces: list[str] | None = None, source: str = "secondary"
) -> object:
    return {
        "index": index,
        "memory_content": text,
        "memory_source": source,
        "is_update": "True" if replaces else "False",
        "original_memories": replaces or [],
        "timestamp": at,
    }


def message(role: str, text: str, at: str = START) -> object:
    return {"role": role, "content": text, "timestamp": at}


def question(kind: str, answer: str, *evidence: str) -> object:
    named = [{"memory_content": e} for e in evidence]
    return {"question": f"{kind}?", "answer": answer, "question_type": kind, "evidence": named}


FIRST = {
    "memory_points": [
        point(1, "Ida works as a baker in Bergen"),
        point(2, "Ida owns a grey cat"),
        point(3, "Ida owns a parrot", source="interference"),
    ],
    "dialogue": [message("user", "I bake."), message("assistant", "Nice.")],
    "questions": [
        question("Basic Fact Recall", "baker", "Ida works as a baker in Bergen"),
        question("Memory Boundary", "Unknown."),
    ],
}
SECOND = {
    "memory_points": [
        point(1, "Ida owns a white cat", at=LATER, replaces=["Ida owns a grey cat"]),
        point(
            2,
            "Ida works as a baker in Oslo",
            at=LATER,
            replaces=["[Jan 05][Event]Ida worked as a baker in Bergen"],
        ),
        point(3, "Ida sings", at=LATER, replaces=["Bo never danced at all"]),
        point(4, "Ida owns a black cat", at=LATER, replaces=["Ida owns a white cat"]),
    ],
    "dialogue": [message("user", "The cat is black.", LATER)],
}
THIRD = {
    "memory_points": [],
    "dialogue": [],
    "questions": [
        question("Dynamic Update", "black", "Ida owns a black cat", "Ida owns a grey cat", "No such")
    ],
}


def write(folder: Folder, *sessions: object, persona: str = "[Recorded] Name: Ida Moe; Age: 40") -> Folder:
    folder.write_lines(FILE, [{"uuid": "u1", "persona_info": persona, "sessions": sessions}])
    return folder


def points(folder: Folder, *sessions: object) -> Dataset:
    write(folder, *sessions)
    return load_points(folder.root, hashes=folder.hashes)


def dialogues(folder: Folder, *sessions: object) -> Dataset:
    write(folder, *sessions)
    return load(folder.root, hashes=folder.hashes)


def test_messages_are_turns_a_second_apart_if_they_have_one_time(folder: Folder) -> None:
    case = dialogues(folder, FIRST, SECOND).cases[0]
    assert (case.id, case.owner) == ("u1", "Ida Moe")
    assert [(t.id, t.session, t.role, t.text, t.at) for t in case.turns] == [
        ("s1:1", "s1", "user", "I bake.", datetime(2030, 1, 5, 8, tzinfo=UTC)),
        ("s1:2", "s1", "assistant", "Nice.", datetime(2030, 1, 5, 8, 0, 1, tzinfo=UTC)),
        ("s2:1", "s2", "user", "The cat is black.", datetime(2030, 2, 1, 9, tzinfo=UTC)),
    ]


def test_gold_of_dialogues_is_the_sessions_of_the_points(folder: Folder) -> None:
    data = dialogues(folder, FIRST, SECOND, THIRD)
    recall, boundary, update = data.cases[0].questions
    assert [q.after for q in data.cases[0].questions] == [2, 2, 3]
    assert recall.gold == Gold(sessions=frozenset({"s1"}), answers=("baker",))
    assert recall.asked_at == datetime(2030, 1, 5, 8, 1, 1, tzinfo=UTC)
    assert boundary.gold == Gold(is_answerable=False)
    assert update.gold.sessions == frozenset({"s1", "s2"})
    assert data.notes == ("1 questions are unanswerable", "1 of 4 evidence points are no memory point so far")


def test_points_are_turns_but_for_interference(folder: Folder) -> None:
    case = points(folder, FIRST).cases[0]
    assert [(t.id, t.session, t.role, t.text, t.at.second) for t in case.turns] == [
        ("s1:p1", "s1", "user", "Ida works as a baker in Bergen", 0),
        ("s1:p2", "s1", "user", "Ida owns a grey cat", 1),
    ]


def test_points_are_stale_once_an_update_quotes_them(folder: Folder) -> None:
    data = points(folder, FIRST, SECOND, THIRD)
    recall, _, update = data.cases[0].questions
    assert recall.gold == Gold(
        evidence=(frozenset({"s1:p1"}),), sessions=frozenset({"s1"}), answers=("baker",)
    )
    assert update.after == 6
    assert update.gold == Gold(
        evidence=(frozenset({"s2:p4"}), frozenset({"s1:p2"})),
        sessions=frozenset({"s1", "s2"}),
        answers=("black",),
        stale=frozenset({"s1:p1", "s1:p2", "s2:p1"}),
        fresh=frozenset({"s2:p2", "s2:p4"}),
    )


def test_notes_count_how_superseded_points_were_found(folder: Folder) -> None:
    assert points(folder, FIRST, SECOND, THIRD).notes == (
        "1 interference points are left out",
        "superseded points: 2 found by their text, 1 by shared words, 1 not found",
        "1 questions have evidence that is superseded when they are asked",
        "1 questions are unanswerable",
        "1 of 4 evidence points are no memory point so far",
    )


def test_unanswerable_question_keeps_what_is_stale(folder: Folder) -> None:
    asked = {"memory_points": [], "dialogue": [], "questions": [question("Memory Boundary", "Unknown.")]}
    gold = points(folder, FIRST, SECOND, asked).cases[0].questions[-1].gold
    assert (gold.is_answerable, len(gold.stale), gold.answers) == (False, 3, ())


def test_time_in_another_form_is_an_error_with_its_place(folder: Folder) -> None:
    bad = {"memory_points": [], "dialogue": [message("user", "Hi.", "2030-01-05")]}
    with pytest.raises(BenchError, match=r"sessions\[0\]\.dialogue\[0\]\.timestamp: is no time"):
        dialogues(folder, bad)


def test_persona_without_a_name_is_an_error(folder: Folder) -> None:
    write(folder, persona="Age: 40")
    with pytest.raises(BenchError, match="who the user is"):
        load(folder.root, hashes=folder.hashes)


def test_question_before_anything_was_said_is_an_error(folder: Folder) -> None:
    with pytest.raises(BenchError, match="before anything was said"):
        dialogues(folder, THIRD)
