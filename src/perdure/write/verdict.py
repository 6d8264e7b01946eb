"""What a judge proposes, and what code lets through.

A proposal may retire or rewrite a fact only if its target was offered, its quote is the target's own,
the two are similar and about one subject, and time allows it. Everything else becomes a new fact:
a false alarm costs a duplicate, a miss would cost a memory.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from perdure.core.interval import Interval, Precision
from perdure.core.text import normalise, tokenise
from perdure.core.timeline import latest_start
from perdure.core.values import Action, Body, Claim, FactId, FactKind, SourceId, Status
from perdure.write.guard import Side, failed_for_change, failed_for_same, marks_of, side_of_body
from perdure.write.ledger import Entry, Ledger
from perdure.write.lexicon.telling import content_words

UPDATE_MIN_SIMILARITY = 0.35
_SAME_MUST_HOLD = frozenset(
    {
        "numbers",
        "codes",
        "words",
        "names",
        "negation",
        "ending",
        "opposites",
        "value",
        "subject",
        "slot",
        "modality",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A judge's word on one draft. target_number: the version it was shown; quote: what it quoted of it."""

    action: str
    target_id: FactId | None = None
    target_number: int = 0
    quote: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AppliedVerdict:
    """kept: the entry that now carries the draft. refused: the checks that failed, if it was refused."""

    action: Action
    kept: Entry
    reason: str
    refused: tuple[str, ...] = ()


def apply_verdict(ledger: Ledger, entry: Entry, verdict: Verdict, *, cosine: float) -> AppliedVerdict:
    """Carry out the verdict on `entry`, the draft as a new fact, or keep it as one and say why."""
    action = verdict.action.strip().upper()
    if action == "ADD":
        return _kept_as_new(entry, "the judge found nothing that it changes")
    if action not in ("NOOP", "UPDATE", "INVALIDATE", "DELETE"):
        return _kept_as_new(entry, "the judge's answer was no known action", ("action",))
    target = ledger.entries.get(verdict.target_id) if verdict.target_id else None
    refused = _refusals(entry, target, verdict, action=action, cosine=cosine)
    if target is None or refused:
        return _kept_as_new(entry, "the judge's proposal did not pass the guard", refused)
    if action == "NOOP":
        return _as_same(ledger, entry, target, verdict)
    if action == "UPDATE":
        return _as_update(ledger, entry, target, verdict)
    return _as_invalidation(ledger, entry, target, verdict)


def _refusals(
    entry: Entry, target: Entry | None, verdict: Verdict, *, action: str, cosine: float
) -> tuple[str, ...]:
    if target is None:
        return ("target",)
    old, new = side_of_body(target.body), side_of_body(entry.body)
    checks = {
        "version": target.number != verdict.target_number,
        "quote": not _is_quote(verdict.quote, target.body.text),
        "similarity": cosine < UPDATE_MIN_SIMILARITY,
        "topic": not _share_topic(old, new),
        "status": not target.body.status.is_visible,
        "immutable": target.body.immutable and action != "NOOP",
        "time": not target.body.valid.overlaps(entry.body.valid)
        if action in ("INVALIDATE", "DELETE")
        else not is_same_time(target.body, kind=entry.body.kind, claimed=entry.body.valid),
    }
    return (*(name for name, failed in checks.items() if failed), *failed_for_change(old, new))


def _is_quote(quote: str, text: str) -> bool:
    """True if the quote is half of the text or more, word for word (as it was or as it was shown)."""
    from perdure.prompts import fence

    said = normalise(quote).strip("\"'“”.… ")
    whole = normalise(text)
    return 2 * len(said) >= len(whole.strip(". ")) > 0 and (said in whole or said in normalise(fence(text)))


def is_same_time(body: Body, *, kind: FactKind, claimed: Interval) -> bool:
    """An event is the same only on the same date; a state if the two intervals touch."""
    if body.kind is FactKind.EVENT and kind is FactKind.EVENT:
        return body.valid.start == claimed.start or body.valid.start is None or claimed.start is None
    return body.valid.touches(claimed)


def _share_topic(old: Side, new: Side) -> bool:
    """One slot, or a word of content in common beyond the subject."""
    if old.slot is not None and old.slot == new.slot:
        return True
    return bool(content_words(old.text, subject=old.subject) & content_words(new.text, subject=new.subject))


def _kept_as_new(entry: Entry, reason: str, refused: tuple[str, ...] = ()) -> AppliedVerdict:
    return AppliedVerdict(action=Action.ADD, kept=entry, reason=reason, refused=refused)


