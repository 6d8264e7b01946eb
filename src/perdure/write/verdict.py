"""What a judge proposes, and what code lets through.

A proposal may retire or rewrite a fact only if its target was offered, its quote is the target's own,
the two are similar and about one subject, and time allows it. Everything else becomes a new fact:
a false alarm costs a duplicate, a miss would cost a memory.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from perdure.core.text import normalise, tokenise
from perdure.core.values import Action, FactId, Status
from perdure.write.guard import Side, failed_for_change, failed_for_same, marks_of, side_of_body
from perdure.write.ledger import Entry, Ledger

UPDATE_MIN_SIMILARITY = 0.35
_SAME_MUST_HOLD = frozenset(
    {"numbers", "codes", "dates", "negation", "ending", "opposites", "value", "subject", "slot", "modality"}
)
_FUNCTION_WORDS = frozenset(
    "a an the and or but of to in on at for with from by is are was were be been has have had do does did "
    "i you he she it we they my your his her its our their user this that now still also not no".split()
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
    refused = _refusals(entry, target, verdict, cosine)
    if target is None or refused:
        return _kept_as_new(entry, "the judge's proposal did not pass the guard", refused)
    if action == "NOOP":
        return _as_same(ledger, entry, target, verdict)
    if action == "UPDATE":
        return _as_update(ledger, entry, target, verdict)
    return _as_invalidation(entry, target, verdict)


def _refusals(entry: Entry, target: Entry | None, verdict: Verdict, cosine: float) -> tuple[str, ...]:
    if target is None:
        return ("target",)
    old, new = side_of_body(target.body), side_of_body(entry.body)
    checks = {
        "version": target.number != verdict.target_number,
        "quote": not _is_quote(verdict.quote, target.body.text),
        "similarity": cosine < UPDATE_MIN_SIMILARITY,
        "topic": not _share_topic(old, new),
        "status": not target.body.status.is_visible,
        "immutable": target.body.immutable and verdict.action.strip().upper() != "NOOP",
    }
    return (*(name for name, failed in checks.items() if failed), *failed_for_change(old, new))


def _is_quote(quote: str, text: str) -> bool:
    said = normalise(quote).strip("\"'“”.… ")
    return len(said) >= min(4, len(normalise(text))) and said in normalise(text)


def _share_topic(old: Side, new: Side) -> bool:
    """One slot, or a word of content in common beyond the subject."""
    if old.slot is not None and new.slot is not None:
        return old.slot == new.slot
    return bool(_content(old) & _content(new))


def _content(side: Side) -> set[str]:
    subject = set(tokenise(side.subject))
    return {t for t in tokenise(side.text) if t not in _FUNCTION_WORDS and t not in subject}


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
    failed = {"negation", "ending", "opposites", "value"} & set(failed_for_same(old, new))
    if lost or failed:
        names = (*sorted(failed), *(("lost detail",) if lost else ()))
        return _kept_as_new(entry, "the update would lose what the fact says", names)
    target.body = replace(
        target.body,
        text=entry.body.text,
        fingerprint=entry.body.fingerprint,
        confidence=max(target.body.confidence, entry.body.confidence),
        reason=verdict.reason or "refined by a later statement",
    )
    _hand_over(ledger, entry, target)
    return AppliedVerdict(action=Action.UPDATE, kept=target, reason=verdict.reason or "refines it")


def _as_invalidation(entry: Entry, target: Entry, verdict: Verdict) -> AppliedVerdict:
    """The one that began later holds from there on; undatable disagreement is disputed, not decided."""
    reason = verdict.reason or "contradicted by a later statement"
    newer, older = entry.body.valid.start, target.body.valid.start
    if newer is not None and (older is None or older < newer):
        target.body = replace(
            target.body,
            valid=target.body.valid.closed_at(newer),
            replaced_by=entry.id,
            reason=reason,
        )
        return AppliedVerdict(action=Action.INVALIDATE, kept=entry, reason=reason)
    if newer is not None and older is not None and newer < older:
        entry.body = replace(
            entry.body,
            valid=entry.body.valid.closed_at(older),
            replaced_by=target.id,
            reason="older than the fact that it contradicts: kept as history",
        )
        return AppliedVerdict(action=Action.ADD, kept=entry, reason="older: kept as history")
    _dispute(entry, target)
    return AppliedVerdict(
        action=Action.ADD, kept=entry, reason="they disagree and no date decides", refused=("dates",)
    )


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
