"""Which models have vectors in the store, and the vectors themselves as bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from perdure.errors import EmbedderError, EmbedderMismatch, StillWaiting
from perdure.ports import EmbedderIdentity, WaitingVector
from perdure.store.sqlite.connection import Db
from perdure.store.sqlite.rows import identity_params, read_identity

if TYPE_CHECKING:
    from perdure.ports import Vector


def active_identity(db: Db) -> EmbedderIdentity | None:
    row = db.row("active_model", {})
    return read_identity(row) if row else None


def bind(db: Db, identity: EmbedderIdentity) -> None:
    stored = active_identity(db)
    if stored is None:
        db.run("activate_model", {"model_id": _model_id(db, identity)})
    elif stored != identity:
        raise EmbedderMismatch(str(stored), str(identity))


def waiting(db: Db, identity: EmbedderIdentity, *, limit: int) -> list[WaitingVector]:
    row = db.row("model", identity_params(identity))
    rows = db.rows("waiting_vectors", {"model_id": row["id"] if row else None, "size": max(limit, 0)})
    return [WaitingVector(row["id"], row["text"]) for row in rows]


def keep_vectors(
    db: Db, identity: EmbedderIdentity, vectors: Sequence[tuple[int, Vector]], *, now: int
) -> None:
    """Entries erased meanwhile are passed over."""
    model_id = _model_id(db, identity)
    db.many(
        "add_vector",
        [
            {"unit_id": unit_id, "model_id": model_id, "vector": pack(vector, identity), "now": now}
            for unit_id, vector in vectors
        ],
    )


def switch(db: Db, identity: EmbedderIdentity) -> None:
    model = {"model_id": _model_id(db, identity)}
    if db.number("is_any_waiting", model):
        raise StillWaiting("embedder: some entries have no vector of the new model. Embed them, then switch.")
    db.run("deactivate_models", {})
    db.run("activate_model", model)
    db.run("drop_other_vectors", model)
    db.run("drop_other_models", model)
    db.run("bump_generation", {})


def pack(vector: Vector, identity: EmbedderIdentity) -> bytes:
    """Little-endian float32; EmbedderMismatch for another dimension, EmbedderError for NaN or infinity."""
    return check_vector(vector, identity).tobytes()


def check_vector(vector: Vector, identity: EmbedderIdentity) -> Vector:
    """The vector as contiguous little-endian float32, if it can be one of this model."""
    import numpy as np

    checked = np.ascontiguousarray(vector, dtype="<f4")
    if checked.shape != (identity.dimension,):
        shape = " × ".join(map(str, checked.shape))
        raise EmbedderMismatch(str(identity), f"a vector of shape {shape}")
    if not np.isfinite(checked).all():
        raise EmbedderError("embedder: a vector holds NaN or infinity. Check the embedding model.")
    return checked


def _model_id(db: Db, identity: EmbedderIdentity) -> int:
    row = db.row("model", identity_params(identity))
    return row["id"] if row else db.insert("add_model", identity_params(identity))
