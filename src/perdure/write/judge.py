"""Judge: one question to a model about all residual drafts of a batch. Its answers are proposals."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from perdure.core.times import show_start, to_text
from perdure.core.values import Body
from perdure.ports import Model, Usage
from perdure.write.guard import failed_for_change, side_of_body, side_of_draft
from perdure.write.ledger import Entry
from perdure.write.reconcile import Batch, Prepared, neighbours
from perdure.write.verdict import UPDATE_MIN_SIMILARITY, Verdict

if TYPE_CHECKING:
    from perdure.prompts.replies import JudgeReply

_WRITTEN_LABEL = re.compile(r"[\[(\"']?\s*([a-z]?)\s*(\d{1,6})(?:\.0)?\s*[\])\"']?", re.IGNORECASE)
MAX_CANDIDATES_PER_DRAFT = 5
MAX_DRAFTS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """verdicts by draft index. unused: decisions on no draft that was asked about, or not readable.

    unasked: drafts with candidates beyond the number that one question takes.
    """

    verdicts: Mapping[int, Verdict] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    unused: int = 0
    unasked: int = 0

    @property
    def warnings(self) -> list[str]:
        """What was lost, in counts, without anyone's words."""
        told = (
            (self.unused, "decisions of the judge that could not be used"),
            (self.unasked, "facts not judged against what is stored, being too many"),
        )
        return [f"{what}: {count}" for count, what in told if count]


async def judge(batch: Batch, model: Model) -> Judgement:
    """Verdicts on the residual drafts that have candidates; no call if none has.

    Only similar facts about the same subject, in no other slot, are offered, under opaque labels.
    A draft without a readable verdict has none: it becomes a new fact.
    """
    from perdure.prompts import load_prompt

    items = [batch.prepared[n] for n in batch.residual]
    offers = {item.index: candidates(batch, item) for item in items}
    judgeable = [item for item in items if offers[item.index]]
    asked = judgeable[:MAX_DRAFTS]
    if not asked:
        return Judgement()
    drafts = {f"D{n}": item for n, item in enumerate(asked, start=1)}
    offered = {e.id: e for item in asked for e in offers[item.index]}
    labels = {f"K{n}": offered[i] for n, i in enumerate(sorted(offered), start=1)}
    question = load_prompt("judge").question(drafts=_draft_lines(drafts), candidates=_candidate_lines(labels))
    answer = await model.ask(question)
    reply = cast("JudgeReply", answer.value)
    return Judgement(
        verdicts=_read_verdicts(reply, drafts, labels, offers),
        usage=answer.usage,
        unused=answer.dropped + sum(_label("D", d.draft) not in drafts for d in reply.decisions),
        unasked=len(judgeable) - len(asked),
    )


def candidates(batch: Batch, item: Prepared) -> list[Entry]:
    """The stored facts that the judge may be shown for a draft, nearest first."""
    new = side_of_draft(item.draft)
    found = []
    for similar in neighbours(batch, item):
        entry = batch.ledger.entries[similar.fact_id]
        is_offered = (
            similar.cosine >= UPDATE_MIN_SIMILARITY
            and not entry.is_new
            and entry.body.status.is_visible
            and not {"subject", "slot"} & set(failed_for_change(side_of_body(entry.body), new))
        )
        if is_offered:
            found.append(entry)
    return found[:MAX_CANDIDATES_PER_DRAFT]


def _read_verdicts(
    reply: JudgeReply,
    drafts: dict[str, Prepared],
    labels: dict[str, Entry],
    offers: dict[int, list[Entry]],
) -> dict[int, Verdict]:
    """The first verdict on each draft wins; unknown drafts are dropped, a target not offered is none."""
    verdicts: dict[int, Verdict] = {}
    for decision in reply.decisions:
        item = drafts.get(_label("D", decision.draft))
        if item is None or item.index in verdicts:
            continue
        target = labels.get(_label("K", decision.target or ""))
        if target is not None and target.id not in {e.id for e in offers[item.index]}:
            target = None
        verdicts[item.index] = Verdict(
            action=decision.action,
            target_id=target.id if target else None,
            target_number=target.number if target else 0,
            quote=decision.quote or "",
            reason=decision.reason,
        )
    return verdicts


def _label(letter: str, written: str) -> str:
    """The label that a model wrote as K7, k7, [K7], 7, "7" or 7.0; "" for anything else."""
    match = _WRITTEN_LABEL.fullmatch(written.strip())
    return f"{letter}{int(match[2])}" if match and match[1].upper() in ("", letter) else ""


def _draft_lines(drafts: dict[str, Prepared]) -> str:
    from perdure.prompts import show_labelled

    return "\n".join(
        show_labelled(label, item.draft.text, note=_claimed(item)) for label, item in drafts.items()
    )


def _claimed(item: Prepared) -> str:
    claim = item.draft.claim
    since = show_start(claim.interval.start, claim.precision)
    said = to_text(claim.said_at)
    return ", ".join([f"from {since}" if since else "no date", *([f"said {said}"] if said else [])])


def _candidate_lines(labels: dict[str, Entry]) -> str:
    from perdure.prompts import show_labelled

    return "\n".join(
        show_labelled(label, entry.body.text, note=_standing(entry.body)) for label, entry in labels.items()
    )


def _standing(body: Body) -> str:
    since, until = show_start(body.valid.start, body.precision), to_text(body.valid.end)
    dates = ([f"from {since}"] if since else []) + ([f"until {until}"] if until else [])
    return ", ".join([body.status.value, *(dates or ["no date"])])
