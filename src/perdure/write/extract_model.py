"""Extract by a model: each proposal of its reply becomes a draft or is refused with a reason."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from perdure.core.interval import Interval, Precision, window_end
from perdure.core.text import fingerprint, normalise, tokenise
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
from perdure.write.lexicon.english import KIN
from perdure.write.lexicon.telling import content_words
from perdure.write.naming import names_in
from perdure.write.rules import Skipped
from perdure.write.rules_gate import READ_AS_PERSON
from perdure.write.slots import canonical_attribute

if TYPE_CHECKING:
    from perdure.prompts.replies import ExtractedFact, ExtractReply

OWNER = "user"
MAX_FACT_CHARACTERS = 2000
MAX_ATTRIBUTE_CHARACTERS = 64
MAX_RAW_DATE_CHARACTERS = 100
_OWNER_WORDS = frozenset({"user", "the user", "users"})
_SPEAKER_WORDS = frozenset({"", "i", "me", "my", "myself", "speaker", "the speaker", "self"})
_OF_A_PERSON = frozenset(
    {"name", "age", "birthday", "birthplace", "job_title", "employer", "home_city", "address", "phone"}
    | {"email", "nationality", "diet", "blood_type", "native_language", "marital_status"}
)
_KIN_WORDS = "|".join(sorted(map(re.escape, KIN), key=len, reverse=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposals:
    """drafts: what is kept, in the order given. skipped: what was refused, and turns that gave nothing."""

    drafts: tuple[Draft, ...]
    skipped: tuple[Skipped, ...]


def speaker_name(episode: Episode) -> str:
    """Who "I" is in the episode: the speaker, or the role of one who gave no name."""
    if episode.speaker:
        return episode.speaker
    return OWNER if episode.role is Role.USER else episode.role.value


def read_proposals(reply: ExtractReply, said: Sequence[Episode], *, instructions: str | None) -> Proposals:
    """Drafts from a model's reply about these turns, which it saw as [1], [2] and so on.

    Refused are echoes of a prompt or of the instructions, what has no support in what was said, and what
    only the assistant said without saying that it was the assistant.
    """
    drafts: list[Draft] = []
    skipped: list[Skipped] = []
    for fact in reply.facts:
        cited = _cited(fact, said)
        draft = _draft_of(fact, cited, said)
        reason = _why_refused(draft, cited, said, instructions)
        if reason is None:
            drafts.append(draft)
        else:
            skipped.append(Skipped(episode_id=cited[0].id, reason=reason))
    accounted = {i for d in drafts for i in d.episode_ids} | {s.episode_id for s in skipped}
    skipped += [
        Skipped(episode_id=e.id, reason="the model found nothing memorable")
        for e in said
        if e.id not in accounted
    ]
    return Proposals(drafts=tuple(drafts), skipped=tuple(skipped))


def _cited(fact: ExtractedFact, said: Sequence[Episode]) -> list[Episode]:
    """The turns that the fact names, or the one that shares most words with it."""
    named = [said[n - 1] for n in dict.fromkeys(fact.turns) if 1 <= n <= len(said)]
    if named:
        return named
    wanted = set(tokenise(fact.text))
    return [max(said, key=lambda e: len(wanted & set(tokenise(e.text))))]


def _draft_of(fact: ExtractedFact, cited: Sequence[Episode], said: Sequence[Episode]) -> Draft:
    first = cited[0]
    claim, raw_date = _claim_of(fact, first.said_at, first.utc_offset_minutes)
    subject = _subject_of(fact.subject, cited, said)
    has_slot = _has_slot(fact, subject)
    return Draft(
        text=fact.text.strip(),
        subject=subject,
        kind=FactKind.EVENT if fact.kind == "event" else FactKind.STATE,
        claim=claim,
        episode_ids=tuple(e.id for e in cited),
        attribute=fact.attribute if has_slot else None,
        value=fact.value if has_slot else None,
        cardinality=Cardinality(fact.cardinality) if has_slot and fact.cardinality else None,
        speaker=first.speaker,
        role=first.role,
        mentions=_mentions(fact),
        relations=tuple(
            DraftRelation(source=r.source, label=r.label, target=r.target)
            for r in fact.relations
            if r.source.strip() and r.target.strip()
        ),
        confidence=fact.confidence,
        raw_date=raw_date,
        metadata=first.metadata,
    )


def _mentions(fact: ExtractedFact) -> tuple[Mention, ...]:
    """The entities that the model named; of a model that named none, what the text itself shows."""
    named = tuple(Mention(name=e.name, kind=e.kind) for e in fact.entities if e.name.strip())
    return named or names_in(fact.text)


def _subject_of(named: str, cited: Sequence[Episode], said: Sequence[Episode]) -> str:
    """The subject as named; "I" is who speaks in the cited turn, "the user" the user who does."""
    plain = normalise(named)
    if plain in _SPEAKER_WORDS:
        return speaker_name(cited[0])
    if plain in _OWNER_WORDS:
        users = {speaker_name(e) for e in cited if e.role is Role.USER}
        users = users or {speaker_name(e) for e in said if e.role is Role.USER}
        return users.pop() if len(users) == 1 else OWNER
    return Role.ASSISTANT.value if plain == "the assistant" else named.strip()


def _has_slot(fact: ExtractedFact, subject: str) -> bool:
    """False for what fills no slot of the subject: "User's brother is named Bo" is no name of the user."""
    if not fact.attribute or not fact.value or len(fact.attribute) > MAX_ATTRIBUTE_CHARACTERS:
        return False
    if canonical_attribute(fact.attribute) not in _OF_A_PERSON:
        return True
    owner = rf"(?:\b(?:my|his|her|their)|\b(?:user|{re.escape(normalise(subject))})['’]s)"
    return not re.search(rf"{owner}\s+(?:\w+\s+)?(?:{_KIN_WORDS})\b", normalise(fact.text))


def _claim_of(fact: ExtractedFact, said_at: datetime | None, offset_minutes: int) -> tuple[Claim, str | None]:
    """The claim, and any date text that could not be read, kept as it came. Never guessed to today."""
    start, precision, unread = _bound(fact.valid_from)
    end, end_precision, unread_end = _bound(fact.valid_to)
    raw_date = "; ".join(text for text in (unread, unread_end) if text) or None
    if fact.ended:
        interval = Interval(None, end or start or (None if raw_date else said_at))
        return Claim(interval=interval, said_at=said_at, ends=True), raw_date
    is_over = fact.kind != "event" and end is not None and said_at is not None and end <= said_at
    if start is None and unread is None and said_at is not None and not is_over:
        start, precision = _start_when_said(fact.kind, said_at, offset_minutes)
    if start is not None and end is not None and end <= start:
        end = window_end(end, end_precision)
    if fact.kind == "event" or (start is not None and end is not None and end <= start):
        end = None
    return Claim(interval=Interval(start, end), precision=precision, said_at=said_at), raw_date


def _start_when_said(kind: str, said_at: datetime, offset_minutes: int) -> tuple[datetime, Precision]:
    """A state is known to hold when it is said; an undated event is filed under the speaker's day."""
    if kind != "event":
        return said_at, Precision.INSTANT
    local = said_at + timedelta(minutes=offset_minutes)
    return local.replace(hour=0, minute=0, second=0, microsecond=0), Precision.DAY


