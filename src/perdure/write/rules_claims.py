"""When a statement holds, from its words and from when it was said."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from perdure.core.interval import Interval, Precision
from perdure.core.timewords import FoundTime, find_times
from perdure.core.values import Claim, Episode
from perdure.write.lexicon.shape import Form

# What stands after one of these is about something else than the statement's own time.
_SHORTEST_WHILE = timedelta(days=28)
_WEEKEND = timedelta(days=2)
_ASIDE = re.compile(r"\b(?:where|when|who|which|because|after|before|weil|porque|parce que)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """text: with the date in brackets after each relative time word. raw_date: a time nobody could place."""

    text: str
    times: tuple[FoundTime, ...]
    raw_date: str | None


def date_text(text: str, episode: Episode) -> Dated:
    """Find the times of a statement and write the dates of relative ones beside them."""
    found = find_times(text, said_at=episode.said_at, utc_offset_minutes=episode.utc_offset_minutes)
    unplaced = [text[f.span[0] : f.span[1]] for f in found if f.start is None and f.end is None]
    shown = text
    for time in reversed(found):
        if time.is_relative and time.role != "duration" and (label := _label(time)):
            at = time.span[1]
            gap = "" if shown[at - 1] > "\u2e80" else " "  # no blank inside Chinese
            shown = f"{shown[:at]}{gap}({label}){shown[at:]}"
    aside = _ASIDE.search(text)
    own = [f for f in found if aside is None or f.span[0] <= aside.start() or aside.start() < 3]
    return Dated(text=shown, times=tuple(own), raw_date=unplaced[0] if unplaced else None)


def event_claim(dated: Dated, episode: Episode) -> Claim:
    """For what happened: its day, else the day it was told; a day that nobody can place stays unknown."""
    placed = next((t for t in dated.times if t.start is not None and t.role in ("point", "since")), None)
    if placed is not None and not _is_ahead(placed, episode):
        return _claim(episode, Interval(placed.start), _precision(placed))
    if dated.raw_date is not None:
        return _claim(episode, Interval(), Precision.DAY)
    return _claim(episode, Interval(said_day(episode)), Precision.DAY)


def state_claim(dated: Dated, episode: Episode) -> Claim:
    """For what holds: since when it says, else since it was said."""
    started = next((t for t in dated.times if t.role in ("since", "duration") and t.start), None)
    if started is None:
        started = next((t for t in dated.times if t.role == "point" and t.start), None)
    if started is not None and not _is_ahead(started, episode):
        return _claim(episode, Interval(started.start), _precision(started))
    return _claim(episode, Interval(episode.said_at), Precision.INSTANT)


def _precision(time: FoundTime) -> Precision:
    """How exactly a time is known; one of several days ("last week") is known to the week."""
    if time.precision is Precision.DAY and time.role == "point" and time.start and time.end:
        return Precision.WEEK if time.end - time.start > _WEEKEND else Precision.DAY
    return time.precision


def past_claim(dated: Dated, episode: Episode) -> Claim:
    """For a state told as past: since the time it names, else since nobody knows when."""
    placed = next((t for t in dated.times if t.start is not None and t.role in ("point", "since")), None)
    if placed is not None and not _is_ahead(placed, episode):
        return _claim(episode, Interval(placed.start), _precision(placed))
    return _claim(episode, Interval(), Precision.DAY)


def slot_claim(form: Form, dated: Dated, episode: Episode) -> Claim | None:
    """The claim of a slot's value; None if the value is over and the words do not tell by when."""
    if form == "timeless":
        return _claim(episode, Interval(), Precision.INSTANT)
    if form == "holds":
        return state_claim(dated, episode)
    if form == "begins":
        # "A few weeks ago" has no date, but what began then holds by the time it is said.
        is_vague = dated.raw_date is not None and not any(t.start for t in dated.times)
        return (state_claim if is_vague else event_claim)(dated, episode)
    return _ended_claim(form, dated, episode)


def said_day(episode: Episode) -> datetime | None:
    """The speaker's calendar day on which it was said, as a UTC midnight."""
    if episode.said_at is None:
        return None
    try:
        local = episode.said_at.astimezone(UTC) + timedelta(minutes=episode.utc_offset_minutes)
    except OverflowError:
        return episode.said_at
    return local.replace(hour=0, minute=0, second=0, microsecond=0)


def _ended_claim(form: Form, dated: Dated, episode: Episode) -> Claim | None:
    until = next((t for t in dated.times if t.role == "until" and t.end), None)
    point = next((t for t in dated.times if t.role == "point" and t.start), None)
    if form in ("past", "lapsed") and point is not None and until is None and _is_a_while(point, episode):
        return _claim(episode, Interval(point.start, point.end), point.precision)
    if form == "past" and until is None:
        return None  # "I worked at the library today" is an event, "for ten years" has no end
    if until is not None:
        return _claim(episode, Interval(None, until.end), until.precision, ends=True)
    if point is not None:
        return _claim(episode, Interval(None, point.start), point.precision, ends=True)
    if episode.said_at is None:
        return None
    return _claim(episode, Interval(None, episode.said_at), Precision.INSTANT, ends=True)


def _claim(episode: Episode, interval: Interval, precision: Precision, *, ends: bool = False) -> Claim:
    return Claim(interval=interval, precision=precision, said_at=episode.said_at, ends=ends)


def _is_a_while(time: FoundTime, episode: Episode) -> bool:
    """True for a month or more that was over when it was told."""
    if time.start is None or time.end is None:
        return False
    day = said_day(episode)
    return time.end - time.start >= _SHORTEST_WHILE and (day is None or time.end <= day)


def _is_ahead(time: FoundTime, episode: Episode) -> bool:
    day = said_day(episode)
    return day is not None and time.start is not None and time.start > day


def _label(time: FoundTime) -> str | None:
    bound = time.start if time.role != "until" else time.end
    if bound is None:
        return None
    if time.precision is Precision.YEAR:
        return f"{bound.year:04}"
    if time.precision is Precision.MONTH:
        return f"{bound.year:04}-{bound.month:02}"
    first = bound.date().isoformat()
    if time.role == "point" and time.end is not None and time.end - bound > timedelta(days=1):
        return f"{first} to {(time.end - timedelta(days=1)).date().isoformat()}"
    return first
