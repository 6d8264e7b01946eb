"""The names in a fact, which unlike a message may begin with its verb."""

from __future__ import annotations

from perdure.core.names import find_mentions
from perdure.core.values import Mention
from perdure.write.lexicon.english import IRREGULAR_PAST, VERBS


def names_in(text: str) -> tuple[Mention, ...]:
    """The names that the text mentions, without a verb that opens it (Lives, Keeps, Went, Tries)."""
    opening = text.split(maxsplit=1)[0] if text.strip() else ""
    ordinary = opening if _is_verb(opening.casefold()) else ""
    return tuple(m for m in find_mentions(text) if m.name != ordinary)


def _is_verb(word: str) -> bool:
    stems = (word, word.removesuffix("s"), word.removesuffix("es"), word.removesuffix("ies") + "y")
    return word in IRREGULAR_PAST or any(stem in VERBS for stem in stems)
