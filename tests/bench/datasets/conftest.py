"""A folder of invented files, laid out as the public ones are."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import pytest


class Folder:
    """hashes: of what was written, for loaders that must know what to expect."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.hashes: dict[str, str] = {}

    def write(self, name: str, value: object) -> None:
        """JSON, or the text itself; packed if the name ends in `.gz`."""
        self.write_bytes(name, (value if isinstance(value, str) else json.dumps(value)).encode())

    def write_lines(self, name: str, values: Sequence[object]) -> None:
        self.write_bytes(name, "".join(json.dumps(value) + "\n" for value in values).encode())

    def write_bytes(self, name: str, content: bytes) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress(content, mtime=0) if name.endswith(".gz") else content)
        self.hashes[name] = hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)
