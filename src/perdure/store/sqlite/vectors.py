"""Vectors in memory: a bounded cache of each scope's matrix, rebuilt from the rows and never ahead of them.

Every search first asks for rows past the last one seen, so a write by any process counts on the next
call. `generation` in the store grows when rows were removed; then a scope is read anew.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterator
from itertools import groupby
from sqlite3 import Row
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from perdure.core.values import ItemKind, Scope
from perdure.errors import StoreError
from perdure.store.sqlite.connection import Db
from perdure.store.sqlite.params import scope_params
from perdure.store.sqlite.ranking import Candidates, best_first

if TYPE_CHECKING:
    from perdure.ports import Matrix, Vector

Number = TypeVar("Number", bound=np.generic)
_BLOCK = 4096
_FIRST_ROWS = 16


class ScopeVectors:
    """The vectors of one scope in order of arrival. Rows are only added, so slices of it stay true."""

    def __init__(self, dimension: int) -> None:
        self.matrix: Matrix = np.empty((0, dimension), dtype=np.float32)
        self.norms: NDArray[np.float64] = np.empty(0, dtype=np.float64)
        self.unit_ids: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self.recorded_at: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self.is_fact: NDArray[np.bool_] = np.empty(0, dtype=np.bool_)
        self.item_ids: list[str] = []
        self.last_seq = 0

    @property
    def count(self) -> int:
        return len(self.item_ids)

    @property
    def bytes(self) -> int:
        return self.matrix.nbytes

    def append(self, rows: list[Row]) -> None:
        """Add rows of the query `new_vectors`, in their order."""
        block = self._read_block(rows)
        start, end = self.count, self.count + len(rows)
        self._reserve(end)
        self.matrix[start:end] = block
        self.norms[start:end] = np.sqrt((block.astype(np.float64) ** 2).sum(axis=1))
        self.unit_ids[start:end] = [row["unit_id"] for row in rows]
        self.recorded_at[start:end] = [row["recorded_at"] for row in rows]
        self.is_fact[start:end] = [row["kind"] == "fact" for row in rows]
        self.item_ids += [row["item_id"] for row in rows]
        self.last_seq = rows[-1]["seq"]

    def candidates(self, kinds: frozenset[ItemKind], known_at: int | None) -> Candidates:
        """The rows of these kinds that were recorded by then."""
        n = self.count
        is_fact = self.is_fact[:n]
        allowed = (is_fact & ("fact" in kinds)) | (~is_fact & ("episode" in kinds))
        if known_at is not None:
            allowed &= self.recorded_at[:n] <= known_at
        return Candidates(
            matrix=self.matrix[:n],
            norms=self.norms[:n],
            unit_ids=self.unit_ids[:n],
            item_ids=self.item_ids,
            rows=np.flatnonzero(allowed),
        )

    def _read_block(self, rows: list[Row]) -> Matrix:
        width = self.matrix.shape[1]
        if any(len(row["vector"]) != 4 * width for row in rows):
            raise StoreError("vectors: a stored vector has another length. Run `perdure doctor`.")
        joined = np.frombuffer(b"".join(row["vector"] for row in rows), dtype="<f4")
        return joined.reshape(len(rows), width)

    def _reserve(self, rows: int) -> None:
        if rows <= self.matrix.shape[0]:
            return
        capacity = max(rows, 2 * self.count, _FIRST_ROWS)
        self.matrix = _grown(self.matrix, capacity)
        self.norms = _grown(self.norms, capacity)
        self.unit_ids = _grown(self.unit_ids, capacity)
        self.recorded_at = _grown(self.recorded_at, capacity)
        self.is_fact = _grown(self.is_fact, capacity)


class VectorCache:
    """Scopes by model; the least recently searched go first once the limit is passed.

    limit_bytes: of all matrices together. A search may need more for its own scopes; what is over
    the limit is let go at its end.
    """

    def __init__(self, *, limit_bytes: int) -> None:
        self._limit_bytes = limit_bytes
        self._held: OrderedDict[tuple[int, int, int], ScopeVectors] = OrderedDict()
        self._lock = Lock()

    @property
    def bytes(self) -> int:
        with self._lock:
            return sum(held.bytes for held in self._held.values())

    def rank(
        self,
        db: Db,
        scope: Scope,
        query: Vector,
        *,
        model_id: int,
        kinds: frozenset[ItemKind],
        known_at: int | None,
        first: int,
    ) -> Iterator[list[tuple[int, float]]]:
        """(unit id, cosine) in chunks, best first, ties by item id; chunks grow from about `first`."""
        with self._lock:
            held = self._refresh(db, scope, model_id, query.shape[0])
            parts = [one.candidates(kinds, known_at) for one in held]
        return best_first(parts, query, first=first)

    def _refresh(self, db: Db, scope: Scope, model_id: int, dimension: int) -> list[ScopeVectors]:
        """The scopes that the read covers, as the connection's snapshot has them (or newer)."""
        generation = db.number("get_meta", {"name": "generation"})
        for key in [key for key in self._held if key[0] < generation]:
            del self._held[key]
        wanted: dict[int, ScopeVectors] = {}
        for row in db.rows("scope_ids", scope_params(scope)):
            known = self._held.get((generation, model_id, row["id"]))
            wanted[row["id"]] = known or ScopeVectors(dimension)
        _read_new(db, model_id, wanted)
        for scope_id, held in wanted.items():
            if held.count:
                self._held[(generation, model_id, scope_id)] = held
                self._held.move_to_end((generation, model_id, scope_id))
        self._evict()
        return [held for held in wanted.values() if held.count]

    def _evict(self) -> None:
        total = sum(held.bytes for held in self._held.values())
        while total > self._limit_bytes:
            total -= self._held.popitem(last=False)[1].bytes


def _read_new(db: Db, model_id: int, wanted: dict[int, ScopeVectors]) -> None:
    seen = json.dumps([[scope_id, held.last_seq] for scope_id, held in wanted.items()])
    for rows in db.chunks("new_vectors", {"model_id": model_id, "scopes": seen}, size=_BLOCK):
        for scope_id, of_scope in groupby(rows, key=lambda row: int(row["scope_id"])):
            wanted[scope_id].append(list(of_scope))


def _grown(old: NDArray[Number], capacity: int) -> NDArray[Number]:
    new = np.empty((capacity, *old.shape[1:]), dtype=old.dtype)
    new[: old.shape[0]] = old
    return new