def _bound(text: str | None) -> tuple[datetime | None, Precision, str | None]:
    """A bound with its precision; or no bound, and the text that could not be read."""
    if text is None or not text.strip():
        return None, Precision.INSTANT, None
    try:
        return (*read_time(text, field="valid_from"), None)
    except InvalidTime:
        return None, Precision.INSTANT, text.strip()[:MAX_RAW_DATE_CHARACTERS]


def _why_refused(
    draft: Draft, cited: Sequence[Episode], said: Sequence[Episode], instructions: str | None
) -> str | None:
    """Why a proposal is not kept, in a few fixed words; None if it is."""
    if not fingerprint(draft.text) or not tokenise(draft.text):
        return "empty fact from the model"
    if len(draft.text) > MAX_FACT_CHARACTERS:
        return "the model wrote more than a fact"
    if _is_echo(draft, said, instructions):
        return "the model repeated its instructions"
    if not _has_support(draft, said):
        return "no support in what was said"
    if _is_of_assistant_alone(draft, cited):
        return "only the assistant said so"
    return None


def _is_echo(draft: Draft, said: Sequence[Episode], instructions: str | None) -> bool:
    """True for words of a prompt or of the instructions that nobody said."""
    from perdure.prompts import echoes_a_prompt, is_passage

    spoken = {t for e in said for t in tokenise(f"{speaker_name(e)} {e.text}")}
    if set(tokenise(draft.text)) <= spoken:
        return False
    return echoes_a_prompt(draft.text) or is_passage(draft.text, instructions or "")


def _has_support(draft: Draft, said: Sequence[Episode]) -> bool:
    """One word of content in common with what was said, by its first four letters.

    What was said in another script cannot be compared and is believed.
    """
    about = content_words(draft.text, subject=draft.subject)
    heard = {word for e in said for word in content_words(e.text)}
    if not about or {t[:4] for t in about} & {t[:4] for t in heard}:
        return True
    return all(t.isascii() for t in about) and not any(t.isascii() and t.isalpha() for t in heard)


def _is_of_assistant_alone(draft: Draft, cited: Sequence[Episode]) -> bool:
    """True if it rests on an assistant's turns alone and does not say that it was the assistant."""
    if any(e.role is not Role.ASSISTANT or e.metadata.get(READ_AS_PERSON) is True for e in cited):
        return False
    named = {t for e in cited for t in tokenise(f"{e.role.value} {speaker_name(e)}")}
    return not named & set(tokenise(f"{draft.text} {draft.subject}"))
