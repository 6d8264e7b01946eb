"""From phrases to sentences: the lexicons, and how a step, a statement or a question is put into words."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path

from bench.testbed.cast import choose
from bench.testbed.dials import Language, Wording

FOLDER = Path(__file__).with_name("lexicons")


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """How something can be said. says, says2: what stands alone for it, in one wording or several.

    implied: ways to say it without saying it; empty where there is none.
    """

    says: tuple[str, ...]
    says2: tuple[str, ...]
    plain: str
    varied: tuple[str, ...]
    implied: tuple[str, ...]

    def turn(self, wording: Wording, rng: random.Random) -> str:
        """The sentence of a turn, with its blanks."""
        if wording == "plain":
            return self.plain
        if wording == "implied" and self.implied:
            return choose(rng, self.implied)
        return choose(rng, self.varied)

    def statement(self, which: str, wording: Wording, rng: random.Random) -> str:
        """What an extractor writes for it, with its blanks; in the first of its wordings if plain."""
        ways = self.says2 if which == "says2" else self.says
        return ways[0] if wording == "plain" else choose(rng, ways)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filler:
    """The grammar of what does not matter. facts: sentences with {who}, {thing} and {colour}."""

    talk: tuple[str, ...]
    reply: tuple[str, ...]
    facts: tuple[str, ...]
    things: tuple[str, ...]
    colours: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """One language."""

    language: str
    months: tuple[str, ...]
    month: str
    phrases: Mapping[str, Phrase]
    questions: Mapping[str, str]
    filler: Filler

    def name_month(self, moment: datetime | None) -> str:
        """March 2021; nothing for no moment."""
        if moment is None:
            return ""
        return self.month.format(month=self.months[moment.month - 1], year=moment.year)


@cache
def load_lexicon(language: Language) -> Lexicon:
    """The lexicon of a language; ValueError if its file lacks a part or holds a wrong one."""
    raw = _mapping(json.loads((FOLDER / f"{language}.json").read_text(encoding="utf-8")), language)
    phrases = _mapping(raw.get("phrases"), "phrases")
    questions = _mapping(raw.get("questions"), "questions")
    filler = _mapping(raw.get("filler"), "filler")
    return Lexicon(
        language=language,
        months=_texts(raw.get("months"), "months"),
        month=_text(raw.get("month"), "month"),
        phrases={name: _phrase(_mapping(given, name), name) for name, given in phrases.items()},
        questions={name: _text(given, name) for name, given in questions.items()},
        filler=Filler(**{part: _texts(filler.get(part), part) for part in Filler.__slots__}),
    )


def _phrase(given: Mapping[str, object], name: str) -> Phrase:
    return Phrase(
        says=_ways(given.get("says"), name),
        says2=_ways(given.get("says2", ""), name),
        plain=_text(given.get("plain"), name),
        varied=_texts(given.get("varied"), name),
        implied=_texts(given.get("implied", []), name),
    )


def _ways(given: object, name: str) -> tuple[str, ...]:
    return tuple(_text(given, name).split(" | "))


def _mapping(given: object, name: str) -> Mapping[str, object]:
    if not isinstance(given, dict):
        raise ValueError(f"lexicon: {name} is no object")
    return given


def _texts(given: object, name: str) -> tuple[str, ...]:
    if not isinstance(given, list):
        raise ValueError(f"lexicon: {name} is no list")
    return tuple(_text(each, name) for each in given)


def _text(given: object, name: str) -> str:
    if not isinstance(given, str):
        raise ValueError(f"lexicon: {name} is no text")
    return given


def blanks_of(templates: Sequence[str]) -> frozenset[str]:
    """The names of the blanks in templates."""
    parts = (part for template in templates for part in template.split("{")[1:])
    return frozenset(part.partition("}")[0] for part in parts)
