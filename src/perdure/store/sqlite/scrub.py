"""Do erased words still stand in the files? The bytes are searched, not the tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from perdure.store.sqlite.connection import Db

_MIN_BYTES = 12
_PIECE_CHARACTERS = 24
_STRIDE_CHARACTERS = 300
_BLOCK_BYTES = 4 * 1024 * 1024
_WORD = 8


def count_remains(db: Db, path: str, texts: Iterable[str]) -> int:
    """How many of the erased texts still stand in the file, its log or its journal.

    SQLite cuts a long text at page ends, so pieces of it are looked for. A piece below 12 bytes, or one
    that a living row holds too, proves nothing and is passed over.
    """
    pieces = {piece: text for text in texts for piece in _pieces(text)}
    found: set[bytes] = set()
    for file in (Path(path), Path(f"{path}-wal"), Path(f"{path}-journal")):
        found |= find_pieces(file, [piece.encode() for piece in pieces])
    return len({text for piece, text in pieces.items() if piece.encode() in found and not _lives(db, piece)})


def _pieces(text: str) -> list[str]:
    cut = (text[at : at + _PIECE_CHARACTERS] for at in range(0, len(text), _STRIDE_CHARACTERS))
    return [piece for piece in cut if len(piece.encode()) >= _MIN_BYTES]


def find_pieces(file: Path, pieces: Sequence[bytes]) -> set[bytes]:
    """Which pieces (each at least 8 bytes) stand in the file; none if there is no such file."""
    if not pieces or not file.exists():
        return set()
    by_word: dict[int, list[bytes]] = defaultdict(list)
    for piece in pieces:
        by_word[int.from_bytes(piece[:_WORD], "little")].append(piece)
    overlap = max(map(len, pieces))
    found: set[bytes] = set()
    with file.open("rb") as stream:
        tail = b""
        while block := stream.read(_BLOCK_BYTES):
            found |= _find_in(tail + block, by_word)
            tail = (tail + block)[-overlap:]
    return found


def _find_in(block: bytes, by_word: dict[int, list[bytes]]) -> set[bytes]:
    """All eight-byte words at all eight offsets against the first words of the pieces."""
    words = np.array(sorted(by_word), dtype="<u8")
    starts = np.zeros(1 << 16, dtype=np.bool_)
    starts[words & np.uint64(0xFFFF)] = True
    found: set[bytes] = set()
    for offset in range(_WORD):
        count = (len(block) - offset) // _WORD
        if count < 1:
            continue
        here = np.frombuffer(block, dtype="<u8", offset=offset, count=count)
        likely = np.flatnonzero(starts[here & np.uint64(0xFFFF)])
        for at in likely[np.isin(here[likely], words)].tolist():
            start = offset + at * _WORD
            found |= {p for p in by_word[int(here[at])] if block.startswith(p, start)}
    return found


def _lives(db: Db, piece: str) -> bool:
    """True if some row holds the piece."""
    for (table,) in db.script("SELECT name FROM sqlite_master WHERE type = 'table'"):
        columns = [row["name"] for row in db.script(f'PRAGMA table_info("{table}")') if row["type"] == "TEXT"]
        held = " OR ".join(f'instr("{column}", ?1)' for column in columns)
        if columns and db.script(f'SELECT 1 FROM "{table}" WHERE {held} LIMIT 1', piece):
            return True
    return False
