"""What callers pass in, read strictly: scope, filters, limits, times, metadata."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final, TypeAlias

from perdure.core.filters import Filter, entity_ids, names_an_owner, parse_filter
from perdure.core.interval import Precision, window_end
from perdure.core.times import TimeValue, read_date, read_time
from perdure.core.values import ENTITY_FIELDS, ItemKind, Json, Scope, Validity
from perdure.errors import InvalidInput, InvalidLimit, InvalidScope, InvalidTime

MAX_LIMIT = 1000
MAX_ID_CHARACTERS = 512
MAX_QUERY_CHARACTERS = 20_000
MAX_METADATA_BYTES = 64_000
MAX_METADATA_DEPTH = 16
KINDS: tuple[ItemKind, ...] = ("fact", "episode")
_OWNERS = ", ".join(ENTITY_FIELDS)


class Unset:
    """A value that was not given, where None means something."""

    def __repr__(self) -> str:
        return "UNSET"


UNSET: Final = Unset()
IdValue: TypeAlias = "str | int | None"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadScope:
    """Whose memory to read, and what further must hold."""

    scope: Scope
    where: Filter | None


def write_scope(workspace: str, ids: Mapping[str, IdValue]) -> Scope:
    """The exact scope of a write; InvalidScope unless at least one id is given."""
    scope = Scope(workspace=workspace, **{k: read_id(v, field=k) for k, v in ids.items()})
    if not scope.has_id:
        raise InvalidScope("scope", "no id was given", f"Pass at least one of {_OWNERS}.")
    return scope


def read_scope(workspace: str, ids: Mapping[str, IdValue], filters: Mapping[str, Json] | None) -> ReadScope:
    """The scope of a read, from ids at the top level and in filters; one of them must name an owner."""
    given = {k: read_id(v, field=k) for k, v in ids.items()}
    where = parse_filter(filters) if filters else None
    for name, value in (entity_ids(where) if where else {}).items():
        if given.get(name) not in (None, value):
            raise InvalidScope(name, "differs between argument and filters", "Give it once.")
        given[name] = read_id(value, field=f"filters.{name}")
    scope = Scope(workspace=workspace, **given)
    if not scope.has_id and not (where is not None and names_an_owner(where)):
        raise InvalidScope(
            "scope", "no id was given", f"Pass at least one of {_OWNERS}, or name one in filters."
        )
    return ReadScope(scope=scope, where=where)


def read_id(value: object, *, field: str) -> str | None:
    """An id as text, byte for byte; integers become text. Blanks and `*` are refused."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise InvalidScope(field, f"a {type(value).__name__} is no id", "Use text.")
    text = str(value)
    if not text.strip():
        raise InvalidScope(field, "blank", "Use the id of whose memory this is, or leave it out.")
    if text == "*":
        raise InvalidScope(field, "`*` is no id and never widens a scope", "Name one id.")
    if len(text) > MAX_ID_CHARACTERS:
        raise InvalidScope(field, "too long", f"Use up to {MAX_ID_CHARACTERS} characters.")
    if not _is_storable(text):
        raise InvalidScope(field, "holds half a character (a lone surrogate)", "Use valid Unicode.")
    return text


def _is_storable(text: str) -> bool:
    return not any("\ud800" <= c <= "\udfff" for c in text)


def read_memory_id(value: object, *, field: str = "memory_id") -> str:
    """The id of a memory, decision or operation: text."""
    if not isinstance(value, str) or not value or not _is_storable(value):
        raise InvalidInput(field, f"a {type(value).__name__} is no id", "Use the id that a result gave.")
    return value


def read_flags(**flags: object) -> None:
    """Refuse what is neither true nor false, so that "no" is not taken for yes."""
    for name, value in flags.items():
        if not isinstance(value, bool):
            raise InvalidInput(name, f"a {type(value).__name__} is neither true nor false", "Use a bool.")


def read_cursor(value: object) -> str | None:
    if value is not None and not isinstance(value, str):
        raise InvalidInput("cursor", f"a {type(value).__name__} is no cursor", "Use `next` of a page.")
    return value


def read_query(query: object) -> str:
    if not isinstance(query, str):
        raise InvalidInput("query", f"a {type(query).__name__} is no query", "Use text.")
    if not query.strip():
        raise InvalidInput("query", "blank", "Say what to look for, or list with get_all().")
    if len(query) > MAX_QUERY_CHARACTERS:
        raise InvalidInput("query", f"longer than {MAX_QUERY_CHARACTERS} characters", "Shorten it.")
    return query


