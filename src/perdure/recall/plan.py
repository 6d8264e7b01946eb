"""Plan: what a query asks for, read without a model: words, names, time and intent."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from perdure.core.interval import Interval, window_end
from perdure.core.names import find_mentions
from perdure.core.text import dense_runs, entity_key, normalise, tokenise
from perdure.core.timewords import find_times
from perdure.core.values import Validity, View

STOP_WORDS = frozenset(
    "a an the and or but if of to in on at for with from by about as into than then so is are was were be "
    "been being am do does did doing have has had having will would can could shall should may might must "
    "i me my mine you your yours he him his she her hers it its we us our they them their this that these "
    "those there here what which who whom whose when where why how not no nor s t ll re ve m d "
    "der die das ein eine und oder ist sind war was wer wo wann wie ich du er sie es wir ihr mein dein "
    "el la los las un una y o es son era que quien donde cuando como yo tu su mi de en a "
    "le les des et ou est sont qui quand comment je il elle nous vous mon ma ton ta du au".split()
)
_HISTORICAL = re.compile(
    r"\b(?:used to|before|previous(?:ly)?|former(?:ly)?|earlier|in the past|originally|at first|back then|"
    r"(?<!how )(?<!year )(?<!years )(?<!-)old|ex|history|ever|"
    r"früher|vorher|damals|antes|anterior|avant|autrefois)\b|以前|之前|かつて|раньше"
)
_WHEN = re.compile(
    r"^(?:when|what (?:date|day|year|month|time)|how long|since when|wann|cuándo|quand)\b|什么时候|いつ|когда"
)
_LIST = re.compile(
    r"^(?:which|what (?:all|kinds?|are)|list|how many|welche|cuáles|quels?)\b|\b(?:all|every)\b"
)
_LATEST = re.compile(
    r"\b(?:latest|newest|most recent(?:ly)?|recent(?:ly)?|just now|last time|zuletzt|neulich)\b"
)
MAX_NAME_WORDS = 4
MAX_DENSE_NAME = 4
MAX_TOKENS = 64
MAX_NAME_KEYS = 400


class Intent(StrEnum):
    CURRENT = "current"
    HISTORICAL = "historical"
    WHEN = "when"
    LIST = "list"
    LATEST = "latest"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a query asks for.

    tokens: distinct, without stop words. entity_keys: names it may mean. window: the time it asks about.
    """

    query: str
    intent: Intent
    view: View
    tokens: tuple[str, ...]
    entity_keys: tuple[str, ...]
    window: Interval | None


def make_plan(
    query: str,
    *,
    reference_date: datetime,
    utc_offset_minutes: int,
    as_of: datetime | None,
    known_at: datetime | None,
    validity: Validity | None,
    show_expired: bool = False,
) -> Plan:
    """Read the query as asked at `reference_date` (UTC).

    as_of decides the valid time; else `validity` does; else a historical question shows closed facts too.
    """
    intent = _intent(query)
    window = _window(query, reference_date, utc_offset_minutes)
    if as_of is not None:
        shown = Validity.AT
    elif validity is not None:
        shown = validity
    else:
        looks_back = intent in (Intent.HISTORICAL, Intent.WHEN) or _is_past(window, reference_date)
        shown = Validity.ANY if looks_back else Validity.UNENDED
    return Plan(
        query=query,
        intent=intent,
        view=View(
            valid_at=as_of or reference_date,
            validity=shown,
            known_at=known_at,
            unexpired_on=None if show_expired else reference_date.date(),
        ),
        tokens=content_tokens(query),
        entity_keys=_entity_keys(query),
        window=window,
    )


def content_tokens(query: str) -> tuple[str, ...]:
    """The distinct tokens of the query without stop words, or all of them if nothing else is left."""
    tokens = tuple(dict.fromkeys(tokenise(query)))
    return (tuple(t for t in tokens if t not in STOP_WORDS) or tokens)[:MAX_TOKENS]


def _intent(query: str) -> Intent:
    plain = normalise(query).lstrip("¿¡\"'“‘«(")
    for intent, pattern in (
        (Intent.WHEN, _WHEN),
        (Intent.HISTORICAL, _HISTORICAL),
        (Intent.LATEST, _LATEST),
        (Intent.LIST, _LIST),
    ):
        if pattern.search(plain):
            return intent
    return Intent.CURRENT


def _window(query: str, reference_date: datetime, utc_offset_minutes: int) -> Interval | None:
    """The first time expression of the query, as the whole span it names."""
    for found in find_times(query, said_at=reference_date, utc_offset_minutes=utc_offset_minutes):
        if found.start is not None:
            end = found.end or (None if found.role == "since" else window_end(found.start, found.precision))
            return Interval(found.start, end if end is None or end > found.start else None)
        if found.end is not None:
            return Interval(None, found.end)
    return None


def _is_past(window: Interval | None, reference_date: datetime) -> bool:
    return window is not None and window.end is not None and window.end <= reference_date


def _entity_keys(query: str) -> tuple[str, ...]:
    """Keys of the names found, and of every run of one to four words (two to four characters where a script
    has no blanks), so that lower case is no hindrance.
    """
    keys = [entity_key(m.name) for m in find_mentions(query)]
    words = re.findall(r"[^\s,;!?()\"“”]+", re.sub(r"['’]s\b", "", query))
    for length in range(1, MAX_NAME_WORDS + 1):
        for start in range(len(words) - length + 1):
            run = words[start : start + length]
            if not all(w.casefold() in STOP_WORDS for w in run):
                keys.append(entity_key(" ".join(run)))
    keys += [
        entity_key(run[start : start + length])
        for run in dense_runs(query)
        for length in range(2, MAX_DENSE_NAME + 1)
        for start in range(len(run) - length + 1)
    ]
    return tuple(dict.fromkeys(k for k in keys if k))[:MAX_NAME_KEYS]
