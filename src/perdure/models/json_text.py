"""Find JSON in what a model wrote, strictly where possible, repaired where not, bounded always."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from perdure.core.text import replace_lone_surrogates
from perdure.core.values import Json

MAX_REPLY_CHARACTERS = 1_000_000
MAX_REPAIR_CHARACTERS = 100_000
MAX_DEPTH = 32
MAX_VALUES = 400

_BRACKET = re.compile(r"[{\[]")
_FENCE = re.compile(r"```[ \t]*[\w-]*[ \t]*\n?|```")
_ONE_FENCE = re.compile(r"\A```[ \t]*[\w-]*\s(.*?)\s*```\Z", re.DOTALL)
_BETWEEN_VALUES = re.compile(r"[\s,;]*\Z")
_CLOSING = {"{": "}", "[": "]"}
_QUOTE = '"'
_SIGN_OF_JSON = re.compile(r"""["'“”„‘’«»`]|\{[^{}]*:""")
_UNFINISHED = "…"
_MARK = re.compile(r'["{}\[\]]')
_STRING_END = re.compile(r'(?:[^"\\]|\\.)*"', re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A JSON value in a text, at [start, end); value None: it could not be mended.

    was_repaired: it was not JSON as written. is_open: the text ends before the value does.
    was_cut: so it does, inside a member of the outermost list; the complete ones are kept.
    """

    value: Json
    start: int
    end: int
    was_repaired: bool = False
    is_open: bool = False
    was_cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """The values of a text in order. broken_at: where the first broken one begins.

    is_lost: the last value is too long or deep to mend, or ends before any member of it is complete.
    """

    found: list[Found]
    broken_at: int | None = None
    is_lost: bool = False


def read_strictly(text: str) -> Json | None:
    """The value if the whole text (or the one fence that is the whole text) is a JSON object or list."""
    whole = _ONE_FENCE.sub(r"\1", text.strip())
    try:
        value, end = _DECODER.raw_decode(whole)
    except (ValueError, RecursionError):
        return None
    return sound(value) if end == len(whole) and isinstance(value, dict | list) else None


def find_values(text: str, at: int = 0) -> Scan:
    """The objects and lists in a text from `at` on."""
    found: list[Found] = []
    broken_at: int | None = None
    while len(found) < MAX_VALUES and (opening := _BRACKET.search(text, at)):
        value = _decode(text, opening.start())
        if value is None:
            broken_at = opening.start() if broken_at is None else broken_at
            value = _repair(text, opening.start())
        if value is None:
            return Scan(found=found, broken_at=broken_at, is_lost=True)
        found.append(value)
        at = value.end
    return Scan(found=found, broken_at=broken_at)


def groups(text: str, found: list[Found]) -> list[list[Found]]:
    """Values side by side in one group; words between two values part them."""
    parted: list[list[Found]] = []
    for value in found:
        gap = text[parted[-1][-1].end : value.start] if parted else None
        if gap is not None and _BETWEEN_VALUES.match(gap):
            parted[-1].append(value)
        else:
            parted.append([value])
    return parted


def is_end(text: str, end: int) -> bool:
    """True if nothing but a closing fence and blanks follows."""
    return not _FENCE.sub("", text[end:]).strip()


def sound(value: Json) -> Json | None:
    """The value with unpaired surrogates replaced, or None if it is nested too deeply."""
    try:
        return _sound(value, MAX_DEPTH)
    except RecursionError:
        return None


def _sound(value: Json, depth: int) -> Json:
    if depth == 0:
        raise RecursionError("nested too deeply")
    if isinstance(value, str):
        return replace_lone_surrogates(value)
    if isinstance(value, list):
        return [_sound(item, depth - 1) for item in value]
    if isinstance(value, dict):
        return {replace_lone_surrogates(str(k)): _sound(item, depth - 1) for k, item in value.items()}
    return value


def _no_constant(name: str) -> None:
    """NaN and Infinity are no JSON; they become null."""


_DECODER = json.JSONDecoder(strict=False, parse_constant=_no_constant)


def _decode(text: str, start: int) -> Found | None:
    try:
        value, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    kept = sound(value)
    return None if kept is None else Found(value=kept, start=start, end=end)


def _repair(text: str, start: int) -> Found | None:
    """The broken value at `start`: mended with a library, or cut back to its last complete member."""
    fence = text.find("```", start)
    broken = text[start : fence if fence >= 0 else len(text)]
    extent = _measure(broken)
    if not 0 < extent.end <= MAX_REPAIR_CHARACTERS or _is_deep(broken[: extent.end]):
        return None
    is_open = bool(extent.closers)
    return Found(
        value=_mend(broken[: extent.end] + extent.closers),
        start=start,
        end=start + (len(broken) if is_open else extent.end),
        was_repaired=True,
        is_open=is_open,
        was_cut=extent.is_cut,
    )


def _mend(broken: str) -> Json:
    """The value of broken JSON; None for what only has brackets, such as [see above] or {x}."""
    from json_repair import repair_json

    if not _SIGN_OF_JSON.search(broken):
        return None
    try:
        value: object = repair_json(broken, return_objects=True, skip_json_loads=True)
        # Through JSON and back: what the library returns is data, of JSON's own types.
        plain: Json = json.loads(json.dumps(value), parse_constant=_no_constant)
    except (ValueError, TypeError, RecursionError):
        return None
    wanted = dict if broken.startswith("{") else list
    return sound(plain) if isinstance(plain, wanted) else None


def _is_deep(text: str) -> bool:
    depth = deepest = 0
    for character in text:
        depth += (character in "{[") - (character in "}]")
        deepest = max(deepest, depth)
    return deepest > 2 * MAX_DEPTH


@dataclass(frozen=True, slots=True)
class _Extent:
    """How far a broken value is worth reading: its first `end` characters, then `closers`.

    end 0: nothing in it is complete. is_cut: a member that was begun is left out.
    """

    end: int
    closers: str = ""
    is_cut: bool = False


def _measure(broken: str) -> _Extent:
    """Where the value that begins the text ends; if the text stops inside it, its last complete member."""
    stack: list[str] = []
    complete = _Extent(0)
    for end, mark in _marks(broken):
        if mark == _UNFINISHED and _looks_closed(broken):
            return _up_to_last_bracket(broken)
        if mark in _CLOSING:
            stack.append(mark)
        elif mark in "}]":
            if _CLOSING[stack.pop()] != mark:
                return _up_to_last_bracket(broken)
            if not stack:
                return _Extent(end)
        if mark in '}]"' and stack.count("[") == 1 and stack[-1] == "[":
            complete = _Extent(end, "".join(_CLOSING[opening] for opening in reversed(stack)))
    rest = broken[complete.end :].strip(" \t\r\n,]}")
    return replace(complete, is_cut=bool(rest))


def _looks_closed(broken: str) -> bool:
    """A stray quotation mark hides the end: the text ends as its value should."""
    return broken.rstrip().endswith(_CLOSING[broken[0]])


def _up_to_last_bracket(broken: str) -> _Extent:
    return _Extent(max(broken.rfind("}"), broken.rfind("]")) + 1)


def _marks(text: str) -> Iterator[tuple[int, str]]:
    """Brackets outside strings and the ends of strings (as '"'), with the offset after each."""
    at = 0
    while match := _MARK.search(text, at):
        at = match.end()
        mark = match.group()
        if mark == _QUOTE:
            closing = _STRING_END.match(text, at)
            if closing is None:
                yield len(text), _UNFINISHED
                return
            at = closing.end()
        yield at, mark
