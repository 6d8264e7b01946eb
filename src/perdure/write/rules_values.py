"""The value of a slot, cut out of the words around it; None where it names nothing."""

from __future__ import annotations

import re

from perdure.core.name_lexicon import NEVER_NAMES, PARTICLES
from perdure.core.time_lexicon import NUMBERS, UNITS
from perdure.core.timewords import find_times
from perdure.write.lexicon import english as words
from perdure.write.lexicon.shape import Shape
from perdure.write.sentences import QUOTATIONS

MAX_VALUE_CHARACTERS = 80
MAX_THING_WORDS = 5

_PARTICLE = "|".join(re.escape(p) for p in PARTICLES)
_CAPITALISED = r"(?!I\b)[^\W\d_a-zß-öø-ÿ][\w'&.+#-]*"
_NAME = re.compile(
    rf"(?:(?:the|The)\s(?=[A-Z]))?{_CAPITALISED}(?:\s(?:(?:{_PARTICLE})\s)?(?:{_CAPITALISED}|\d+))*"
    r"(?:\s(?:&|and)\s(?:Co|Sons?|Partners|Company|Brothers|Bros|Daughters?|Associates)\b)?"
)
_FIRM = re.compile(rf"{_NAME.pattern}(?:\s&\s{_CAPITALISED})?")
_TAIL = re.compile(
    r"\s*(?:[,;:!?(\[–—…]|\.(?=\s|$)|\s-\s|\s(?:now|right now|currently|at the moment|these days"
    r"|nowadays|today|with|but"
    r"|because|since|as|so|when|while|where|who|which|that|after|before|until|till|again|too"
    r"|also|anymore|any more"
    r"|if|although|though|instead|already|together|lol|lately|recently|or|for|by|from|to|on|near|than|just"
    r"|and(?! (?:Co|Sons?|Partners|Company|Brothers|Bros|Daughters?|Associates)\b)"
    r"|especially|besides|even|either|und|aber|weil|y|pero|porque|et|mais|parce|ahora|jetzt|maintenant|mit|con|avec"
    r"|desde|seit|depuis)\b).*",
    re.IGNORECASE | re.DOTALL,
)
_LATER_TAIL: dict[Shape, re.Pattern[str]] = {
    "place": re.compile(r"\s(?:in|at|of which)\s.*", re.I | re.S),
    "work": re.compile(r"\s(?:in|at|as)\s.*", re.I | re.S),
    "title": re.compile(r"\s(?:at|in|of a|bei|en|chez)\s.*", re.I | re.S),
}
_ARTICLE = re.compile(
    r"(?:the|an?|my|his|her|their|our|some|any|als|ein|eine|einen|un|una|une|le|la|les|el|los|las|der|die|das)\s+",
    re.I,
)
_ITEMS = re.compile(
    r"\s*(?:,\s*(?:and|or|und|y|e|et)?\s+|,\s*|\s(?:and|or|as well as|und|y|e|et|&)\s)\s*", re.I
)


def clean_value(raw: str, shape: Shape, *, is_lower: bool = False) -> str | None:
    """The plain value at the start of `raw`, or None.

    is_lower: the whole message is in lower case, so that a name may be too.
    """
    text = _before_time(raw).strip().strip("\"'“”").strip()
    if shape == "exact":
        return _bounded(text.rstrip(" .!,;"))
    cut = _TAIL.sub("", text, count=1)
    if shape in _LATER_TAIL:
        cut = _LATER_TAIL[shape].sub("", cut, count=1)
    cut = cut.strip(" .!,;'\"")
    if shape == "thing":
        return _thing(cut)
    if shape == "title":
        return _title(cut)
    name = _NAME.match(cut)
    if shape == "work":
        return _employer(cut)
    if name is not None:
        return _proper(name.group())
    return _lower_name(cut) if is_lower else None


