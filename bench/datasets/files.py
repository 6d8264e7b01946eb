"""Opening the files of a data folder: none is read whose bytes are not those that the figures are for."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from bench.datasets.nodes import Node
from bench.errors import BenchError, DataChanged, DataMissing

Hashes = Mapping[str, str]  # a file's path below the root, with `/` -> sha256 of its bytes, in hex
_TABLE = Path(__file__).with_name("hashes.json")


def stored_hashes() -> Hashes:
    """Those of the public files that the harness knows."""
    return {
        key: node.as_text()
        for key, node in Node(json.loads(_TABLE.read_text("utf-8")), _TABLE.name).entries()
    }


class DataFolder:
    """Reads files below a root, checks each, and remembers the hashes of what was read.

    hashes: what the files must have; None for those of the public files. A file that is not among them is
    known by a `<file>.sha256` beside it, which holds its hash (as `sha256sum` writes it).
    """

    def __init__(self, root: Path, hashes: Hashes | None = None) -> None:
        self.root = root
        self._expected = stored_hashes() if hashes is None else hashes
        self._read: dict[str, str] = {}

    @property
    def sha256(self) -> str:
        """Of the hashes of all files read so far, in the order of their names."""
        return hashlib.sha256("".join(self._read[name] for name in sorted(self._read)).encode()).hexdigest()

    def names(self, folder: str, *endings: str) -> list[str]:
        """The files of a folder with one of the endings, in order; DataMissing if there are none."""
        place = self.root / folder
        found = place.iterdir() if place.is_dir() else ()
        names = sorted(f"{folder}/{path.name}" for path in found if path.name.endswith(endings))
        if not names:
            raise _missing(f"{folder}/*{endings[0]}", self.root)
        return names

    def text(self, name: str) -> str:
        """A file's text, unpacked if its name ends in `.gz`."""
        packed = self._bytes(name)
        try:
            return (gzip.decompress(packed) if name.endswith(".gz") else packed).decode("utf-8")
        except (OSError, EOFError, UnicodeDecodeError) as exc:
            raise BenchError(f"{name}: cannot be unpacked as text in UTF-8; fetch the file again.") from exc

    def json(self, name: str) -> Node:
        return parse_json(self.text(name), name)

    def json_lines(self, name: str) -> Iterator[Node]:
        for number, line in enumerate(self.text(name).split("\n"), start=1):
            if line.strip():
                yield parse_json(line, f"{name}, line {number}")

    def _bytes(self, name: str) -> bytes:
        try:
            content = (self.root / name).read_bytes()
        except FileNotFoundError as exc:
            raise _missing(name, self.root) from exc
        found, expected = hashlib.sha256(content).hexdigest(), self._hash_of(name)
        if expected is None:
            raise DataChanged(
                f"{name} has the sha256 {found}, and nothing says what it must be. If the file is what its "
                f"source publishes, write that hash into {PurePosixPath(name).name}.sha256 beside it."
            )
        if found != expected:
            raise DataChanged(
                f"{name} has other bytes than the figures are for: its sha256 must be {expected} and is "
                f"{found}. Fetch the file again."
            )
        self._read[name] = found
        return content

    def _hash_of(self, name: str) -> str | None:
        if name in self._expected:
            return self._expected[name]
        beside = self.root / f"{name}.sha256"
        words = beside.read_text("utf-8").split() if beside.is_file() else []
        return words[0].lower() if words else None


def parse_json(text: str, place: str) -> Node:
    """place: the file, for errors."""
    try:
        return Node(json.loads(text), place)
    except ValueError as exc:
        raise BenchError(f"{place}: is no JSON; fetch the file again.") from exc


def _missing(name: str, root: Path) -> DataMissing:
    return DataMissing(
        f"{name} is not in {root}. Give the folder that holds the benchmark files with --data or "
        "PERDURE_BENCH_DATA."
    )
