"""What each kind of time expression means in calendar days; the grammar that finds them is `timewords`.

A reader takes the match and the setting (whole text, speaker's day) and gives a span of UTC midnights,
or None if the words are no time after all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Literal, TypeAlias, TypeVar

from perdure.core import time_lexicon as words
from perdure.core.interval import EARLIEST, LATEST, Precision, window_end

TimeRole: TypeAlias = Literal["point", "since", "until", "duration"]
T = TypeVar("T")
_PRECISIONS = {"day": Precision.DAY, "month": Precision.MONTH, "year": Precision.YEAR}


Direction: TypeAlias = Literal["ahead", "back", "unsure"]
FUTURE = re.compile(words.FUTURE_CUES, re.I)
_PLANNED = re.compile(words.PLANNED_CUES, re.I)
_OCCASION = re.compile(words.OCCASION_CUES, re.I)
_PAST = re.compile(words.PAST_CUES, re.I)
_PRESENT = re.compile(words.PRESENT_CUES, re.I)
_MONTHS_AHEAD = 10
_AT_PLACE = re.compile(words.PLACE_VERBS, re.I)
_PLACE_NOUN = re.compile(words.PLACE_NOUNS, re.I)
_LAST = re.compile(r"(?:last|this\s+past|letzte|vergangene|vorige|pasad|derni)", re.I)
_NEXT = re.compile(r"(?:next|coming|nächste|kommende|próxim|que\s+viene|prochain)", re.I)
_THIS = re.compile(r"(?:this(?!\s+past)|diese|este|\bce\b)", re.I)
_DONE = re.compile(
    r"\b(?:\w{2,}ed|was|wasn['’]t|were|did|had|got|wrote|made|took|built|ran|read|learnt|lost|been|done|gone)\b",
    re.I,
)
_UNTIL = re.compile(words.UNTIL_WORDS, re.I)
_SINCE = re.compile(words.SINCE_WORDS, re.I)


@dataclass(frozen=True, slots=True)
class FoundTime:
    """A time expression in a text.

    span: character offsets, prepositions that set the role included. start, end: UTC midnights,
    end exclusive; None where unknown. precision: of the bound that is known.
    is_relative: it took the day of speaking to read it. role: `point` lies in [start, end);
    `since` begins at start; `until` ends at end, the beginning of what is named ("until June" ends as
    June begins); `duration` ("for two years") starts that long before the day of speaking. A range
    ("from March to June 2021") is a point whose window includes what is named last.
    """

    span: tuple[int, int]
    start: datetime | None
    end: datetime | None
    precision: Precision
    is_relative: bool
    role: TimeRole = "point"


@dataclass(frozen=True, slots=True)
class Setting:
    """Where an expression stands. text: all of it. today: the speaker's calendar day, None if unknown."""

    text: str
    today: date | None

    def direction(self, at: int) -> Direction:
        """Which way the sentence around `at` looks; back where no verb tells."""
        said = self._sentence(at)
        if FUTURE.search(said):
            return "ahead"
        was, is_planned = _PAST.search(said), _PLANNED.search(said)
        if was and is_planned:
            return "unsure"
        if is_planned or (not was and _OCCASION.search(said)):
            return "ahead"
        return "back" if was or not _PRESENT.search(said) else "unsure"

    def _sentence(self, at: int) -> str:
        begin = max((self.text.rfind(mark, 0, at) for mark in ".!?\n"), default=-1) + 1
        ends = [i for i in (self.text.find(mark, at) for mark in ".!?\n") if i >= 0]
        return self.text[begin : min(ends, default=len(self.text))]


# --- from calendar days to spans -------------------------------------------------------------------


def _midnight(day: date) -> datetime | None:
    moment = datetime(day.year, day.month, day.day, tzinfo=UTC)
    return moment if EARLIEST <= moment < LATEST else None


def _found(
    match: re.Match[str],
    first: date | None,
    after: date | None,
    precision: Precision,
    *,
    is_relative: bool,
    role: TimeRole = "point",
) -> FoundTime:
    start = None if first is None else _midnight(first)
    end = None if after is None or start is None else _midnight(after)
    return FoundTime(match.span(), start, end, precision, is_relative, role)


