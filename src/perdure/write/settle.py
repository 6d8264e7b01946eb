"""Settle a slot: from the claims of all its facts to one timeline, and from that to the facts' intervals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias

from perdure.core.interval import EARLIEST, Interval
from perdure.core.text import fingerprint
from perdure.core.timeline import Span, Statement, Timeline, settle
from perdure.core.values import Cardinality, FactId, Slot, Source, SourceId, Status
from perdure.write.ledger import Entry, Ledger
from perdure.write.slots import value_keys


def settle_slot(ledger: Ledger, slot: Slot, *, value: str | None = None) -> None:
    """Give every fact of the slot the interval that the slot's claims add up to.

    value: in a slot of several values, the only one that changed.

    One value unbroken is one fact; a value that returns after a gap is a second one. Facts whose value
    holds nowhere are retracted, facts that lost all their claims to another are merged into it.
    """
    ledger.touched_slots.add((slot.subject, slot.attribute))
    entries = ledger.in_slot(slot)
    keys = value_keys(e.body.value or "" for e in entries)
    groups: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        key = keys[entry.body.value or ""]
        groups["" if slot.cardinality is Cardinality.SINGLE else key].append(entry)
    changed = groups if value is None or slot.cardinality is Cardinality.SINGLE else [keys.get(value, "")]
    for key in changed:
        if key in groups:
            _settle_group(ledger, groups[key], keys)


@dataclass(frozen=True, slots=True)
class Holding:
    """A statement where it stands: one source on one fact. The same statement may stand on several."""

    source: Source
    entry: Entry


Holdings: TypeAlias = Mapping[str, Sequence[Holding]]


def _settle_group(ledger: Ledger, entries: Sequence[Entry], keys: Mapping[str, str]) -> None:
    holdings = _holdings(entries)
    timeline = settle([_statement(key, held[0], keys) for key, held in holdings.items()])
    placed: list[tuple[Span, Entry]] = []
    taken: set[FactId] = set()
    wanted: dict[str, list[Entry]] = defaultdict(list)
    for span in timeline.spans:
        entry = _entry_for(ledger, span, holdings, taken)
        placed.append((span, entry))
        taken.add(entry.id)
        for key in span.statements:
            wanted[key].append(entry)
    for key, held in holdings.items():
        _place(ledger, held, wanted[key])
    context = _context(entries, placed)
    for span, entry in placed:
        _apply_span(ledger, entry, span, context)
    _retire_the_rest([e for e in entries if not e.says_ended or not e.sources], placed, keys)
    _apply_endings(holdings, timeline)


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What a span needs to know of the others: what begins when, which are disputed, whose group it is."""

    starts: Mapping[datetime, FactId]
    disputed: Sequence[tuple[Span, FactId]]
    group: Set[FactId]


def _context(entries: Sequence[Entry], placed: Sequence[tuple[Span, Entry]]) -> Context:
    return Context(
        starts={span.interval.start: e.id for span, e in reversed(placed) if span.interval.start is not None},
        disputed=[(span, e.id) for span, e in placed if span.is_disputed],
        group={e.id for e in entries},
    )


def _holdings(entries: Sequence[Entry]) -> Holdings:
    """Every statement of the entries with the sources that hold it, under the id of the oldest of them."""
    found: dict[tuple[object, ...], list[Holding]] = defaultdict(list)
    for entry in entries:
        for source in entry.sources:
            same = (entry.body.value, source.episode_id or source.id, source.text, source.claim)
            found[same].append(Holding(source, entry))
    return {min(h.source.id for h in held): held for held in found.values()}


def _statement(key: str, holding: Holding, keys: Mapping[str, str]) -> Statement:
    source = holding.source
    return Statement(
        key=key,
        value=keys[holding.entry.body.value or ""],
        claim=source.claim,
        order=source.episode_id or source.id,
    )


def _entry_for(ledger: Ledger, span: Span, holdings: Holdings, taken: Set[FactId]) -> Entry:
    """The oldest fact that a statement of the span stands on and that has no span yet, or a new one."""
    candidates = {h.entry.id: h.entry for key in span.statements for h in holdings[key]}
    free = sorted(i for i in candidates if i not in taken)
    if free:
        return candidates[free[0]]
    first = holdings[min(span.statements)][0]
    text = first.source.text
    return ledger.create(
        replace(first.entry.body, text=text, fingerprint=fingerprint(text), replaced_by=None, disputes=())
    )


