"""The embedded store: one SQLite file."""

from perdure.store.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
