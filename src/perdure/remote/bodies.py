"""Bodies as servers send them: JSON, event streams nobody asked for, errors under 200, pages of proxies."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TypeAlias

from perdure.core.values import Json
from perdure.remote.failures import EndpointFailure, FailureKind, excerpt, from_error_object

JsonObject: TypeAlias = dict[str, Json]

_EVENT_LINE = re.compile(r"\s*(?:data|event|id|retry)?:", re.MULTILINE)


def read_body(body: bytes, *, url: str, secret: str | None) -> list[JsonObject]:
    """The JSON objects of a body: one, or those of its events in order.

    EndpointFailure for an error object, a page, an empty or a broken body, naming the URL and its start.
    """
    text = body.decode("utf-8-sig", "replace").strip()
    objects = _events(text) if _EVENT_LINE.match(text) else _whole(text)
    if not objects:
        raise EndpointFailure(
            FailureKind.UNAVAILABLE if not text else FailureKind.REFUSED,
            f"{url} answered 200 without JSON: {excerpt(text, secret)}",
        )
    for each in objects:
        if each.get("error"):
            raise from_error_object(each["error"], url=url, secret=secret)
    return objects


def as_object(value: Json) -> Mapping[str, Json]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: Json) -> list[Json]:
    """The value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def as_text(value: Json) -> str:
    """The value if it is text, else none."""
    return value if isinstance(value, str) else ""


def as_count(value: Json) -> int:
    """The value if it is a whole number from 0 up, else 0."""
    return value if isinstance(value, int) and value > 0 else 0


def _whole(text: str) -> list[JsonObject]:
    value = _load(text)
    return [value] if isinstance(value, dict) else []


def _events(text: str) -> list[JsonObject]:
    """The objects of server-sent events; `[DONE]` and what is no JSON is passed over."""
    found: list[JsonObject] = []
    for event in re.split(r"\r?\n\r?\n|\r\r", text):
        lines = [
            line.partition(":")[2].removeprefix(" ") for line in event.splitlines() if line[:5] == "data:"
        ]
        # One buffered body may hold its chunks line by line, without blank lines between them.
        whole = _load("\n".join(lines))
        values = [whole] if isinstance(whole, dict) else [_load(line) for line in lines]
        found += [value for value in values if isinstance(value, dict)]
    return found


def _load(text: str) -> Json:
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value
