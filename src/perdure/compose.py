"""The only file that knows every adapter: it turns settings into a memory.

Time, chance and process ids enter here and nowhere else.
"""

from __future__ import annotations

import os
import random
import socket
import threading
import time
import uuid
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from perdure.core.ids import make_id
from perdure.core.values import Layer
from perdure.embed.checked import CheckedEmbedder
from perdure.engine import Engine
from perdure.errors import ConfigError, EmbedderError, EmbedderMismatch, StoreError
from perdure.ports import Clock, Embedder, Model, NewId
from perdure.sync import SyncEngine
from perdure.upkeep import Owner, Parts
from perdure.write.pipeline import Writer

if TYPE_CHECKING:
    from perdure.config import Settings
    from perdure.remote.limits import Gate
    from perdure.store.sqlite import SqliteStore


RULES = "rules"


class AsyncMemory(Engine):
    """A memory for async code; see `Engine` for the verbs.

    path: the file; None is the per-user place (`perdure.config.default_path`), ":memory:" keeps nothing.
    embedder: "local" (default), "openai", "hashing", or an `Embedder`. model, strong_model: the name of a
    chat model, a `Model`, or None for what the environment configures; without any, or with model="rules",
    rules extract and no model is asked.
    for_reembedding: open although the store was made with another embedder, to call `reembed`.
    """

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        workspace: str | None = None,
        embedder: str | Embedder | None = None,
        model: str | Model | None = None,
        strong_model: str | Model | None = None,
        clock: Clock | None = None,
        new_id: NewId | None = None,
        for_reembedding: bool = False,
    ) -> None:
        from perdure.config import load_settings

        given: dict[str, object] = {
            "path": path,
            "workspace": workspace,
            "embedder": embedder if isinstance(embedder, str) else None,
            "model": model if isinstance(model, str) and model != RULES else None,
            "strong_model": strong_model if isinstance(strong_model, str) else None,
        }
        settings = load_settings(**{k: v for k, v in given.items() if v is not None})
        super().__init__(
            partial(
                open_parts,
                ":memory:" if path == ":memory:" else settings.path,
                settings,
                embedder=None if isinstance(embedder, str) else embedder,
                fast=None if isinstance(model, str) else model,
                strong=None if isinstance(strong_model, str) else strong_model,
                clock=clock or utc_now,
                new_id=new_id or IdSource(),
                check_embedder=not for_reembedding,
                by_rules=model == RULES,
            ),
            workspace=settings.workspace,
            max_message_bytes=settings.max_message_bytes,
            max_messages=settings.max_messages,
        )


class Memory(SyncEngine):
    """A memory: the same verbs as `AsyncMemory`, blocking. Arguments as there. Opens at once."""

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        workspace: str | None = None,
        embedder: str | Embedder | None = None,
        model: str | Model | None = None,
        strong_model: str | Model | None = None,
        clock: Clock | None = None,
        new_id: NewId | None = None,
        for_reembedding: bool = False,
    ) -> None:
        super().__init__(
            AsyncMemory(
                path,
                workspace=workspace,
                embedder=embedder,
                model=model,
                strong_model=strong_model,
                clock=clock,
                new_id=new_id,
                for_reembedding=for_reembedding,
            )
        )


async def open_parts(
    path: str | Path,
    settings: Settings,
    *,
    embedder: Embedder | None,
    fast: Model | None,
    strong: Model | None,
    clock: Clock,
    new_id: NewId,
    check_embedder: bool,
    by_rules: bool,
    on_step: Callable[[str], None] | None = None,
    layers: frozenset[Layer] = frozenset(Layer),
) -> Parts:
    """Open the store and put all together; EmbedderMismatch if it holds another model's vectors.

    layers: those of reconcile that may decide; a measurement leaves one out to see what it is worth.
    """
    from perdure.store.sqlite import SqliteStore

    if path != ":memory:":
        _make_folder(Path(path), is_default="path" not in settings.model_fields_set)
    if not by_rules:
        fast = fast or make_model(settings, settings.fast_model)
        strong = strong or _strong_model(settings, fast)
    embedder = CheckedEmbedder(embedder or make_embedder(settings))
    try:
        store = await SqliteStore.open(path, clock=clock, on_step=on_step)
    except StoreError as exc:
        raise type(exc)(f"{path}: {exc}") from exc
    try:
        if check_embedder:
            await _check_embedder(store, embedder)
    except BaseException:
        await store.close()
        raise
    writer = Writer(
        store=store,
        embedder=embedder,
        clock=clock,
        new_id=new_id,
        fast=fast,
        strong=strong,
        layers=layers,
    )
    closers: dict[int, Callable[[], Awaitable[None]]] = {id(embedder): embedder.close}
    closers |= {id(m): m.close for m in (fast, strong) if m is not None}
    return Parts(
        store=store,
        embedder=embedder,
        writer=writer,
        clock=clock,
        new_id=new_id,
        owner=Owner(name=owner_name(), is_alive=is_owner_alive),
        closers=tuple(closers.values()),
    )