def _as_same(ledger: Ledger, entry: Entry, target: Entry, verdict: Verdict) -> AppliedVerdict:
    failed = _SAME_MUST_HOLD & set(failed_for_same(side_of_body(target.body), side_of_body(entry.body)))
    if failed:
        return _kept_as_new(entry, "the judge called it the same, the guard did not", tuple(sorted(failed)))
    _hand_over(ledger, entry, target)
    return AppliedVerdict(action=Action.NOOP, kept=target, reason=verdict.reason or "the same fact")


def _as_update(ledger: Ledger, entry: Entry, target: Entry, verdict: Verdict) -> AppliedVerdict:
    """The draft's words replace the target's, if they say all that those said."""
    old, new = side_of_body(target.body), side_of_body(entry.body)
    lost = marks_of(old.text) - marks_of(new.text)
    failed = {"negation", "ending", "opposites"} & set(failed_for_same(old, new))
    if not set(tokenise(old.value or "")) <= set(tokenise(f"{new.value or ''} {new.text}")):
        failed.add("value")
    if lost or failed:
        names = (*sorted(failed), *(("lost detail",) if lost else ()))
        return _kept_as_new(entry, "the update would lose what the fact says", names)
    target.body = replace(
        target.body,
        text=entry.body.text,
        fingerprint=entry.body.fingerprint,
        value=target.body.value and (entry.body.value or target.body.value),
        confidence=max(target.body.confidence, entry.body.confidence),
        reason=verdict.reason or "refined by a later statement",
    )
    _hand_over(ledger, entry, target)
    return AppliedVerdict(action=Action.UPDATE, kept=target, reason=verdict.reason or "refines it")


def _as_invalidation(ledger: Ledger, entry: Entry, target: Entry, verdict: Verdict) -> AppliedVerdict:
    """The one that began later holds from there on; undatable disagreement is disputed, not decided."""
    reason = verdict.reason or "contradicted by a later statement"
    newer, older = _began(entry), _began(target)
    if newer is not None and (older is None or older < newer):
        cut = _cut_between(target.body.valid.start, entry.body.valid.start, newer)
        _begin_at(entry, cut)
        _close(ledger, target, cut, by=entry, reason=reason)
        return AppliedVerdict(action=Action.INVALIDATE, kept=entry, reason=reason)
    if newer is not None and older is not None and newer < older:
        cut = _cut_between(entry.body.valid.start, target.body.valid.start, older)
        why = "older than the fact that it contradicts: kept as history"
        _close(ledger, entry, cut, by=target, reason=why)
        return AppliedVerdict(action=Action.ADD, kept=entry, reason="older: kept as history")
    _dispute(entry, target)
    return AppliedVerdict(
        action=Action.ADD, kept=entry, reason="they disagree and no date decides", refused=("dates",)
    )


def _began(entry: Entry) -> datetime | None:
    """The latest instant at which the fact can have begun; None if its start is unknown."""
    start = entry.body.valid.start
    if start is None:
        return None
    said = [s.claim.said_at for s in entry.sources if s.claim.said_at and s.claim.said_at >= start]
    claim = Claim(interval=Interval(start), precision=entry.body.precision, said_at=min(said, default=None))
    return latest_start(claim)


def _cut_between(earlier: datetime | None, later: datetime | None, began: datetime) -> datetime:
    """Where the earlier fact ends: at the start of the later one, or where that began for certain."""
    return later if later is not None and (earlier is None or earlier < later) else began


def _begin_at(entry: Entry, cut: datetime) -> None:
    """Let the newcomer hold from the cut on, if its day or month began before it."""
    valid = entry.body.valid
    if valid.start is not None and valid.start < cut and (valid.end is None or cut < valid.end):
        entry.body = replace(entry.body, valid=Interval(cut, valid.end), precision=Precision.INSTANT)


def _close(ledger: Ledger, entry: Entry, cut: datetime, *, by: Entry, reason: str) -> None:
    """End the fact at the cut. In a slot that is a claim too, or the slot would settle to what it was."""
    entry.body = replace(entry.body, valid=entry.body.valid.closed_at(cut), replaced_by=by.id, reason=reason)
    if entry.body.slot is None:
        return
    for source in list(by.sources):
        said = Claim(interval=Interval(None, cut), said_at=source.claim.said_at, ends=True)
        ending = replace(source, id=SourceId(ledger.new_id()), claim=said, decision_id=None)
        ledger.add_source(entry, ending)


def _dispute(entry: Entry, target: Entry) -> None:
    for one, other in ((entry, target), (target, entry)):
        one.body = replace(
            one.body,
            status=Status.DISPUTED,
            disputes=tuple(sorted({*one.body.disputes, other.id})),
            reason="another statement disagrees and no date decides",
        )


def _hand_over(ledger: Ledger, entry: Entry, target: Entry) -> None:
    for source in list(entry.sources):
        ledger.move_source(source, entry, target)
