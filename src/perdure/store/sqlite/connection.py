"""One SQLite connection that runs named queries, and how files are opened, checked and migrated."""

from __future__ import annotations

import json
import math
import re
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TypeAlias

from perdure.errors import InvalidInput, SchemaError, StoreBusy, StoreError
from perdure.store.migrate import Migration, load_migrations, pending

SqlValue: TypeAlias = str | int | float | bytes | None
Params: TypeAlias = Mapping[str, SqlValue]

APPLICATION_ID = 0x50445552  # "PDUR"
MEMORY = ":memory:"
_RETRY_S = 0.01
_QUERY_FILES = ("queries.sql", "writes.sql", "care.sql")
_HEAD = re.compile(r"^-- (part )?(\w+): ", re.MULTILINE)
_INCLUDE = re.compile(r"\{\{(list )?(\w+)\}\}")
# A text with NUL arrives as an array: SQLite up to 3.44 cuts JSON strings at \u0000.
_LIST = "(SELECT CASE type WHEN 'text' THEN value ELSE plain_text(value) END AS value FROM json_each(:{}))"


class Db:
    """A connection that runs the queries of the .sql files by name. `statements` counts what it ran."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        self._raw = raw
        self.statements = 0

    def rows(self, name: str, params: Params) -> list[sqlite3.Row]:
        return self._execute(name, params).fetchall()

    def row(self, name: str, params: Params) -> sqlite3.Row | None:
        row: sqlite3.Row | None = self._execute(name, params).fetchone()
        return row

    def number(self, name: str, params: Params) -> int:
        """The first column of the first row as an integer."""
        return int(self._execute(name, params).fetchone()[0])

    def chunks(self, name: str, params: Params, *, size: int, most: int = 0) -> Iterator[list[sqlite3.Row]]:
        """The rows in order, `size` at a time; stop asking and the rest is never computed.

        most: chunks grow fourfold up to it, so that few statements see many rows and many see few.
        """
        cursor = self._execute(name, params)
        try:
            while chunk := cursor.fetchmany(size):
                yield chunk
                size = max(size, min(4 * size, most))
        finally:
            cursor.close()

    def run(self, name: str, params: Params) -> int:
        """The number of rows changed."""
        return self._execute(name, params).rowcount

    def insert(self, name: str, params: Params) -> int:
        """The rowid of the new row."""
        return self._execute(name, params).lastrowid or 0

    def many(self, name: str, rows: Sequence[Params]) -> None:
        if rows:
            self.statements += 1
            self._raw.executemany(queries()[name].sql, rows)

    def script(self, statement: str, *values: SqlValue) -> list[sqlite3.Row]:
        """One statement that is no named query: schema, pragma, maintenance."""
        self.statements += 1
        return self._raw.execute(statement, values).fetchall()

    @contextmanager
    def transaction(self, kind: str) -> Iterator[None]:
        """BEGIN `kind` (DEFERRED reads one snapshot, IMMEDIATE writes); all or nothing."""
        self._raw.execute(f"BEGIN {kind}")
        try:
            yield
            self._raw.execute("COMMIT")
        except BaseException:
            if self._raw.in_transaction:
                self._raw.rollback()
            raise

    def close(self) -> None:
        self._raw.close()

    def _execute(self, name: str, params: Params) -> sqlite3.Cursor:
        self.statements += 1
        return self._raw.execute(queries()[name].sql, params)


@dataclass(frozen=True, slots=True)
class Query:
    """A named query with its parts filled in. says: its comment."""

    sql: str
    says: str


@cache
def queries() -> Mapping[str, Query]:
    """Every named query of the .sql files."""
    text = "\n".join((files(__package__) / name).read_text(encoding="utf-8") for name in _QUERY_FILES)
    heads = list(_HEAD.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    parts: dict[str, str] = {}
    found: dict[str, Query] = {}
    for head, end in zip(heads, ends, strict=True):
        says, _, body = text[head.end() : end].partition("\n")
        filled = _fill(body.strip().rstrip(";"), parts)
        if head[1]:
            parts[head[2]] = filled
        else:
            found[head[2]] = Query(filled, says)
    return found


def _fill(body: str, parts: Mapping[str, str]) -> str:
    return _INCLUDE.sub(lambda m: _LIST.format(m[2]) if m[1] else parts[m[2]], body)


def json_list(values: Iterable[str | int]) -> str:
    """A parameter for `{{list …}}` and json_each."""
    return json.dumps([[v] if isinstance(v, str) and "\0" in v else v for v in values])


@contextmanager
def translated() -> Iterator[None]:
    """Driver errors as StoreError; no text of a user is in their messages."""
    try:
        yield
    except sqlite3.Error as exc:
        raise _translate(exc) from exc
    except UnicodeEncodeError as exc:
        raise InvalidInput("text", "holds an unpaired surrogate", "Send valid Unicode.") from exc


_ADVICE = {
    "SQLITE_CANTOPEN": "The folder must exist, and it and the file must be writable.",
    "SQLITE_READONLY": "The file and its folder must be writable.",
    "SQLITE_FULL": "The disk is full: make room, then try again. Nothing was half written.",
    "SQLITE_IOERR": "The disk failed: check it, then run `perdure doctor`.",
    "SQLITE_CORRUPT": "The file is damaged: restore a backup.",
}


def _translate(exc: sqlite3.Error) -> StoreError:
    name = getattr(exc, "sqlite_errorname", type(exc).__name__)
    if is_busy(exc):
        return StoreBusy(f"store: another process held the file past the bounded wait ({name}). Try again.")
    if name == "SQLITE_NOTADB":
        return SchemaError("store: the file is not a perdure store. Give another path.")
    advice = next((a for prefix, a in _ADVICE.items() if name.startswith(prefix)), "Run `perdure doctor`.")
    return StoreError(f"store: SQLite failed with {name}. {advice}")


def is_busy(exc: sqlite3.Error) -> bool:
    code: int = getattr(exc, "sqlite_errorcode", 0)
    return code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def connect(path: str, *, busy_timeout_s: float, is_writer: bool) -> Db:
    """A configured connection; a reader cannot write and does not create the file."""
    raw = sqlite3.connect(
        path if path == MEMORY else f"{Path(path).resolve().as_uri()}?mode={'rwc' if is_writer else 'ro'}",
        timeout=busy_timeout_s,
        isolation_level=None,
        check_same_thread=False,  # each is used by one thread at a time, and closed by the last
        cached_statements=256,
        uri=path != MEMORY,
    )
    try:
        _configure(raw, is_writer=is_writer)
    except BaseException:
        raw.close()
        raise
    return Db(raw)


def _configure(raw: sqlite3.Connection, *, is_writer: bool) -> None:
    raw.row_factory = sqlite3.Row
    raw.create_function("plain_text", 1, _plain_text, deterministic=True)
    raw.create_function("bm25_idf", 2, bm25_idf, deterministic=True)
    raw.execute("PRAGMA foreign_keys = ON")
    if is_writer:
        raw.execute("PRAGMA secure_delete = ON")
        raw.execute("PRAGMA synchronous = FULL")
    else:
        raw.execute("PRAGMA query_only = ON")


def _plain_text(value: str) -> str:
    text: str = json.loads(value)[0]
    return text


def bm25_idf(units: int, holding: int) -> float:
    """ln(1 + (N - df + ½) / (df + ½)), always above 0."""
    return math.log1p((units - holding + 0.5) / (holding + 0.5))


def prepare(db: Db, *, busy_timeout_s: float) -> None:
    """Make a new file a store, or bring an old one up to date; SchemaError for any other file.

    Several processes may do this to one file at once.
    """
    if not _missing(db):
        return
    _use_wal(db, deadline=time.monotonic() + busy_timeout_s)
    with db.transaction("IMMEDIATE"):
        for migration in _missing_here(db):
            _migrate(db, migration)
        db.script(f"PRAGMA application_id = {APPLICATION_ID}")


def verify(db: Db) -> None:
    """SchemaError unless the file is a store of exactly this program's schema; writes nothing."""
    if _missing(db):
        raise SchemaError("schema: the store is older than this program. Open it for writing once.")


