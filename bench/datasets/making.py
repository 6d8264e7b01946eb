"""What loaders share: times as data sets write them, and cases whose faults are named by file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

from bench.datasets.nodes import Node
from bench.errors import BenchError
from bench.model import Case, Question, Role, Turn
from perdure.core.time_lexicon import MONTHS

SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)


def read_moment(node: Node, pattern: re.Pattern[str]) -> datetime:
    """The time that a text gives, taken as UTC, whatever the locale.

    pattern: matches all of it, with groups year, month (a number or an English name) and day, and maybe
    hour, minute and second.
    """
    match = pattern.fullmatch(node.as_text())
    if match is None:
        node.fail("is no time as the set writes it")
    parts = {"hour": "0", "minute": "0", "second": "0"} | match.groupdict()
    month = parts.pop("month").lower()
    try:
        number = int(month) if month.isdigit() else MONTHS[month]
        return datetime(month=number, tzinfo=UTC, **{k: int(v) for k, v in parts.items()})
    except (KeyError, ValueError):
        node.fail("is no time that exists")


def read_iso(node: Node) -> datetime:
    """An ISO 8601 time; one without an offset is UTC."""
    try:
        moment = datetime.fromisoformat(node.as_text())
    except ValueError:
        node.fail("is no ISO 8601 time")
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def not_before(moment: datetime, turns: Sequence[Turn]) -> datetime:
    """The moment, or a second after the last turn if that is later: what is fed later was said later."""
    return max(moment, turns[-1].at + SECOND) if turns else moment


def after_all(turns: Sequence[Turn], place: Node) -> datetime:
    """A minute after the last turn."""
    return turns[-1].at + MINUTE if turns else place.fail("asks before anything was said")


def read_role(node: Node) -> Role:
    match node.as_text().lower():
        case "user":
            return "user"
        case "assistant":
            return "assistant"
        case "system":
            return "system"
        case _:
            return node.fail("is no role that is known")


def make_case(
    place: Node, *, id: str, owner: str, turns: Iterable[Turn], questions: Iterable[Question]
) -> Case:
    """A case; BenchError with its place if the model refuses it."""
    try:
        return Case(id=id, owner=owner, turns=tuple(turns), questions=tuple(questions))
    except ValueError as exc:
        raise BenchError(f"{place.place}: {exc}") from exc
