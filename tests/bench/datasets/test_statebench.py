from __future__ import annotations

from datetime import UTC, datetime
from typing import TypeAlias

import pytest

from bench.datasets.statebench import load
from bench.errors import BenchError
from bench.model import Case, Dataset, Gold, Statement
from tests.bench.datasets.conftest import Folder

Event: TypeAlias = dict[str, object]
DAY = "2025-03-01T"


def say(minute: str, text: str, speaker: str = "user") -> Event:
    return {"ts": f"{DAY}{minute}", "type": "conversation_turn", "speaker": speaker, "text": text}


def write(minute: str, key: str, value: str, supersedes: str | None = None) -> Event:
    entry = {"id": f"ID-{key}", "key": key, "value": value, "supersedes": supersedes}
    return {
        "ts": f"{DAY}{minute}",
        "type": "supersession" if supersedes else "state_write",
        "writes": [entry],
    }


def ask(minute: str) -> Event:
    truth = {"decision": "wait", "must_mention": ["Monday"], "must_not_mention": ["Friday"]}
    return {"ts": f"{DAY}{minute}", "type": "query", "prompt": "When?", "ground_truth": truth}


def read(
    folder: Folder, *events: Event, facts: object = (), working: object = (), **environment: str
) -> Dataset:
    state = {
        "identity_role": {"user_name": "Ida"},
        "persistent_facts": facts,
        "working_set": working,
        "environment": {"now": f"{DAY}08:00:00", **environment},
    }
    timeline = {"id": "S1", "track": "causality", "initial_state": state, "events": events}
    folder.write_lines("statebench/dev.jsonl.gz", [timeline])
    return load(folder.root, part="dev", hashes=folder.hashes)


def values(case: Case) -> dict[str, list[str | None]]:
    return {t.id: [s.value for s in t.statements] for t in case.turns if t.statements}


def test_turns_queries_and_gold(folder: Folder) -> None:
    case = read(folder, say("09:00:00", "Hi."), ask("09:01:00"), say("09:02:00", "Ok.", "assistant")).cases[0]
    assert (case.id, case.owner) == ("S1", "Ida")
    assert [(t.id, t.role, t.session) for t in case.turns] == [
        ("t1", "user", "talk"),
        ("t2", "assistant", "talk"),
    ]
    (question,) = case.questions
    assert (question.after, question.category, question.text) == (1, "causality", "When?")
    assert question.asked_at == datetime(2025, 3, 1, 9, 1, tzinfo=UTC)
    assert question.gold == Gold(answers=("wait",), must_show=("Monday",), must_not_show=("Friday",))


def test_queries_keep_the_order_of_the_file_where_times_go_back(folder: Folder) -> None:
    case = read(folder, say("09:05:00", "A."), say("09:01:00", "B."), ask("09:03:00"), ask("09:02:00")).cases[
        0
    ]
    assert [q.after for q in case.questions] == [2, 2]
    assert [t.at.minute for t in case.turns] == [5, 1]


def test_initial_state_is_told_first(folder: Folder) -> None:
    fact = {"id": "F1", "key": "unit_limit", "value": "5 units", "ts": f"{DAY}07:00:00", "supersedes": None}
    item = {"content": "What if ten?", "ts": f"{DAY}07:00:00"}
    case = read(folder, ask("09:00:00"), facts=[fact], working=[item], calendar="Fair at noon").cases[0]
    assert [(t.id, t.session, t.text, t.at.hour, t.at.second) for t in case.turns] == [
        ("init-1", "initial", "unit limit: 5 units", 7, 0),
        ("init-2", "initial", "What if ten?", 7, 1),
        ("init-3", "initial", "calendar: Fair at noon", 8, 0),
    ]
    assert values(case) == {"init-1": ["5 units"], "init-3": ["Fair at noon"]}


def test_write_is_a_statement_on_the_turn_that_it_follows(folder: Folder) -> None:
    case = read(
        folder, say("09:00:00", "Ten."), write("09:00:30", "unit_limit", "10"), say("09:05:00", "Ok.")
    )
    assert case.cases[0].turns[0].statements == (
        Statement(
            text="unit limit: 10",
            subject="unit limit",
            attribute="unit_limit",
            value="10",
            cardinality="single",
        ),
    )


@pytest.mark.parametrize("superseded", ["limit", "ID-limit"])
def test_superseding_write_is_of_the_slot_that_it_supersedes(folder: Folder, superseded: str) -> None:
    events = [
        say("09:00:00", "Ten."),
        write("09:00:00", "limit", "10"),
        say("09:05:00", "Twelve."),
        write("09:05:00", "limit_v2", "12", superseded),
        say("09:06:00", "Fifteen."),
        write("09:06:00", "limit_v3", "15", "limit_v2"),
    ]
    case = read(folder, *events).cases[0]
    assert [s.attribute for t in case.turns for s in t.statements] == ["limit", "limit", "limit"]
    assert values(case) == {"t1": ["10"], "t2": ["12"], "t3": ["15"]}


def test_write_that_comes_before_what_says_it_is_on_the_later_turn(folder: Folder) -> None:
    events = [say("09:00:00", "Ten."), write("09:29:30", "limit", "a dozen"), say("09:30:00", "Twelve.")]
    assert values(read(folder, *events).cases[0]) == {"t2": ["a dozen"]}


def test_write_listed_after_the_turn_that_overturned_it_is_on_the_earlier_turn(folder: Folder) -> None:
    events = [say("09:02:00", "Ten."), say("09:08:00", "No, twelve."), write("09:01:00", "limit", "X")]
    assert values(read(folder, *events).cases[0]) == {"t1": ["X"]}


def test_turn_with_the_values_words_is_nearer_than_any_other(folder: Folder) -> None:
    events = [say("09:02:00", "Red."), say("09:08:00", "Make it Blue."), write("09:02:00", "tint", "blue")]
    assert values(read(folder, *events).cases[0]) == {"t2": ["blue"]}


def test_write_does_not_move_across_a_query(folder: Folder) -> None:
    events = [
        say("09:00:00", "Red."),
        write("09:09:00", "tint", "blue"),
        ask("09:09:30"),
        say("09:09:00", "Blue."),
    ]
    assert values(read(folder, *events).cases[0]) == {"t1": ["blue"]}


def test_notes_count_queries_by_track(folder: Folder) -> None:
    data = read(folder, say("09:00:00", "Hi."), ask("09:01:00"))
    assert data.notes == (
        "queries by track: causality 1",
        "0 statements on turns, for systems that are given the extraction",
    )


def test_unknown_event_is_an_error_with_its_line(folder: Folder) -> None:
    with pytest.raises(BenchError, match=r"line 1\.events\[0\]: is an event"):
        read(folder, {"ts": f"{DAY}09:00:00", "type": "dance"})


def test_write_without_a_turn_is_an_error(folder: Folder) -> None:
    with pytest.raises(BenchError, match="no turn says"):
        read(folder, write("09:00:00", "limit", "10"))
