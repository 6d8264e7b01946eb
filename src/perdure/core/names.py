"""Names in plain text, without a model: people, places, codes, titles, addresses.

Capital letters carry most of the evidence, so scripts without them (Chinese, Japanese, Korean, Arabic)
give only what is quoted, written in Latin letters, or stands in a common pattern (我叫王伟).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from perdure.core import name_lexicon as words
from perdure.core.text import entity_key
from perdure.core.values import Mention

MAX_NAME_CHARACTERS = 80

_SCRIPTS_WITH_CAPITALS = (*range(0x41, 0x590), *range(0x1E00, 0x2000))
_CAPITAL = "[" + "".join(chr(c) for c in _SCRIPTS_WITH_CAPITALS if chr(c).isupper()) + "]"
_WORD = rf"(?!I\b){_CAPITAL}[\w’'&]*(?:[-.][^\W\d_][\w’']*)*"
_PARTICLE = "|".join(re.escape(p).replace(r"\ ", r"\s") for p in words.PARTICLES)
_RUN = re.compile(
    rf"(?<![\w@#./’'-])(?:[Aa]l-|[Ee]l-|O['’]|[dD]['’])?{_WORD}"
    rf"(?:\s(?:(?:{_PARTICLE})\s)?(?:[Aa]l-|[Ee]l-)?{_WORD})*"
)
_CODE = re.compile(r"(?<![\w-])(?=[A-Z0-9-]*\d)(?=[A-Z0-9-]*[A-Z])[A-Z0-9]+(?:-[A-Z0-9]+)+(?![\w-])")
_GLUED_CODE = re.compile(r"(?<![\w-])[A-Z]{2,}\d{2,}(?![\w-])")
_ADDRESS = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_HANDLE = re.compile(r"(?<![\w@.])@[A-Za-z_][\w.]{1,38}\w")
_QUOTED = re.compile(
    r"\"([^\"\n]{2,60})\"|“([^”\n]{2,60})”|«\s?([^»\n]{2,60}?)\s?»|《([^》\n]{1,40})》|「([^」\n]{1,40})」|„([^“\n]{2,60})“"
)
_CHINESE_NAMES = (
    (re.compile(r"(?:我叫|我的名字是|我的名字叫|名叫)([\u4e00-\u9fff·]{2,4}?)(?=[，。！,.!\s]|$)"), "person"),
    (re.compile(r"在([\u4e00-\u9fff]{2,8}?)(?:工作|上班)"), "organisation"),
    (re.compile(r"(?:住在|搬到|来自)([\u4e00-\u9fff]{2,6}?)(?=[了，。！,.!\s]|$)"), "place"),
)
_LATIN_IN_DENSE = re.compile(r"(?<=[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af])[A-Za-z][A-Za-z0-9_.-]+")
_OPENERS = re.compile(r"(?:^|[.!?…。！？:\n\"“(]|[-–—]\s)\s*$")
# At an opening, the ending of a verb form or an abstract noun speaks against a name.
_DERIVED = re.compile(r"\w{3,}(?:ing|tion|ity|ment|ness|ful|able|ible)|\w{4,}ed|\w{6,}ly")
_FIRST_PERSON = re.compile(r"\b(?:I|I['’](?:m|ve|d|ll)|[Mm]y|[Mm]e|[Mm]ine)\b")


@dataclass(frozen=True, slots=True)
class _Found:
    at: int
    name: str
    kind: str


def find_mentions(text: str, *, speaker: str | None = None) -> tuple[Mention, ...]:
    """The names in `text`, each once, in order of first appearance; the first spelling is kept.

    speaker: who says it; mentioned last if the text speaks of "I" and does not name them anyway.
    kind is a guess: person, place, organisation, thing or other. Deterministic, no model.
    """
    found = sorted(_all_found(text), key=lambda f: (f.at, -len(f.name), f.name))
    mentions: dict[str, Mention] = {}
    reached = 0
    for item in found:
        key = entity_key(item.name)
        if item.at < reached or not key:
            continue
        reached = item.at + len(item.name)
        known = mentions.get(key)
        if known is None or known.kind == "other":
            mentions[key] = Mention(name=known.name if known else item.name, kind=item.kind)
    if speaker and _FIRST_PERSON.search(text):
        mentions.setdefault(entity_key(speaker), Mention(name=speaker, kind="person"))
    return tuple(mentions.values())


def _all_found(text: str) -> Iterator[_Found]:
    """Codes, addresses and titles first; capitalised runs only in what they leave."""
    strong = list(_strong_found(text))
    yield from strong
    rest = text
    for item in strong:
        rest = rest[: item.at] + "\0" * len(item.name) + rest[item.at + len(item.name) :]
    is_german = _is_german(text)
    for match in _RUN.finditer(rest):
        name = _name_in_run(rest, match, is_german=is_german)
        if name is not None:
            yield name


def _strong_found(text: str) -> Iterator[_Found]:
    for pattern, kind in ((_ADDRESS, "other"), (_HANDLE, "other"), (_CODE, "thing"), (_GLUED_CODE, "thing")):
        for match in pattern.finditer(text):
            yield _Found(match.start(), match.group(), kind)
    for match in _QUOTED.finditer(text):
        if title := _title(match):
            yield title
    for pattern, kind in _CHINESE_NAMES:
        for match in pattern.finditer(text):
            yield _Found(match.start(1), match.group(1), kind)
    for match in _LATIN_IN_DENSE.finditer(text):
        yield _Found(match.start(), match.group().rstrip(".-"), "other")


def _title(match: re.Match[str]) -> _Found | None:
    """A quoted title: short, and each long word of it with a capital (a quoted sentence is none)."""
    group = match.lastindex or 1
    title = match.group(group).strip()
    long_words = [w for w in re.findall(r"[^\W\d_]+", title) if len(w) > 3]
    is_dense = bool(re.search(r"[\u3040-\u30ff\u4e00-\u9fff]", title))
    if title and len(title.split()) <= 8 and (is_dense or all(w[0].isupper() for w in long_words)):
        return _Found(match.start(group), title, "thing")
    return None


def _name_in_run(text: str, match: re.Match[str], *, is_german: bool) -> _Found | None:
    """The name in a run of capitalised words, without an ordinary first word or a trailing possessive."""
    at, run = match.start(), match.group()
    while run:
        first = run.split(maxsplit=1)[0]
        if not _is_ordinary(text, at, run, is_german=is_german):
            break
        rest = run[len(first) :].lstrip()
        at, run = at + len(run) - len(rest), rest
        if rest and not rest[0].isupper():  # "The of" and the like: a particle cannot begin a name
            return None
    name = re.sub(r"['’]s?$", "", run).rstrip(".-&'’")
    if not name or len(name) > MAX_NAME_CHARACTERS or name.casefold() in words.NEVER_NAMES:
        return None
    if len(name) == 1 and name.isascii():
        return None
    return _Found(at, name, _kind(text, at, name))


def _is_ordinary(text: str, at: int, run: str, *, is_german: bool) -> bool:
    """True if the first word of the run owes its capital to something else than being a name."""
    word, _, more = run.partition(" ")
    plain = re.sub(r"['’]s$", "", word).casefold().rstrip(".")
    if {plain, word.casefold()} & words.NEVER_NAMES or plain in words.TITLES:
        return True
    if more and plain in words.NAME_OPENERS:
        return False
    opens = at == 0 or bool(_OPENERS.search(text[max(0, at - 4) : at]))
    if {plain, word.casefold()} & (words.ORDINARY if opens else _SMALL):
        return opens or not more
    if opens and (len(plain) == 1 or _DERIVED.fullmatch(plain)):
        return True
    before = re.search(r"(\w+)\s+$", text[max(0, at - 24) : at])
    return is_german and before is not None and before[1].casefold() in words.GERMAN_DETERMINERS


def _kind(text: str, at: int, name: str) -> str:
    before = re.search(r"(\w+)\.?\s+$", text[max(0, at - 24) : at])
    lead = before[1].casefold() if before else ""
    if lead in words.TITLES:
        return "person"
    if name.split()[-1].casefold().rstrip(".") in words.ORGANISATION_WORDS:
        return "organisation"
    if lead in words.PLACE_PREPOSITIONS:
        return "place"
    return "other"


def _is_german(text: str) -> bool:
    tokens = set(re.findall(r"\w+", text.casefold()))
    return (
        len(tokens & {"ich", "und", "der", "die", "das", "nicht", "ist", "wir", "ein", "mein", "habe", "bin"})
        >= 1
    )


# In mid-sentence a capital on these given names is meant, though at an opening it may be the word.
_SMALL = words.ORDINARY - {"hope", "joy", "april", "june", "may", "august", "art"}
