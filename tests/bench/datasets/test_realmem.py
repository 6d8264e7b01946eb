from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bench.datasets.realmem import load
from bench.errors import BenchError
from bench.model import Dataset, Gold
from tests.bench.datasets.conftest import Folder

NAME = "realmem/Ida_Moe.json.gz"


def say(speaker: str, text: str, **more: object) -> dict[str, object]:
    return {"speaker": speaker, "content": text, "is_query": False, "query_id": None} | more


def ask(text: str, id: str) -> dict[str, object]:
    return say("User", text, is_query=True, query_id=id, category_name="Dynamic Updating")


def reply(*used: tuple[str, str]) -> dict[str, object]:
    memories = [{"session_uuid": session, "content": text} for session, text in used]
    return say("Assistant", "Here.", memory_used=memories, memory_session_uuids=[s for s, _ in used])


def dialogue(session: str, day: str, *turns: object, **memories: str) -> dict[str, object]:
    extracted = [{"content": text, "source_content_snapshot": source} for text, source in memories.items()]
    return {
        "session_uuid": session,
        "current_time": day,
        "dialogue_turns": turns,
        "extracted_memory": extracted,
    }


FIRST = dialogue(
    "aa", "2025-12-01 (Monday)", say("User", "I run."), say("Assistant", "Far?"), runs="I run.", old="?"
)
BACK = dialogue("bb", "2025-11-30 (Sunday)", say("User", "Ten km."), say("Assistant", " "), km="Ten km.")


def read(folder: Folder, *dialogues: object) -> Dataset:
    folder.write(NAME, {"_metadata": {"person_name": "Ida_Moe"}, "dialogues": dialogues})
    return load(folder.root, hashes=folder.hashes)


def test_turns_are_in_the_order_of_the_file_and_time_never_goes_back(folder: Folder) -> None:
    data = read(folder, FIRST, BACK)
    case = data.cases[0]
    assert (case.id, case.owner) == ("Ida_Moe", "Ida Moe")
    assert [(t.id, t.session, t.role, t.text, t.at) for t in case.turns] == [
        ("aa:1", "aa", "user", "I run.", datetime(2025, 12, 1, tzinfo=UTC)),
        ("aa:2", "aa", "assistant", "Far?", datetime(2025, 12, 1, 0, 0, 1, tzinfo=UTC)),
        ("bb:1", "bb", "user", "Ten km.", datetime(2025, 12, 1, 0, 0, 2, tzinfo=UTC)),
    ]
    assert data.notes[3:] == (
        "1 empty turns are left out",
        "1 sessions are dated before the one that they follow",
    )


def test_query_is_asked_before_its_turn_is_fed(folder: Folder) -> None:
    asking = dialogue("cc", "2025-12-03", say("User", "Hm."), ask("How far?", "Q1"), reply(("bb", "km")))
    case = read(folder, FIRST, BACK, asking).cases[0]
    (question,) = case.questions
    assert (question.id, question.text, question.category) == ("Q1", "How far?", "Dynamic Updating")
    assert case.turns[question.after].text == "How far?"
    assert question.asked_at == datetime(2025, 12, 3, 0, 1, tzinfo=UTC)


def test_gold_is_the_sessions_before_and_the_turns_that_memories_are_from(folder: Folder) -> None:
    used = reply(("bb", "km"), ("aa", "runs"), ("aa", "old"), ("cc", "own"), ("zz", "never"))
    asking = dialogue("cc", "2025-12-03", say("User", "Hm."), ask("How far?", "Q1"), used, own="Hm.")
    data = read(folder, FIRST, BACK, asking)
    assert data.cases[0].questions[0].gold == Gold(
        evidence=(frozenset({"bb:1"}), frozenset({"aa:1"})), sessions=frozenset({"aa", "bb"})
    )
    assert data.notes[:3] == (
        "0 queries have no gold session before them and are left out",
        "2 gold sessions are not before their query and do not count",
        "1 of 3 memories used are from no turn that is found",
    )


@pytest.mark.parametrize("answer", [[], [say("Assistant", "Yes.")], [reply(("cc", "own"))]])
def test_query_without_a_gold_session_before_it_is_left_out_and_counted(
    folder: Folder, answer: list[object]
) -> None:
    data = read(folder, FIRST, dialogue("cc", "2025-12-03", ask("How far?", "Q1"), *answer))
    assert data.question_count == 0
    assert data.notes[0] == "1 queries have no gold session before them and are left out"


def test_turn_without_a_speaker_is_an_error_with_its_place(folder: Folder) -> None:
    bad = dialogue("aa", "2025-12-01", {"content": "Hi.", "is_query": False})
    with pytest.raises(BenchError, match=r"Ida_Moe\.json\.gz\.dialogues\[0\].*has no 'speaker'"):
        read(folder, bad)


def test_two_sessions_of_one_id_are_an_error(folder: Folder) -> None:
    with pytest.raises(BenchError, match="two turns have one id"):
        read(folder, FIRST, FIRST)
