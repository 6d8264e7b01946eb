"""Messages as callers write them, read strictly: a string, a dict, or a list of either."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

from perdure.core.text import replace_lone_surrogates
from perdure.core.times import TimeValue, read_zoned
from perdure.core.values import NO_METADATA, Metadata, Role
from perdure.errors import InvalidMessage

MessageInput: TypeAlias = "str | Mapping[str, object] | Sequence[str | Mapping[str, object]]"

DEFAULT_MAX_BYTES = 1_000_000
DEFAULT_MAX_MESSAGES = 1000
_ROLES = {
    "user": Role.USER,
    "human": Role.USER,
    "assistant": Role.ASSISTANT,
    "ai": Role.ASSISTANT,
    "model": Role.ASSISTANT,
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "tool": Role.TOOL,
    "function": Role.TOOL,
}
_TIME_KEYS = ("timestamp", "said_at", "at", "created_at")
_REMEDY = "Pass text, {'role': 'user', 'content': '...'}, or a list of those."


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message with something to keep. said_at: UTC, None if the transcript has no time for it."""

    role: Role
    text: str
    speaker: str | None = None
    said_at: datetime | None = None
    utc_offset_minutes: int = 0
    is_dated: bool = False
    reference: str | None = None
    session: str | None = None
    metadata: Metadata = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class DefaultTime:
    """The time of messages that carry none. is_dated: the caller gave it (else it is the clock's)."""

    said_at: datetime | None
    utc_offset_minutes: int
    is_dated: bool


def read_messages(
    messages: MessageInput,
    *,
    default_time: DefaultTime,
    max_bytes: int = DEFAULT_MAX_BYTES,
    max_messages: int = DEFAULT_MAX_MESSAGES,
) -> tuple[Message, ...]:
    """The messages that hold text, in order; InvalidMessage names the one that is wrong.

    Messages without content (tool calls) are left out; if none has any, that is an error too.
    """
    given: object = messages
    entries = [given] if isinstance(given, str | Mapping) else given
    if not isinstance(entries, Sequence) or isinstance(entries, bytes | bytearray):
        raise InvalidMessage("messages", f"a {type(messages).__name__} is no message", _REMEDY)
    if len(entries) > max_messages:
        raise InvalidMessage("messages", f"more than {max_messages} at once", "Send several batches.")
    found = [
        message
        for n, entry in enumerate(entries)
        if (message := _read_one(entry, f"messages[{n}]", default_time, max_bytes)) is not None
    ]
    if not found:
        raise InvalidMessage("messages", "nothing but blanks", "Give at least one message with text.")
    return tuple(found)


def _read_one(entry: object, at: str, default: DefaultTime, max_bytes: int) -> Message | None:
    if isinstance(entry, str):
        entry = {"role": "user", "content": entry}
    if not isinstance(entry, Mapping):
        raise InvalidMessage(at, f"a {type(entry).__name__} is no message", _REMEDY)
    role = _read_role(entry.get("role", "user"), at)
    text = _read_content(entry.get("content", entry.get("text")), at)
    if len(text.encode("utf-8")) > max_bytes:
        raise InvalidMessage(f"{at}.content", f"longer than {max_bytes} bytes", "Split it.")
    if not text.strip():
        return None
    said_at, offset, is_dated = _read_time(entry, at, default)
    return Message(
        role=role,
        text=text,
        speaker=_read_label(entry.get("name", entry.get("speaker")), f"{at}.name"),
        said_at=said_at,
        utc_offset_minutes=offset,
        is_dated=is_dated,
        reference=_read_label(entry.get("id", entry.get("reference")), f"{at}.id"),
        session=_read_label(entry.get("session"), f"{at}.session"),
        metadata=_read_metadata(entry.get("metadata"), at),
    )


def _read_role(value: object, at: str) -> Role:
    role = _ROLES.get(value.strip().lower()) if isinstance(value, str) else None
    if role is None:
        raise InvalidMessage(f"{at}.role", "unknown role", "Use user, assistant, system or tool.")
    return role


def _read_content(content: object, at: str) -> str:
    """Text, or the text parts of a list of parts; other parts are not kept."""
    if content is None:
        return ""
    if isinstance(content, str):
        return replace_lone_surrogates(content).replace("\x00", "\ufffd")
    if not isinstance(content, Sequence) or isinstance(content, bytes | bytearray):
        raise InvalidMessage(f"{at}.content", f"a {type(content).__name__} is no content", _REMEDY)
    texts = []
    for n, part in enumerate(content):
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, Mapping) and isinstance(part.get("type"), str):
            if part["type"] in ("text", "input_text", "output_text"):
                if not isinstance(part.get("text"), str):
                    raise InvalidMessage(f"{at}.content[{n}]", "a text part without text", _REMEDY)
                texts.append(str(part["text"]))
        else:
            raise InvalidMessage(f"{at}.content[{n}]", "a part without type", "Use {'type': 'text', ...}.")
    return _read_content("\n".join(texts), at)


def _read_time(
    entry: Mapping[str, object], at: str, default: DefaultTime
) -> tuple[datetime | None, int, bool]:
    """A key that is there with null says: nobody knows when; no key says: use the call's time."""
    for key in _TIME_KEYS:
        if key in entry:
            value = entry[key]
            if value is None:
                return None, 0, True
            moment, _, offset = read_zoned(_time_value(value), field=f"{at}.{key}")
            return moment, offset, True
    return default.said_at, default.utc_offset_minutes, default.is_dated


def _time_value(value: object) -> TimeValue:
    return value if isinstance(value, datetime | str | int | float) else repr(type(value))


def _read_label(value: object, at: str) -> str | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise InvalidMessage(at, f"a {type(value).__name__} is no name", "Use text.")
    text = replace_lone_surrogates(str(value)).replace("\x00", "\ufffd").strip()
    if len(text) > 512:
        raise InvalidMessage(at, "longer than 512 characters", "Shorten it.")
    return text or None


def _read_metadata(value: object, at: str) -> Metadata:
    if value is None:
        return NO_METADATA
    if not isinstance(value, Mapping):
        raise InvalidMessage(f"{at}.metadata", f"a {type(value).__name__} is no object", "Use a dict.")
    return dict(value)
