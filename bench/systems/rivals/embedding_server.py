"""An OpenAI-compatible `/v1/embeddings` on loopback: rivals embed with the very model that we use."""

from __future__ import annotations

import base64
import json
import threading
import time
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import TYPE_CHECKING, Self

from perdure.errors import PerdureError
from perdure.ports import Embedder
from perdure.sync import Loop

if TYPE_CHECKING:
    from perdure.ports import Vector

PATH = "/v1/embeddings"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What the embedder did so far. seconds: inside the embedder, without the way there and back."""

    seconds: float = 0.0
    calls: int = 0
    texts: int = 0


class BadRequest(ValueError):
    """A body that is no request for embeddings."""


class EmbeddingServer:
    """Serves an embedder until closed. Requests are answered one at a time, as the embedder would.

    embedder: any; it is not closed with the server, so that a cache in it can outlive a rival.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._loop = Loop()
        self._lock = threading.Lock()
        self._spent = Spent()
        self._http = _Http(("127.0.0.1", 0), self)
        self._thread = threading.Thread(target=self._http.serve_forever, name="bench-embeddings", daemon=True)
        self._thread.start()

    @property
    def base_url(self) -> str:
        """As OpenAI's clients take it, without the last part of the path."""
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    @property
    def spent(self) -> Spent:
        with self._lock:
            return self._spent

    def answer(self, raw: bytes) -> dict[str, object]:
        """The body of the answer; BadRequest if it cannot be read."""
        texts, is_base64 = _read_request(raw)
        with self._lock:
            began = time.perf_counter()
            vectors = self._loop.run(self._embedder.embed_documents(texts))
            self._spent = Spent(
                seconds=self._spent.seconds + time.perf_counter() - began,
                calls=self._spent.calls + 1,
                texts=self._spent.texts + len(texts),
            )
        return {
            "object": "list",
            "model": self._embedder.identity.name,
            "data": [
                {"object": "embedding", "index": at, "embedding": _encode(vector, is_base64)}
                for at, vector in enumerate(vectors)
            ],
            "usage": {"prompt_tokens": 0, "total_tokens": 0},
        }

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()
        self._loop.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _read_request(raw: bytes) -> tuple[list[str], bool]:
    try:
        body = json.loads(raw)
    except ValueError as exc:
        raise BadRequest("the body is no JSON") from exc
    wanted = body.get("input") if isinstance(body, dict) else None
    texts = [wanted] if isinstance(wanted, str) else wanted
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
        raise BadRequest("input: neither a text nor a list of texts")
    encoding = body.get("encoding_format", "float")
    if encoding not in ("float", "base64"):
        raise BadRequest("encoding_format: neither float nor base64")
    return texts, encoding == "base64"


def _encode(vector: Vector, is_base64: bool) -> object:
    if is_base64:
        return base64.b64encode(vector.astype("<f4").tobytes()).decode("ascii")
    return [float(number) for number in vector]


class _Http(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], owner: EmbeddingServer) -> None:
        super().__init__(address, _Handler)
        self.owner = owner


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Head and body go out as two writes; without this each answer waits for a delayed ACK.
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path != PATH:
            self._reply(HTTPStatus.NOT_FOUND, {"error": {"message": f"only {PATH} is served"}})
            return
        assert isinstance(self.server, _Http)
        try:
            self._reply(HTTPStatus.OK, self.server.owner.answer(raw))
        except BadRequest as exc:
            self._reply(HTTPStatus.BAD_REQUEST, {"error": {"message": str(exc)}})
        except PerdureError as exc:
            # The client sees it fail, and so does whoever reads the worker's error.
            self._reply(HTTPStatus.INTERNAL_SERVER_ERROR, {"error": {"message": str(exc)}})

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: a line for every text would bury what matters."""

    def _reply(self, status: HTTPStatus, body: dict[str, object]) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
