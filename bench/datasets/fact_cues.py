"""Words by which a question names a relation of `facts`.

names: name this relation and hardly another. hints: may mean it, where the facts offer it. asks: what the
question asks for is the object of this relation, so that a chain ends with it. The reader tries them on the
question without the entity's name, in small letters.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from bench.datasets.facts import Relation

_NEVER = r"(?!)"


@dataclass(frozen=True, slots=True)
class Cue:
    names: re.Pattern[str]
    hints: re.Pattern[str]
    asks: re.Pattern[str]


def _cue(names: str, hints: str = _NEVER, *, asks: str) -> Cue:
    return Cue(re.compile(names), re.compile(hints), re.compile(asks))


_FROM = r"com(e|es|ing) from|came from|comes|hail\w*|origin\w*|belong\w*|pertain"

CUES: Mapping[Relation, Cue] = {
    "spouse": _cue(
        r"spouse|partner|married|husband|wife|significant other",
        asks=r"^who is .*married|name of the (spouse|partner)|^who .*(spouse|partner) of",
    ),
    "child": _cue(r"\bchild\b|\bson\b|daughter", asks=r"'s child\b|name of the child|political entity"),
    "author": _cue(r"author|writer|wrote", r"written by|book", asks=r"^who is the author|^who wrote"),
    "creator": _cue(r"creator|created", r"foundation|founding", asks=r"^who was|^who created|^who is"),
    "performer": _cue(r"perform|album|song", r"artist|directed|singer", asks=r"^who perform"),
    "founder": _cue(
        r"found(er|ed|ing)\b|established",
        r"foundation|successor|head",
        asks=r"^who founded|(person|individual|leader|who) .*(found(er|ed|ing)|foundation)",
    ),
    "citizenship": _cue(
        r"citizen\w*|nationality", rf"{_FROM}|country|\bborn\b|nation\b", asks=r"citizen|country|nation\b"
    ),
    "country of origin": _cue(
        r"originat\w*|country of (its )?origin|origin of|invented|gave rise|first (practiced|developed)",
        rf"{_FROM}|created|developed|birthplace|founding|country|nation\b",
        asks=r"country|nation\b|where is",
    ),
    "sport": _cue(
        r"\bsports?\b(?! competition)",
        r"speciali\w*|special|\bplay(s|ed)?\b|coach|team|position|origin|country",
        asks=r"^(which|what) (is the |was the )?sports?\b|sports discipline",
    ),
    "position": _cue(
        r"position (does|of|play)|position\b(?! of (chair|director|head))",
        r"speciali\w*|specialty|\bsport|\bplay(s|ed)?\b|compet",
        asks=r"^what position",
    ),
    "religion": _cue(
        r"religio(n|us aff)|faith", r"belie\w+|follow\w*|institution|founded", asks=r"religio|faith"
    ),
    "chief executive": _cue(
        r"\bceo\b|chief executive(?! of the country)", asks=r"chief executive|\bceo\b|who is in charge"
    ),
    "chairperson": _cue(r"chair(person|man)", asks=r"^who .*chair|name of the chair|chairperson"),
    "director": _cue(
        r"director|directed|manag(ed|es|er)\b",
        r"person related",
        asks=r"^who is the director|(who|individual|person) .*(direct|manag|related)",
    ),
    "head of state": _cue(
        r"head of state|chief of state|highest-ranking|chief public representative|report to",
        r"political leader|ruler",
        asks=r"head of state|chief of state|highest-ranking|representative|report to|is the head",
    ),
    "head of government": _cue(
        r"head of (the )?.*government|chief executive of the country|political leader|prime minister",
        r"head",
        asks=r"head of (the )?.*government|chief executive of the country|political leader",
    ),
    "capital": _cue(
        r"capital|(seat|center|centre) of government",
        r"headquartered",
        asks=r"capital|(seat|center|centre) of government|headquartered",
    ),
    "continent": _cue(r"continent", asks=r"continent"),
    "headquarters": _cue(r"headquarter", r"capital", asks=r"headquarter"),
    "official language": _cue(
        r"official\w*(?! of)",
        r"language|proceedings",
        asks=r"official\w* (language|tongue|doc)|language .*(proceedings|conducted|government)",
    ),
    "original language": _cue(r"original language", r"language", asks=r"language"),
    "language": _cue(
        r"(speak|spoken|speech|written, or|wri(te|ting))(?!.*official)",
        r"language",
        asks=r"languages?\b(?!.*(official|proceedings))",
    ),
    "written in": _cue(r"language of the work|work.* written|written in", r"language", asks=r"language"),
    "born in": _cue(
        r"birthplace|place of birth|\bborn\b", r"native", asks=r"birthplace|place of birth|\bborn\b|birth"
    ),
    "died in": _cue(
        r"\bdie[ds]?\b|death|pass(ed)? away|last\b.{0,5}breath|breathe[ds]? (his|her|their) last",
        asks=r"\bdie[ds]?\b|death|pass(ed)? away|breath",
    ),
    "worked in": _cue(
        r"work location|place of work|location of (the )?work|work hours",
        r"\bwork\b",
        asks=r"work location|place of work|location of (the )?work|work hours|city did .* work",
    ),
    "founded in": _cue(
        r"(founded|established|formed|come into existence|first established|where was)",
        r"location|made|founded",
        asks=r"^where (was|did)|in what (place|city)",
    ),
    "educated at": _cue(
        r"educat\w*(?! organi)|attended|studied|university|alma mater",
        r"educational",
        asks=r"educat|university|attended",
    ),
    "employer": _cue(
        r"employ\w*|works for|worked\b|was part of",
        r"organization|institution|responsible|company",
        asks=r"employ|^which (company|organization)",
    ),
    "producer": _cue(
        r"manufactur\w*|produced by|company that (made|produced)",
        r"\bmade\b",
        asks=r"^which company|manufactur",
    ),
    "developer": _cue(r"\bdevelop(er|ed)\b(?! in| that)", asks=r"developer|developed"),
    "broadcaster": _cue(
        r"broadcast\w*|network|\baired\b", r"director/producer|producer|directed", asks=r"broadcaster|network"
    ),
    "music": _cue(r"music\w*|genre", r"group|band", asks=r"^(which|what) (\w+ )*music|music (style|genre)"),
    "famous for": _cue(
        r"famous|notable|significant creation|renowned|well-known|masterpiece",
        r"\bwork that\b|book",
        asks=r"famous for|notable|significant creation",
    ),
    "field": _cue(
        r"occupation|profession\w*|job title|kind of work|field of|occupational",
        asks=r"occupation|profession|job title|kind of work|field|professional role",
    ),
    "head coach": _cue(r"head coach|coach", asks=r"head coach"),
    "president": _cue(r"president\b", asks=r"^who is the president"),
    "prime minister": _cue(r"prime minister", asks=r"^who is the prime minister"),
    "governor": _cue(r"governor", asks=r"^who is the governor"),
    "mayor": _cue(r"mayor", asks=r"^who is the mayor"),
}


def cue_for(relation: Relation) -> Cue:
    """An office that is not listed is named by its own words."""
    known = CUES.get(relation)
    return known if known is not None else _cue(re.escape(relation), asks=re.escape(relation))
