"""The names in a fact, which unlike a message may begin with its verb."""

from __future__ import annotations

from perdure.core.names import find_mentions
from perdure.core.values import Mention
from perdure.write.lexicon.english import IRREGULAR_PAST, VERBS


def names_in(text: str) -> tuple[Mention, ...]:
    """The names that the text mentions, without a verb that opens it (Lives, Keeps, Went, Tries)."""
    opening, _, rest = text.strip().partition(" ")
    return find_mentions(f"{opening.casefold()} {rest}" if _is_verb(opening.casefold()) else text)


def _is_verb(word: str) -> bool:
    stems = (word, word.removesuffix("s"), word.removesuffix("es"), word.removesuffix("ies") + "y")
    return word in IRREGULAR_PAST or any(stem in VERBS for stem in stems)
