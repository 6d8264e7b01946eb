"""Read a conversation file: find out what it is, and read it whole or say where it is wrong."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from io import BytesIO
from pathlib import Path

from perdure.errors import InvalidInput
from perdure.interop.chats import read_chat_export, read_message_list
from perdure.interop.conversations import Conversation, Entry, Imported, Problems
from perdure.interop.locomo import is_locomo, read_locomo
from perdure.interop.transcript import read_transcript

MAX_FILE_BYTES = 1_000_000_000
FORMATS = ("locomo", "json", "jsonl", "text")
# A transcript may begin with `[2024-05-01]`, so a bracket alone does not make it JSON.
_JSON_START = re.compile(r"\s*(?:\{|\[\s*[\[{\"\]])")
_TABLE_START = re.compile(r"""\s*["']?\w+["']?(?:[,;\t]\s?["']?\w+["']?)+[ \t]*(?:\r?\n|\Z)""")
_LINE_ENDS = re.compile(r"\r\n|\n|\r")


def read_file(path: Path, *, skip_bad: bool = False) -> Imported:
    """The conversations of a file: LoCoMo, a chat export in JSON or JSONL, a plain transcript; gzip too.

    Nothing is guessed from the name but the conversation's. InvalidInput names the line or entry that is
    wrong; with skip_bad such parts are left out and listed in `problems`.
    """
    text = _read_text(path)
    problems = Problems(skip=skip_bad)
    kind, conversations = _read(text, path.name.split(".")[0], problems)
    read = Imported(format=kind, conversations=tuple(conversations), problems=tuple(problems.found))
    if not read.message_count:
        raise InvalidInput("file", "holds no messages", "Use objects with 'role' and 'content'.")
    return read


def _read(text: str, name: str, problems: Problems) -> tuple[str, list[Conversation]]:
    if not _JSON_START.match(text):
        if _TABLE_START.match(text):
            raise InvalidInput(
                "file",
                "a table (CSV)",
                'Turn each row into a line such as {"role": "user", "content": "..."}.',
            )
        return "text", [read_transcript(text, name, problems)]
    whole = _whole_json(text)
    if whole is None:
        return "jsonl", [read_message_list(_lines(text, problems), name, problems)]
    if is_locomo(whole):
        return "locomo", list(read_locomo(whole, problems))
    return "json", list(read_chat_export(whole, name, problems))


def _read_text(path: Path) -> str:
    raw = _read_bytes(path)
    encoding = "utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as exc:
        raise InvalidInput("file", "neither UTF-8 nor UTF-16 text", "Convert it to UTF-8.") from exc
    if not text.strip():
        raise InvalidInput("file", "empty", "Give a file with messages.")
    return text


def _read_bytes(path: Path) -> bytes:
    """The bytes of the file, unpacked; never more than the limit is held."""
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_FILE_BYTES + 1)
    except OSError as exc:
        raise InvalidInput("file", f"cannot be read ({type(exc).__name__})", "Check the path.") from exc
    if raw[:2] == b"\x1f\x8b":
        try:
            with gzip.open(BytesIO(raw)) as packed:
                raw = packed.read(MAX_FILE_BYTES + 1)
        except (OSError, EOFError, zlib.error) as exc:
            raise InvalidInput("file", "damaged gzip", "Pack it again.") from exc
    if len(raw) > MAX_FILE_BYTES:
        raise InvalidInput("file", "larger than 1 GB", "Split it.")
    return raw


def _whole_json(text: str) -> object | None:
    """The file as one JSON value, or None if it is not one (then it is lines)."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value


def _lines(text: str, problems: Problems) -> list[Entry]:
    """Each line's values with their place; two objects on one line are two."""
    found: list[Entry] = []
    decoder = json.JSONDecoder()
    # Not splitlines(): a JSON string may hold U+2028 and its like as they are.
    for number, line in enumerate(_LINE_ENDS.split(text), start=1):
        rest, nth = line.strip(), 0
        while rest:
            try:
                value, end = decoder.raw_decode(rest)
            except (ValueError, RecursionError):
                problems.report(f"line {number}", "is no JSON or is cut off")
                break
            found.append(Entry(f"line {number}", f"{number}.{nth}" if nth else str(number), value))
            rest, nth = rest[end:].strip(), nth + 1
    return found
