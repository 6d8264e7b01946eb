"""Facts out of messages without any model: plain rules, prepared to say "nothing here".

What is not clearly stated by and about somebody is left out; every message that gives nothing says why.
Turns of the user are read; other roles are not, unless the metadata of an assistant's turn marks it as
that of a person (`is_person`: true).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from perdure.core.text import replace_lone_surrogates
from perdure.core.values import Draft, Episode, EpisodeId
from perdure.write import rules_languages as languages
from perdure.write.lexicon.shape import Language
from perdure.write.rules_clauses import parse_clauses, split_clauses, without_denied
from perdure.write.rules_corrections import replace_corrected, standing_sentences
from perdure.write.rules_doubts import closes_the_facts, is_of_the_past
from perdure.write.rules_drafts import Material, draft_as_said, draft_of_slot, draft_of_statement, voice_of
from perdure.write.rules_gate import (
    is_hypothetical,
    is_memorable,
    is_request,
    is_small_talk,
    opens_question,
    turn_reason,
)
from perdure.write.rules_retelling import retell
from perdure.write.rules_slots import SlotReading, read_slots
from perdure.write.rules_subjects import Clause, strip_filler
from perdure.write.rules_verbs import is_past, plain_predicate
from perdure.write.sentences import Sentence, mask_quotations, split_sentences

MAX_MESSAGE_CHARACTERS = 20_000
_QUOTED_LINES = re.compile(r"^[ \t]*>.*$", re.MULTILINE)  # in a reply: what somebody wrote before
_PLAIN_MARKS = str.maketrans("‘’`´", "'" * 4)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A message that gave no draft. reason: a few fixed words, none of them the user's."""

    episode_id: EpisodeId
    reason: str


@dataclass(frozen=True, slots=True)
class RuleExtraction:
    """drafts: in the order of the messages and of their sentences. skipped: the messages without any."""

    drafts: tuple[Draft, ...]
    skipped: tuple[Skipped, ...]


def extract_by_rules(episodes: Sequence[Episode]) -> RuleExtraction:
    """What each message states. Each is read alone, so the outcome for one does not depend on the others.

    Only the first 20,000 characters of a message are read, and no sentence over 600.
    """
    drafts: list[Draft] = []
    skipped: list[Skipped] = []
    for episode in episodes:
        reason = turn_reason(episode)
        found: list[Draft] = []
        if reason is None:
            found, reason = _read_message(episode)
        drafts += found
        if not found:
            skipped.append(Skipped(episode.id, reason or "nothing stated"))
    return RuleExtraction(drafts=tuple(drafts), skipped=tuple(skipped))


def _read_message(episode: Episode) -> tuple[list[Draft], str]:
    """The drafts of a message, and the reason to give if there are none."""
    text = replace_lone_surrogates(episode.text[:MAX_MESSAGE_CHARACTERS])
    masked = mask_quotations(_QUOTED_LINES.sub("", text).translate(_PLAIN_MARKS))
    material = Material(episode=episode, masked=masked, voice=voice_of(episode))
    sentences = split_sentences(masked.text)
    language = languages.language_of(masked.text)
    if language == "unknown":
        return [], "language not read by rules"
    found = (
        _read_english(sentences, material)
        if language == "english"
        else _read_foreign(sentences, material, language)
    )
    unique: dict[str, Draft] = {}
    for draft in found:
        unique.setdefault(draft.text, draft)
    return list(unique.values()), _why_nothing(sentences)


def _why_nothing(sentences: Sequence[Sentence]) -> str:
    if sentences and all(is_small_talk(s.text) for s in sentences):
        return "small talk"
    asked = [s for s in sentences if s.is_question or opens_question(s.text)]
    rest = [s for s in sentences if s not in asked and not is_small_talk(s.text)]
    return "question" if asked and not rest else "nothing stated"


# --- English ---------------------------------------------------------------------------------------


def _read_english(sentences: Iterable[Sentence], material: Material) -> list[Draft]:
    found: list[Draft] = []
    heard = Heard()
    for standing in standing_sentences(sentences):
        said = list(_read_sentence(standing.sentence, material, heard))
        found = (replace_corrected(found, said) if standing.corrects else found) + said
    return found


@dataclass(slots=True)
class Heard:
    """Of whom a message has spoken: the last other one, and relatives by their names."""

    before: Clause | None = None
    known: dict[str, Clause] = field(default_factory=dict)


