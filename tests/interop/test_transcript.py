"""Plain transcripts: who speaks, when, and which lines go on with the message before."""

from __future__ import annotations

from pathlib import Path

import pytest

from perdure.errors import InvalidInput
from perdure.interop.conversations import Imported
from perdure.interop.files import read_file


def read(tmp_path: Path, text: str, *, skip_bad: bool = False) -> Imported:
    file = tmp_path / "talk.txt"
    file.write_text(text, encoding="utf-8", newline="")
    return read_file(file, skip_bad=skip_bad)


def turns(read: Imported) -> list[tuple[object, object]]:
    return [(m["name"] or m["role"], m["content"]) for m in read.conversations[0].messages]


def times(read: Imported) -> list[object]:
    return [m["timestamp"] for m in read.conversations[0].messages]


def test_each_line_with_a_name_is_a_message(tmp_path: Path) -> None:
    found = read(tmp_path, "Ana: I keep bees.\r\nDr. Lee: How many hives?\r\n")
    assert (found.format, turns(found)) == (
        "text",
        [("Ana", "I keep bees."), ("Dr. Lee", "How many hives?")],
    )


def test_roles_are_roles(tmp_path: Path) -> None:
    found = read(tmp_path, "Human: Hi\nAssistant: Ho\nUser: Bye\n")
    assert [m["role"] for m in found.conversations[0].messages] == ["user", "assistant", "user"]
    assert [m["name"] for m in found.conversations[0].messages] == [None, None, None]


@pytest.mark.parametrize(
    "line",
    [
        "https://hives.example/a?b=c",
        "See https://hives.example: it is good",
        "10:30: meeting",
        "10: meeting",
        "at 10:30: meeting",
        "I told him: never again",
        "2024-03-04: we met",
        "so what? yes: no",
        ": nothing before",
    ],
)
def test_a_line_without_a_speaker_goes_on_with_the_message_before(tmp_path: Path, line: str) -> None:
    assert turns(read(tmp_path, f"Ana: First.\n{line}\nBen: Second.\n")) == [
        ("Ana", f"First.\n{line}"),
        ("Ben", "Second."),
    ]


def test_a_label_on_several_lines_is_a_speaker_however_it_is_written(tmp_path: Path) -> None:
    found = read(tmp_path, "customer care: Hi\nAna: Ho\ncustomer care: Bye\n")
    assert [name for name, _ in turns(found)] == ["customer care", "Ana", "customer care"]


def test_a_wide_colon_needs_no_blank(tmp_path: Path) -> None:
    assert turns(read(tmp_path, "林悦：我在杭州。\nアキ：こんにちは\n")) == [
        ("林悦", "我在杭州。"),
        ("アキ", "こんにちは"),
    ]


def test_text_before_the_first_speaker_is_said_by_the_user(tmp_path: Path) -> None:
    assert turns(read(tmp_path, "We met at the harbour.\nAna: Yes.\n")) == [
        ("user", "We met at the harbour."),
        ("Ana", "Yes."),
    ]


@pytest.mark.parametrize(
    ("line", "when"),
    [
        ("2024-03-04 Ana: Hi", "2024-03-04"),
        ("[2024-03-04 10:30] Ana: Hi", "2024-03-04 10:30"),
        ("[2024-03-04T10:30:15Z] - Ana: Hi", "2024-03-04T10:30:15Z"),
        ("2024-03-04T10:30:15+02:00 | Ana: Hi", "2024-03-04T10:30:15+02:00"),
        ("Ana: Hi", None),
    ],
)
def test_a_time_in_front_is_the_time_of_the_message(tmp_path: Path, line: str, when: str | None) -> None:
    found = read(tmp_path, line)
    assert (turns(found), times(found)) == ([("Ana", "Hi")], [when])


def test_a_line_that_is_a_date_dates_what_follows_and_begins_a_session(tmp_path: Path) -> None:
    found = read(tmp_path, "# 2024-03-04\nAna: Hi\n\n--- 2024-06-04 ---\nAna: Ho\n2024-06-05 Ana: Hey\n")
    assert times(found) == ["2024-03-04", "2024-06-04", "2024-06-05"]
    assert [m["session"] for m in found.conversations[0].messages] == [
        "2024-03-04",
        "2024-06-04",
        "2024-06-04",
    ]


def test_a_date_that_does_not_exist_is_refused_by_its_line(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="line 2: has a date that cannot be read"):
        read(tmp_path, "Ana: Hi\n2024-02-31 Ana: Ho\n")


def test_skipping_keeps_the_message_without_the_date(tmp_path: Path) -> None:
    found = read(tmp_path, "# 2024-13-01\nAna: Hi\n2024-02-31 Ana: Ho\n", skip_bad=True)
    assert (turns(found), times(found)) == ([("Ana", "Hi"), ("Ana", "Ho")], [None, None])
    assert found.problems == (
        "line 1: has a date that cannot be read",
        "line 3: has a date that cannot be read",
    )
