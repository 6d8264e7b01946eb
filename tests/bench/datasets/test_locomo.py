from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bench.datasets.locomo import AUDIT, CONVERSATIONS, load
from bench.errors import BenchError
from bench.model import Dataset, Gold, Question, Turn
from tests.bench.datasets.conftest import Folder

JUNE = datetime(2022, 6, 3, 17, 5, tzinfo=UTC)
CONVERSATION = {
    "speaker_a": "Ida",
    "speaker_b": "Bo",
    "session_1_date_time": "5:05 pm on 3 June, 2022",
    "session_1": [
        {"speaker": "Ida", "dia_id": "D1:1", "text": "I bought a kayak."},
        {"speaker": "Bo", "dia_id": "D1:2", "text": "Look!", "blip_caption": "a red canoe"},
    ],
    "session_2_date_time": "12:00 am on 4 June, 2022",
    "session_2": [{"speaker": "Bo", "dia_id": "D2:1", "text": "Mine leaks."}],
    "session_3_date_time": "1:00 pm on 9 June, 2022",
}
QA = [
    {"question": "What did Ida buy?", "answer": "a kayak", "evidence": ["D1:1"], "category": 4},
    {
        "question": "Whose boats?",
        "answer": 2,
        "evidence": ["D1:1; D:1:02", "D02:01", "D9:9", "D"],
        "category": 1,
    },
    {"question": "Why does Ida swim?", "adversarial_answer": "fun", "evidence": ["D1:1"], "category": 5},
    {"question": "When did it leak?", "answer": "May", "evidence": [], "category": 2},
]
FAULT = {
    "question_id": "locomo_0_qa3",
    "question": "When did it leak?",
    "error_type": "TEMPORAL_ERROR",
    "correct_evidence": ["D2:1"],
    "correct_answer": "June",
}


def read(folder: Folder, qa: object = QA, audit: object = (), conversation: object = CONVERSATION) -> Dataset:
    folder.write(CONVERSATIONS, [{"sample_id": "conv-1", "qa": qa, "conversation": conversation}])
    folder.write(AUDIT, audit)
    return load(folder.root, hashes=folder.hashes)


def questions(folder: Folder, audit: object = ()) -> tuple[Question, ...]:
    return read(folder, audit=audit).cases[0].questions


def test_turns_have_the_sessions_time_and_a_second_each(folder: Folder) -> None:
    case = read(folder).cases[0]
    second, midnight = timedelta(seconds=1), datetime(2022, 6, 4, tzinfo=UTC)
    assert (case.id, case.owner) == ("conv-1", "Ida")
    picture = "Look! [shares a picture: a red canoe]"
    rows = [
        ("D1:1", "session_1", "Ida", "I bought a kayak.", JUNE),
        ("D1:2", "session_1", "Bo", picture, JUNE + second),
        ("D2:1", "session_2", "Bo", "Mine leaks.", midnight),
    ]
    assert case.turns == tuple(
        Turn(id=id, session=session, speaker=speaker, role="user", text=text, at=at)
        for id, session, speaker, text, at in rows
    )


def test_questions_come_a_minute_after_all_turns(folder: Folder) -> None:
    asked = questions(folder)
    assert {q.after for q in asked} == {3}
    assert {q.asked_at for q in asked} == {datetime(2022, 6, 4, 0, 1, tzinfo=UTC)}
    assert [q.category for q in asked] == ["single-hop", "multi-hop", "adversarial", "temporal"]
    assert [q.id for q in asked] == ["conv-1-q0", "conv-1-q1", "conv-1-q2", "conv-1-q3"]


def test_joined_evidence_ids_are_taken_apart_and_those_of_no_turn_dropped(folder: Folder) -> None:
    data = read(folder)
    assert data.cases[0].questions[1].gold == Gold(
        evidence=(frozenset({"D1:1"}), frozenset({"D1:2"}), frozenset({"D2:1"})),
        sessions=frozenset({"session_1", "session_2"}),
        answers=("2",),
    )
    assert data.notes[:2] == (
        "2 evidence ids name no turn and are left out",
        "1 answerable questions have no evidence",
    )


def test_adversarial_question_has_no_answer_and_no_evidence(folder: Folder) -> None:
    assert questions(folder)[2].gold == Gold(is_answerable=False)


def test_audited_gold_stands_beside_the_published(folder: Folder) -> None:
    asked = questions(folder, [FAULT])[3]
    assert asked.gold.answers == ("May",)
    assert asked.audited == Gold(
        evidence=(frozenset({"D2:1"}),), sessions=frozenset({"session_2"}), answers=("June",)
    )
    assert not asked.is_disputed
    assert questions(folder)[3].audited is None


@pytest.mark.parametrize(
    ("kind", "answer", "is_disputed"),
    [
        ("WRONG_CITATION", "June", False),
        ("HALLUCINATION", "June", False),
        ("HALLUCINATION", "Cannot be determined from the dialogue.", True),
        ("INCOMPLETE", "June", False),
        ("ATTRIBUTION_ERROR", "June", True),
        ("AMBIGUOUS", "June", True),
    ],
)
def test_question_is_disputed_if_the_fault_is_its_own(
    folder: Folder, kind: str, answer: str, is_disputed: bool
) -> None:
    fault = FAULT | {"error_type": kind, "correct_answer": answer}
    assert questions(folder, [fault])[3].is_disputed is is_disputed


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"question": "When?"}, "another text"),
        ({"error_type": "TYPO"}, "kind of error"),
        ({"question_id": "conv-1-3"}, "question id of another form"),
        ({"question_id": "locomo_7_qa0"}, "1 faults are of no question"),
    ],
)
def test_audit_that_does_not_fit_is_an_error(folder: Folder, change: dict[str, str], problem: str) -> None:
    with pytest.raises(BenchError, match=problem):
        read(folder, audit=[FAULT | change])


@pytest.mark.parametrize(
    "conversation",
    [
        {},
        {"session_1": [{"text": "Hi."}]},
        CONVERSATION | {"session_1_date_time": "noon"},
        CONVERSATION | {"session_1": [{"dia_id": "D1:1"}]},
        CONVERSATION | {"session_1": [{"dia_id": "D1:1", "text": "a"}, {"dia_id": "D1:1", "text": "b"}]},
    ],
)
def test_ill_formed_conversation_is_an_error_with_its_place(
    folder: Folder, conversation: dict[str, object]
) -> None:
    with pytest.raises(BenchError, match=r"locomo-dev5\.json\[0\]"):
        read(folder, conversation=conversation)


def test_unknown_category_is_an_error(folder: Folder) -> None:
    with pytest.raises(BenchError, match="category"):
        read(folder, qa=[QA[0] | {"category": 6}])
