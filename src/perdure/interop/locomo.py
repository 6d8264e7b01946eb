"""LoCoMo conversation files (snap-research/LoCoMo): two speakers, dated sessions, turns with ids."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from perdure.core.time_lexicon import MONTHS
from perdure.interop.conversations import Conversation, Message, Problems, make_message

_SESSION = re.compile(r"session_(\d+)\Z")
_DATE = re.compile(r"(\d{1,2}):(\d{2}) ([ap]m) on (\d{1,2}) ([a-z]+),? (\d{4})\Z", re.IGNORECASE)


def is_locomo(value: object) -> bool:
    samples = value if isinstance(value, list) else [value]
    return bool(samples) and all(
        isinstance(s, Mapping)
        and isinstance(c := s.get("conversation"), Mapping)
        and any(_SESSION.match(str(k)) for k in c)
        for s in samples
    )


def read_locomo(value: object, problems: Problems) -> Iterator[Conversation]:
    """One conversation a sample; each turn's id is its dialogue id, its time that of its session."""
    samples = value if isinstance(value, list) else [value]
    for number, sample in enumerate(samples):
        name = str(sample.get("sample_id") or f"sample-{number}")
        yield Conversation(name=name, messages=tuple(_turns(sample["conversation"], name, problems)))


def _turns(conversation: Mapping[str, object], name: str, problems: Problems) -> Iterator[Message]:
    numbers = sorted(int(m.group(1)) for key in conversation if (m := _SESSION.match(str(key))))
    for number in numbers:
        session = f"session_{number}"
        turns = conversation[session]
        when = _session_time(conversation.get(f"{session}_date_time"), f"{name}, {session}", problems)
        for position, turn in enumerate(turns if isinstance(turns, list) else []):
            text = _text(turn) if isinstance(turn, Mapping) else ""
            if not text:
                problems.report(f"{name}, {session}, turn {position}", "has no text")
                continue
            yield make_message(
                "user",
                text,
                identifier=str(turn.get("dia_id") or f"{session}#{position}"),
                name=str(turn.get("speaker") or "") or None,
                timestamp=when,
                session=session,
            )


def _text(turn: Mapping[str, object]) -> str:
    text, caption = str(turn.get("text") or "").strip(), turn.get("blip_caption")
    if isinstance(caption, str) and caption.strip():
        return f"{text} [shares a picture: {caption.strip()}]".strip()
    return text


def _session_time(value: object, place: str, problems: Problems) -> str | None:
    """`1:56 pm on 8 May, 2023` as ISO 8601 in UTC, whatever the locale; None if there is no date."""
    if not isinstance(value, str) or not value.strip():
        return None
    moment = _read_moment(value.strip())
    if moment is None:
        problems.report(place, "has a date that cannot be read")
    return moment.isoformat() if moment else None


def _read_moment(text: str) -> datetime | None:
    match = _DATE.match(text)
    if match is None or not 1 <= int(match[1]) <= 12:
        return None
    hour = int(match[1]) % 12 + (12 if match[3].lower() == "pm" else 0)
    try:
        month = MONTHS[match[5].lower()]
        return datetime(int(match[6]), month, int(match[4]), hour, int(match[2]), tzinfo=UTC)
    except (ValueError, KeyError):
        return None
