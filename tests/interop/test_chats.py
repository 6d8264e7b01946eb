"""Chat exports in JSON and JSONL become conversations, whole or with a report of what was left out."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from perdure.errors import InvalidInput
from perdure.interop.conversations import Imported
from perdure.interop.files import read_file

LINES = ['{"role": "user", "content": "I keep bees."}', '{"role": "assistant", "content": "How many hives?"}']


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "chat.json"


def read(file: Path, content: object, *, skip_bad: bool = False) -> Imported:
    if isinstance(content, bytes):
        file.write_bytes(content)
    else:
        text = content if isinstance(content, str) else json.dumps(content)
        file.write_text(text, encoding="utf-8", newline="")
    return read_file(file, skip_bad=skip_bad)


def said(read: Imported) -> list[object]:
    return [m["content"] for c in read.conversations for m in c.messages]


def of(read: Imported, key: str) -> list[object]:
    return [m[key] for c in read.conversations for m in c.messages]


# one JSON value


def test_a_list_of_messages_keeps_roles_names_times_and_ids(file: Path) -> None:
    message = {
        "role": "user",
        "content": "I keep bees.",
        "name": "Ines",
        "timestamp": "2024-03-04T10:00:00+02:00",
        "id": "m-1",
        "session": "s-1",
    }
    assert read(file, [message]).conversations[0].messages == (message,)


def test_messages_under_a_key_are_one_conversation_named_after_the_file(file: Path) -> None:
    found = read(file, {"messages": [json.loads(line) for line in LINES]})
    assert [c.name for c in found.conversations] == ["chat"]
    assert said(found) == ["I keep bees.", "How many hives?"]
    assert of(found, "id") == ["chat#0", "chat#1"]


def test_several_conversations_keep_their_ids_and_an_empty_one_is_no_error(file: Path) -> None:
    talks = [{"id": "a", "messages": [{"role": "user", "content": "Hi"}]}, {"id": "b", "messages": []}]
    found = read(file, talks)
    assert [(c.name, len(c.messages)) for c in found.conversations] == [("a", 1), ("b", 0)]


def test_a_single_message_over_several_lines_is_read(file: Path) -> None:
    assert said(read(file, json.dumps({"role": "user", "content": "I keep bees."}, indent=2))) == [
        "I keep bees."
    ]


def test_a_speaker_that_is_no_role_is_a_name(file: Path) -> None:
    found = read(file, [{"speaker": "Ines", "text": "I row on Sundays."}])
    assert (of(found, "role"), of(found, "name")) == (["user"], ["Ines"])


def test_a_role_beside_a_speaker_keeps_both(file: Path) -> None:
    found = read(file, [{"role": "assistant", "speaker": "Guide", "text": "Turn left."}])
    assert (of(found, "role"), of(found, "name")) == (["assistant"], ["Guide"])


def test_a_message_of_pictures_or_tool_calls_only_is_left_out_without_a_complaint(file: Path) -> None:
    silent = [
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c"}]},
        {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:"}}]},
    ]
    found = read(file, [*silent, {"role": "user", "content": "Hi"}])
    assert (said(found), found.problems) == (["Hi"], ())


def test_an_entry_that_is_no_message_is_refused_by_its_place(file: Path) -> None:
    with pytest.raises(InvalidInput, match="entry 1: is no message"):
        read(file, [{"role": "user", "content": "Hi"}, {"observations": ["rows"]}])


def test_an_unreadable_date_is_refused_by_its_place(file: Path) -> None:
    with pytest.raises(InvalidInput, match="entry 0: has a date"):
        read(file, [{"role": "user", "content": "Hi", "timestamp": "2024-02-30"}])


def test_skipping_keeps_a_message_whose_date_cannot_be_read_as_undated(file: Path) -> None:
    found = read(file, [{"role": "user", "content": "Hi", "timestamp": "soon"}], skip_bad=True)
    assert (said(found), of(found, "timestamp")) == (["Hi"], [None])
    assert found.problems == ("entry 0: has a date that cannot be read",)


def test_messages_hold_nothing_is_an_error(file: Path) -> None:
    with pytest.raises(InvalidInput, match="file: holds no messages"):
        read(file, {"messages": []})


@pytest.mark.parametrize("number", ["9" * 5000, "1e999"])
def test_numbers_that_python_cannot_hold_do_not_crash(file: Path, number: str) -> None:
    with pytest.raises(InvalidInput):
        read(file, f'[{{"role": "user", "content": "Hi", "timestamp": {number}}}]')


def test_nesting_without_end_does_not_crash(file: Path) -> None:
    with pytest.raises(InvalidInput, match="line 1"):
        read(file, "[" * 200_000)


# ChatGPT


def node(
    key: str, parent: str | None, role: str, text: str, at: float | None
) -> tuple[str, dict[str, object]]:
    content = {"content_type": "text", "parts": [text]}
    message = {"id": f"m-{key}", "author": {"role": role}, "create_time": at, "content": content}
    return key, {"id": key, "parent": parent, "children": [], "message": message}


def test_a_mapping_is_read_by_time_and_undated_nodes_follow_their_parent(file: Path) -> None:
    root: tuple[str, dict[str, object]] = ("root", {"id": "root", "parent": None, "message": None})
    tree = dict(
        [
            node("d", "c", "user", "Four", 40.0),
            node("c", "b", "assistant", "Three", None),
            node("b", "a", "user", "Two", 20.0),
            node("a", "root", "system", "", 10.0),
            root,
        ]
    )
    found = read(file, [{"title": "Bees", "conversation_id": "t-1", "mapping": tree}])
    assert said(found) == ["Two", "Three", "Four"]
    assert of(found, "id") == ["m-b", "m-c", "m-d"]
    assert of(found, "timestamp") == [20.0, None, 40.0]
    assert [c.name for c in found.conversations] == ["t-1"]


def test_a_mapping_that_runs_in_a_circle_is_read(file: Path) -> None:
    tree = dict([node("a", "b", "user", "One", None), node("b", "a", "user", "Two", None)])
    assert said(read(file, {"mapping": tree})) == ["One", "Two"]


def test_parts_that_are_no_text_are_passed_over(file: Path) -> None:
    key, inner = node("a", None, "user", "Look at this", 1.0)
    message = inner["message"]
    assert isinstance(message, dict)
    message["content"] = {"parts": [{"content_type": "image_asset_pointer"}, "Look at this"]}
    assert said(read(file, {"mapping": {key: inner}})) == ["Look at this"]


# Claude


def test_chat_messages_of_claude_have_roles_ids_and_times(file: Path) -> None:
    talk = {
        "uuid": "t-1",
        "name": "Bees",
        "chat_messages": [
            {"uuid": "m-1", "sender": "human", "text": "Hi", "created_at": "2024-03-04T10:00:00.5Z"},
            {"uuid": "m-2", "sender": "assistant", "text": "", "content": [{"type": "text", "text": "Ho"}]},
            {"uuid": "m-3", "sender": "human", "text": "Bye", "content": []},
        ],
    }
    found = read(file, [talk])
    assert said(found) == ["Hi", "Ho", "Bye"]
    assert of(found, "role") == ["user", "assistant", "user"]
    assert of(found, "id") == ["m-1", "m-2", "m-3"]
    assert of(found, "session") == ["t-1", "t-1", "t-1"]


def test_one_conversation_of_claude_alone_in_a_file_is_read(file: Path) -> None:
    found = read(file, {"uuid": "t-1", "chat_messages": [{"sender": "human", "text": "Hi"}]})
    assert [(c.name, len(c.messages)) for c in found.conversations] == [("t-1", 1)]


# JSONL


@pytest.mark.parametrize("joint", ["\n", "\r\n", "\n\n\n", "", "  "])
def test_objects_on_lines_of_any_kind_or_on_one_line_are_two_messages(file: Path, joint: str) -> None:
    found = read(file, joint.join(LINES))
    assert (found.format, said(found)) == ("jsonl", ["I keep bees.", "How many hives?"])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("is_packed", [False, True])
def test_encodings_and_gzip_do_not_matter(file: Path, encoding: str, is_packed: bool) -> None:
    raw = '{"role": "user", "content": "Ich züchte Bienen 蜂"}\n'.encode(encoding)
    found = read(file, gzip.compress(raw) if is_packed else raw)
    assert said(found) == ["Ich züchte Bienen 蜂"]


def test_a_line_separator_inside_a_text_does_not_break_the_line(file: Path) -> None:
    line = json.dumps({"role": "user", "content": "one\u2028two\x85three"}, ensure_ascii=False)
    assert said(read(file, f"{line}\n{LINES[1]}")) == ["one\u2028two\x85three", "How many hives?"]


def test_a_cut_last_line_is_refused_by_its_number(file: Path) -> None:
    with pytest.raises(InvalidInput, match="line 3: is no JSON or is cut off"):
        read(file, "\n".join([*LINES, '{"role": "user", "cont']))


def test_skipping_reads_what_is_whole_and_says_what_was_left_out(file: Path) -> None:
    found = read(file, "\n".join([LINES[0], "nonsense", "7", LINES[1], '{"ro']), skip_bad=True)
    assert said(found) == ["I keep bees.", "How many hives?"]
    assert found.problems == (
        "line 2: is no JSON or is cut off",
        "line 5: is no JSON or is cut off",
        "line 3: is no message with a role and text",
    )


def test_mending_a_line_does_not_change_the_ids_of_the_others(file: Path) -> None:
    broken = read(file, "\n".join([LINES[0], '{"ro', LINES[1]]), skip_bad=True)
    mended = read(file, "\n".join([LINES[0], '{"role": "user", "content": "Two."}', LINES[1]]))
    assert of(broken, "id") == ["chat#1", "chat#3"]
    assert of(mended, "id") == ["chat#1", "chat#2", "chat#3"]


def test_objects_on_one_line_have_ids_of_their_own(file: Path) -> None:
    assert of(read(file, LINES[0] + LINES[1] + "\n" + LINES[0]), "id") == ["chat#1", "chat#1.1", "chat#2"]


def test_a_problem_never_repeats_the_text(file: Path) -> None:
    with pytest.raises(InvalidInput) as caught:
        read(file, '{"role": "user", "content": "my secret')
    assert "secret" not in str(caught.value)


# files


@pytest.mark.parametrize(
    "content",
    [b"", b" \r\n\t ", b"\xef\xbb\xbf", gzip.compress(b"")],
    ids=["nothing", "blanks", "a mark", "packed nothing"],
)
def test_an_empty_file_is_said_to_be_empty(file: Path, content: bytes) -> None:
    with pytest.raises(InvalidInput, match="file: empty"):
        read(file, content)


@pytest.mark.parametrize(
    "content",
    [gzip.compress(b"x" * 500)[:-9], gzip.compress(b"x" * 500)[:20], b"\x1f\x8bnonsense"],
    ids=["cut at the end", "cut at the start", "nonsense"],
)
def test_damaged_gzip_is_said_to_be_damaged(file: Path, content: bytes) -> None:
    with pytest.raises(InvalidInput, match="file: damaged gzip"):
        read(file, content)


def test_gzip_is_not_unpacked_past_the_limit(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("perdure.interop.files.MAX_FILE_BYTES", 1000)
    with pytest.raises(InvalidInput, match="file: larger"):
        read(file, gzip.compress(b"x" * 100_000))


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"role: \xe9t\xe9"])
def test_other_encodings_are_refused(file: Path, content: bytes) -> None:
    with pytest.raises(InvalidInput, match="neither UTF-8 nor UTF-16"):
        read(file, content)


@pytest.mark.parametrize(
    "table",
    ["role,content\nuser,I keep bees\n", '"date";"speaker";"text"\r\n1;Ines;Hi\r\n', "role\ttext\nuser\tHi"],
)
def test_a_table_is_refused_with_a_remedy(file: Path, table: str) -> None:
    with pytest.raises(InvalidInput, match=r"a table \(CSV\).*\"role\""):
        read(file, table)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot be read"):
        read_file(tmp_path)
