"""Read a conversation file: find out what it is, and read it whole or say where it is wrong."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from perdure.errors import InvalidInput
from perdure.interop.chats import read_chat_export, read_message_list
from perdure.interop.conversations import Imported, Problems
from perdure.interop.locomo import is_locomo, read_locomo
from perdure.interop.transcript import read_transcript

MAX_FILE_BYTES = 1_000_000_000
FORMATS = ("locomo", "json", "jsonl", "text")


def read_file(path: Path, *, skip_bad: bool = False) -> Imported:
    """The conversations of a file: LoCoMo, a chat export in JSON or JSONL, a plain transcript; gzip too.

    Nothing is guessed from the name but the conversation's. InvalidInput names the line or entry that is
    wrong; with skip_bad such parts are left out and listed in `problems`.
    """
    text = _read_text(path)
    problems = Problems(skip=skip_bad)
    name = path.name.split(".")[0]
    whole = _whole_json(text)
    if whole is not None:
        if is_locomo(whole):
            return Imported(
                format="locomo",
                conversations=tuple(read_locomo(whole, problems)),
                problems=tuple(problems.found),
            )
        conversations = tuple(read_chat_export(whole, name, problems))
        return Imported(format="json", conversations=conversations, problems=tuple(problems.found))
    if text.lstrip().startswith(("{", "[")):
        messages = read_message_list(_lines(text, problems), name, problems)
        return Imported(format="jsonl", conversations=(messages,), problems=tuple(problems.found))
    return Imported(format="text", conversations=(read_transcript(text, name),))


def _read_text(path: Path) -> str:
    try:
        size = path.stat().st_size
        raw = path.read_bytes()
    except OSError as exc:
        raise InvalidInput("file", f"cannot be read ({type(exc).__name__})", "Check the path.") from exc
    if size > MAX_FILE_BYTES:
        raise InvalidInput("file", "larger than 1 GB", "Split it.")
    if raw[:2] == b"\x1f\x8b":
        raw = gzip.decompress(raw)
    encoding = "utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as exc:
        raise InvalidInput("file", "neither UTF-8 nor UTF-16 text", "Convert it to UTF-8.") from exc
    if not text.strip():
        raise InvalidInput("file", "empty", "Give a file with messages.")
    return text


def _whole_json(text: str) -> object | None:
    """The file as one JSON value, or None if it is not one (then it is lines or plain text)."""
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        value: object = json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        return None
    return value if isinstance(value, list) or _holds_messages(value) else None


def _holds_messages(value: object) -> bool:
    return isinstance(value, dict) and any(k in value for k in ("messages", "conversation", "mapping"))


def _lines(text: str, problems: Problems) -> list[tuple[str, object]]:
    """Each line's values with their place; two objects on one line are two."""
    found: list[tuple[str, object]] = []
    decoder = json.JSONDecoder()
    for number, line in enumerate(text.splitlines(), start=1):
        rest = line.strip()
        while rest:
            try:
                value, end = decoder.raw_decode(rest)
            except (json.JSONDecodeError, RecursionError):
                problems.report(f"line {number}", "is no JSON or is cut off")
                break
            found.append((f"line {number}", value))
            rest = rest[end:].strip()
    return found
