"""The store that is measured: many users whose sizes fall as Zipf's, and one who holds 55 % of all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from bench.model import Turn
from bench.scale.words import FRAME, texts

BIG_SHARE = 0.55
BIG: Final = "big"
BATCH = 500
BIG_CIRCLE = 200
SMALL_CIRCLE = 12
_START = datetime(2022, 1, 3, tzinfo=UTC)
_SPAN = timedelta(days=900)
_MONTHS = "January February March April May June July August September October November December".split()
QUERIES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Turns of one user, at most `BATCH`."""

    owner: str
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """counts: facts by user, the big one first, then falling; they add up to `size`."""

    size: int
    counts: Mapping[str, int]

    @property
    def small(self) -> str:
        """The user in the middle of those who are not the big one."""
        others = [owner for owner in self.counts if owner != BIG]
        return others[len(others) // 2]

    def turns(self, owner: str) -> Iterator[Turn]:
        """What the user said, in order; times are spread evenly."""
        count = self.counts[owner]
        circle = BIG_CIRCLE if owner == BIG else SMALL_CIRCLE
        number = list(self.counts).index(owner)
        for at, text in enumerate(texts(number, count, circle=circle)):
            yield Turn(
                id=f"{owner}-{at}",
                session=f"{owner}-{at // 20}",
                speaker=None,
                role="user",
                text=text,
                at=_START + _SPAN * (at / count),
            )

    def batches(self, size: int = BATCH) -> Iterator[Batch]:
        """Everything once; the big user's batches lie evenly among the others'."""
        big, others = self._of(BIG, size), [owner for owner in self.counts if owner != BIG]
        big_count = -(-self.counts[BIG] // size)
        for at, owner in enumerate(others):
            for _ in range(big_count * at // len(others), big_count * (at + 1) // len(others)):
                yield next(big)
            yield from self._of(owner, size)

    def _of(self, owner: str, size: int) -> Iterator[Batch]:
        part: list[Turn] = []
        for turn in self.turns(owner):
            part.append(turn)
            if len(part) == size:
                yield Batch(owner=owner, turns=tuple(part))
                part = []
        if part:
            yield Batch(owner=owner, turns=tuple(part))


def make_world(size: int) -> World:
    """A world of exactly `size` facts: the big user and up to 200 others, each with one fact or more."""
    if size < 20:
        raise ValueError("a world has at least 20 facts")
    big = round(size * BIG_SHARE)
    rest = size - big
    others = max(3, min(200, rest // 20))
    return World(size=size, counts={BIG: big, **_shares(rest, others)})


def _shares(total: int, count: int) -> dict[str, int]:
    """Zipf's shares of the total, at least one each, adding up to it."""
    weights = [1.0 / rank for rank in range(1, count + 1)]
    shares = [1 + int((total - count) * weight / sum(weights)) for weight in weights]
    shares[0] += total - sum(shares)
    return {f"user{rank}": share for rank, share in enumerate(shares, start=1)}


def new_turns(start: int, count: int) -> list[Turn]:
    """Turns of the big user that no world holds; `start` counts those made before."""
    made = list(texts(1_000_003, start + count, circle=BIG_CIRCLE))[start:]
    return [
        Turn(
            id=f"new-{start + n}", session="new", speaker=None, role="user", text=text, at=_START + 2 * _SPAN
        )
        for n, text in enumerate(made)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Queries:
    """common: of words that many of the user's texts hold. rare: of words that few do. dated: of a month."""

    common: tuple[str, ...]
    rare: tuple[str, ...]
    dated: tuple[str, ...]


def queries(world: World, owner: str) -> Queries:
    """`QUERIES` of each kind for this user."""
    said = [turn.text for turn in world.turns(owner)]
    counts = Counter(word.strip(",") for text in said for word in text.split())
    ranked = [word for word, _ in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))]
    names = [word for word in ranked if word[0].isupper()]
    plain = [word for word in ranked if word[0].islower() and word not in FRAME]
    return Queries(
        common=tuple(_common(names, plain, n) for n in range(QUERIES)),
        rare=tuple(_rare(names, plain, n) for n in range(QUERIES)),
        dated=tuple(f"What happened in {_MONTHS[n]} {2022 + n % 2}?" for n in range(QUERIES)),
    )


def _common(names: Sequence[str], plain: Sequence[str], n: int) -> str:
    name, word, other = names[n % len(names)], plain[n % len(plain)], plain[(n + 7) % len(plain)]
    return f"What did {name} say of the {word} and the {other}?"


def _rare(names: Sequence[str], plain: Sequence[str], n: int) -> str:
    return f"Where was {plain[-1 - n % len(plain)]} with {names[-1 - n % len(names)]}?"