def _shift_months(day: date, months: int) -> date | None:
    """The first day of the month that is `months` away."""
    index = day.year * 12 + day.month - 1 + months
    return date(index // 12, index % 12 + 1, 1) if 12 <= index < 9998 * 12 else None


def _shift_days(day: date, days: int) -> date | None:
    try:
        return day + timedelta(days=days)
    except OverflowError:
        return None


def _unit_span(today: date, unit: words.Unit, count: int) -> tuple[date | None, date | None, Precision]:
    """The calendar day, week (from Monday), weekend, month or year `count` units from today."""
    if unit == "day":
        first = _shift_days(today, count)
        return first, first and _shift_days(first, 1), Precision.DAY
    if unit in ("week", "weekend"):
        monday = _shift_days(today, 7 * count - today.weekday())
        if monday is None:
            return None, None, Precision.DAY
        first = _shift_days(monday, 5 if unit == "weekend" else 0)
        return first, _shift_days(monday, 7), Precision.DAY
    months = count if unit == "month" else 12 * count
    base = today.replace(day=1) if unit == "month" else today.replace(month=1, day=1)
    first = _shift_months(base, months)
    after = first and _shift_months(first, 1 if unit == "month" else 12)
    return first, after, _PRECISIONS[unit]


# --- readers: one per kind of expression -----------------------------------------------------------


def read_phrase(match: re.Match[str], setting: Setting) -> FoundTime | None:
    distance = _look_up(words.PHRASES, match.group()) or _look_up(words.DENSE_PHRASES, match.group())
    return None if distance is None else _relative(match, setting, *distance)


def _relative(match: re.Match[str], setting: Setting, unit: words.Unit, count: int) -> FoundTime:
    if setting.today is None:
        precision = _PRECISIONS.get(unit, Precision.DAY)
        return _found(match, None, None, precision, is_relative=True)
    first, after, precision = _unit_span(setting.today, unit, count)
    return _found(match, first, after, precision, is_relative=True)


def read_morgen(match: re.Match[str], setting: Setting) -> FoundTime | None:
    """German "morgen" is tomorrow only in lower case or as the first word before a verb."""
    at, end = match.span()
    opens = at == 0 and re.match(r"\s+[a-zäöü]", setting.text[end:])
    return _relative(match, setting, "day", 1) if match.group()[0] == "m" or opens else None


def read_manana(match: re.Match[str], setting: Setting) -> FoundTime:
    return _relative(match, setting, "day", 1)


def read_hier(match: re.Match[str], setting: Setting) -> FoundTime | None:
    """French "hier" is yesterday; German "hier" is here."""
    if words.GERMAN_CUES & set(re.findall(r"\w+", setting.text.lower())):
        return None
    return _relative(match, setting, "day", -1)


def read_vague(match: re.Match[str], setting: Setting) -> FoundTime:
    return _found(match, None, None, Precision.DAY, is_relative=True)


def read_ago(match: re.Match[str], setting: Setting) -> FoundTime | None:
    return _steps_away(match, setting, -1)


def read_ahead(match: re.Match[str], setting: Setting) -> FoundTime | None:
    """ "In two weeks" is ahead, unless something was done in that time ("I wrote it in two weeks")."""
    begin = max(setting.text.rfind(mark, 0, match.start()) for mark in ".!?\n") + 1
    if match.group().lower().startswith("in") and _DONE.search(setting.text, begin, match.start()):
        return None
    return _steps_away(match, setting, 1)


def read_duration(match: re.Match[str], setting: Setting) -> FoundTime | None:
    away = _steps_away(match, setting, -1)
    return None if away is None else replace(away, end=None, role="duration")


def _steps_away(match: re.Match[str], setting: Setting, direction: int) -> FoundTime | None:
    """N days or weeks away is that day; N months or years away is that month or year."""
    count, unit = _number(match.groupdict().get("count") or "1"), _look_up(words.UNITS, match["unit"])
    if count is None or unit is None:
        return None
    if unit == "week":
        return _relative(match, setting, "day", 7 * direction * count)
    return _relative(match, setting, unit, direction * count)


def read_weekday(match: re.Match[str], setting: Setting) -> FoundTime | None:
    """Last: strictly before today; next: strictly after; this: today or after; bare: as the sentence says."""
    weekday = _look_up(words.WEEKDAYS, match["weekday"])
    how = f"{match['before'] or ''} {match['after'] or ''}"
    is_a_word = match["weekday"] in words.SHORT_WEEKDAYS  # lower case
    if weekday is None or is_a_word or not how.strip():
        return None
    if setting.today is None:
        return _found(match, None, None, Precision.DAY, is_relative=True)
    since = (setting.today.weekday() - weekday) % 7
    if _NEXT.search(how) and not _THIS.search(how):
        days = 7 - since
    elif _LAST.search(how) or _SINCE.match(how):
        days = -(since or 7)
    else:
        direction = "ahead" if _THIS.search(how) else setting.direction(match.start())
        if direction == "unsure" or (direction == "ahead" and since == 0 and not _THIS.search(how)):
            return _found(match, None, None, Precision.DAY, is_relative=True)
        days = -since % 7 if direction == "ahead" else -(since or 7)
    first = _shift_days(setting.today, days)
    return _found(match, first, first and _shift_days(first, 1), Precision.DAY, is_relative=True)


def read_date(match: re.Match[str], setting: Setting) -> FoundTime | None:
    """A month with a day, with a year, with both, or after a word that makes it a time."""
    month = _look_up(words.MONTHS, match["month"])
    if month is None or not _is_month(match):
        return None
    parts = match.groupdict()
    day, year = parts.get("day"), parts.get("year")
    return _dated(match, setting, month, int(day) if day else None, int(year) if year else None)


def _dated(
    match: re.Match[str], setting: Setting, month: int, day: int | None, year: int | None
) -> FoundTime | None:
    precision = Precision.DAY if day is not None else Precision.MONTH
    is_relative = year is None
    if year is None and setting.today is not None:
        year = _nearest_year(setting, match, month, day)
    first = _calendar(year or 2024, month, day or 1)  # 2024 is a leap year: 29 February may be meant
    if first is None:
        return None
    if year is None:
        return _found(match, None, None, precision, is_relative=True)
    after = _shift_days(first, 1) if day is not None else _shift_months(first, 1)
    return _found(match, first, after, precision, is_relative=is_relative)


def _nearest_year(setting: Setting, match: re.Match[str], month: int, day: int | None) -> int | None:
    """The year that makes it the last one that has begun, or the next one where the sentence looks ahead."""
    today = setting.today
    if today is None:
        return None
    how = match.groupdict().get("how") or ""
    here, now = (month, day or 0), (today.month, today.day if day else 0)
    if _LAST.search(how):
        return today.year if here < now else today.year - 1
    if _NEXT.search(how):
        return today.year if here > now else today.year + 1
    if _THIS.search(how):
        return today.year
    if _UNTIL.match(how):  # "until June" may lie on either side of today: the nearer June is meant
        return today.year + (month - today.month + 6) // 12
    if _SINCE.match(how):
        return today.year if here <= now else today.year - 1
    direction = setting.direction(match.start())
    if direction == "unsure":
        return None
    if direction == "ahead":
        ahead = today.year if here >= now else today.year + 1
        far = (ahead - today.year) * 12 + month - today.month > _MONTHS_AHEAD
        return None if far else ahead  # "is on 9 May" said on 13 May: this year's or next year's?
    return today.year if here <= now else today.year - 1


def _is_month(match: re.Match[str]) -> bool:
    """Keeps the verbs "may" and "march" out, and places: "in Mars", "lives in March", "in May Street"."""
    parts, word = match.groupdict(), match["month"]
    if parts.get("how") and not parts.get("year") and _is_place(match, parts["how"].lower(), word.lower()):
        return False
    if word.lower() not in words.AMBIGUOUS_MONTHS or word[0].isupper() or parts.get("year"):
        return True
    if word.lower() in ("mai", "mars") and (parts.get("day") or parts.get("how")):
        return True
    if parts.get("day"):
        return bool(parts.get("ordinal") or parts.get("of"))
    return (parts.get("how") or "").lower() in ("in", "back in", "in", "en", "since", "until", "till")


def _is_place(match: re.Match[str], how: str, word: str) -> bool:
    if _PLACE_NOUN.match(match.string, match.end()):
        return True
    is_foreign = word not in words.ENGLISH_MONTHS
    if is_foreign and how.split()[0] in words.ENGLISH_IN and not words.GERMAN_CUES & _words(match.string):
        return True
    return how == "in" and bool(_AT_PLACE.search(match.string, 0, match.start()))


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def read_iso(match: re.Match[str], setting: Setting) -> FoundTime | None:
    year, month, day = int(match[1]), int(match[2]), match[3]
    first = _calendar(year, month, int(day) if day else 1)
    if first is None:
        return None
    if day:
        return _found(match, first, _shift_days(first, 1), Precision.DAY, is_relative=False)
    return _found(match, first, _shift_months(first, 1), Precision.MONTH, is_relative=False)


def read_numeric(match: re.Match[str], setting: Setting) -> FoundTime | None:
    """14.05.2024 is day first; with slashes only what can be read in one way; else it has no start."""
    left, right, year = int(match[1]), int(match[3]), int(match[4])
    day, month = (right, left) if right > 12 and match[2] != "." else (left, right)
    first = _calendar(year, month, day)
    if first is None:
        return None
    if match[2] != "." and left <= 12 and right <= 12 and left != right:
        return _found(match, None, None, Precision.DAY, is_relative=False)
    return _found(match, first, _shift_days(first, 1), Precision.DAY, is_relative=False)


def read_year(match: re.Match[str], setting: Setting) -> FoundTime | None:
    first = _calendar(int(match["year"]), 1, 1)
    if first is None:
        return None
    return _found(match, first, _shift_months(first, 12), Precision.YEAR, is_relative=False)


def read_decade(match: re.Match[str], setting: Setting) -> FoundTime | None:
    year = int(match["year"])
    return _found(match, date(year, 1, 1), date(year + 10, 1, 1), Precision.YEAR, is_relative=False)


def read_chinese(match: re.Match[str], setting: Setting) -> FoundTime | None:
    year, month, day = match["year"], match["month"], match["day"]
    if month is None:
        return read_year(match, setting)
    return _dated(match, setting, int(month), int(day) if day else None, int(year) if year else None)


def read_range(match: re.Match[str], setting: Setting) -> FoundTime | None:
    """From one date to another; what the first leaves out is taken from the second."""
    first, last = _date_parts(match["first"]), _date_parts(match["last"])
    if first is None or last is None:
        return None
    (own_year, own_month, own_day), (year, month, day) = first, last
    precision = Precision.YEAR if month is None else Precision.MONTH if day is None else Precision.DAY
    is_relative = year is None
    if year is None:
        if setting.today is None:
            return _found(match, None, None, precision, is_relative=True)
        year = setting.today.year - (1 if (month or 1) > setting.today.month else 0)
    if own_year is None:
        own_year = year if (own_month or 1, own_day or 1) <= (month or 12, day or 31) else year - 1
    begin, closing = _calendar(own_year, own_month or 1, own_day or 1), _calendar(year, month or 1, day or 1)
    if begin is None or closing is None or closing < begin or (closes := _midnight(closing)) is None:
        return None
    after = window_end(closes, precision).date()
    return _found(match, begin, after, precision, is_relative=is_relative)


def _date_parts(text: str) -> tuple[int | None, int | None, int | None] | None:
    """(year, month, day) of a written date, each None if not named; None if it is no date."""
    months = [_look_up(words.MONTHS, word) for word in re.findall(r"[^\W\d_]+", text)]
    month = next((number for number in months if number), None)
    year = re.search(r"(?<!\d)\d{4}(?!\d)", text)
    day = re.search(r"(?<!\d)\d{1,2}(?!\d)", text)
    if month is None and (year is None or day is not None):
        return None
    return (
        int(year.group()) if year else None,
        month,
        int(day.group()) if day else None,
    )


def _calendar(year: int, month: int, day: int) -> date | None:
    """The date, or None if there is no such day."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() else _look_up(words.NUMBERS, text)


def _look_up(table: Mapping[str, T], word: str) -> T | None:
    """The entry for a matched word; None for a spelling that only the case-blind pattern took for it."""
    return table.get(re.sub(r"\s+", " ", word.lower().replace("’", "'")))
