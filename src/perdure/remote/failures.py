"""What went wrong at an endpoint, sorted by what helps."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum

from perdure.core.values import Json
from perdure.errors import ModelError

SHOWN_CHARACTERS = 200

_KEY_LIKE = re.compile(
    r"\b(?:(?:sk|pk|rk|gsk|xai|hf|key)[-_]|Bearer )[A-Za-z0-9_\-*.]{6,}|\b[A-Za-z0-9_]{32,}\b",
    re.IGNORECASE,
)
_QUOTA = re.compile(
    r"insufficient_quota|quota[ _]exhausted|exceeded your current quota|billing|credit balance"
    r"|insufficient[ _](?:funds|balance|credits?)|payment required",
    re.IGNORECASE,
)
_FORMAT = re.compile(
    r"response_?format|json_?schema|json_?object|json mode|structured|grammar|output_config"
    r"|output_format|additionalProperties|\bstrict\b|\bsampler",
    re.IGNORECASE,
)
_STRICT = re.compile(r"additionalProperties|\bstrict\b", re.IGNORECASE)
_TRANSIENT = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529})


class FailureKind(StrEnum):
    """What a caller can do about a failure."""

    UNAVAILABLE = "unavailable"  # call again later
    REFUSED = "refused"  # calling again will not help
    QUOTA = "quota"  # the account is empty
    FORMAT = "format"  # the reply format was refused: ask for another one
    ADJUSTED = "adjusted"  # a parameter was refused and is left out from now on: call again at once


class EndpointFailure(ModelError):
    """One request failed. The message names the URL and shows the start of the body, without keys.

    It is raised to the retry loop, which turns it into ModelUnavailable or ModelRefused.
    """

    def __init__(
        self,
        kind: FailureKind,
        reason: str,
        *,
        status: int | None = None,
        retry_after_s: float | None = None,
        body: str = "",
    ) -> None:
        self.kind = kind
        self.status = status
        self.retry_after_s = retry_after_s
        self.body = body
        super().__init__(reason)

    @property
    def is_about_strictness(self) -> bool:
        return bool(_STRICT.search(self.body))


def from_status(
    status: int, body: str, headers: Mapping[str, str], *, url: str, secret: str | None
) -> EndpointFailure:
    """The failure behind an HTTP status other than 2xx."""
    return EndpointFailure(
        _kind(status, body),
        f"{url} answered {status}: {excerpt(_told_reason(body), secret)}",
        status=status,
        retry_after_s=retry_after_s(headers),
        body=body,
    )


def from_error_object(error: Json, *, url: str, secret: str | None) -> EndpointFailure:
    """The failure behind an `error` in a body with status 200."""
    text = json.dumps(error, ensure_ascii=False)
    code = error.get("code") or error.get("status") if isinstance(error, dict) else None
    status = int(code) if isinstance(code, int) or (isinstance(code, str) and code.isdigit()) else 400
    busy = re.search(r"rate.?limit|overloaded|unavailable|timeout|server_error", text, re.IGNORECASE)
    kind = FailureKind.UNAVAILABLE if busy and not _QUOTA.search(text) else _kind(status, text)
    return EndpointFailure(kind, f"{url} answered 200 with an error: {excerpt(text, secret)}", body=text)


def excerpt(body: str, secret: str | None) -> str:
    """The first 200 characters of a body on one line, without anything that looks like a key."""
    if not body.strip():
        return "an empty body"
    cleaned = body.replace(secret, "***") if secret else body
    return _KEY_LIKE.sub("***", " ".join(cleaned.split()))[:SHOWN_CHARACTERS]


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, as `retry-after-ms` or `Retry-After` says; None if neither does.

    A date counts from the answer's own `Date`, so that clocks need not agree; without one it is infinite,
    which the policy's cap makes finite.
    """
    milliseconds = headers.get("retry-after-ms")
    written = headers.get("retry-after")
    try:
        if milliseconds is not None:
            return max(0.0, float(milliseconds) / 1000)
        if written is None:
            return None
        if re.fullmatch(r"\s*\d+(?:\.\d+)?\s*", written):
            return float(written)
        until = _http_date(written)
        since = headers.get("date")
        return math.inf if since is None else max(0.0, (until - _http_date(since)).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return None


def _http_date(written: str) -> datetime:
    moment = parsedate_to_datetime(written)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _told_reason(body: str) -> str:
    """The message of an error body, without the request that some servers repeat in it; else the body."""
    try:
        value: Json = json.loads(body)
    except (ValueError, RecursionError):
        return body
    for key in ("error", "message", "detail", "msg"):
        if isinstance(value, dict) and value.get(key):
            value = value[key]
    if isinstance(value, list):
        messages = [each.get("msg") for each in value if isinstance(each, dict)]
        return "; ".join(str(message) for message in messages if message) or body
    return value if isinstance(value, str) else body


def _kind(status: int, body: str) -> FailureKind:
    if status == 402 or (status in {400, 403, 429} and _QUOTA.search(body)):
        return FailureKind.QUOTA
    if status in {400, 422, 500, 501} and _FORMAT.search(body):
        return FailureKind.FORMAT
    return FailureKind.UNAVAILABLE if status in _TRANSIENT else FailureKind.REFUSED
