"""The working copy that reconcile decides on: facts as loaded, as changed so far, and what differs.

Later drafts of a batch see what earlier ones did. Nothing here waits; the result is a list of changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from perdure.core.changes import (
    Change,
    CloseSource,
    ExpectAbsent,
    ExpectVersion,
    IndexText,
    PutSource,
    PutVersion,
)
from perdure.core.text import tokenise
from perdure.core.values import (
    Body,
    DecisionId,
    EpisodeId,
    Fact,
    FactId,
    FactKind,
    Slot,
    Source,
    SourceId,
)
from perdure.ports import NewId


@dataclass(slots=True, kw_only=True)
class Entry:
    """A fact at work. number: of the stored current version, 0 if it is new."""

    id: FactId
    number: int
    body: Body
    sources: list[Source]
    stored: Body | None = None

    @property
    def is_new(self) -> bool:
        return self.number == 0

    @property
    def has_changed(self) -> bool:
        return self.body != self.stored

    @property
    def says_ended(self) -> bool:
        """True if it says that a value stopped."""
        return self.body.kind is FactKind.ENDING


@dataclass(slots=True, kw_only=True)
class Ledger:
    """All facts that a batch of drafts may touch, in one exact scope."""

    new_id: NewId
    entries: dict[FactId, Entry] = field(default_factory=dict)
    added: list[Source] = field(default_factory=list)
    closed: list[SourceId] = field(default_factory=list)
    seen_slots: dict[tuple[str, str], int] = field(default_factory=dict)
    touched_slots: set[tuple[str, str]] = field(default_factory=set)
    leaned_on: set[FactId] = field(default_factory=set)

    def load(self, facts: Iterable[Fact]) -> None:
        for fact in facts:
            if fact.id not in self.entries:
                self.entries[fact.id] = Entry(
                    id=fact.id,
                    number=fact.version.number,
                    body=fact.body,
                    sources=list(fact.sources),
                    stored=fact.body,
                )

    def note_slots(self, slots: Iterable[Slot]) -> None:
        """Remember how many facts each slot held when it was loaded, to refuse a stale write."""
        for slot in slots:
            key = (slot.subject, slot.attribute)
            self.seen_slots[key] = len(self.in_slot(slot))

    def in_slot(self, slot: Slot) -> list[Entry]:
        """The slot's entries that hold claims, whether these win or not; ordered by id."""
        return sorted(
            (
                e
                for e in self.entries.values()
                if e.body.slot is not None
                and (e.body.slot.subject, e.body.slot.attribute) == (slot.subject, slot.attribute)
                and e.body.status.has_claims
            ),
            key=lambda e: e.id,
        )

    def by_fingerprint(self, fingerprint: str) -> list[Entry]:
        return sorted(
            (
                e
                for e in self.entries.values()
                if e.body.fingerprint == fingerprint and e.body.status.is_visible
            ),
            key=lambda e: e.id,
        )

    def create(self, body: Body) -> Entry:
        entry = Entry(id=FactId(self.new_id()), number=0, body=body, sources=[])
        self.entries[entry.id] = entry
        return entry

    def add_source(self, entry: Entry, source: Source) -> Source:
        """Let the statement support the entry; the entry's version is then expected to hold still."""
        placed = replace(source, fact_id=entry.id)
        entry.sources.append(placed)
        self.added.append(placed)
        self.leaned_on.add(entry.id)
        return placed

    def move_source(self, source: Source, origin: Entry, target: Entry) -> None:
        self.remove_source(source, origin)
        self.add_source(target, replace(source, id=SourceId(self.new_id())))

    def remove_source(self, source: Source, origin: Entry) -> None:
        origin.sources.remove(source)
        if source in self.added:
            self.added.remove(source)
        else:
            self.closed.append(source.id)

    def stamp(self, decision_id: DecisionId, before: dict[FactId, Body | None]) -> None:
        """Mark every entry that differs from `before` as changed by this decision."""
        for entry in self.entries.values():
            if entry.body != before.get(entry.id):
                entry.body = replace(entry.body, decision_id=decision_id)

    def bodies(self) -> dict[FactId, Body | None]:
        return {e.id: e.body for e in self.entries.values()}

    def changes(self, vectors: dict[str, IndexText]) -> list[Change]:
        """The ledger as changes. vectors: index entries that were made already, by text."""
        changes: list[Change] = [self._expect_absent()]
        for entry in sorted(self.entries.values(), key=lambda e: e.id):
            if entry.has_changed:
                changes.append(
                    PutVersion(
                        fact_id=entry.id,
                        body=entry.body,
                        expected=entry.number,
                        index=self._index(entry, vectors),
                    )
                )
            elif entry.id in self.leaned_on and not entry.is_new:
                changes.append(ExpectVersion(fact_id=entry.id, number=entry.number))
        changes += [CloseSource(source_id=i) for i in self.closed]
        changes += [PutSource(source=s) for s in self.added]
        return changes

    def _expect_absent(self) -> ExpectAbsent:
        fresh = [e for e in self.entries.values() if e.is_new and e.body.slot is None]
        return ExpectAbsent(
            fingerprints=tuple(sorted({e.body.fingerprint for e in fresh if not self._stored_twin(e)})),
            slots=tuple((*key, self.seen_slots[key]) for key in sorted(self.touched_slots)),
        )

    def _stored_twin(self, entry: Entry) -> bool:
        """A stored fact of the same words that is known and was deliberately not merged with."""
        return any(
            e.stored is not None and e.stored.fingerprint == entry.body.fingerprint
            for e in self.entries.values()
        )

    def _index(self, entry: Entry, vectors: dict[str, IndexText]) -> IndexText | None:
        if entry.stored is not None and entry.stored.text == entry.body.text:
            return None
        return vectors.get(entry.body.text) or index_text(entry.body.text)


def index_text(text: str) -> IndexText:
    return IndexText(text=text, tokens=tuple(tokenise(text)))


def new_sources(new_id: NewId, episode_ids: Sequence[str], source: Source) -> list[Source]:
    """One source for each episode that a draft rests on, or one without any."""
    ids: list[EpisodeId | None] = [EpisodeId(i) for i in episode_ids] or [None]
    return [replace(source, id=SourceId(new_id()), episode_id=i) for i in ids]