def _make_folder(path: Path, *, is_default: bool) -> None:
    """The per-user place is made, for its owner alone; a folder that the caller named must be there."""
    if path.parent.is_dir():
        return
    if not is_default:
        raise ConfigError(f"path: there is no folder {str(path.parent)!r}. Make it, or give another path.")
    path.parent.mkdir(parents=True, mode=0o700, exist_ok=True)


async def _check_embedder(store: SqliteStore, embedder: Embedder) -> None:
    stored = await store.embedder()
    if stored is None:
        return
    try:
        given = embedder.identity
    except EmbedderError:
        return  # its dimension is known only after its first answer; the store checks it then
    if given != stored:
        raise EmbedderMismatch(str(stored), str(given))


def make_embedder(settings: Settings) -> Embedder:
    """The embedder that the settings name."""
    if settings.embedder == "hashing":
        from perdure.embed.hashing import HashingEmbedder

        return HashingEmbedder()
    if settings.embedder == "openai":
        return _openai_embedder(settings)
    from perdure.embed.local import LocalEmbedder

    return LocalEmbedder()


def _openai_embedder(settings: Settings) -> Embedder:
    from perdure.embed.openai import OPENAI_BASE_URL, OpenAIEmbedder

    key = settings.embeddings_api_key
    if key is None and settings.embeddings_base_url is None:
        raise ConfigError("embedder: `openai` needs OPENAI_API_KEY or PERDURE_EMBEDDING_BASE_URL")
    return OpenAIEmbedder(
        settings.embedding_model,
        gate=_gate(settings),
        base_url=settings.embeddings_base_url or OPENAI_BASE_URL,
        api_key=key.get_secret_value() if key else None,
        dimension=settings.embedding_dimension,
        batch_size=settings.embedding_batch_size,
        timeout_s=settings.model_timeout_s,
    )


def make_model(settings: Settings, name: str | None) -> Model | None:
    """The chat model of that name at the configured endpoint; None if none is configured at all."""
    if name is None:
        if settings.model is not None:
            raise ConfigError("model: named, but there is no key and no PERDURE_MODEL_BASE_URL to reach it")
        return None
    from perdure.models.structured import StructuredModel

    key = settings.chat_api_key
    secret = key.get_secret_value() if key else None
    if settings.model_kind == "anthropic":
        if secret is None:
            raise ConfigError("model: Anthropic needs ANTHROPIC_API_KEY or PERDURE_MODEL_API_KEY")
        from perdure.models.anthropic import ANTHROPIC_BASE_URL, AnthropicTransport

        return StructuredModel(
            AnthropicTransport(
                name,
                base_url=settings.chat_base_url or ANTHROPIC_BASE_URL,
                api_key=secret,
                timeout_s=settings.model_timeout_s,
            ),
            gate=_gate(settings),
        )
    from perdure.models.openai import OPENAI_BASE_URL, OpenAITransport

    transport = OpenAITransport(
        name,
        base_url=settings.chat_base_url or OPENAI_BASE_URL,
        api_key=secret,
        timeout_s=settings.model_timeout_s,
    )
    return StructuredModel(transport, gate=_gate(settings))


def _strong_model(settings: Settings, fast: Model | None) -> Model | None:
    """The strong model if another is set, else the fast one."""
    if settings.judge_model is None or settings.judge_model == settings.fast_model:
        return fast
    return make_model(settings, settings.judge_model)


def _gate(settings: Settings) -> Gate:
    from perdure.remote.limits import Gate, RetryPolicy

    policy = RetryPolicy(
        attempts=settings.model_attempts,
        deadline_s=settings.model_deadline_s,
        retry_after_cap_s=settings.retry_after_cap_s,
    )
    return Gate(
        policy=policy,
        concurrency=settings.model_concurrency,
        monotonic=time.monotonic,
        chance=random.random,
    )


def utc_now() -> datetime:
    return datetime.now(UTC)


class IdSource:
    """Time-sortable ids that grow strictly within this process, also inside one millisecond."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = 0

    def __call__(self) -> str:
        with self._lock:
            fresh = uuid.UUID(make_id(utc_now(), os.urandom(10))).int
            self._last = max(fresh, self._last + 1)
            return str(uuid.UUID(int=self._last))


def owner_name() -> str:
    """This process, told apart from a later one with the same number by its start."""
    return f"{socket.gethostname()}:{os.getpid()}:{_started(os.getpid())}"


def is_owner_alive(owner: str) -> bool:
    """False only if the owner was on this machine and is gone; elsewhere its lease must run out."""
    host, pid_text, started = owner.rsplit(":", 2) if owner.count(":") >= 2 else ("", "", "")
    if host != socket.gethostname() or not pid_text.isdigit():
        return True
    pid = int(pid_text)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return _started(pid) == started


def _started(pid: int) -> str:
    """When a process began, in the system's ticks; "0" where the system does not tell, "" for a dead one."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return "" if fields[0] in ("Z", "X") else fields[19]
    except (OSError, IndexError):
        return "0"
