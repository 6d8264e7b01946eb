"""Plain transcripts: `Name: what was said`, a time in front if known; other lines go on with the last."""

from __future__ import annotations

import re

from perdure.errors import InvalidInput
from perdure.interop.conversations import Conversation, Message, make_message

_TIME = r"\[?(\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2})?)?)\]?"
_LINE = re.compile(rf"(?:{_TIME}\s*[-,–|]?\s*)?([^\s:][^:\n]{{0,60}}?):\s+(\S.*)\Z")
_HEADING = re.compile(rf"(?:#+|---|===)?\s*{_TIME}\s*(?:---|===)?\Z")
_ROLES = {"user": "user", "human": "user", "assistant": "assistant", "ai": "assistant", "system": "system"}


def read_transcript(text: str, name: str) -> Conversation:
    """A conversation from text. A line that is only a date dates what follows it and begins a session."""
    messages: list[Message] = []
    heading: str | None = None
    for line in text.splitlines():
        if not line.strip():
            continue
        if dated := _HEADING.match(line.strip()):
            heading = dated.group(1)
            continue
        match = _LINE.match(line.strip())
        if match:
            when, speaker, words = match.groups()
            messages.append(_message(name, len(messages), when or heading, heading, speaker, words))
        elif messages:
            messages[-1]["content"] = f"{messages[-1]['content']}\n{line.strip()}"
        else:
            messages.append(_message(name, 0, heading, heading, "user", line.strip()))
    if not messages:
        raise InvalidInput("file", "holds no messages", "Write lines such as `Ana: I moved to Porto.`")
    return Conversation(name=name, messages=tuple(messages))


def _message(
    name: str, number: int, when: str | None, session: str | None, speaker: str, words: str
) -> Message:
    role = _ROLES.get(speaker.casefold())
    return make_message(
        role or "user",
        words,
        identifier=f"{name}#{number}",
        name=None if role else speaker,
        timestamp=when,
        session=session,
    )
