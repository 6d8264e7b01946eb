"""Base URLs as people write them, in one normal form."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from perdure.errors import ConfigError

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_OPERATION = re.compile(
    r"/(?:chat/completions|completions|embeddings|responses|models|messages)/?\Z", re.IGNORECASE
)
_HOST = re.compile(r"[A-Za-z0-9._-]+\Z")
_SHOWN_QUERY = "api-version"


@dataclass(frozen=True, slots=True)
class Address:
    """Where an API lives. base_url has no trailing slash and no query; `query` goes on every request.

    `str()` is safe to show: user info and all query values but the API version are left out.
    """

    base_url: str
    query: tuple[tuple[str, str], ...] = ()

    @property
    def is_azure(self) -> bool:
        """True for deployments that take the key in an `api-key` header."""
        return "/openai/deployments/" in self.base_url or any(name == _SHOWN_QUERY for name, _ in self.query)

    def to(self, path: str) -> str:
        """The full URL of an operation, safe to show."""
        parts = urlsplit(self.base_url + path)
        shown = "&".join(f"{k}={v if k == _SHOWN_QUERY else '***'}" for k, v in self.query)
        host = parts.netloc.rpartition("@")[2]
        return urlunsplit((parts.scheme, host, parts.path, shown, ""))

    def __str__(self) -> str:
        return self.to("")


def read_address(written: str, *, setting: str, bare_path: str = "/v1") -> Address:
    """The address that a base URL means; ConfigError names `setting` and the URL as understood.

    Blanks, trailing and doubled slashes and a trailing operation (`/chat/completions`) are dropped. A
    URL without a path gets `bare_path`. Without a scheme it is http for a local name or address, else https.
    """
    text = written.strip()
    if not _SCHEME.match(text):
        text = f"{'http' if _is_local(text) else 'https'}://{text}"
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise ConfigError(f"{setting}: the URL has a host or port that cannot be read. {_REMEDY}") from None
    path = re.sub(r"/{2,}", "/", parts.path)
    path = _OPERATION.sub("", path).rstrip("/") or bare_path
    address = Address(
        urlunsplit((parts.scheme.lower(), parts.netloc, path, "", "")),
        tuple(parse_qsl(parts.query, keep_blank_values=True)),
    )
    if parts.scheme.lower() not in {"http", "https"} or not _is_host(host) or port == 0:
        raise ConfigError(f"{setting}: {address} is no address of an HTTP API. {_REMEDY}")
    return address


_REMEDY = "Write it like http://localhost:11434/v1 or https://api.example.com/v1."


def _is_host(host: str) -> bool:
    return bool(_HOST.match(host)) or _ip(host) is not None


def _is_local(text: str) -> bool:
    """True if the host is a single name, localhost, or a private or loopback address."""
    host = re.split(r"[/?#]", text.rpartition("@")[2], maxsplit=1)[0]
    name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
    address = _ip(name)
    if address is not None:
        return address.is_private or address.is_loopback
    return "." not in name or name.endswith((".local", ".internal", ".lan", ".localhost"))


def _ip(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