def split_values(raw: str, shape: Shape, *, is_lower: bool = False) -> list[str]:
    """The values of a list such as "nuts, eggs and milk"; it ends where an item names nothing."""
    values: list[str] = []
    for piece in _ITEMS.split(_before_time(raw)):
        if values and words_open_a_clause(piece):
            break
        value = clean_value(piece, shape, is_lower=is_lower)
        if value is None or (shape == "thing" and len(value.split()) > 3 and values):
            break
        if value not in values:
            values.append(value)
        if _TAIL.search(piece):
            break
    return values


def words_open_a_clause(piece: str) -> bool:
    """True if a list item is in truth the beginning of the next statement."""
    first = piece.split()[0].casefold() if piece.split() else ""
    return (
        first in words.VERBS
        or first in words.AUXILIARIES
        or first in words.IRREGULAR_PAST
        or first in words.POINTING
    )


def snake(value: str) -> str:
    """A value as part of an attribute key: folded, words joined by underscores, no article."""
    folded = value.casefold()
    plain = folded[match.end() :] if (match := _ARTICLE.match(folded)) else folded
    return re.sub(r"[^\w+#]+", "_", plain).strip("_")


def _before_time(raw: str) -> str:
    times = find_times(raw, said_at=None)
    for found in times:
        head = raw[: found.span[0]].rstrip(" ,(")
        if head:
            return head
    return raw


def _bounded(text: str) -> str | None:
    return text if 0 < len(text) <= MAX_VALUE_CHARACTERS else None


def _thing(text: str) -> str | None:
    article = _ARTICLE.match(text)
    bare = text[article.end() :] if article else text
    tokens = bare.split()
    if (
        not tokens
        or len(tokens) > MAX_THING_WORDS
        or tokens[0].casefold() in words.POINTING | words.NO_THINGS
    ):
        return None
    if article and article.group().strip().casefold() in ("the", "my", "his", "her", "their", "our"):
        last = tokens[-1].casefold()
        return _bounded(bare) if last in words.THE_THINGS or tokens[0][0].isupper() else None
    if any(t.casefold() in _INNER_POINTING for t in tokens):
        return None
    return _bounded(bare.removeprefix("to ")) if re.search(f"[\\w{QUOTATIONS}]", bare) else None


def _title(text: str) -> str | None:
    bare = text[match.end() :] if (match := _ARTICLE.match(text)) else text
    tokens = bare.split()
    return _bounded(bare) if 0 < len(tokens) <= 5 and tokens[0].casefold() not in words.POINTING else None


def _proper(name: str) -> str | None:
    plain = re.sub(r"'s$", "", name.rstrip(".-&'"))
    if (
        plain.casefold().removeprefix("the ") in NEVER_NAMES
        or plain.casefold() in _NO_PLACES
        or len(plain) < 2
    ):
        return None
    return _bounded(plain)


def _employer(text: str) -> str | None:
    """A name; "a startup" or "the bakery" may be anybody's."""
    name = _FIRM.match(text)
    plain = None if name is None else _proper(name.group())
    is_other = plain is None or plain.split()[-1].casefold() in words.NOT_EMPLOYERS
    return None if is_other else plain


def _lower_name(text: str) -> str | None:
    tokens = text.split()
    if not 0 < len(tokens) <= 2 or any(t in words.POINTING or t in _NO_PLACES for t in tokens):
        return None
    counts = any(t in UNITS or t in NUMBERS for t in tokens)
    if counts or _ARTICLE.match(text + " ") or not all(t.isalpha() for t in tokens):
        return None
    return _bounded(text)


_INNER_POINTING = frozenset(
    {"you", "your", "it", "this", "that", "them", "me", "i", "he", "she", "we", "they", "my", "our"}
)
_NO_PLACES = frozenset(
    {"fear", "peace", "love", "bed", "town", "here", "there", "home", "class", "pain", "school", "college"}
    | {"christmas", "easter", "halloween", "thanksgiving", "fact", "general", "person", "luxury"}
)
