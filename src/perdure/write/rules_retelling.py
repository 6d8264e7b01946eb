"""First person into third: a clause as a sentence that stands alone."""

from __future__ import annotations

import re

from perdure.write.rules_subjects import Clause, Voice
from perdure.write.rules_verbs import SUFFIXES, conjugate, conjugate_phrase, third_person


def retell(clause: Clause, voice: Voice) -> str:
    """The clause as a sentence that stands alone, first person replaced by the speaker's name."""
    predicate = clause.predicate
    if clause.is_speaker and not clause.is_plural:
        predicate = conjugate(predicate)
    owner = "their" if clause.is_speaker else f"{voice.shown}'s"
    them = "them" if clause.is_speaker else voice.shown
    predicate = _in_third_person(predicate, voice, owner=owner, them=them)
    lead = _in_third_person(clause.lead, voice, owner=f"{voice.shown}'s", them=voice.shown)
    shown = (
        clause.shown
        if clause.is_speaker
        else _in_third_person(clause.shown, voice, owner="their", them="them")
    )
    sentence = f"{lead}{shown} {predicate}".strip().rstrip(".!;,:… ")
    return sentence[:1].upper() + sentence[1:]


def _in_third_person(text: str, voice: Voice, *, owner: str, them: str) -> str:
    name = voice.shown

    def spoken(match: re.Match[str]) -> str:
        suffix = SUFFIXES.get(match["suffix"] or "")
        if suffix:
            return f"{name} {third_person(suffix)}"
        rest = match["rest"]
        return f"{name}{conjugate_phrase(rest)}" if rest else name

    text = re.sub(
        r"\b(?:I|(?<= )i)\b(?:'(?P<suffix>m|ve|ll|d)\b|(?P<rest>(?:\s[a-z']+){1,3}))?", spoken, text
    )
    for pattern, new in (
        (r"\bmy\b", owner),
        (r"\bme\b", them),
        (r"\bmyself\b", "themselves"),
        (r"\bmine\b", "theirs"),
        (r"\bwe\b", "they"),
        (r"\bour\b", "their"),
        (r"\bours\b", "theirs"),
        (r"\bus\b", "them"),
        (r"\bourselves\b", "themselves"),
    ):
        text = re.sub(pattern, new, text) if pattern == r"\bus\b" else re.sub(pattern, new, text, flags=re.I)
    return text
