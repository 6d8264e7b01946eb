"""One line for each measurement, and the arithmetic on them: medians, ratios, growth."""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from bench.errors import BrokenRun

Rounds = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """What was measured of a subject at a size.

    name: who. size: facts in the whole store. what: such as `search`. case: such as `big/common/all`, empty
    if there is but one. unit: ms, /s, s, MB or a count. values: a tuple for each round, in order; subjects
    of one case took turns in each round. note: such as the size at which a subject was stopped.
    """

    name: str
    size: int
    what: str
    case: str
    unit: str
    values: Rounds
    commit: str
    cores: int
    note: str = ""

    @property
    def samples(self) -> tuple[float, ...]:
        return tuple(value for one in self.values for value in one)

    @property
    def median(self) -> float:
        return statistics.median(self.samples)

    def percentile(self, share: float) -> float:
        """The smallest sample that at least this share of the samples does not pass; share in (0, 1]."""
        ordered = sorted(self.samples)
        return ordered[math.ceil(share * len(ordered)) - 1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratio:
    """Of ratios of medians, one a round, in which both took turns: their median, least and greatest."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{_short(self.value)} ({_short(self.low)} to {_short(self.high)})"


def ratio(of: Measurement, to: Measurement) -> Ratio:
    """`of` in units of `to`. Rounds are paired in order; ValueError if they do not pair."""
    if len(of.values) != len(to.values) or of.unit != to.unit:
        raise ValueError(f"{of.name} and {to.name}: other rounds or other units of {of.what}")
    pairs = zip(of.values, to.values, strict=True)
    by_round = [statistics.median(one) / statistics.median(other) for one, other in pairs]
    return Ratio(value=statistics.median(by_round), low=min(by_round), high=max(by_round))


def growth(
    measured: Iterable[Measurement], *, name: str, what: str, case: str = ""
) -> list[tuple[int, float, float, float]]:
    """For a plot: (size, median, least and greatest median of a round), by size."""
    found = [m for m in measured if (m.name, m.what, m.case) == (name, what, case)]
    rows = []
    for one in sorted(found, key=lambda m: m.size):
        medians = [statistics.median(values) for values in one.values]
        rows.append((one.size, one.median, min(medians), max(medians)))
    return rows


def write_line(path: Path, measurement: Measurement) -> None:
    """Append to the file; a run that is broken off keeps what it measured."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(measurement), ensure_ascii=False) + "\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorder:
    """Keeps measurements of one run, and appends each to the file at once."""

    out: Path
    commit: str
    cores: int
    measured: list[Measurement] = field(default_factory=list)

    def take(
        self, *, name: str, size: int, what: str, case: str = "", unit: str, values: Rounds, note: str = ""
    ) -> None:
        one = Measurement(
            name=name,
            size=size,
            what=what,
            case=case,
            unit=unit,
            values=values,
            commit=self.commit,
            cores=self.cores,
            note=note,
        )
        self.measured.append(one)
        write_line(self.out, one)


def read_lines(path: Path) -> list[Measurement]:
    """Every measurement of a file; BrokenRun names the line that cannot be read."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            fields = json.loads(line)
            values = tuple(tuple(float(v) for v in one) for one in fields.pop("values"))
            found.append(Measurement(values=values, **fields))
        except (ValueError, TypeError, KeyError, AttributeError) as exc:
            raise BrokenRun(f"{path.name}, line {number}: no measurement. Remove the line.") from exc
    return found


def one_value(value: float) -> Rounds:
    return ((value,),)


def find(
    measured: Sequence[Measurement], *, name: str, size: int, what: str, case: str = ""
) -> Measurement | None:
    """The measurement, the last one if it was taken twice; None if it was not taken."""
    for one in reversed(measured):
        if (one.name, one.size, one.what, one.case) == (name, size, what, case):
            return one
    return None


def _short(number: float) -> str:
    return f"{number:.0f}" if number >= 100 else f"{number:.3g}"
