"""Scopes, views and instants as parameters of queries."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from perdure.core.filters import Filter
from perdure.core.values import ItemKind, Scope, View
from perdure.store.sqlite.connection import SqlValue

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
CURRENT = "current"


def micros(moment: datetime) -> int:
    """Microseconds since 1970; the moment must be aware."""
    return (moment - _EPOCH) // _MICROSECOND


def micros_or_none(moment: datetime | None) -> int | None:
    return None if moment is None else micros(moment)


def moment(value: int) -> datetime:
    return _EPOCH + value * _MICROSECOND


def moment_or_none(value: int | None) -> datetime | None:
    return None if value is None else moment(value)


def scope_params(scope: Scope) -> dict[str, SqlValue]:
    """For the parts `scope` (what it covers) and `exact_scope`."""
    return {"workspace": scope.workspace, **scope.ids(), "scope_key": scope.key}


def view_params(view: View | None) -> dict[str, SqlValue]:
    """For the parts `shown`, `seen` and `known`; None means current, whatever its state."""
    if view is None:
        return {"validity": CURRENT, "valid_at": None, "known_at": None, "unexpired_on": None}
    return {
        "validity": view.validity.value,
        "valid_at": micros(view.valid_at),
        "known_at": micros_or_none(view.known_at),
        "unexpired_on": view.unexpired_on.isoformat() if view.unexpired_on else None,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Sieve:
    """What a search lets through: scope, kinds, view and filter, and how many."""

    scope: Scope
    kinds: frozenset[ItemKind]
    view: View
    where: Filter | None
    limit: int

    @property
    def is_empty(self) -> bool:
        return self.limit < 1 or not self.kinds

    def params(self) -> dict[str, SqlValue]:
        return {
            **scope_params(self.scope),
            **view_params(self.view),
            "facts": "fact" in self.kinds,
            "episodes": "episode" in self.kinds,
        }
