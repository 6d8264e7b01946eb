"""Numbered migrations: read from files, compared with what a store remembers. No engine in here.

A file is `NNNN_name.sql`; numbers run from 1 without gaps. A file that was applied never changes:
its hash is kept in the store, and another hash is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources.abc import Traversable

from perdure.errors import SchemaError

_NAME = re.compile(r"(\d{4})_(\w+)\.sql\Z")


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema. sha256: hex digest of `sql` as UTF-8."""

    number: int
    name: str
    sql: str

    @property
    def sha256(self) -> str:
        return sha256(self.sql.encode()).hexdigest()


def load_migrations(folder: Traversable) -> list[Migration]:
    """The migrations of a folder in order; SchemaError if their numbers have a gap or repeat."""
    found = []
    for file in folder.iterdir():
        if match := _NAME.match(file.name):
            found.append(Migration(int(match[1]), match[2], file.read_text(encoding="utf-8")))
    found.sort(key=lambda m: m.number)
    if [m.number for m in found] != list(range(1, len(found) + 1)):
        raise SchemaError("schema: migration numbers have a gap or repeat. Reinstall perdure.")
    return found


def pending(migrations: Sequence[Migration], applied: Mapping[int, str]) -> list[Migration]:
    """The migrations a store still needs; applied: number → sha256, as the store remembers them.

    SchemaError if the store knows a number that this program does not, or another text of one.
    """
    known = {m.number: m for m in migrations}
    for number, digest in sorted(applied.items()):
        if number not in known:
            raise SchemaError(
                f"schema: the store has migration {number}, this program knows {len(known)}. Upgrade perdure."
            )
        if known[number].sha256 != digest:
            raise SchemaError(
                f"schema: migration {number} differs from the one the store was made with. Reinstall perdure."
            )
    return [m for m in migrations if m.number not in applied]
