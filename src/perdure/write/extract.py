"""Extract: from what was said to drafts of facts, by a model, by rules, or verbatim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from perdure.core.interval import Interval, Precision
from perdure.core.names import find_mentions
from perdure.core.text import fingerprint, tokenise
from perdure.core.times import read_time
from perdure.core.values import (
    Cardinality,
    Claim,
    Draft,
    DraftRelation,
    Episode,
    FactKind,
    Mention,
    Role,
)
from perdure.errors import InvalidTime
from perdure.ports import Model, Usage
from perdure.write.rules import Skipped, extract_by_rules

if TYPE_CHECKING:
    from perdure.prompts import Prompt
    from perdure.prompts.replies import ExtractedFact, ExtractReply

Extractor: TypeAlias = Literal["model", "rules", "verbatim"]
OWNER = "user"
_SILENT_ROLES = (Role.SYSTEM, Role.TOOL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """drafts in the order they were said; skipped says why an episode gave nothing; by: who extracted."""

    drafts: tuple[Draft, ...]
    skipped: tuple[Skipped, ...]
    by: Extractor
    usage: Usage = field(default_factory=Usage)


async def extract(
    episodes: Sequence[Episode], *, infer: bool, model: Model | None, instructions: str | None = None
) -> Extraction:
    """Drafts from episodes: verbatim if not `infer`, else by the model, else by rules.

    Errors of the model pass through; the episodes are safe by then.
    """
    if not infer:
        return _verbatim(episodes)
    if model is None:
        by_rules = extract_by_rules(episodes)
        return Extraction(drafts=by_rules.drafts, skipped=by_rules.skipped, by="rules")
    return await _by_model(episodes, model, instructions)


def _verbatim(episodes: Sequence[Episode]) -> Extraction:
    drafts = tuple(
        Draft(
            text=e.text,
            subject=speaker_name(e),
            kind=FactKind.VERBATIM,
            claim=Claim(interval=Interval(e.said_at), said_at=e.said_at),
            episode_ids=(e.id,),
            speaker=e.speaker,
            role=e.role,
            mentions=find_mentions(e.text, speaker=e.speaker),
            metadata=e.metadata,
        )
        for e in episodes
        if e.role not in _SILENT_ROLES
    )
    skipped = tuple(
        Skipped(episode_id=e.id, reason=f"{e.role.value} turn") for e in episodes if e.role in _SILENT_ROLES
    )
    return Extraction(drafts=drafts, skipped=skipped, by="verbatim")


def speaker_name(episode: Episode) -> str:
    """Who "I" is in the episode: the speaker, or the role of one who gave no name."""
    if episode.speaker:
        return episode.speaker
    return OWNER if episode.role is Role.USER else episode.role.value


async def _by_model(episodes: Sequence[Episode], model: Model, instructions: str | None) -> Extraction:
    from perdure.prompts import load_prompt

    said = [e for e in episodes if e.role not in _SILENT_ROLES]
    skipped = [
        Skipped(episode_id=e.id, reason=f"{e.role.value} turn") for e in episodes if e.role in _SILENT_ROLES
    ]
    if not said:
        return Extraction(drafts=(), skipped=tuple(skipped), by="model")
    prompt = load_prompt("extract")
    question = prompt.question(turns=turn_lines(said), instructions=instructions or "")
    answer = await model.ask(question)
    reply = cast("ExtractReply", answer.value)
    drafts = []
    for fact in reply.facts:
        draft = _draft_of(fact, said)
        reason = _why_refused(draft, said, prompt)
        if reason is None:
            drafts.append(draft)
        else:
            skipped += [Skipped(episode_id=i, reason=reason) for i in draft.episode_ids[:1]]
    silent = (
        {e.id for e in said} - {i for d in drafts for i in d.episode_ids} - {s.episode_id for s in skipped}
    )
    skipped += [Skipped(episode_id=i, reason="the model found nothing memorable") for i in sorted(silent)]
    return Extraction(drafts=tuple(drafts), skipped=tuple(skipped), by="model", usage=answer.usage)


def turn_lines(episodes: Sequence[Episode]) -> str:
    """The turns as the prompt shows them: each line owned, dated and fenced."""
    from perdure.prompts import show_turn

    return "\n".join(
        show_turn(
            number,
            role=e.role.value,
            speaker=e.speaker,
            said_at=e.said_at,
            utc_offset_minutes=e.utc_offset_minutes,
            text=e.text,
        )
        for number, e in enumerate(episodes, start=1)
    )


def _draft_of(fact: ExtractedFact, said: Sequence[Episode]) -> Draft:
    cited = [said[n - 1] for n in fact.turns if 1 <= n <= len(said)] or (
        [said[0]] if len(said) == 1 else _best_support(fact.text, said)
    )
    claim, raw_date = _claim_of(fact, cited[0].said_at, cited[0].utc_offset_minutes)
    return Draft(
        text=fact.text.strip(),
        subject=fact.subject.strip() or speaker_name(cited[0]),
        kind=FactKind.EVENT if fact.kind == "event" else FactKind.STATE,
        claim=claim,
        episode_ids=tuple(dict.fromkeys(e.id for e in cited)),
        attribute=fact.attribute,
        value=fact.value,
        cardinality=Cardinality(fact.cardinality) if fact.cardinality else None,
        speaker=cited[0].speaker,
        role=cited[0].role,
        mentions=tuple(Mention(name=e.name, kind=e.kind) for e in fact.entities if e.name.strip()),
        relations=tuple(
            DraftRelation(source=r.source, label=r.label, target=r.target)
            for r in fact.relations
            if r.source.strip() and r.target.strip()
        ),
        confidence=fact.confidence,
        raw_date=raw_date,
        metadata=cited[0].metadata,
    )


def _best_support(text: str, said: Sequence[Episode]) -> list[Episode]:
    wanted = set(tokenise(text))
    return [max(said, key=lambda e: len(wanted & set(tokenise(e.text))))]


def _claim_of(fact: ExtractedFact, said_at: datetime | None, offset_minutes: int) -> tuple[Claim, str | None]:
    """The claim, and any date text that could not be read, kept as it came. Never guessed to today."""
    start, precision, unread = _bound(fact.valid_from)
    end, _, unread_end = _bound(fact.valid_to)
    if fact.ended:
        return (
            Claim(interval=Interval(None, end or start or said_at), said_at=said_at, ends=True),
            unread or unread_end,
        )
    if start is None and unread is None and said_at is not None:
        start, precision = _start_when_said(fact.kind, said_at, offset_minutes)
    if fact.kind == "event" or (start and end and end < start):
        end = None
    claim = Claim(interval=Interval(start, end), precision=precision, said_at=said_at)
    return claim, unread or unread_end


def _start_when_said(kind: str, said_at: datetime, offset_minutes: int) -> tuple[datetime, Precision]:
    """A state is known to hold when it is said; an undated event is filed under the speaker's day."""
    if kind != "event":
        return said_at, Precision.INSTANT
    local = said_at + timedelta(minutes=offset_minutes)
    return local.replace(hour=0, minute=0, second=0, microsecond=0), Precision.DAY


def _bound(text: str | None) -> tuple[datetime | None, Precision, str | None]:
    if text is None or not text.strip():
        return None, Precision.INSTANT, None
    try:
        return (*read_time(text, field="valid_from"), None)
    except InvalidTime:
        return None, Precision.INSTANT, text.strip()[:100]


def _why_refused(draft: Draft, said: Sequence[Episode], prompt: Prompt) -> str | None:
    """Why a draft of the model is not kept: an echo of the prompt, or words that nobody said."""
    if not draft.text or not fingerprint(draft.text):
        return "empty fact from the model"
    spoken = {t for e in said for t in tokenise(f"{speaker_name(e)} {e.text}")}
    if prompt.echoes(draft.text) and not set(tokenise(draft.text)) <= spoken:
        return "the model repeated its instructions"
    cited = {
        t
        for e in said
        if e.id in draft.episode_ids
        for t in tokenise(e.text)
        if len(t) > 2 or not t.isascii()
    }
    about = {t for t in tokenise(draft.text) if len(t) > 2 or not t.isascii()}
    if about and not about & (cited or spoken):
        return "no support in what was said"
    return None