def _read_sentence(sentence: Sentence, material: Material, heard: Heard) -> Iterator[Draft]:
    if not is_small_talk(sentence.text):
        pieces = split_clauses(strip_filler(sentence.text), voice=material.voice)
        asks = sentence.is_question or is_request(sentence.text)
        if sentence.is_question:
            pieces = _stated_before_question(pieces)
        parsed = parse_clauses(pieces, voice=material.voice, before=heard.before)
        for piece, clause in without_denied(parsed):
            if clause is None or opens_question(piece):
                continue
            clause = _as_introduced(clause, heard.known)
            yield from _read_clause(clause, material, asks=asks)
            if not clause.is_speaker:
                heard.before = clause


def _as_introduced(clause: Clause, known: dict[str, Clause]) -> Clause:
    """A bare name stands for whom this message introduced by it: "my brother Dev ... Dev moved"."""
    if clause.kinship is not None:
        known[clause.name] = clause
    elif clause.subject in known:
        return replace(clause, subject=known[clause.subject].subject, called=clause.subject)
    return clause


def _stated_before_question(pieces: list[str]) -> list[str]:
    """Of "my name is Jo, what's yours?" the first part; of a plain question nothing."""
    asked = next((n for n, piece in enumerate(pieces) if opens_question(piece)), None)
    return pieces[:asked] if asked else []


def _read_clause(clause: Clause, material: Material, *, asks: bool) -> Iterator[Draft]:
    """asks: the sentence asks for something, so an opinion in it is about that and no lasting taste."""
    readings = read_slots(clause, message=material.episode.text)
    if asks:
        readings = [r for r in readings if not r.attribute.startswith("opinion_of:")]
    text = retell(clause, material.voice)
    if readings:
        yield from _slot_drafts(readings, clause, material, text)
        return
    plain = plain_predicate(clause.predicate)
    if asks or is_hypothetical(f"{clause.lead} {plain}") or not is_memorable(clause, plain):
        return
    yield draft_of_statement(
        material, clause=clause, text=text, is_event=is_past(plain), was_so=is_of_the_past(clause)
    )


def _slot_drafts(
    readings: Sequence[SlotReading], clause: Clause, material: Material, text: str
) -> Iterator[Draft]:
    is_list = {r.attribute for r in readings if sum(o.attribute == r.attribute for o in readings) > 1}
    opinions = sum(r.attribute.startswith("opinion_of:") for r in readings)
    was_told = False
    for reading in readings:
        in_list = reading.attribute in is_list or (
            opinions > 1 and reading.attribute.startswith("opinion_of:")
        )
        draft = draft_of_slot(
            reading, material, clause=clause, text=text, is_first=not was_told and not in_list
        )
        was_told = was_told or not in_list
        if draft is not None:
            yield draft
        elif is_memorable(clause, plain_predicate(clause.predicate)):
            yield draft_of_statement(material, clause=clause, text=text, is_event=True, was_so=True)


# --- other languages -------------------------------------------------------------------------------


def _read_foreign(sentences: Iterable[Sentence], material: Material, language: Language) -> Iterator[Draft]:
    for sentence in sentences:
        if closes_the_facts(sentence.text):
            return
        is_asked = sentence.is_question or bool(language.question.match(sentence.text.lstrip("¿ ")))
        if is_asked or is_small_talk(sentence.text):
            continue
        for clause in languages.split_clauses(sentence.text, language):
            yield from _read_foreign_clause(clause, material, language)


def _read_foreign_clause(clause: str, material: Material, language: Language) -> Iterator[Draft]:
    readings = languages.read_slots(clause, language, message=material.episode.text)
    for n, reading in enumerate(readings):
        draft = draft_as_said(material, text=clause, reading=reading, is_first=n == 0, is_event=False)
        if draft is not None:
            yield draft
    is_stated = language.first_person.search(clause) and not language.conditional.search(clause)
    if not readings and is_stated and len(re.findall(r"\w", clause)) >= 4:
        is_event = bool(language.past.search(clause))
        owned = language.owned.match(clause)
        plain = draft_as_said(
            material,
            text=clause,
            reading=None,
            is_first=True,
            is_event=is_event,
            owned=owned[1] if owned else None,
        )
        if plain is not None:
            yield plain
