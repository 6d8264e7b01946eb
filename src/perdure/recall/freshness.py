"""Of statements that differ only in what the question does not name, the newest stands first.

"The chair of the guild is Ada", "The chair of the guild is Bo": one of them is out of date, or both are true.
Which, is for the write path to say; where it could not, nothing is retired. But whoever asks for the chair
names neither, so no signal tells them apart but time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from perdure.core.text import differing_middles, tokenise
from perdure.core.values import Hit
from perdure.recall.plan import STOP_WORDS, Intent, Plan

MAX_TOKENS = 40
MAX_DIFFERENCE = 8
_OPENING = 2  # tokens by which statements of one kind are looked up


def newest_first(hits: Sequence[Hit], plan: Plan) -> list[Hit]:
    """The hits, best first, of equal ones the latest; statements of one kind have exchanged scores by age.

    Nothing moves where the question looks back, or names what tells the statements apart.
    """
    if plan.intent in (Intent.HISTORICAL, Intent.WHEN):
        return list(hits)
    asked = frozenset(plan.tokens)
    moved: dict[str, Hit] = {}
    for group in _kinds(hits, asked, plan.view.valid_at):
        scores = [hit.score for hit in group]
        by_age = sorted(group, key=_age)
        for hit, score in zip(by_age, scores, strict=True):
            parts = {**hit.parts, "newest": score - hit.score}
            moved[hit.id] = replace(hit, score=score, parts=parts)
    return sorted((moved.get(hit.id, hit) for hit in hits), key=lambda h: (-h.score, *_age(h)))


def _kinds(hits: Sequence[Hit], asked: frozenset[str], now: datetime) -> Iterator[list[Hit]]:
    """Groups of two or more statements of one kind, each in the order of the hits."""
    opened: dict[tuple[str, ...], list[tuple[Hit, list[str]]]] = defaultdict(list)
    for hit in hits:
        words = tokenise(_words(hit))
        begin = _begin(hit)
        has_begun = begin is not None and begin <= now  # what is yet to come does not stand before what holds
        if _OPENING < len(words) <= MAX_TOKENS and has_begun:
            opened[(_owner(hit), *words[:_OPENING])].append((hit, words))
    for statements in opened.values():
        while statements:
            first, words = statements.pop(0)
            mates = [each for each in statements if each[1] == words or are_of_a_kind(words, each[1], asked)]
            statements = [each for each in statements if each not in mates]
            if any(other != words for _, other in mates):
                yield [first, *(hit for hit, _ in mates)]


def are_of_a_kind(one: Sequence[str], two: Sequence[str], asked: frozenset[str]) -> bool:
    """True if two statements differ in one place only, and by nothing that was asked about.

    What they share must be half of each or more, and hold a word of the question.
    """
    _, *middles = differing_middles(one, two)
    shared = len(one) - len(middles[0])
    frame = frozenset(one) - frozenset(middles[0]) | frozenset(one) & frozenset(two)
    contents = [frozenset(middle) - STOP_WORDS for middle in middles]
    return (
        all(contents)
        and contents[0] != contents[1]
        and max(map(len, middles)) <= MAX_DIFFERENCE
        and 2 * shared >= max(len(one), len(two))
        and not frozenset(middles[0]) & frozenset(middles[1]) & STOP_WORDS  # else they differ in two places
        and not (asked - frame) & (contents[0] | contents[1])
        and bool(asked & frame)
    )


def _words(hit: Hit) -> str:
    if hit.fact is not None:
        return hit.fact.body.text
    return hit.episode.text if hit.episode is not None else ""


def _owner(hit: Hit) -> str:
    """Who says "I" in the statement."""
    speaker = hit.fact.body.speaker if hit.fact is not None else hit.episode and hit.episode.speaker
    return speaker or ""


def _begin(hit: Hit) -> datetime | None:
    if hit.fact is not None:
        return hit.fact.body.valid.start
    return hit.episode.said_at if hit.episode is not None else None


def _said(hit: Hit) -> datetime | None:
    """When it was said last."""
    if hit.fact is None:
        return _begin(hit)
    said = [source.claim.said_at for source in hit.fact.sources if source.claim.said_at is not None]
    return max(said, default=None)


def _age(hit: Hit) -> tuple[int, float, float, str]:
    """By the day on which it began to hold, of one day by when it was said; latest first, then best."""
    begin, said = _begin(hit), _said(hit)
    return (
        -begin.toordinal() if begin else 0,
        -said.timestamp() if said else 0.0,
        -hit.score,
        hit.id,
    )
