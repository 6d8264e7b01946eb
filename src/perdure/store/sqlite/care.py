"""Care of the whole store: are all invariants whole, how much is in it, and starting over."""

from __future__ import annotations

from pathlib import Path

from perdure.core.values import Scope
from perdure.ports import StoreStats
from perdure.store.sqlite.connection import MEMORY, Db, queries
from perdure.store.sqlite.embedders import active_identity
from perdure.store.sqlite.params import scope_params, view_params

# Children before parents. What is not listed stays: migrations and meta.
TABLES = (
    "applied", "journal", "decision_facts", "decisions", "operations", "relations", "links", "entities",
    "sources", "versions", "facts", "episode_spans", "episodes", "postings", "vectors", "units", "models",
    "scopes",
)  # fmt: skip
_VECTOR_CHUNK = 4096


def check(db: Db) -> list[str]:
    """Every `check_` query's claim with the rows that break it, then SQLite's own checks."""
    lines = []
    for name, query in queries().items():
        if name.startswith("check_"):
            lines += [f"broken: {query.says}: {row['id']}" for row in db.rows(name, {})]
    lines += [f"broken: a vector holds finite numbers: {unit_id}" for unit_id in _bad_vectors(db)]
    found = [row[0] for row in db.script("PRAGMA integrity_check")]
    lines += [f"broken: SQLite's integrity: {text}" for text in found if text != "ok"]
    for table, rowid, parent, _ in db.script("PRAGMA foreign_key_check"):
        lines.append(f"broken: a row of {table} ends at a live row of {parent}: {rowid}")
    return lines


def _bad_vectors(db: Db) -> list[int]:
    import numpy as np

    bad = []
    for rows in db.chunks("all_vectors", {}, size=_VECTOR_CHUNK):
        for row in rows:
            whole = len(row["vector"]) // 4 * 4
            if not np.isfinite(np.frombuffer(row["vector"][:whole], dtype="<f4")).all():
                bad.append(row["unit_id"])
    return bad


def stats(db: Db, scope: Scope, *, now: int, path: str) -> StoreStats:
    params = {**scope_params(scope), **view_params(None), "validity": "any", "now": now}
    row = db.row("stats", params)
    counts = dict(zip(row.keys(), row, strict=True)) if row else {}
    return StoreStats(**counts, bytes=store_bytes(db, path), embedder=active_identity(db))


def store_bytes(db: Db, path: str) -> int:
    """Of the file and its write-ahead log; of the pages in memory for a store without a file."""
    if path == MEMORY:
        pages: int = db.script("PRAGMA page_count")[0][0]
        return pages * int(db.script("PRAGMA page_size")[0][0])
    return sum(file.stat().st_size for file in (Path(path), Path(f"{path}-wal")) if file.exists())


def reset(db: Db) -> None:
    for table in TABLES:
        db.script(f"DELETE FROM {table}")
    db.run("bump_generation", {})
    db.run("set_meta", {"name": "scrub_due", "value": 1})
