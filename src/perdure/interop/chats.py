"""Chat exports: lists of messages, {"messages": [...]}, and the exports of two well-known assistants."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from perdure.errors import InvalidInput
from perdure.interop.conversations import (
    Conversation,
    Entry,
    Message,
    Problems,
    as_text,
    make_message,
    read_timestamp,
)

_SPEAKERS = {"human": "user", "user": "user", "assistant": "assistant", "ai": "assistant"}
_KNOWN_ROLES = frozenset({*_SPEAKERS, "system", "tool", "developer", "function", "model"})
_CONVERSATION_KEYS = ("messages", "chat_messages", "mapping", "conversation")
_TEXT_KEYS = ("content", "text", "message")
_TIME_KEYS = ("timestamp", "at", "created_at", "create_time", "date", "time")


def read_chat_export(value: object, name: str, problems: Problems) -> Iterator[Conversation]:
    """The conversations of a parsed JSON file; one without words has no messages."""
    if isinstance(value, Mapping) and isinstance(inner := value.get("conversations"), list):
        value = inner
    entries = value if isinstance(value, list) else [value]
    if entries and all(_is_conversation(e) for e in entries):
        for number, entry in enumerate(entries):
            yield _one(entry, _title(entry) or (f"{name}-{number}" if number else name), problems)
        return
    listed = (Entry(f"entry {n}", str(n), e) for n, e in enumerate(entries))
    yield read_message_list(listed, name, problems)


def _is_conversation(entry: object) -> bool:
    return isinstance(entry, Mapping) and any(
        isinstance(entry.get(k), list | Mapping) for k in _CONVERSATION_KEYS
    )


def _title(entry: Mapping[str, object]) -> str | None:
    """The conversation's own id, if it has one."""
    return next((str(entry[k]) for k in ("id", "uuid", "conversation_id") if entry.get(k)), None)


def _one(entry: Mapping[str, object], name: str, problems: Problems) -> Conversation:
    if isinstance(mapping := entry.get("mapping"), Mapping):
        return Conversation(name=name, messages=tuple(_from_mapping(mapping, name, problems)))
    listed = next((entry[k] for k in _CONVERSATION_KEYS if k in entry), None)
    if not isinstance(listed, list):
        raise InvalidInput("file", "holds no list of messages", "Use {'messages': [...]} or a list.")
    entries = (Entry(f"{name}, message {n}", str(n), m) for n, m in enumerate(listed))
    return read_message_list(entries, name, problems, session=_title(entry))


def read_message_list(
    entries: Iterable[Entry], name: str, problems: Problems, *, session: str | None = None
) -> Conversation:
    """One conversation. An entry that has a role but no words (a tool call, a picture) gives no message.

    session: of messages that name none.
    """
    messages = []
    for entry in entries:
        if not isinstance(entry.value, Mapping) or not _has_the_shape(entry.value):
            problems.report(entry.place, "is no message with a role and text")
        elif text := _words(entry.value):
            messages.append(_message(entry, entry.value, text, name, session, problems))
    return Conversation(name=name, messages=tuple(messages))


def _has_the_shape(entry: Mapping[str, object]) -> bool:
    """A message has words, or says at least who would have spoken them."""
    speaker = _speaker(entry)
    has_place_for_words = any(k in entry for k in _TEXT_KEYS)
    return isinstance(speaker, str) and bool(_words(entry) or (speaker and has_place_for_words))


def _speaker(entry: Mapping[str, object]) -> object:
    return next(
        (entry[k] for k in ("role", "sender", "speaker") if k in entry), "user" if _words(entry) else ""
    )


def _words(entry: Mapping[str, object]) -> str:
    """The first of its texts that is not blank: one export has both `text` and `content`, either empty."""
    return next((text for k in _TEXT_KEYS if (text := as_text(entry.get(k))).strip()), "")


def _message(
    place: Entry,
    entry: Mapping[str, object],
    text: str,
    name: str,
    session: str | None,
    problems: Problems,
) -> Message:
    speaker = str(_speaker(entry))
    is_role = speaker.casefold() in _KNOWN_ROLES
    given_name = entry.get("name") or (entry.get("speaker") if is_role else speaker)
    own_session = entry.get("session", entry.get("session_id"))
    return make_message(
        _SPEAKERS.get(speaker.casefold(), speaker.casefold()) if is_role else "user",
        text,
        identifier=str(entry.get("id") or entry.get("uuid") or f"{name}#{place.key}"),
        name=str(given_name) if given_name and str(given_name).casefold() not in _KNOWN_ROLES else None,
        timestamp=read_timestamp(_when(entry), place.place, problems),
        session=session if own_session is None else str(own_session),
    )


def _when(entry: Mapping[str, object]) -> object:
    return next((entry[k] for k in _TIME_KEYS if entry.get(k) is not None), None)


def _from_mapping(mapping: Mapping[str, object], name: str, problems: Problems) -> Iterator[Message]:
    """The messages of a tree of nodes, by time, every branch of it; one without a time follows its parent.

    Nodes without words (system stubs, tool calls) give none.
    """
    nodes = {key: node for key, node in mapping.items() if isinstance(node, Mapping)}
    for key in sorted(nodes, key=lambda key: _order(key, nodes)):
        message = nodes[key].get("message")
        if not isinstance(message, Mapping):
            continue
        author, content = message.get("author"), message.get("content")
        role = author.get("role") if isinstance(author, Mapping) else None
        text = as_text(content.get("parts")) if isinstance(content, Mapping) else as_text(content)
        if isinstance(role, str) and role in _KNOWN_ROLES and text.strip():
            yield make_message(
                _SPEAKERS.get(role, role),
                text,
                identifier=str(message.get("id") or key),
                timestamp=read_timestamp(message.get("create_time"), f"{name}, node {key}", problems),
                session=name,
            )


def _order(key: str, nodes: Mapping[str, Mapping[str, object]]) -> tuple[float, int]:
    """The node's time, or that of its nearest dated forebear; then how far below the root it stands."""
    moment: float | None = None
    above: dict[str, None] = {}
    at: object = key
    while isinstance(at, str) and at in nodes and at not in above:
        above[at] = None
        message = nodes[at].get("message")
        created = message.get("create_time") if isinstance(message, Mapping) else None
        if moment is None and isinstance(created, int | float) and not isinstance(created, bool):
            moment = float(created)
        at = nodes[at].get("parent")
    return moment or 0.0, len(above)