def read_limit(limit: object, top_k: object, *, default: int) -> int:
    """`limit` and `top_k` are two names of one thing; 1 to 1000."""
    given = [(name, v) for name, v in (("limit", limit), ("top_k", top_k)) if v is not None]
    if len(given) == 2 and given[0][1] != given[1][1]:
        raise InvalidLimit("limit", "differs from top_k", "Give one of them.")
    if not given:
        return default
    name, value = given[0]
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MAX_LIMIT:
        raise InvalidLimit(name, "not a whole number in range", f"Use 1 to {MAX_LIMIT}; page for more.")
    return value


def read_threshold(value: object) -> float:
    if value is None:
        return 0.0
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidInput("threshold", "not a number from 0 to 1", "Use a score such as 0.3.")
    return float(value)


def read_kinds(kinds: Sequence[str] | None) -> tuple[ItemKind, ...]:
    if kinds is None:
        return KINDS
    wanted = tuple(kind for kind in KINDS if kind in kinds)
    if isinstance(kinds, str) or not wanted or len(wanted) != len(set(kinds)):
        raise InvalidInput("kinds", "unknown kind", "Use a list of 'fact' and 'episode'.")
    return wanted


def read_signals(signals: Sequence[str] | None, known: frozenset[str]) -> frozenset[str]:
    if signals is None:
        return known
    wanted = frozenset(signals)
    if isinstance(signals, str) or not wanted or not wanted <= known:
        raise InvalidInput("signals", "unknown signal", f"Use a list of {', '.join(sorted(known))}.")
    return wanted


def read_validity(validity: str | None) -> Validity | None:
    """`current`: what has not ended; `all`: closed facts too; None: as the question asks."""
    if validity is None:
        return None
    named = {"current": Validity.UNENDED, "all": Validity.ANY, "historical": Validity.ANY}
    if validity not in named:
        raise InvalidInput("validity", "unknown", "Use 'current' or 'all', or as_of for a point in time.")
    return named[validity]


def read_moment(value: TimeValue | None, *, field: str) -> datetime | None:
    """A point in time; a day, month or year stands for its last instant, in UTC."""
    if value is None:
        return None
    start, precision = read_time(value, field=field)
    if precision is Precision.INSTANT:
        return start
    return window_end(start, precision) - timedelta(microseconds=1)


def read_start(value: TimeValue, *, field: str) -> tuple[datetime, Precision]:
    return read_time(value, field=field)


def read_expiry(value: TimeValue | None) -> date | None:
    return None if value is None else read_date(value, field="expiration_date")


def read_metadata(metadata: object) -> dict[str, Json]:
    """A JSON object of bounded size; numbers finite, keys text."""
    if metadata is None:
        return {}
    if not isinstance(metadata, Mapping):
        raise InvalidInput("metadata", f"a {type(metadata).__name__} is no object", "Use a dict.")
    _check_json(metadata, "metadata", MAX_METADATA_DEPTH)
    try:
        size = len(json.dumps(metadata, ensure_ascii=False).encode("utf-8"))
    except UnicodeEncodeError as exc:
        raise InvalidInput("metadata", "holds half a character", "Use valid Unicode.") from exc
    if size > MAX_METADATA_BYTES:
        raise InvalidInput("metadata", f"larger than {MAX_METADATA_BYTES} bytes", "Keep less in it.")
    return dict(metadata)


def _check_json(value: object, at: str, depth: int) -> None:
    if depth == 0:
        raise InvalidInput(at, f"nested deeper than {MAX_METADATA_DEPTH} levels", "Flatten it.")
    if isinstance(value, Mapping):
        for key, below in value.items():
            if not isinstance(key, str):
                raise InvalidInput(at, "a key is not text", "Use text keys.")
            _check_json(below, f"{at}.{key[:40]}", depth - 1)
    elif isinstance(value, list | tuple):
        for n, below in enumerate(value):
            _check_json(below, f"{at}[{n}]", depth - 1)
    elif isinstance(value, float) and not math.isfinite(value):
        raise InvalidInput(at, "not a finite number", "Use a number or null.")
    elif value is not None and not isinstance(value, str | int | float | bool):
        raise InvalidInput(at, f"a {type(value).__name__} is no JSON", "Use text, numbers, lists, dicts.")


def check_known_at(known_at: datetime | None, now: datetime) -> datetime | None:
    """A record time that has passed; one ahead is refused, since its answers could still change."""
    if known_at is not None and known_at.astimezone(UTC) > now:
        raise InvalidTime("known_at", "lies in the future", "Use a time that has passed, or leave it out.")
    return known_at
