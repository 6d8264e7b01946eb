"""Who and what a story is about: invented names, places and numbers, drawn by chance of a seed.

No name is a word of one of our languages or part of another name, so that it can be found in a text.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TypeAlias, TypeVar

T = TypeVar("T")
Four: TypeAlias = "tuple[str, str, str, str]"

PEOPLE = (
    "Tamsil", "Belenka", "Ruvik", "Jorunda", "Neledra", "Pavosh", "Sannike", "Liobeth", "Keremon", "Ylvard",
    "Dariosh", "Mirtessa", "Anoukai", "Tobinel", "Quirela", "Ostara", "Zefirin",
    "Hadebra", "Ilmarin", "Vesnara",
)  # fmt: skip
PLACES = (
    "Marvik", "Tolvenau", "Brackmoor", "Sundlow", "Orvenne", "Kaldashi", "Pellwick", "Quorraville", "Vintesk",
    "Halmora", "Drosby", "Lirenza", "Ostwyn", "Feldane", "Yarrowick", "Umbrello", "Crennick", "Wolgast-Neu",
    "Ithilby", "Zarrenz",
)  # fmt: skip
DOGS = ("Wuffold", "Biskanto", "Nurrik", "Plumbus", "Tiggeran", "Rollmo", "Quastel", "Fennigo")
COURSES = ("Velskan", "Torvish", "Quellmo", "Arkadisch-Alt", "Numbrel", "Ostrinish", "Palverik", "Zindari")
FIRMS = ("Brellco", "Nordlunt", "Quarzwerk Ost", "Ventaro Labs", "Sigmaplus", "Hollbrandt")
OTHERS = ("Grunhild", "Vasco Tremm", "Ottmar", "Signe Holl", "Basil Renko", "Cilla Vahr")
STEP_DAYS = 150
STEPS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast:
    """The people and values of one pair of stories, and its calendar.

    times: when the steps are told, about five months apart. between[i]: a month after times[i] and before
    times[i + 1]. past: months before the first step, nearest first.
    """

    me: str
    x: str
    y: str
    z: str
    places: Four
    people: Four
    dogs: Four
    courses: Four
    ports: Four
    phones: Four
    firm: str
    berth: str
    times: tuple[datetime, ...]
    between: tuple[datetime, ...]
    past: tuple[datetime, ...]


def draw_cast(rng: random.Random) -> Cast:
    """A cast by chance. The same generator state gives the same cast on every machine."""
    me, x, y, z, *leaders = _sample(rng, PEOPLE, 8)
    first = datetime(2021, 1, 4, tzinfo=UTC) + timedelta(days=_below(rng, 300))
    times = tuple(
        first
        + timedelta(days=STEP_DAYS * n + _below(rng, 20), hours=8 + _below(rng, 10), minutes=_below(rng, 60))
        for n in range(STEPS)
    )
    port = 5000 + _below(rng, 900)
    return Cast(
        me=me,
        x=x,
        y=y,
        z=z,
        places=_four(_sample(rng, PLACES, 4)),
        people=_four(leaders),
        dogs=_four(_sample(rng, DOGS, 4)),
        courses=_four(_sample(rng, COURSES, 4)),
        ports=_four([str(port + n) for n in range(4)]),
        phones=_four([f"0{700 + _below(rng, 99)}-55{1000 + 7 * n + _below(rng, 7)}" for n in range(4)]),
        firm=_sample(rng, FIRMS, 1)[0],
        berth=str(11 + _below(rng, 80)),
        times=times,
        between=tuple(_month(t + timedelta(days=75)) for t in times),
        past=tuple(_month(times[0] - timedelta(days=300 * (n + 1))) for n in range(3)),
    )


def _month(moment: datetime) -> datetime:
    return moment.replace(day=1, hour=0, minute=0)


def _four(values: Sequence[str]) -> Four:
    a, b, c, d = values
    return a, b, c, d


def _below(rng: random.Random, end: int) -> int:
    """A whole number from 0 to below `end`, out of `random()` alone, which no Python version changes."""
    return int(rng.random() * end)


def _sample(rng: random.Random, values: Sequence[T], count: int) -> list[T]:
    """Distinct members by chance, in the order drawn."""
    left = list(values)
    return [left.pop(_below(rng, len(left))) for _ in range(count)]


def choose(rng: random.Random, values: Sequence[T]) -> T:
    """One member by chance."""
    return values[_below(rng, len(values))]


def shuffled(rng: random.Random, values: Sequence[T]) -> list[T]:
    """All members in an order by chance."""
    return _sample(rng, values, len(values))
