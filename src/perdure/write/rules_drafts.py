"""Drafts put together from what was read: text, time, slot, names and edges."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from perdure.core.names import find_mentions
from perdure.core.text import entity_key
from perdure.core.values import Claim, Draft, DraftRelation, Episode, FactKind, Mention
from perdure.write.lexicon.english import KIN
from perdure.write.lexicon.shape import OVER
from perdure.write.rules_claims import date_text, event_claim, past_claim, slot_claim, state_claim
from perdure.write.rules_slots import SlotReading
from perdure.write.rules_subjects import Clause, Voice
from perdure.write.rules_verbs import plain_predicate
from perdure.write.sentences import Masked

PLAIN_CONFIDENCE = 0.6
UNNAMED = "user"

_ROLE_OF = re.compile(r"(?:is|was) (?:my|our) (?P<noun>[\w -]{2,30}?)[.!]*$", re.IGNORECASE)
_NAME_LIKE = frozenset({"place", "organisation", "person"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What every draft of one message shares."""

    episode: Episode
    masked: Masked
    voice: Voice


def voice_of(episode: Episode) -> Voice:
    """The speaker by name, or "User"."""
    name = (episode.speaker or "").strip()
    return Voice(shown=name, subject=name) if name else Voice(shown=UNNAMED.capitalize(), subject=UNNAMED)


def draft_of_slot(
    reading: SlotReading, material: Material, *, clause: Clause, text: str, is_first: bool
) -> Draft | None:
    """A draft that fills a slot; None if its value is over and no one knows when.

    text: the retold clause; only the first reading of a clause has it, so that no two drafts read alike.
    """
    owner = reading.subject or clause.subject
    name = reading.subject or clause.name
    shown = material.voice.shown if owner == material.voice.subject else clause.shown
    if reading.subject and clause.noun:
        shown = clause.shown[: -len(clause.noun) - 3]
    dated = date_text(text, material.episode)
    claim = slot_claim(reading.form, dated, material.episode)
    if claim is None:
        return None
    if reading.form == "timeless":
        dated = replace(dated, text=text)
    said = dated.text if is_first else _capital(reading.says.replace("{s}", shown))
    relations = [] if reading.subject else list(_relations(clause, material.voice))
    if reading.relation is not None and reading.form not in OVER:
        relations.append(DraftRelation(source=name, label=reading.relation, target=reading.value))
    return _draft(
        material,
        text=said,
        subject=owner,
        called=name,
        claim=claim,
        kind=FactKind.STATE,
        slot=reading,
        relations=relations,
        raw_date=dated.raw_date,
        confidence=reading.confidence,
    )


def draft_of_statement(
    material: Material, *, clause: Clause, text: str, is_event: bool, was_so: bool = False
) -> Draft:
    """A draft without a slot. was_so: a state of the past, which the day it is told does not date."""
    dated = date_text(text, material.episode)
    make_claim = past_claim if was_so else event_claim if is_event else state_claim
    return _draft(
        material,
        text=dated.text,
        subject=clause.subject,
        called=clause.name,
        claim=make_claim(dated, material.episode),
        kind=FactKind.EVENT if is_event else FactKind.STATE,
        relations=_relations(clause, material.voice),
        raw_date=dated.raw_date,
        confidence=PLAIN_CONFIDENCE,
    )


def draft_as_said(
    material: Material,
    *,
    text: str,
    reading: SlotReading | None,
    is_first: bool,
    is_event: bool,
    owned: str | None = None,
) -> Draft | None:
    """A draft in the words of the speaker, for languages that are not retold.

    owned: the noun after "my" where that is the subject ("hermano").
    """
    dated = date_text(text.rstrip(" .!。！"), material.episode)
    claim: Claim | None
    if reading is not None:
        claim = slot_claim(reading.form, dated, material.episode)
    else:
        claim = (event_claim if is_event else state_claim)(dated, material.episode)
    if claim is None:
        return None
    subject = material.voice.subject if reading or not owned else f"{material.voice.subject}'s {owned}"
    edge = reading.relation if reading and reading.form not in OVER else None
    return _draft(
        material,
        text=reading.says if reading and not is_first else dated.text,
        subject=subject,
        called=subject,
        claim=claim,
        kind=FactKind.EVENT if reading is None and is_event else FactKind.STATE,
        slot=reading,
        relations=[DraftRelation(source=subject, label=edge, target=reading.value)]
        if reading and edge
        else [],
        raw_date=dated.raw_date,
        confidence=reading.confidence if reading else PLAIN_CONFIDENCE - 0.1,
    )


def _draft(
    material: Material,
    *,
    text: str,
    subject: str,
    called: str,
    claim: Claim,
    kind: FactKind,
    relations: Iterable[DraftRelation],
    raw_date: str | None,
    confidence: float,
    slot: SlotReading | None = None,
) -> Draft:
    episode, restore = material.episode, material.masked.restore
    whole = restore(text)
    value = restore(slot.value).strip("\"“”'«»„‘’ ") if slot else None
    return Draft(
        text=whole,
        subject=restore(subject),
        claim=claim,
        episode_ids=(episode.id,),
        kind=kind,
        attribute=slot.attribute if slot else None,
        value=value,
        cardinality=slot.cardinality if slot else None,
        speaker=episode.speaker,
        role=episode.role,
        mentions=_mentions(whole, restore(called), value, slot, material.voice),
        relations=tuple(dict.fromkeys(relations)),
        confidence=confidence,
        raw_date=raw_date,
    )


def _mentions(
    text: str, subject: str, value: str | None, slot: SlotReading | None, voice: Voice
) -> tuple[Mention, ...]:
    named: dict[str, Mention] = {}

    def add(name: str, kind: str) -> None:
        key = entity_key(name)
        if key and key != UNNAMED and (key not in named or named[key].kind == "other"):
            named[key] = Mention(name=named[key].name if key in named else name, kind=kind)

    owned_noun = subject.rpartition("'s ")[2].casefold()
    if subject != UNNAMED and (owned_noun == subject.casefold() or owned_noun in KIN):
        add(subject, "person" if subject == voice.subject else "other")
    if slot is not None and value is not None and (slot.relation or slot.kind in _NAME_LIKE):
        add(value, slot.kind)
    if voice.subject != UNNAMED and re.search(rf"(?<!\w){re.escape(voice.shown)}(?!\w)", text):
        add(voice.shown, "person")
    for mention in find_mentions(re.sub(r"\bUser\b", UNNAMED, text)):
        add(mention.name, mention.kind)
    return tuple(named.values())


def _relations(clause: Clause, voice: Voice) -> Iterable[DraftRelation]:
    """Kinship and roles that the clause states besides its slot."""
    if clause.kinship is not None:
        yield DraftRelation(source=clause.kinship.owner, label=clause.kinship.noun, target=clause.name)
    if clause.noun is not None and "'s " in clause.name:
        owner, _, noun = clause.name.rpartition("'s ")
        if noun.casefold() in KIN:
            yield DraftRelation(source=owner, label=noun.casefold(), target=clause.name)
    if not clause.is_speaker and (match := _ROLE_OF.match(plain_predicate(clause.predicate))):
        yield DraftRelation(source=voice.subject, label=match["noun"].casefold(), target=clause.name)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
