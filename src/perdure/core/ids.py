"""Time-sortable ids: UUID version 7 (RFC 9562), as lower-case strings."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def make_id(now: datetime, random_bytes: bytes) -> str:
    """A UUIDv7 for `now` (aware, 1970 or later) from ten random bytes; ids sort by their millisecond."""
    if len(random_bytes) != 10:
        raise ValueError("make_id needs exactly ten random bytes")
    milliseconds = (now - _EPOCH) // timedelta(milliseconds=1)
    if not 0 <= milliseconds < 1 << 48:
        raise ValueError("make_id needs a time between 1970 and 10889")
    chance = int.from_bytes(random_bytes)
    high = milliseconds << 16 | 0x7000 | (chance >> 68 & 0x0FFF)
    low = 0x8000_0000_0000_0000 | (chance & 0x3FFF_FFFF_FFFF_FFFF)
    return str(uuid.UUID(int=high << 64 | low))


def id_time(identifier: str) -> datetime:
    """The millisecond an id was made at (UTC)."""
    return _EPOCH + timedelta(milliseconds=uuid.UUID(identifier).int >> 80)
