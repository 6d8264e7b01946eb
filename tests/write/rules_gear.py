"""Short ways to say something and see what the rules make of it.

Everything is said on Wednesday 15 May 2024 at 09:10, five hours behind UTC, unless told otherwise.
"""

from __future__ import annotations

from datetime import UTC, datetime

from perdure.core.values import Draft, Episode, EpisodeId, Json, Role, Scope
from perdure.write.rules import extract_by_rules

SAID = datetime(2024, 5, 15, 14, 10, tzinfo=UTC)
SAID_DAY = datetime(2024, 5, 15, tzinfo=UTC)


def turn(
    text: str,
    *,
    name: str = "e1",
    role: Role = Role.USER,
    speaker: str | None = None,
    said_at: datetime | None = SAID,
    offset: int = -300,
    metadata: dict[str, Json] | None = None,
) -> Episode:
    return Episode(
        id=EpisodeId(name),
        scope=Scope(workspace="w", user_id="u"),
        role=role,
        text=text,
        fingerprint=name,
        speaker=speaker,
        said_at=said_at,
        utc_offset_minutes=offset,
        metadata=metadata or {},
    )


def drafts(text: str, *, speaker: str | None = None, said_at: datetime | None = SAID) -> tuple[Draft, ...]:
    return extract_by_rules([turn(text, speaker=speaker, said_at=said_at)]).drafts


def the_draft(text: str, *, speaker: str | None = None, said_at: datetime | None = SAID) -> Draft:
    (draft,) = drafts(text, speaker=speaker, said_at=said_at)
    return draft


def texts(text: str, *, speaker: str | None = None) -> list[str]:
    return [draft.text for draft in drafts(text, speaker=speaker)]


def slots(text: str, *, speaker: str | None = None) -> list[tuple[str, str, str]]:
    """(subject, attribute, value) of every slot that is said to hold or to have held."""
    found = drafts(text, speaker=speaker)
    return [
        (d.subject, d.attribute, d.value) for d in found if d.attribute is not None and d.value is not None
    ]


def reason(text: str, *, role: Role = Role.USER) -> str:
    (skipped,) = extract_by_rules([turn(text, role=role)]).skipped
    return skipped.reason
