from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bench.datasets.beam import DISPUTED, load
from bench.errors import BenchError
from bench.model import Dataset, Gold
from tests.bench.datasets.conftest import Folder


def message(id: int, text: str, *, role: str = "user", day: str | None = None) -> dict[str, object]:
    return {"id": id, "role": role, "content": text} | ({"time_anchor": day} if day else {})


CHAT = [
    {
        "batch_number": 1,
        "turns": [
            [
                message(0, "I plan a shed. ->-> 1,1", day="March-15-2024"),
                message(1, "Good.", role="assistant"),
            ],
            [message(2, "It is ->-> red. ->-> 1,N/A"), message(3, "No, blue.", day="April-01-2024")],
        ],
    },
    {"batch_number": 2, "turns": [[message(4, "Done.")]]},
]


def read(folder: Folder, questions: object, *, chat: object = CHAT, disputed: str = "") -> Dataset:
    folder.write("beam100k/1.chat.json.gz", chat)
    folder.write("beam100k/1.questions.json.gz", questions)
    folder.write(DISPUTED, disputed)
    return load(folder.root, hashes=folder.hashes)


def gold(folder: Folder, ability: str, sources: object, **answer: str) -> Gold:
    asked = {"question": "Which?", "source_chat_ids": sources, **answer}
    return read(folder, {ability: [asked]}).cases[0].questions[0].gold


def test_messages_lose_their_marker_and_keep_a_day_until_the_next(folder: Folder) -> None:
    case = read(folder, {}).cases[0]
    march, april = datetime(2024, 3, 15, tzinfo=UTC), datetime(2024, 4, 1, tzinfo=UTC)
    assert [(t.id, t.session, t.role, t.text, t.at) for t in case.turns] == [
        ("0", "1.1", "user", "I plan a shed.", march),
        ("1", "1.1", "assistant", "Good.", march.replace(second=1)),
        ("2", "1.1", "user", "It is ->-> red.", march.replace(second=2)),
        ("3", "1.2", "user", "No, blue.", april),
        ("4", "2", "user", "Done.", april.replace(second=1)),
    ]


def test_questions_of_every_ability_come_last(folder: Folder) -> None:
    asked = [{"question": "A?", "source_chat_ids": [0]}, {"question": "B?", "source_chat_ids": [2]}]
    case = read(folder, {"summarization": asked}).cases[0]
    assert [(q.id, q.category, q.after) for q in case.questions] == [
        ("1-summarization-1", "summarization", 5),
        ("1-summarization-2", "summarization", 5),
    ]
    assert {q.asked_at for q in case.questions} == {datetime(2024, 4, 1, 0, 1, 1, tzinfo=UTC)}


@pytest.mark.parametrize("sources", [[0, 2, 0], [[0], [2]], {"first_event": [0], "second_event": [[2]]}])
def test_every_source_id_is_a_member_of_its_own(folder: Folder, sources: object) -> None:
    assert gold(folder, "temporal_reasoning", sources, answer="Two weeks") == Gold(
        evidence=(frozenset({"0"}), frozenset({"2"})), sessions=frozenset({"1.1"}), answers=("Two weeks",)
    )


def test_update_makes_the_original_stale(folder: Folder) -> None:
    found = gold(folder, "knowledge_update", {"original_info": [2], "updated_info": [3]}, answer="blue")
    assert (found.stale, found.fresh) == (frozenset({"2"}), frozenset({"3"}))
    assert found.evidence == (frozenset({"2"}), frozenset({"3"}))


def test_turn_that_is_original_and_update_is_not_stale(folder: Folder) -> None:
    found = gold(folder, "knowledge_update", {"original_info": [2, 3], "updated_info": [3]})
    assert (found.stale, found.fresh) == (frozenset({"2"}), frozenset({"3"}))


def test_abstention_is_unanswerable(folder: Folder) -> None:
    questions = {"abstention": [{"question": "Who?", "ideal_response": "Nothing says."}]}
    assert read(folder, questions).cases[0].questions[0].gold == Gold(is_answerable=False)


@pytest.mark.parametrize(
    ("key", "answers"), [("ideal_answer", ("x",)), ("ideal_summary", ("x",)), ("rubric", ())]
)
def test_answers_have_several_names(folder: Folder, key: str, answers: tuple[str, ...]) -> None:
    assert gold(folder, "summarization", [0], **{key: "x"}).answers == answers


def test_disputed_questions_are_known_by_their_text(folder: Folder) -> None:
    asked = [{"question": q, "source_chat_ids": [0]} for q in ("A?", "B?")]
    data = read(folder, {"summarization": asked}, disputed='{"question": "B?"},\n{"question": "Z?"},\n')
    assert [q.is_disputed for q in data.cases[0].questions] == [False, True]
    assert data.notes[0] == "1 of 2 disputed questions are asked in these chats"


def test_notes_count_what_is_missing(folder: Folder) -> None:
    asked = [
        {"question": "A?", "source_chat_ids": [99]},
        {"question": "B?", "source_chat_ids": {"original_info": [3], "updated_info": [3]}},
    ]
    assert read(folder, {"knowledge_update": asked[1:], "summarization": asked[:1]}).notes[1:] == (
        "1 evidence ids name no message and are left out",
        "1 updates have a turn that is both original and updated; it is fresh",
        "1 answerable questions have no evidence",
    )


@pytest.mark.parametrize(
    ("first", "problem"),
    [
        (message(0, "Hi."), "before any day"),
        (message(0, "Hi.", day="15 March"), "time_anchor: is no time as"),
        (message(0, "Hi.", day="Smarch-15-2024"), "time_anchor: is no time that exists"),
        (message(0, "Hi.", role="owl", day="March-15-2024"), "no role"),
    ],
)
def test_ill_formed_message_is_an_error(folder: Folder, first: object, problem: str) -> None:
    with pytest.raises(BenchError, match=problem):
        read(folder, {}, chat=[{"batch_number": 1, "turns": [[first]]}])


def test_chats_are_in_the_order_of_their_numbers(folder: Folder) -> None:
    for number in ("10", "2"):
        folder.write(f"beam100k/{number}.chat.json.gz", CHAT)
        folder.write(f"beam100k/{number}.questions.json.gz", {})
    assert [c.id for c in read(folder, {}).cases] == ["1", "2", "10"]
