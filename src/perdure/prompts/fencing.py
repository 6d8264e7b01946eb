"""Show what people wrote to a model as data: owned, dated, and unable to leave its fence."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone

from perdure.core.text import replace_lone_surrogates

# The fence of the prompts is <data>…</data>. Chat tokens and thinking marks are disarmed too: local servers
# read the first as the end of a message, and a model that copies the second would hide its answer.
_FENCE_BREAKER = re.compile(
    r"[<＜﹤](?=\s*[/／]?\s*(?:data|think|thinking|thought|reasoning|system|s|start_of_turn|end_of_turn)\b"
    r"|\s*[|｜])",
    re.IGNORECASE,
)
_INSTRUCTION_TOKEN = re.compile(r"\[(?=\s*/?\s*(?:INST|THINK)\s*\])", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u2028\u2029]")
_LINE_END = re.compile(r"\r\n|\r|\n")


def fence(text: str) -> str:
    """The text so that no part of it can close the fence around it or pass for a chat token.

    Only the opening bracket of such a mark is changed, to ‹ or ⟦; all other text stays as it is. Control
    characters become blanks, lone surrogates U+FFFD.
    """
    plain = _CONTROL.sub(" ", replace_lone_surrogates(text))
    return _INSTRUCTION_TOKEN.sub("⟦", _FENCE_BREAKER.sub("‹", plain))


def show_turn(
    label: int,
    *,
    role: str,
    speaker: str | None,
    said_at: datetime | None,
    utc_offset_minutes: int = 0,
    text: str,
) -> str:
    """One turn as lines that all show whose they are.

    `[3] 2024-05-15T09:10-05:00 Priya (user): …`; each further line of the turn begins with `[3] | `.
    said_at: aware, or None for "time unknown"; shown in the speaker's own offset.
    """
    head = f"[{label}] {_local_time(said_at, utc_offset_minutes)} {_owner(speaker, role)} ({role}): "
    first, *rest = _LINE_END.split(fence(text))
    return "\n".join([head + first, *(f"[{label}] | {line}" for line in rest)])


def show_labelled(label: str, text: str, *, note: str) -> str:
    """A draft or a candidate on one line: `[K7] (current, from 2024-05-14) text`.

    note: dates and status, written by us; it is not fenced.
    """
    return f"[{label}] ({note}) {' '.join(fence(text).split())}"


def show_wish(text: str | None) -> str:
    """The operator's wish as lines that each begin with a bar, for the place before the data; "" if blank."""
    lines = [line.strip() for line in _LINE_END.split(fence(text or "")) if line.strip()]
    if not lines:
        return ""
    return "\n".join(["The operator of this memory wishes:", *(f"| {line}" for line in lines)]) + "\n\n"


def _local_time(said_at: datetime | None, utc_offset_minutes: int) -> str:
    if said_at is None:
        return "(time unknown)"
    zone = timezone(timedelta(minutes=utc_offset_minutes))
    return said_at.astimezone(zone).isoformat(timespec="minutes")


def _owner(speaker: str | None, role: str) -> str:
    """A name on one line, without the marks that begin a turn or end an owner."""
    name = " ".join(re.sub(r"[\[\]():|]", " ", fence(speaker or "")).split())
    return name[:80] or role
