"""First person into third: a clause as a sentence that stands alone."""

from __future__ import annotations

import re

from perdure.write.rules_subjects import Clause, Voice
from perdure.write.rules_verbs import conjugate, conjugate_phrase, spell_out, third_person


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
    """owner: what "my" becomes; them: what "me" becomes."""
    plain = {"my": owner, "me": them, "myself": "themselves", "mine": "theirs", "we": "they", "our": "their"}
    plain |= {"ours": "theirs", "us": "them", "ourselves": "themselves"}

    def subject(match: re.Match[str]) -> str:
        rest, suffix = match["rest"] or "", match["suffix"]
        if suffix is None:
            return f"{voice.shown}{conjugate_phrase(rest)}"
        return f"{voice.shown} {third_person(spell_out(suffix, rest.strip()))}{rest}"

    def possessive(match: re.Match[str]) -> str:
        word = match.group()
        is_in_a_name = match.start() > 0 and word[0].isupper()  # "the author of Our Village"
        return word if is_in_a_name else plain[word.lower()]

    return _MINE.sub(possessive, _I.sub(subject, text))


_I = re.compile(r"\b(?:I|(?<= )i)\b(?:'(?P<suffix>m|ve|ll|d)\b)?(?P<rest>(?:\s[a-z']+){1,3})?")
_MINE = re.compile(r"\b(?:[Mm]y|[Mm]e|[Mm]yself|[Mm]ine|[Ww]e|[Oo]urs?|us|[Oo]urselves)\b")
