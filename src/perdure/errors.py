"""Every error perdure raises, as one tree.

PerdureError
├── InvalidInput            the caller's value is wrong; nothing was stored (also a ValueError)
│   ├── InvalidScope        no id given, or an id that cannot be one
│   ├── InvalidMessage      messages, roles, content, sizes
│   ├── InvalidTime         a date that cannot be read or that no store can hold
│   ├── InvalidFilter       unknown operator, field or shape
│   └── InvalidLimit        page sizes and limits
├── NotFound                no such fact, episode, decision or operation in this scope (also a LookupError)
├── IdempotencyConflict     one key, two different bodies
├── StaleWrite              what the write was based on changed meanwhile; decide again
├── UndoConflict            a later change rests on the one to be undone
├── StoreError              the store could not do it
│   ├── StoreBusy           another writer held the file past the bounded wait; retry
│   ├── StoreClosed         used after close()
│   ├── StillWaiting        vectors of the new model are missing; make them, then switch
│   └── SchemaError         the file is newer than this program, foreign, or its migrations were altered
├── EmbedderError           the embedder failed or answered wrongly
│   └── EmbedderMismatch    the store was made with another embedding model
├── ModelError              a chat model failed
│   ├── ModelUnavailable    time-outs, 5xx, 429 past the retry budget
│   ├── ModelRefused        the endpoint rejected the request (bad key, unknown model, quota)
│   └── UnreadableReply     the reply could not be read, after repair and one re-ask
├── ExtractionFailed        messages are safe, facts were not extracted; resume the operation
└── ConfigError             a setting is wrong

Messages name the thing, the kind of value and the remedy; a caller's text never goes into them.
"""

from __future__ import annotations


class PerdureError(Exception):
    """Root of every error raised by perdure."""

    def __reduce__(self) -> tuple[object, ...]:
        """Errors cross processes as they are, whatever their constructors take."""
        return _rebuild, (type(self), self.args, self.__dict__)


def _rebuild(
    kind: type[PerdureError], args: tuple[object, ...], attributes: dict[str, object]
) -> PerdureError:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(attributes)
    return error


class InvalidInput(PerdureError, ValueError):
    """A value from the caller is wrong; `field` names it and `remedy` says what to do."""

    def __init__(self, field: str, problem: str, remedy: str) -> None:
        self.field = field
        self.problem = problem
        self.remedy = remedy
        super().__init__(f"{field}: {problem}. {remedy}")


class InvalidScope(InvalidInput):
    """No id was given, or an id cannot be one."""


class InvalidMessage(InvalidInput):
    """Messages, roles, content or sizes are wrong."""


class InvalidTime(InvalidInput):
    """A date cannot be read, or no store can hold it."""


class InvalidFilter(InvalidInput):
    """A filter has an unknown operator, field or shape."""


class InvalidLimit(InvalidInput):
    """A limit or page size is out of range."""


class NotFound(PerdureError, LookupError):
    """There is no such thing in this scope; `what` is its kind, `id` the id asked for."""

    def __init__(
        self, what: str, id: str, remedy: str = "Check the id and the scope it was stored under."
    ) -> None:
        self.what = what
        self.id = id
        super().__init__(f"{what} {id!r} not found. {remedy}")


class IdempotencyConflict(PerdureError):
    """One idempotency key came with two different bodies."""

    def __init__(self) -> None:
        super().__init__(
            "idempotency_key: already used with a different body. Use a new key for a new write."
        )


class StaleWrite(PerdureError):
    """A fact changed between reading and writing; the caller decides again from fresh state."""

    def __init__(self, fact_id: str) -> None:
        self.fact_id = fact_id
        super().__init__(f"fact {fact_id!r} changed meanwhile. Read it again and decide again.")


class UndoConflict(PerdureError):
    """A later change rests on the decision to be undone."""


class StoreError(PerdureError):
    """The store could not do what was asked."""


class StoreBusy(StoreError):
    """Another writer held the file past the bounded wait. Safe to retry."""


class StoreClosed(StoreError):
    """The store was used after close()."""


class StillWaiting(StoreError):
    """Index entries still wait for vectors of the model to switch to."""


class SchemaError(StoreError):
    """The file is newer than this program, is not a perdure store, or a migration was altered."""


class EmbedderError(PerdureError):
    """The embedder failed or gave an answer that cannot be right."""


class EmbedderMismatch(EmbedderError):
    """The store was made with another embedding model."""

    def __init__(self, stored: str, given: str) -> None:
        self.stored = stored
        self.given = given
        super().__init__(
            f"embedder: the store was made with {stored}, this process uses {given}. "
            "Open it with the first one, or run `perdure reembed` to move it to the second."
        )


class ModelError(PerdureError):
    """A chat model failed."""


class ModelUnavailable(ModelError):
    """Time-outs, 5xx or 429 outlasted the retry budget."""


class ModelRefused(ModelError):
    """The endpoint rejected the request; retrying the same will not help."""


class UnreadableReply(ModelError):
    """A reply could not be read, after repair and one re-ask."""


class ExtractionFailed(PerdureError):
    """The messages are stored and searchable; facts were not extracted from them."""

    def __init__(self, operation_id: str, cause: str) -> None:
        self.operation_id = operation_id
        super().__init__(
            f"operation {operation_id!r}: messages are safe, extraction failed ({cause}). "
            "Call resume() or run `perdure doctor --resume` when the model answers again."
        )


class ConfigError(PerdureError):
    """A setting is wrong; the message names it."""
