"""Time and ids that tests can foretell."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from perdure.core.ids import make_id

START = datetime(2025, 1, 6, 9, 0, tzinfo=UTC)


class FixedClock:
    """A clock that gives `start`, then moves by `step` with each reading; it stands still by default."""

    def __init__(self, start: datetime = START, step: timedelta = timedelta(0)) -> None:
        if start.tzinfo is None:
            raise ValueError("start: a clock gives aware times")
        self._next = start.astimezone(UTC)
        self._step = step

    def __call__(self) -> datetime:
        now = self._next
        self._next += self._step
        return now

    def set(self, moment: datetime) -> None:
        """Read `moment` (aware) next."""
        self._next = moment.astimezone(UTC)

    def advance(self, span: timedelta) -> None:
        """Move on by `span`."""
        self._next += span


class CountingIds:
    """Valid time-sortable ids (UUIDv7), the same in every run: one millisecond apart from `START`."""

    def __init__(self, start: int = 0) -> None:
        self._count = start

    def __call__(self) -> str:
        self._count += 1
        return make_id(START + timedelta(milliseconds=self._count), self._count.to_bytes(10))