def _place(ledger: Ledger, held: Sequence[Holding], wanted: Sequence[Entry]) -> None:
    """Let the statement stand once on each wanted fact and on no other; if none wants it, leave it."""
    if not wanted:
        return
    missing = [e for e in wanted if e.id not in {h.entry.id for h in held}]
    kept: set[FactId] = set()
    for holding in held:
        is_wanted = any(e.id == holding.entry.id for e in wanted)
        if is_wanted and holding.entry.id not in kept:
            kept.add(holding.entry.id)
        elif missing:
            ledger.move_source(holding.source, holding.entry, missing.pop(0))
        else:
            ledger.remove_source(holding.source, holding.entry)
    for entry in missing:
        ledger.add_source(entry, replace(held[0].source, id=SourceId(ledger.new_id())))


def _apply_span(ledger: Ledger, entry: Entry, span: Span, context: Context) -> None:
    end = span.interval.end
    successor = context.starts.get(end) if end is not None else None
    outside = _disputes_elsewhere(ledger, entry, context.group)
    was_doubted = entry.body.status in (Status.RETRACTED, Status.DISPUTED)
    is_disputed = span.is_disputed or bool(outside)
    status = Status.DISPUTED if is_disputed else Status.ACTIVE if was_doubted else entry.body.status
    is_as_before = span.interval == entry.body.valid and successor is None and not span.is_disputed
    entry.body = replace(
        entry.body,
        valid=span.interval,
        precision=span.precision,
        status=status,
        disputes=tuple(sorted({*outside, *_rivals(span, context)})),
        replaced_by=entry.body.replaced_by if is_as_before else successor,
        reason=entry.body.reason if is_as_before else _reason(span, successor),
    )


def _rivals(span: Span, context: Context) -> list[FactId]:
    """The facts that name another value for part of a disputed span."""
    if not span.is_disputed:
        return []
    return [
        i
        for other, i in context.disputed
        if other.value != span.value and other.interval.overlaps(span.interval)
    ]


def _disputes_elsewhere(ledger: Ledger, entry: Entry, group: Set[FactId]) -> tuple[FactId, ...]:
    """Disputes that a judge found with facts outside this timeline; settling it does not end them."""
    return tuple(i for i in entry.body.disputes if not _is_of_timeline(ledger.entries.get(i), entry, group))


def _is_of_timeline(other: Entry | None, entry: Entry, group: Set[FactId]) -> bool:
    """True for a rival in the same timeline, also one that was just hidden or merged."""
    if other is None:
        return False
    is_gone = not other.body.status.is_visible
    return other.id in group or (is_gone and other.body.slot == entry.body.slot)


def _reason(span: Span, successor: FactId | None) -> str | None:
    if span.is_disputed:
        return "another statement of the same date names another value"
    if span.interval.end is None:
        return None
    return "a later value took its place" if successor else "it was said to have ended"


def _retire_the_rest(
    holders: Sequence[Entry], placed: Sequence[tuple[Span, Entry]], keys: Mapping[str, str]
) -> None:
    kept = {e.id for _, e in placed}
    for entry in holders:
        is_settled = entry.body.status is Status.RETRACTED and bool(entry.sources)
        if entry.id in kept or is_settled:  # retracted before: a newer winner is no reason for a new version
            continue
        value = None if entry.says_ended else keys[entry.body.value or ""]
        heir = next((e.id for s, e in placed if s.value == value), None)
        if entry.sources:
            entry.body = replace(
                entry.body,
                status=Status.RETRACTED,
                replaced_by=placed[-1][1].id if placed else None,
                reason="another value holds at every time it was claimed for",
            )
        else:
            entry.body = replace(
                entry.body,
                status=Status.MERGED if heir else Status.RETRACTED,
                replaced_by=heir,
                reason="its statements now support another fact" if heir else "nothing supports it",
            )


def _apply_endings(holdings: Holdings, timeline: Timeline) -> None:
    """A fact that says that a value stopped is true from then until the value begins again."""
    found: dict[FactId, tuple[Entry, list[Interval]]] = {}
    for key, interval in timeline.endings.items():
        for holding in holdings[key]:
            if holding.entry.says_ended:
                found.setdefault(holding.entry.id, (holding.entry, []))[1].append(interval)
    for entry, intervals in found.values():
        first = min(intervals, key=lambda i: i.start or EARLIEST)
        entry.body = replace(entry.body, valid=first, status=Status.ACTIVE)
