"""Capture: messages become episodes and an operation, durable before any model is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from perdure.core.changes import Change, ExpectAbsent, IndexText, PutEpisode, PutOperation
from perdure.core.interval import LATEST
from perdure.core.names import find_mentions
from perdure.core.text import digest, tokenise
from perdure.core.times import to_text
from perdure.core.values import Episode, EpisodeId, Mention, Operation, OperationId, Scope, Validity, View
from perdure.errors import StaleWrite, StoreBusy
from perdure.ports import NewId, Store
from perdure.write.graph import entity_changes
from perdure.write.messages import Message

MAX_ATTEMPTS = 10
_MONTHS = "January February March April May June July August September October November December".split()


@dataclass(frozen=True, slots=True, kw_only=True)
class Captured:
    """episodes: what is to be extracted, new or left over from a failed write. known: already settled;
    hidden: of those, the deleted ones.

    adopted: failed operations all of whose episodes are among these; they are done when this one is.
    """

    operation: Operation
    episodes: tuple[Episode, ...]
    known: tuple[EpisodeId, ...] = ()
    hidden: frozenset[EpisodeId] = frozenset()
    adopted: tuple[OperationId, ...] = ()


async def capture(
    store: Store, operation: Operation, messages: Sequence[Message], *, new_id: NewId
) -> Captured:
    """Store what is new of the messages together with the operation; a second delivery stores nothing.

    StaleWrite if another operation carries the same idempotency key.
    """
    episodes = _as_episodes(operation.scope, operation.id, messages, new_id)
    for _ in range(MAX_ATTEMPTS):
        try:
            return await _capture_once(store, operation, episodes, new_id=new_id)
        except StaleWrite:
            if operation.idempotency_key is not None:
                raise
    raise StoreBusy("the same messages keep arriving from elsewhere. Retry.")


async def _capture_once(
    store: Store, operation: Operation, episodes: Sequence[Episode], *, new_id: NewId
) -> Captured:
    scope = operation.scope
    stored = await store.episode_ids(scope, [e.fingerprint for e in episodes])
    fresh = [e for e in episodes if e.fingerprint not in stored]
    unfinished = await _unfinished(store, scope, list(stored.values()))
    known = tuple(i for i in stored.values() if i not in {e.id for e in unfinished})
    if not fresh and not unfinished and operation.idempotency_key is None:
        hidden = await _hidden(store, scope, known)
        return Captured(operation=operation, episodes=(), known=known, hidden=hidden)
    changes: list[Change] = [ExpectAbsent(episodes=tuple(e.fingerprint for e in fresh))]
    changes.append(PutOperation(operation=operation))
    for episode in fresh:
        changes.append(PutEpisode(episode=episode, index=index_episode(episode)))
        changes += entity_changes(scope, _mentions(episode), "episode", episode.id, new_id)
    await store.apply(scope, changes, key=f"capture:{operation.id}")
    return Captured(
        operation=operation,
        episodes=(*unfinished, *fresh),
        known=known,
        adopted=await _adopted(store, scope, unfinished),
    )


async def _hidden(store: Store, scope: Scope, ids: Sequence[EpisodeId]) -> frozenset[EpisodeId]:
    everything = View(valid_at=LATEST, validity=Validity.ANY)
    shown = {e.id for e in await store.episodes(scope, ids, view=everything)}
    return frozenset(i for i in ids if i not in shown)


async def _adopted(store: Store, scope: Scope, unfinished: Sequence[Episode]) -> tuple[OperationId, ...]:
    """The failed operations that left nothing but these episodes."""
    ids = {e.id for e in unfinished}
    failed = sorted({e.operation_id for e in unfinished if e.operation_id})
    left = [(i, await store.operation_episodes(scope, i)) for i in failed]
    return tuple(i for i, episodes in left if {e.id for e in episodes} <= ids)


def index_episode(episode: Episode) -> IndexText:
    """What search sees of an episode: who said it, when, and what."""
    who = f"{episode.speaker}: " if episode.speaker else ""
    text = f"{_day_in_words(episode)} {who}{episode.text}".strip()
    return IndexText(text=text, tokens=tuple(tokenise(text)))


def _day_in_words(episode: Episode) -> str:
    """The speaker's own day, as a question would name it: `14 May 2024`; empty if unknown."""
    if episode.said_at is None:
        return ""
    day = episode.said_at + timedelta(minutes=episode.utc_offset_minutes)
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def _mentions(episode: Episode) -> list[Mention]:
    named = list(find_mentions(episode.text, speaker=episode.speaker))
    if episode.speaker:
        named.append(Mention(name=episode.speaker, kind="person"))
    return named


async def _unfinished(store: Store, scope: Scope, ids: Sequence[EpisodeId]) -> list[Episode]:
    """Of the stored episodes, those whose operation failed before their facts were extracted."""
    if not ids:
        return []
    episodes = await store.episodes(scope, ids, view=None)
    states: dict[OperationId, bool] = {}
    for operation_id in {e.operation_id for e in episodes if e.operation_id}:
        operation = await store.operation(scope, operation_id)
        states[operation_id] = operation is not None and operation.state == "failed"
    return [e for e in episodes if e.operation_id and states[e.operation_id]]


def _as_episodes(
    scope: Scope, operation_id: OperationId, messages: Sequence[Message], new_id: NewId
) -> list[Episode]:
    seen: Counter[str] = Counter()
    episodes = []
    for position, message in enumerate(messages):
        plain = _fingerprint(message)
        repeat, seen[plain] = seen[plain], seen[plain] + 1
        episode = Episode(
            id=EpisodeId(new_id()),
            scope=scope,
            role=message.role,
            text=message.text,
            fingerprint=digest(plain, str(repeat)),
            speaker=message.speaker,
            session=message.session,
            position=position,
            said_at=message.said_at,
            utc_offset_minutes=message.utc_offset_minutes,
            reference=message.reference,
            operation_id=operation_id,
            metadata=message.metadata,
        )
        episodes.append(episode)
    return episodes


def _fingerprint(message: Message) -> str:
    """Equal for the same message delivered again: by its own id where it has one, else by its time."""
    when = "" if message.reference else to_text(message.said_at) or "undated"
    return digest(
        message.session or "",
        message.reference or "",
        message.role.value,
        message.speaker or "",
        message.text,
        when,
    )
