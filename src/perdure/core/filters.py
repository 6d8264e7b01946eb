"""The filter language: one grammar, one null rule, one implementation for every store.

    {"city": "Porto"}                          a bare value means eq, a list means in
    {"age": {"gte": 18, "lt": 65}}             several operators on one field must all hold
    {"AND": [...]}  {"OR": [...]}  {"NOT": {...}}   sibling keys must all hold
    {"metadata": {"city": "Porto"}} or {"metadata.city": "Porto"}
                                               (a name that is no field is a metadata key too)
    {"city": "*"}                              the field is there and not null

Null rule: a field that is missing or null satisfies only `ne`, `nin` (of a value that is not null),
`eq: null` and `exists: false`. NOT is plain negation of what it holds.
Dates in date fields are read as times (`times.read_time`); a date without time is its whole day
for eq, and its start for gt, gte, lt, lte.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TypeAlias

from perdure.core.times import read_span, read_time
from perdure.core.values import ENTITY_FIELDS, Episode, Fact, Json
from perdure.errors import InvalidFilter, InvalidTime

DATE_FIELDS = frozenset(
    {"created_at", "updated_at", "valid_from", "valid_to", "timestamp", "expiration_date"}
)
FIELDS = DATE_FIELDS | {
    *ENTITY_FIELDS,
    "id",
    "memory",
    "text",
    "kind",
    "status",
    "subject",
    "attribute",
    "value",
    "speaker",
    "role",
    "session",
    "categories",
    "confidence",
}
OPERATORS = (
    "eq", "ne", "in", "nin", "gt", "gte", "lt", "lte", "contains", "icontains", "exists",
)  # fmt: skip
MAX_DEPTH = 12
MAX_CONDITIONS = 256
_ALIASES = {"memory": "text", "userId": "user_id", "agentId": "agent_id", "appId": "app_id"}
_ALIASES |= {"runId": "run_id", "expires_on": "expiration_date"}

Record: TypeAlias = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Condition:
    """One field against one operand. path: the field, or `metadata` and the keys below it."""

    path: tuple[str, ...]
    operator: str
    operand: Json

    def matches(self, record: Record) -> bool:
        value = _look_up(record, self.path)
        return _TESTS[self.operator](value, self.operand, self.path[0] in DATE_FIELDS)


@dataclass(frozen=True, slots=True)
class AllOf:
    parts: tuple[Filter, ...]

    def matches(self, record: Record) -> bool:
        return all(part.matches(record) for part in self.parts)


@dataclass(frozen=True, slots=True)
class AnyOf:
    parts: tuple[Filter, ...]

    def matches(self, record: Record) -> bool:
        return any(part.matches(record) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Not:
    part: Filter

    def matches(self, record: Record) -> bool:
        return not self.part.matches(record)


Filter: TypeAlias = Condition | AllOf | AnyOf | Not


def parse_filter(raw: Mapping[str, Json]) -> Filter:
    """Read a filter; InvalidFilter names the place and what is allowed there."""
    budget = [MAX_CONDITIONS]
    return _parse_object(raw, "filters", MAX_DEPTH, budget)


def entity_ids(where: Filter) -> dict[str, str]:
    """The ids that every match must have: equalities on entity fields at the top or under AND."""
    if isinstance(where, Condition):
        is_id = where.path[0] in ENTITY_FIELDS and where.operator == "eq"
        return {where.path[0]: where.operand} if is_id and isinstance(where.operand, str) else {}
    found: dict[str, str] = {}
    if isinstance(where, AllOf):
        for part in where.parts:
            found |= entity_ids(part)
    return found


def names_an_owner(where: Filter) -> bool:
    """True if every way to satisfy the filter names an entity id by eq or in."""
    if isinstance(where, Condition):
        return where.path[0] in ENTITY_FIELDS and where.operator in ("eq", "in")
    if isinstance(where, AllOf):
        return any(names_an_owner(part) for part in where.parts)
    if isinstance(where, AnyOf):
        return bool(where.parts) and all(names_an_owner(part) for part in where.parts)
    return False


def fact_record(fact: Fact) -> Record:
    """The fields of a fact that filters see."""
    body = fact.body
    said = [s.claim.said_at for s in fact.sources if s.claim.said_at is not None]
    return {
        **fact.scope.ids(),
        "id": fact.id,
        "text": body.text,
        "kind": body.kind.value,
        "status": body.status.value,
        "subject": body.slot.subject if body.slot else body.subject,
        "attribute": body.slot.attribute if body.slot else None,
        "value": body.value,
        "speaker": body.speaker,
        "role": body.role.value,
        "confidence": body.confidence,
        "created_at": fact.created_at,
        "updated_at": fact.version.recorded.start,
        "valid_from": body.valid.start,
        "valid_to": body.valid.end,
        "timestamp": min(said, default=None),
        "expiration_date": body.expires_on,
        "categories": body.metadata.get("categories"),
        "metadata": body.metadata,
    }


def episode_record(episode: Episode) -> Record:
    """The fields of an episode that filters see."""
    return {
        **episode.scope.ids(),
        "id": episode.id,
        "text": episode.text,
        "kind": "episode",
        "speaker": episode.speaker,
        "role": episode.role.value,
        "session": episode.session,
        "created_at": episode.recorded_at,
        "updated_at": episode.recorded_at,
        "valid_from": episode.said_at,
        "timestamp": episode.said_at,
        "categories": episode.metadata.get("categories"),
        "metadata": episode.metadata,
    }


def _parse_object(raw: object, at: str, depth: int, budget: list[int]) -> Filter:
    if not isinstance(raw, Mapping):
        raise InvalidFilter(at, f"a {type(raw).__name__} is no filter", "Use an object of conditions.")
    if depth == 0:
        raise InvalidFilter(at, f"nested deeper than {MAX_DEPTH} levels", "Flatten the filter.")
    parts: list[Filter] = []
    for key, value in raw.items():
        if not isinstance(key, str):
            raise InvalidFilter(at, "a key is not text", "Use field names and AND, OR, NOT.")
        if key.lstrip("$").upper() in ("AND", "OR", "NOT") and key not in ("AND", "OR", "NOT"):
            raise InvalidFilter(f"{at}.{key[:8]}", "is no operator", "Write AND, OR, NOT in capitals.")
        if key in ("AND", "OR"):
            members = _members(value, f"{at}.{key}", depth, budget)
            parts.append(AllOf(members) if key == "AND" else AnyOf(members))
        elif key == "NOT":
            parts.append(_parse_not(value, f"{at}.NOT", depth, budget))
        else:
            parts += _parse_field(_path(key), value, f"{at}.{key}", depth, budget)
    return parts[0] if len(parts) == 1 else AllOf(tuple(parts))


def _members(value: object, at: str, depth: int, budget: list[int]) -> tuple[Filter, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str) or not value:
        raise InvalidFilter(at, "needs a list with at least one filter", "Use [{...}, {...}].")
    return tuple(_parse_object(v, f"{at}[{n}]", depth - 1, budget) for n, v in enumerate(value))


def _parse_not(value: object, at: str, depth: int, budget: list[int]) -> Filter:
    """NOT takes one filter, or a list: none of them may hold."""
    if isinstance(value, Mapping):
        return Not(_parse_object(value, at, depth - 1, budget))
    return Not(AnyOf(_members(value, at, depth, budget)))


def _path(key: str) -> tuple[str, ...]:
    name = _ALIASES.get(key, key)
    if name in FIELDS or name == "metadata":
        return (name,)
    if name.startswith("metadata."):
        return ("metadata", *name.split(".")[1:])
    return ("metadata", *name.split("."))


def _parse_field(
    path: tuple[str, ...], value: object, at: str, depth: int, budget: list[int]
) -> list[Filter]:
    if path == ("metadata",):
        if not isinstance(value, Mapping):
            return _conditions(path, value, at, budget)
        if depth == 0:
            raise InvalidFilter(at, f"nested deeper than {MAX_DEPTH} levels", "Flatten the filter.")
        return [
            part
            for key, below in value.items()
            for part in _parse_field(("metadata", str(key)), below, f"{at}.{key}", depth - 1, budget)
        ]
    return _conditions(path, value, at, budget)


def _conditions(path: tuple[str, ...], value: object, at: str, budget: list[int]) -> list[Filter]:
    if isinstance(value, Mapping):
        if not value:
            raise InvalidFilter(at, "has no operator", f"Use one of {', '.join(OPERATORS)}.")
        operations = list(value.items())
    elif isinstance(value, list | tuple):
        operations = [("in", list(value))]
    elif value == "*":
        operations = [("exists", True)]
    else:
        operations = [("eq", value)]
    budget[0] -= len(operations)
    if budget[0] < 0:
        raise InvalidFilter(at, f"more than {MAX_CONDITIONS} conditions", "Use fewer, or `in`.")
    return [_condition(path, operator, operand, at) for operator, operand in operations]


def _condition(path: tuple[str, ...], operator: object, operand: Json, at: str) -> Condition:
    if operator not in OPERATORS or not isinstance(operator, str):
        raise InvalidFilter(at, "unknown operator", f"Use one of {', '.join(OPERATORS)}.")
    if operator in ("in", "nin") and not isinstance(operand, list | tuple):
        raise InvalidFilter(at, f"`{operator}` needs a list", "Write [value, ...].")
    if operator == "exists" and not isinstance(operand, bool):
        raise InvalidFilter(at, "`exists` needs true or false", "Write true or false.")
    if operator in ("contains", "icontains") and not isinstance(operand, str | int | float):
        raise InvalidFilter(at, f"`{operator}` needs text or a number", "Give what to look for.")
    if operator in ("gt", "gte", "lt", "lte") and not isinstance(
        operand, str | int | float | datetime | date
    ):
        raise InvalidFilter(at, f"`{operator}` needs a number, text or time", "Give a bound.")
    if path[0] in ENTITY_FIELDS and isinstance(operand, int) and not isinstance(operand, bool):
        operand = str(operand)
    if path[0] in DATE_FIELDS:
        _check_dates(operator, operand, at)
    return Condition(path, operator, operand)


def _check_dates(operator: str, operand: Json, at: str) -> None:
    if operator in ("contains", "icontains"):
        raise InvalidFilter(at, f"`{operator}` cannot be used on a date", "Use gte and lt.")
    if operator == "exists":
        return
    for value in operand if isinstance(operand, list | tuple) else [operand]:
        if value is None:
            continue
        if isinstance(value, bool | dict | list):
            raise InvalidFilter(at, "is no date", "Use ISO 8601 text.")
        try:
            read_time(value, field=at)
        except InvalidTime as exc:
            raise InvalidFilter(at, exc.problem, exc.remedy) from exc


def _look_up(record: Record, path: tuple[str, ...]) -> object:
    value: object = record
    for n, key in enumerate(path):
        if not isinstance(value, Mapping):
            return None
        if n and ".".join(path[n:]) in value:
            return value[".".join(path[n:])]
        value = value.get(key)
    return value


def _equal(value: object, operand: Json, is_date: bool) -> bool:
    if value is None or operand is None:
        return value is None and operand is None
    if is_date and isinstance(value, date):
        span = read_span(operand, field="filters")  # type: ignore[arg-type]  # checked when parsed
        return span.contains(_moment(value))
    if isinstance(value, bool) != isinstance(operand, bool):
        return False
    if isinstance(value, list) and not isinstance(operand, list):
        return any(_equal(member, operand, False) for member in value)
    return bool(value == operand)


def _compare(value: object, operand: Json, is_date: bool) -> int | None:
    """Negative, zero or positive; None if the two cannot be ordered."""
    if value is None or operand is None or isinstance(value, bool) or isinstance(operand, bool):
        return None
    if is_date and isinstance(value, date):
        left, right = _moment(value), read_time(operand, field="filters")[0]  # type: ignore[arg-type]  # checked when parsed
        return (left > right) - (left < right)
    if isinstance(value, int | float) and isinstance(operand, int | float):
        return (value > operand) - (value < operand)
    if isinstance(value, str) and isinstance(operand, str):
        times = _both_times(value, operand)
        if times is not None:
            return (times[0] > times[1]) - (times[0] < times[1])
        return (value > operand) - (value < operand)
    return None


def _both_times(left: str, right: str) -> tuple[datetime, datetime] | None:
    """Two texts as instants where both are ISO dates or times, so that zones compare rightly."""
    if not (left[:4].isdigit() and right[:4].isdigit() and "-" in left and "-" in right):
        return None
    try:
        return read_time(left, field="filters")[0], read_time(right, field="filters")[0]
    except InvalidTime:
        return None  # plain text that only looks like a date; ordered as text


def _moment(value: date) -> datetime:
    return value if isinstance(value, datetime) else read_time(value, field="filters")[0]


def _contains(value: object, operand: Json, fold: Callable[[str], str]) -> bool:
    wanted = fold(str(operand))
    if isinstance(value, str):
        return wanted in fold(value)
    if isinstance(value, list | tuple):
        return any(fold(str(member)) == wanted for member in value if member is not None)
    return False


def _ordered(accept: Callable[[int], bool]) -> Callable[[object, Json, bool], bool]:
    def test(value: object, operand: Json, is_date: bool) -> bool:
        order = _compare(value, operand, is_date)
        return order is not None and accept(order)

    return test


def _is_in(value: object, operand: Json, is_date: bool) -> bool:
    return isinstance(operand, list | tuple) and any(_equal(value, o, is_date) for o in operand)


_TESTS: dict[str, Callable[[object, Json, bool], bool]] = {
    "eq": _equal,
    "ne": lambda value, operand, is_date: not _equal(value, operand, is_date),
    "in": _is_in,
    "nin": lambda value, operand, is_date: not _is_in(value, operand, is_date),
    "gt": _ordered(lambda order: order > 0),
    "gte": _ordered(lambda order: order >= 0),
    "lt": _ordered(lambda order: order < 0),
    "lte": _ordered(lambda order: order <= 0),
    "contains": lambda value, operand, _: _contains(value, operand, str),
    "icontains": lambda value, operand, _: _contains(value, operand, str.casefold),
    "exists": lambda value, operand, _: (value is not None) == operand,
}
