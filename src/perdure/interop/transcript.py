"""Plain transcripts: `Name: what was said`, a time in front if known; other lines go on with the last."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from perdure.errors import InvalidInput
from perdure.interop.conversations import Conversation, Message, Problems, make_message, read_timestamp

_TIME = r"\[?(\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2})?)?)\]?"
_LINE = re.compile(rf"(?:{_TIME}\s*[-,–|]?\s*)?([^\s:：][^:：\n]{{0,60}}?)(?::\s+|：\s*)(\S.*)\Z")
_HEADING = re.compile(rf"(?:#+|---|===)?\s*{_TIME}\s*(?:---|===)?\Z")
_ROLES = {"user": "user", "human": "user", "assistant": "assistant", "ai": "assistant", "system": "system"}
MAX_NAME_WORDS = 5


def read_transcript(text: str, name: str, problems: Problems) -> Conversation:
    """A conversation from text. A line that is only a date dates what follows it and begins a session."""
    messages: list[Message] = []
    heading: str | None = None
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1)]
    speakers = _speakers([line for _, line in lines])
    for number, line in lines:
        if dated := _HEADING.match(line):
            if read_timestamp(dated.group(1), f"line {number}", problems):
                heading = dated.group(1)
            continue
        match = _LINE.match(line)
        if match and match.group(2) in speakers:
            when, speaker, words = match.groups()
            when = when if read_timestamp(when, f"line {number}", problems) else None
            messages.append(_message(name, len(messages), when or heading, heading, speaker, words))
        elif line and messages:
            messages[-1]["content"] = f"{messages[-1]['content']}\n{line}"
        elif line:
            messages.append(_message(name, 0, heading, heading, "user", line))
    if not messages:
        raise InvalidInput("file", "holds no messages", "Write lines such as `Ana: I moved to Porto.`")
    return Conversation(name=name, messages=tuple(messages))


def _speakers(lines: Sequence[str]) -> set[str]:
    """What stands before a colon and is a speaker: written as a name, or there on several lines.

    "I told him: never again" and "10: meeting" go on with the message before.
    """
    seen = Counter(match.group(2) for line in lines if (match := _LINE.match(line)))
    return {s for s, times in seen.items() if _may_speak(s) and (times > 1 or _is_like_a_name(s))}


def _may_speak(label: str) -> bool:
    return any(c.isalpha() for c in label) and not any(c in "?!;/\\" for c in label)


def _is_like_a_name(label: str) -> bool:
    words = label.split()
    return len(words) == 1 or (
        len(words) <= MAX_NAME_WORDS and all(not word[0].islower() for word in words[1:])
    )


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
