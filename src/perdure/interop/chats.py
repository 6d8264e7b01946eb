"""Chat exports: lists of messages, {"messages": [...]}, and the exports of two well-known assistants."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from perdure.errors import InvalidInput
from perdure.interop.conversations import (
    Conversation,
    Message,
    Problems,
    as_text,
    make_message,
)

_SPEAKERS = {"human": "user", "user": "user", "assistant": "assistant", "ai": "assistant"}
_KNOWN_ROLES = frozenset({*_SPEAKERS, "system", "tool", "developer", "function", "model"})


def read_chat_export(value: object, name: str, problems: Problems) -> Iterator[Conversation]:
    """The conversations of a parsed JSON file."""
    if isinstance(value, Mapping):
        yield _one(value, name, problems)
        return
    entries = value if isinstance(value, list) else []
    if entries and all(_is_conversation(e) for e in entries):
        for number, entry in enumerate(entries):
            title = entry.get("id") or entry.get("uuid") or entry.get("conversation_id") or f"{name}-{number}"
            yield _one(entry, str(title), problems)
        return
    yield read_message_list(((f"entry {n}", e) for n, e in enumerate(entries)), name, problems)


def _is_conversation(entry: object) -> bool:
    return isinstance(entry, Mapping) and any(k in entry for k in ("messages", "mapping", "chat_messages"))


def _one(entry: Mapping[str, object], name: str, problems: Problems) -> Conversation:
    if isinstance(mapping := entry.get("mapping"), Mapping):
        return Conversation(name=name, messages=tuple(_from_mapping(mapping, name)))
    listed = entry.get("messages", entry.get("chat_messages", entry.get("conversation")))
    if not isinstance(listed, list):
        raise InvalidInput("file", "holds no list of messages", "Use {'messages': [...]} or a list.")
    return read_message_list(((f"{name}, message {n}", m) for n, m in enumerate(listed)), name, problems)


def read_message_list(entries: Iterable[tuple[str, object]], name: str, problems: Problems) -> Conversation:
    """One conversation from entries with their places in the file."""
    messages = []
    for number, (place, entry) in enumerate(entries):
        message = _message(entry, name, number)
        if message is None:
            problems.report(place, "is no message with a role and text")
        else:
            messages.append(message)
    if not messages:
        raise InvalidInput("file", "holds no messages", "Use objects with 'role' and 'content'.")
    return Conversation(name=name, messages=tuple(messages))


def _message(entry: object, name: str, number: int) -> Message | None:
    if not isinstance(entry, Mapping):
        return None
    text = as_text(entry.get("content", entry.get("text", entry.get("message"))))
    speaker = entry.get("role", entry.get("sender", entry.get("speaker", "user")))
    if not text.strip() or not isinstance(speaker, str):
        return None
    is_role = speaker.casefold() in _KNOWN_ROLES
    given_name = entry.get("name", entry.get("speaker") if not is_role else None)
    session = entry.get("session", entry.get("session_id"))
    return make_message(
        _SPEAKERS.get(speaker.casefold(), speaker.casefold()) if is_role else "user",
        text,
        identifier=str(entry.get("id") or entry.get("uuid") or f"{name}#{number}"),
        name=str(given_name) if given_name else None if is_role else speaker,
        timestamp=_when(entry),
        session=str(session) if session is not None else None,
    )


def _when(entry: Mapping[str, object]) -> object:
    for key in ("timestamp", "at", "created_at", "create_time", "date", "time"):
        if entry.get(key) is not None:
            return entry[key]
    return None


def _from_mapping(mapping: Mapping[str, object], name: str) -> Iterator[Message]:
    """The messages of a tree of nodes, by time; nodes without words (system stubs, tool calls) give none."""
    nodes = [
        (key, node["message"])
        for key, node in mapping.items()
        if isinstance(node, Mapping) and isinstance(node.get("message"), Mapping)
    ]
    nodes.sort(key=lambda pair: _seconds(pair[1]))
    for key, message in nodes:
        author, content = message.get("author"), message.get("content")
        role = author.get("role") if isinstance(author, Mapping) else None
        text = as_text(content.get("parts")) if isinstance(content, Mapping) else as_text(content)
        if isinstance(role, str) and role in _KNOWN_ROLES and text.strip():
            yield make_message(
                role,
                text,
                identifier=str(message.get("id") or key),
                timestamp=message.get("create_time"),
                session=name,
            )


def _seconds(message: Mapping[str, object]) -> float:
    created = message.get("create_time")
    return float(created) if isinstance(created, int | float) else 0.0