def _missing(db: Db) -> list[Migration]:
    """One snapshot, since another process may be making the file a store right now."""
    with db.transaction("DEFERRED"):
        return _missing_here(db)


def _missing_here(db: Db) -> list[Migration]:
    number = db.script("PRAGMA application_id")[0][0]
    is_empty = not db.script("SELECT 1 FROM sqlite_master LIMIT 1")
    if number != APPLICATION_ID and not (number == 0 and is_empty):
        raise SchemaError("store: the file is not a perdure store. Give another path.")
    return pending(load_migrations(files(__package__) / "schema"), _applied(db))


def _use_wal(db: Db, *, deadline: float) -> None:
    """Another process that opens the new file at the same moment makes this fail without a wait."""
    while True:
        try:
            db.script("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as exc:
            if not is_busy(exc) or time.monotonic() > deadline:
                raise
            time.sleep(_RETRY_S)


def _applied(db: Db) -> dict[int, str]:
    if not db.script("SELECT 1 FROM sqlite_master WHERE name = 'migrations'"):
        return {}
    return {row["number"]: row["sha256"] for row in db.rows("migrations", {})}


def _migrate(db: Db, migration: Migration) -> None:
    for statement in _statements(migration.sql):
        db.script(statement)
    db.run(
        "add_migration",
        {"number": migration.number, "name": migration.name, "sha256": migration.sha256},
    )


def _statements(sql: str) -> Iterator[str]:
    """One statement at a time, since `executescript` would commit in the middle."""
    statement = ""
    for line in sql.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
