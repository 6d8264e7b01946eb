"""Texts out of invented words whose frequencies fall as those of a language do. The same on every machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

SEED = 20_240_501
WORDS = 20_000
NAMES = 2_000
PLACES = 400
# Zipf and Mandelbrot: the frequency of the word of rank r falls as 1 / (r + 2.7).
_MANDELBROT = 2.7
_CONSONANTS = "b d f g h j k l m n p r s t v w z br dr gl kr pl st tr".split()
_VOWELS = "a e i o u ai ea ou".split()
_SHAPES = (
    "{name} {w0} the {w1} {w2} in {place} with {other} and the {w3} of {w4}",
    "{name} told {other} that the {w0} {w1} was {w2} by the {w3} in {place}",
    "the {w0} of {name} is {w1} and {w2}, {other} has the {w3} {w4}",
    "in {place} {name} has {w0} {w1} for the {w2}, not for {w3} or {w4}",
)
FRAME = frozenset(word.strip(",") for shape in _SHAPES for word in shape.split() if not word.startswith("{"))
_BLOCK = 2_048


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """Words, names and places, the most frequent first."""

    words: Sequence[str]
    names: Sequence[str]
    places: Sequence[str]


@cache
def vocabulary() -> Vocabulary:
    made = _invent(WORDS + NAMES + PLACES)
    return Vocabulary(
        words=made[:WORDS],
        names=[word.capitalize() for word in made[WORDS : WORDS + NAMES]],
        places=[word.capitalize() for word in made[WORDS + NAMES :]],
    )


def texts(user: int, count: int, *, circle: int) -> Iterator[str]:
    """`count` different sentences of one user, whose people are `circle` names; the first n never change."""
    known: set[str] = set()
    for text in _endless(user, circle):
        if len(known) == count:
            return
        if text not in known:
            known.add(text)
            yield text


def _endless(user: int, circle: int) -> Iterator[str]:
    words = vocabulary()
    chance = np.random.default_rng([SEED, user])
    people = [words.names[at] for at in chance.permutation(NAMES)[:circle]]
    while True:
        drawn = {f"w{n}": _zipf(chance, WORDS) for n in range(5)}
        shapes = chance.integers(len(_SHAPES), size=_BLOCK)
        names, others, places = (_zipf(chance, n) for n in (len(people), len(people), PLACES))
        for row in range(_BLOCK):
            yield _SHAPES[int(shapes[row])].format(
                name=people[names[row]],
                other=people[others[row]],
                place=words.places[places[row]],
                **{slot: words.words[ranks[row]] for slot, ranks in drawn.items()},
            )


def _zipf(chance: np.random.Generator, count: int) -> NDArray[np.intp]:
    """Ranks from 0 to count - 1, one block of them."""
    weights = 1.0 / (np.arange(1, count + 1) + _MANDELBROT)
    edges = np.cumsum(weights) / weights.sum()
    ranks: NDArray[np.intp] = np.minimum(np.searchsorted(edges, chance.random(_BLOCK)), count - 1)
    return ranks


def _invent(count: int) -> list[str]:
    """Different words of two to four syllables; short ones are no more frequent than long ones."""
    chance = np.random.default_rng(SEED)
    found: dict[str, None] = {}
    while len(found) < count:
        syllables = int(chance.integers(2, 5))
        found["".join(_syllable(chance) for _ in range(syllables))] = None
    return list(found)


def _syllable(chance: np.random.Generator) -> str:
    return _CONSONANTS[int(chance.integers(len(_CONSONANTS)))] + _VOWELS[int(chance.integers(len(_VOWELS)))]
