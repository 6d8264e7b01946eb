"""A rival as a `System`: its own package in its own interpreter, with our embedder behind a local server."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.errors import RivalFailed, SystemMissing
from bench.model import Turn
from bench.systems.base import Fed, Item, Query, Reply
from bench.systems.rivals.embedding_server import PATH, EmbeddingServer
from bench.systems.rivals.process import WorkerProcess
from bench.systems.text import indexed_text
from perdure.core.values import Json
from perdure.ports import Embedder

WORKERS = Path(__file__).parent / "workers"
START_TIMEOUT_S = 180.0
CALL_TIMEOUT_S = 300.0
TURNS_A_CALL = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Rival:
    """One configuration of a rival. environment: which environment runs it. worker: the script's name.

    options: for the worker. variables: what the worker sets in its own environment before it imports the
    rival. limits: what it cannot do here, and why.
    """

    name: str
    about: str
    environment: str
    worker: str
    options: Mapping[str, Json]
    variables: Mapping[str, str]
    limits: tuple[str, ...]


class RivalSystem:
    """Runs a rival's worker. Starts at once; SystemMissing if its environment is not there.

    python: the interpreter of the rival's environment. embedder: served to the worker, not closed with it.
    """

    def __init__(
        self,
        rival: Rival,
        embedder: Embedder,
        *,
        python: Path,
        workers: Path = WORKERS,
        start_timeout_s: float = START_TIMEOUT_S,
        call_timeout_s: float = CALL_TIMEOUT_S,
    ) -> None:
        if not os.access(python, os.X_OK):
            raise SystemMissing(
                f"{rival.name}: its environment is not set up. "
                f"Run `perdure bench rivals {rival.environment}`."
            )
        self._rival = rival
        self._timeout_s = call_timeout_s
        self._folder = Path(tempfile.mkdtemp(prefix=f"bench-{rival.name}-"))
        self._worker = WorkerProcess(
            rival.name, python=python, script=workers / rival.worker, log=self._folder / "stderr.txt"
        )
        self._server = EmbeddingServer(embedder)
        try:
            answer = self._worker.call(
                "hello", self._hello(embedder.identity.dimension), timeout_s=start_timeout_s
            )
        except BaseException:
            self._let_go()
            raise
        self._about: Mapping[str, Json] = {
            "name": rival.name,
            "versions": answer.get("versions", {}),
            "embedder": embedder.identity.name,
            "options": dict(rival.options),
        }

    @property
    def name(self) -> str:
        return self._rival.name

    @property
    def about(self) -> Mapping[str, Json]:
        return self._about

    @property
    def limits(self) -> tuple[str, ...]:
        return self._rival.limits

    @property
    def server(self) -> EmbeddingServer:
        return self._server

    @property
    def worker_id(self) -> int:
        """The process id, to read how much memory it takes."""
        return self._worker.id

    @property
    def folder(self) -> Path:
        """Where the rival keeps its files."""
        return self._folder

    def reset(self, owner: str) -> None:
        self._call("reset", {"owner": _plain(owner)})

    def use(self, owner: str) -> None:
        """Go on as another user of the same memory; nothing is forgotten."""
        self._call("use", {"owner": _plain(owner)})

    def feed(self, turns: Sequence[Turn]) -> Fed:
        done = Fed(seconds=0.0)
        for start in range(0, len(turns), TURNS_A_CALL):
            part = [_turn(turn) for turn in turns[start : start + TURNS_A_CALL]]
            done = _joined(done, _fed(self._call("feed", {"turns": list[Json](part)})))
        return done

    def ask(self, query: Query) -> Reply:
        return self._reply(
            "ask",
            {"text": query.text, "asked_at": query.asked_at.isoformat(), "limit": query.limit},
            limit=query.limit,
        )

    def list_newest(self, limit: int) -> Reply:
        """What the rival lists of the owner, in the order it gives."""
        return self._reply("list", {"limit": limit}, limit=limit)

    def close(self) -> None:
        try:
            if not self._worker.has_failed:
                self._worker.call("close", {}, timeout_s=self._timeout_s)
        finally:
            self._let_go()

    def _hello(self, dimension: int) -> dict[str, Json]:
        url = self._server.base_url
        options: dict[str, Json] = {
            **self._rival.options,
            "folder": str(self._folder),
            "embedding_url": url,
            "dimension": dimension,
        }
        places = {
            "{folder}": str(self._folder),
            "{embedding_base_url}": url,
            "{embedding_url}": url.removesuffix("/v1") + PATH,
        }
        variables = {name: _filled(value, places) for name, value in self._rival.variables.items()}
        return {"options": options, "variables": dict[str, Json](variables)}

    def _call(self, op: str, body: Mapping[str, Json]) -> Mapping[str, Json]:
        return self._worker.call(op, body, timeout_s=self._timeout_s)

    def _reply(self, op: str, body: Mapping[str, Json], *, limit: int) -> Reply:
        answer = self._call(op, body)
        items = answer.get("items")
        if not isinstance(items, list) or len(items) > limit:
            raise RivalFailed(f"{self.name}: `{op}` gave no list of at most {limit} items. Mend the worker.")
        return Reply(
            items=tuple(_item(item) for item in items),
            seconds=_number(answer, "seconds"),
            embedding_seconds=_number(answer, "embedding_seconds"),
            warnings=_warnings(answer),
        )

    def _let_go(self) -> None:
        self._worker.stop()
        self._server.close()
        shutil.rmtree(self._folder, ignore_errors=True)


def _filled(value: str, places: Mapping[str, str]) -> str:
    for place, actual in places.items():
        value = value.replace(place, actual)
    return value


def _plain(owner: str) -> str:
    """The user's id without blanks, which mem0 refuses."""
    return "_".join(owner.split())


