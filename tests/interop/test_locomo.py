"""Files in the shape of LoCoMo: sessions with dates, turns with ids, captions of pictures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from perdure.errors import InvalidInput
from perdure.interop.conversations import Imported
from perdure.interop.files import read_file

Turn = dict[str, object]


def sample(**changes: object) -> dict[str, object]:
    conversation: dict[str, object] = {
        "speaker_a": "Ines",
        "speaker_b": "Tomas",
        "session_2_date_time": "12:05 am on 1 June, 2024",
        "session_2": [{"speaker": "Tomas", "dia_id": "D2:1", "text": "I sold the kiln."}],
        "session_1_date_time": "1:30 pm on 4 March, 2024",
        "session_1": [
            {"speaker": "Ines", "dia_id": "D1:1", "text": "The hives came today."},
            {
                "speaker": "Tomas",
                "dia_id": "D1:2",
                "text": "Show me.",
                "blip_caption": "a photo of four wooden hives",
                "img_url": ["https://pictures.example/1"],
            },
        ],
    }
    return {"sample_id": "talk-1", "conversation": conversation | changes, "qa": []}


def read(tmp_path: Path, value: object, *, skip_bad: bool = False) -> Imported:
    file = tmp_path / "set.json"
    file.write_text(json.dumps(value), encoding="utf-8")
    return read_file(file, skip_bad=skip_bad)


def of(read: Imported, key: str) -> list[object]:
    return [m[key] for c in read.conversations for m in c.messages]


def test_sessions_come_by_number_with_their_times_ids_and_speakers(tmp_path: Path) -> None:
    found = read(tmp_path, [sample()])
    assert found.format == "locomo"
    assert of(found, "id") == ["D1:1", "D1:2", "D2:1"]
    assert of(found, "name") == ["Ines", "Tomas", "Tomas"]
    assert of(found, "session") == ["session_1", "session_1", "session_2"]
    assert of(found, "timestamp") == ["2024-03-04T13:30:00+00:00"] * 2 + ["2024-06-01T00:05:00+00:00"]


def test_session_ten_comes_after_session_nine(tmp_path: Path) -> None:
    more = {f"session_{n}": [{"speaker": "Ines", "dia_id": f"D{n}:1", "text": "Hi"}] for n in (10, 9)}
    assert of(read(tmp_path, sample(**more)), "id") == ["D1:1", "D1:2", "D2:1", "D9:1", "D10:1"]


def test_a_picture_is_told_in_words(tmp_path: Path) -> None:
    assert (
        of(read(tmp_path, sample()), "content")[1]
        == "Show me. [shares a picture: a photo of four wooden hives]"
    )


def test_a_picture_without_words_is_a_message(tmp_path: Path) -> None:
    turn: Turn = {"speaker": "Ines", "dia_id": "D2:1", "blip_caption": "a jar of honey"}
    assert of(read(tmp_path, sample(session_2=[turn])), "content")[-1] == "[shares a picture: a jar of honey]"


def test_what_is_missing_is_not_invented(tmp_path: Path) -> None:
    found = read(tmp_path, sample(session_2=[{"text": "Hi"}], session_2_date_time=None))
    last = found.conversations[0].messages[-1]
    assert (last["name"], last["timestamp"], last["id"]) == (None, None, "session_2#0")


def test_a_dated_session_without_turns_gives_nothing(tmp_path: Path) -> None:
    assert of(read(tmp_path, sample(session_2=None)), "id") == ["D1:1", "D1:2"]


def test_a_sample_without_an_id_is_numbered(tmp_path: Path) -> None:
    nameless = {k: v for k, v in sample().items() if k != "sample_id"}
    assert [c.name for c in read(tmp_path, [sample(), nameless]).conversations] == ["talk-1", "sample-1"]


@pytest.mark.parametrize("turn", [{"speaker": "Ines", "text": "  "}, "no turn at all", 7])
def test_a_turn_without_words_is_refused_by_its_place(tmp_path: Path, turn: object) -> None:
    with pytest.raises(InvalidInput, match="talk-1, session_2, turn 0: has no text"):
        read(tmp_path, sample(session_2=[turn]))


@pytest.mark.parametrize(
    "date", ["13:05 pm on 1 June, 2024", "1:05 pm on 31 June, 2024", "1:05 pm on 1 Juno, 2024", "yesterday"]
)
def test_a_date_that_cannot_be_read_is_refused_by_its_place(tmp_path: Path, date: str) -> None:
    with pytest.raises(InvalidInput, match="talk-1, session_2: has a date that cannot be read"):
        read(tmp_path, sample(session_2_date_time=date))


def test_skipping_keeps_the_words_without_the_date(tmp_path: Path) -> None:
    found = read(tmp_path, sample(session_2_date_time="someday"), skip_bad=True)
    assert of(found, "timestamp")[-1] is None
    assert found.problems == ("talk-1, session_2: has a date that cannot be read",)


def test_batches_hold_one_session_and_no_more_than_asked(tmp_path: Path) -> None:
    talk = read(tmp_path, sample()).conversations[0]
    assert [[m["id"] for m in batch] for batch in talk.batches(40)] == [["D1:1", "D1:2"], ["D2:1"]]
    assert [len(batch) for batch in talk.batches(1)] == [1, 1, 1]
