"""Result lines: the only thing that metrics and reports read.

A run is one system on one dataset: one file, one JSON object a line. Each line carries the identity of its
run, so a file that holds two runs is seen at once. The lines of a case are written together, with its own
line last; the file ends with an `end` line. So a run that was stopped goes on after its last whole case, and
a report never counts half a run.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from bench.errors import BrokenRun
from bench.model import Json

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

Line: TypeAlias = "dict[str, Json]"

FORMAT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """What makes one run differ from another.

    gold: a hash of what the loader made of the data. code: a hash of the sources that make the figures.
    commit: where they were, for the reader; the same code at another commit is the same run.
    """

    dataset: str
    split: str
    data_sha256: str
    gold: str
    system: str
    about: Mapping[str, Json]
    limit: int
    seed: int
    code: str
    commit: str
    prompts: Mapping[str, Json]

    def as_json(self) -> Line:
        return {
            "dataset": self.dataset,
            "split": self.split,
            "data_sha256": self.data_sha256,
            "gold": self.gold,
            "system": self.system,
            "about": dict(self.about),
            "limit": self.limit,
            "seed": self.seed,
            "code": self.code,
            "commit": self.commit,
            "prompts": dict(self.prompts),
            "format": FORMAT,
        }

    @property
    def key(self) -> str:
        """Equal for runs that must give equal figures."""
        return key_of(self.as_json())


def key_of(identity: Mapping[str, Json]) -> str:
    """The run's key: 16 hexadecimal digits over all of its identity but the commit."""
    same = {name: value for name, value in identity.items() if name != "commit"}
    return hashlib.sha256(json.dumps(same, sort_keys=True).encode()).hexdigest()[:16]


def read_lines(path: Path) -> Iterator[Line]:
    """Every line of the file; BrokenRun, with its number, for one that is half written or no object."""
    with path.open("rb") as file:
        for number, raw in enumerate(file, start=1):
            if not raw.endswith(b"\n"):
                raise BrokenRun(f"{path}, line {number}: half written. `run` the same again to finish it.")
            yield _parse(raw, f"{path}, line {number}")


def _parse(raw: bytes, place: str) -> Line:
    try:
        value = json.loads(raw)
    except ValueError as exc:
        raise BrokenRun(f"{place}: not JSON. Delete the file and run it again.") from exc
    if not isinstance(value, dict) or not isinstance(value.get("type"), str):
        raise BrokenRun(f"{place}: no result line. Delete the file and run it again.")
    return value


def finished_cases(path: Path, identity: Identity) -> tuple[list[str], bool]:
    """The cases that a stopped run has finished, and whether it has ended; what it left half done is cut off.

    BrokenRun if the file holds another run.
    """
    if not path.exists():
        return [], False
    cases: list[str] = []
    whole = position = 0
    ended = False
    with path.open("rb") as file:
        for number, raw in enumerate(file, start=1):
            position += len(raw)
            if not raw.endswith(b"\n"):
                break
            line = _parse(raw, f"{path}, line {number}")
            if line.get("key") != identity.key:
                raise BrokenRun(
                    f"{path} holds another run (other code, data, options or seed). Give another --work, "
                    "or --fresh to replace it."
                )
            if line["type"] in ("case", "end"):
                whole = position
                ended = line["type"] == "end"
            if line["type"] == "case":
                cases.append(str(line["case"]))
    if whole < path.stat().st_size:
        os.truncate(path, whole)
    return cases, ended


def append_lines(path: Path, lines: Sequence[Mapping[str, Json]]) -> None:
    """Add the lines and wait until the disk has them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)
    with path.open("ab") as file:
        file.write(text.encode("utf-8", "surrogatepass"))
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def only_one(path: Path) -> Iterator[None]:
    """Hold the file for this process as long as the context lasts; BrokenRun if another one has it.

    The lock goes with the process, however it ends. Where the system has no such locks, nothing is held.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_suffix(".lock").open("w") as file:
        if fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as exc:
                raise BrokenRun(f"{path} is being written by another process. Wait for it.") from exc
        yield
