"""Dates and time words in plain text, read against the day on which they were said.

Everything found is a span of calendar days in the speaker's zone, given as UTC midnights: "yesterday"
said on 15 May 2024, local time, is `[2024-05-14T00:00Z, 2024-05-15T00:00Z)` wherever it was said.
What cannot be placed (no date of speaking, "a few days ago") is found with `start` None; nothing is
ever read against the present day of the machine. A date that does not exist is not found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import TypeAlias

from perdure.core import time_lexicon as words
from perdure.core import time_readings as readings
from perdure.core.time_readings import FoundTime, TimeRole

__all__ = ["FoundTime", "TimeRole", "find_times"]


def find_times(text: str, *, said_at: datetime | None, utc_offset_minutes: int = 0) -> list[FoundTime]:
    """The time expressions in `text`, in order, without overlaps; the longest reading wins.

    said_at: when it was said (aware), None if unknown: then relative words have no start.
    Reads English fully, and the everyday forms of German, Spanish, French and Chinese.
    """
    setting = readings.Setting(text, _local_day(said_at, utc_offset_minutes))
    candidates: list[tuple[int, int, bool, FoundTime | None]] = []
    for pattern, read in _RULES:
        for match in pattern.finditer(text):
            # A refused reading still takes its place, so that "31 June 2024" does not become June 2024.
            reading = read(match, setting)
            candidates.append((match.start(), -match.end(), reading is None, reading))
    candidates.sort(key=lambda candidate: candidate[:3])
    found: list[FoundTime] = []
    reached = 0
    for begin, end, _, reading in candidates:
        if begin >= reached:
            reached = -end
            if reading is not None:
                found.append(_with_role(reading, text))
    return found


def _local_day(said_at: datetime | None, offset_minutes: int) -> date | None:
    if said_at is None:
        return None
    try:
        return (said_at.astimezone(UTC) + timedelta(minutes=offset_minutes)).date()
    except OverflowError:
        return None


# --- since and until -------------------------------------------------------------------------------


def _with_role(found: FoundTime, text: str) -> FoundTime:
    """The same time with the role that the word before it, or at its own beginning, gives it."""
    begin, end = found.span
    if found.role == "duration" or _RANGE_START.match(text, begin, end):
        return found
    for pattern, role in ((_SINCE, "since"), (_UNTIL, "until"), (_AFTER, "after")):
        lead = max(0, begin - 20)
        before = next((m for m in pattern.finditer(text, lead, begin) if m.end() == begin), None)
        if pattern.match(text, begin, end):
            return _turned(found, role, (begin, end))
        if before is not None:
            return _turned(found, role, (before.start(), end))
    return found


def _turned(found: FoundTime, role: str, span: tuple[int, int]) -> FoundTime:
    if role == "until":
        return replace(found, span=span, start=None, end=found.start, role="until")
    if role == "after":
        return replace(found, span=span, start=found.end, end=None, role="since")
    return replace(found, span=span, end=None, role="since")


# --- the grammar -----------------------------------------------------------------------------------

_Reader: TypeAlias = Callable[[re.Match[str], readings.Setting], FoundTime | None]


def _any_of(table: Iterable[str]) -> str:
    longest_first = sorted(table, key=lambda word: (-len(word), word))
    return "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in longest_first)


def _rule(pattern: str, read: _Reader, *, edges: bool = True) -> tuple[re.Pattern[str], _Reader]:
    framed = rf"(?<![\w'’.-])(?:{pattern})(?!\w|-\w)" if edges else pattern
    return re.compile(framed, re.IGNORECASE), read


_FILLER = r"\s+(?:the\s+|early\s+|late\s+|mid[\s-]|dem\s+|el\s+|le\s+)?"
_SINCE = re.compile(rf"(?<!\w){words.SINCE_WORDS}{_FILLER}", re.I)
_UNTIL = re.compile(rf"(?<!\w){words.UNTIL_WORDS}{_FILLER}", re.I)
_AFTER = re.compile(rf"(?<!\w){words.AFTER_WORDS}{_FILLER}", re.I)
_RANGE_START = re.compile(
    r"(?:from|between|von|zwischen|de|desde|entre|du)\s.*?\s(?:to|until|till|and|a|y|hasta|bis|und|à|au|et)\s|.*\d{4}\s*[-–—]\s*\d{4}",
    re.I,
)

_MONTH = rf"(?:{_any_of(words.MONTHS)})"
_WEEKDAY = rf"(?:{_any_of(words.WEEKDAYS)})"
_COUNT = rf"(?P<count>\d{{1,4}}|{_any_of(words.NUMBERS)})"
_UNIT = rf"(?P<unit>{_any_of(words.UNITS)})"
_YEAR = r"(?:19|20)\d{2}"
_LONG_YEAR = r"[12]\d{3}"
_OF = r"(?:,?\s+(?:of\s+|del?\s+)?)"
_ABOUT = r"(?:about\s+|almost\s+|over\s+|nearly\s+|more\s+than\s+|around\s+|roughly\s+)?"
_WRITTEN = (
    rf"(?:\d{{1,2}}(?:st|nd|rd|th|\.|er|º)?\s+(?:of\s+|de\s+)?{_MONTH}(?:{_OF}{_LONG_YEAR})?"
    rf"|{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?(?!\d)(?:{_OF}{_LONG_YEAR})?|{_MONTH}(?:{_OF}{_LONG_YEAR})?|{_YEAR})"
)
_ORDINAL = r"(?:st|nd|rd|th|er|º|\.)?"

_RULES: tuple[tuple[re.Pattern[str], _Reader], ...] = (
    _rule(_any_of(words.PHRASES), readings.read_phrase),
    _rule(_any_of(words.DENSE_PHRASES), readings.read_phrase, edges=False),
    _rule(words.GERMAN_MORGEN, readings.read_morgen),
    _rule(words.SPANISH_MANANA, readings.read_manana),
    _rule(r"hier", readings.read_hier),
    _rule("|".join(words.VAGUE), readings.read_vague),
    _rule(rf"{_ABOUT}{_COUNT}\s+{_UNIT}\s+(?:ago|earlier\s+this|back(?!\s+(?:and|to)))", readings.read_ago),
    _rule(rf"(?:vor|hace|il\s+y\s+a)\s+{_COUNT}\s+{_UNIT}", readings.read_ago),
    _rule(rf"(?:in|dans|dentro\s+de)\s+{_ABOUT}{_COUNT}\s+{_UNIT}", readings.read_ahead),
    _rule(rf"{_COUNT}\s+{_UNIT}\s+from\s+now", readings.read_ahead),
    _rule(
        rf"(?:for|seit|desde\s+hace|depuis)\s+{_ABOUT}{_COUNT}\s+{_UNIT}(?:\s+now)?", readings.read_duration
    ),
    _rule(
        rf"(?:(?:for|over|in|during|within)\s+)?(?:the\s+)?(?:past|last)\s+{_ABOUT}{_COUNT}\s+{_UNIT}",
        readings.read_duration,
    ),
    _rule(rf"(?:(?:over|in|during|within)\s+)?(?:the|this)\s+past\s+{_UNIT}", readings.read_duration),
    _rule(
        r"(?:(?P<before>last|next|this\s+past|(?:this|the)\s+coming|this|on|by|since|until|till|before|after|"
        r"(?:am\s+)?(?:letzten|letzter|vergangenen|vorigen|nächsten|kommenden|diesen)|am|bis|seit|"
        rf"el\s+próximo|el\s+pasado|este|el|ce)\s+)?(?P<weekday>{_WEEKDAY})"
        r"(?:\s+(?P<after>pasado|que\s+viene|próximo|dernier|prochain|morning|afternoon|evening|night))?"
        rf"(?!,?\s+(?:the\s+)?(?:\d{{1,2}}(?!\w*:)|{_MONTH}\s+\d))",
        readings.read_weekday,
    ),
    _rule(
        rf"(?:(?:on|am|el|le)\s+)?(?:the\s+)?(?P<day>\d{{1,2}})(?P<ordinal>{_ORDINAL})\s+(?P<of>of\s+|de\s+)?"
        rf"(?P<month>{_MONTH})\.?(?:{_OF}(?P<year>{_LONG_YEAR}))?",
        readings.read_date,
    ),
    _rule(
        rf"(?:on\s+)?(?P<month>{_MONTH})\.?\s+(?:the\s+)?(?P<day>\d{{1,2}})(?P<ordinal>st|nd|rd|th)?(?![\d:]|,\d)"
        rf"(?:{_OF}(?P<year>{_LONG_YEAR}))?(?!\s*(?:am|pm|people|miles|times|%)\b)",
        readings.read_date,
    ),
    _rule(
        rf"(?P<how>{words.IN_WORDS})[\s-]+(?P<month>{_MONTH})\.?(?!\s+\d{{1,2}}(?!\d))(?:{_OF}(?P<year>{_LONG_YEAR}))?",
        readings.read_date,
    ),
    _rule(rf"(?P<month>{_MONTH})\.?{_OF}(?P<year>{_LONG_YEAR})", readings.read_date),
    _rule(rf"(?:on\s+)?({_LONG_YEAR})[-/](\d{{2}})(?:[-/](\d{{2}}))?(?=T\d)", readings.read_iso, edges=False),
    _rule(rf"(?:on\s+)?({_LONG_YEAR})[-/](\d{{2}})(?:[-/](\d{{2}}))?", readings.read_iso),
    _rule(rf"(?:on\s+|am\s+)?(\d{{1,2}})([./])(\d{{1,2}})\2({_LONG_YEAR})", readings.read_numeric),
    _rule(rf"{words.YEAR_WORDS}[\s-]+(?:the\s+year\s+)?(?P<year>{_YEAR})(?![.,]?\d)", readings.read_year),
    _rule(r"(?:(?:in|during|since)\s+)?(?:the\s+)?(?P<year>(?:19|20)\d0)['’]?s", readings.read_decade),
    _rule(
        rf"(?:from|between|von|zwischen|de|desde|entre|du)\s+(?P<first>{_WRITTEN})\s+"
        rf"(?:to|until|till|through|and|a|y|hasta|bis|und|à|au|et)\s+(?P<last>{_WRITTEN})",
        readings.read_range,
    ),
    _rule(rf"(?:in\s+)?(?P<first>{_YEAR})\s*[-–—]\s*(?P<last>{_YEAR})", readings.read_range),
    _rule(
        r"(?P<year>)(?<![年\d])(?P<month>\d{1,2})月(?P<day>\d{1,2})[日号]", readings.read_chinese, edges=False
    ),
    _rule(
        r"(?P<year>\d{4})年(?:(?P<month>\d{1,2})月(?:(?P<day>\d{1,2})[日号])?)?",
        readings.read_chinese,
        edges=False,
    ),
)