def _turn(turn: Turn) -> dict[str, Json]:
    return {
        "id": turn.id,
        "session": turn.session,
        "speaker": turn.speaker,
        "role": turn.role,
        "text": indexed_text(turn),
        "at": turn.at.isoformat(),
    }


def _joined(one: Fed, two: Fed) -> Fed:
    names = sorted({*one.counts, *two.counts})
    return Fed(
        seconds=one.seconds + two.seconds,
        embedding_seconds=one.embedding_seconds + two.embedding_seconds,
        counts={name: one.counts.get(name, 0) + two.counts.get(name, 0) for name in names},
        warnings=(*one.warnings, *(w for w in two.warnings if w not in one.warnings)),
    )


def _fed(answer: Mapping[str, Json]) -> Fed:
    counts = answer.get("counts", {})
    if not isinstance(counts, dict):
        raise RivalFailed("`counts` is no object. Mend the worker.")
    return Fed(
        seconds=_number(answer, "seconds"),
        embedding_seconds=_number(answer, "embedding_seconds"),
        counts={
            "embedding_calls": int(_number(answer, "embedding_calls")),
            **{name: int(_number(counts, name)) for name in counts},
        },
        warnings=_warnings(answer),
    )


def _item(value: Json) -> Item:
    if not isinstance(value, dict) or not isinstance(value.get("text"), str):
        raise RivalFailed("an item without a text. Mend the worker.")
    turns, score = value.get("turns"), value.get("score")
    if not isinstance(turns, list) or not all(isinstance(turn, str) for turn in turns):
        raise RivalFailed("an item whose `turns` is no list of ids. Mend the worker.")
    return Item(
        turns=tuple(str(turn) for turn in turns),
        text=str(value["text"]),
        kind=str(value.get("kind", "turn")),
        score=None if score is None else _number(value, "score"),
    )


def _number(answer: Mapping[str, Json], name: str) -> float:
    value = answer.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise RivalFailed(f"`{name}` is no number. Mend the worker.")
    return float(value)


def _warnings(answer: Mapping[str, Json]) -> tuple[str, ...]:
    warnings = answer.get("warnings", [])
    if not isinstance(warnings, list):
        raise RivalFailed("`warnings` is no list. Mend the worker.")
    return tuple(str(warning) for warning in warnings)
