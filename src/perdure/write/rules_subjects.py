"""English clauses: who they are about and what they say of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from perdure.core.name_lexicon import ORDINARY, TITLES
from perdure.write.lexicon import english as words
from perdure.write.rules_verbs import (
    SUFFIXES,
    is_finite,
    is_regular,
    is_third_person,
    spell_out,
)

_PROPER = r"[A-ZÀ-ÖØ-Þ][\w'-]*\w"
_NAME = rf"(?:(?:Mr|Mrs|Ms|Dr|Prof)\.?\s)?{_PROPER}(?:\s(?:(?:van|von|de|der|da|al|bin)\s)*(?!I\b){_PROPER})*"
_OF_A_NAME = re.compile(r"(?:We|My|Our|He|She|His|Her)\b")  # where no sentence begins
_SUBJECT = re.compile(r"(?:I|i|We|we|My|my|Our|our|He|he|She|she|His|his|Her|her)\b")
_NAMED = re.compile(rf"(?P<name>{_NAME})(?P<rest>(?:,| and\b|'s|\s).*)", re.DOTALL)
_FILLER = re.compile(
    r"(?:(?:oh|ooh|well|yeah|yea|yes|yep|yup|no|nope|nah|hey|hi|hello|hiya|wow|whoa|ok|okay|so|and|but|also|plus|actually"
    r"|btw|by the way|anyway|anyways|honestly|fyi|for the record|thanks|thank you|sure|right"
    r"|cool|nice|great|haha"
    r"|lol|sorry|um|uh|hmm|basically|you know|to be honest|tbh|in fact|of course|absolutely"
    r"|definitely|totally|exactly"
    r"|i mean|(?:it )?turns out(?: that)?|well then|good morning|good evening|(?:please )?(?:remember|note"
    r"|keep in mind)(?: that)?|guess what)"
    r"(?:[,!.:;…-]+\s*|\s+(?=(?:i|we|my|our|that|so|and|but|well|yeah|actually)\b|i')))+",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"(?P<lead>(?:in|on|at|last|next|this|yesterday|today|tonight|tomorrow|after|before|during|since|when|while|recently"
    r"|lately|currently|now|then|until|from|for|by|over|around|as of|as|\d|one|two|three|a|every"
    r"|each|once|unfortunately"
    r"|luckily|sadly|finally|originally|nowadays|sometimes|usually|because|back|earlier|the|with"
    r"|thanks to|despite"
    r"|although|even though|though|just|these)\b[^;]{0,90}?,?\s)(?P<rest>(?:I|we|my|our|he|she|his|her)\b.*)",
    re.IGNORECASE | re.DOTALL,
)
_LEAD_TO_NAME = re.compile(rf"(?P<lead>[^,;]{{3,60}},\s)(?P<rest>{_NAME}\s.*)", re.DOTALL)
_MAIN_AFTER = re.compile(r"(?P<inner>.+?\s)(?P<rest>(?:I|we|he|she|my|our|his|her)\b.*)", re.DOTALL)
_REACH_ME = re.compile(
    r"(?:you can |you may |please |just )*(?:(?:reach|contact|e-?mail|text|call|ring|write"
    r"|message) me (?:\w+ )?(?:at|on|under)"
    r" (?P<at>\S*[\d@].*)|call me (?P<name>(?-i:[A-ZÀ-ÖØ-Þ])[\w'-]+)[.!]?$)",
    re.IGNORECASE,
)
_PARENT = re.compile(r"(?:Mum|Mom|Dad|Mama|Papa|Grandma|Grandpa|Granny|Grandad)\s+(?=\w)")
# Endings that speak against a lone capitalised word being a name.
_ABSTRACT = re.compile(
    r"(?:ing|tion|ity|ment|ness|[ae]nce|ship|ism|ers|ors|ists|ings)(?:'s)?$|'re$|'ve$|'ll$"
)
_ADVERBIAL = re.compile(r"(?:in|on|at|last|next|this|yesterday|today|after|before|during|since)\b", re.I)
_CONJUNCTION = re.compile(
    r"(?:when|while|after|before|since|because|as|although|even though|though|once|until)\b", re.I
)
_DOUBLE = frozenset({"dance", "work", "book", "play", "show", "run", "travel", "study", "cook"})
_NOT_ELIDED = frozenset(
    {"was", "were", "did", "said", "let", "set", "put", "read", "cut", "hit", "cost", "told", "showed"}
)
_AFTER_INVERSION = frozenset({"you", "i", "we", "they", "he", "she", "it", "by", "on", "that", "the?"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Kinship:
    """What a named subject is of its owner: relation is the noun ("brother")."""

    noun: str
    owner: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """lead: words before the subject, with their blank. shown: the subject as the draft's text names it.

    subject: its canonical name. predicate: as said, contractions of the subject written out.
    is_speaker: "I" or "we". noun: what stands after "my", where the subject is owned and has no name.
    gender: he, she, they or any; for reading a later pronoun. called: the name other facts know the
    subject by, where `subject` says more to keep namesakes apart ("Dev" of "Ana's brother Dev").
    """

    lead: str
    shown: str
    subject: str
    predicate: str
    is_speaker: bool = False
    is_plural: bool = False
    noun: str | None = None
    kinship: Kinship | None = None
    gender: str = "any"
    called: str | None = None

    @property
    def name(self) -> str:
        return self.called or self.subject


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """Who speaks. shown: as texts name them ("Ana", "User"); subject: canonical ("Ana", "user")."""

    shown: str
    subject: str


def parse_clause(text: str, *, voice: Voice, before: Clause | None) -> Clause | None:
    """The clause taken apart, or None if it has no subject that is somebody.

    before: the last clause of the message about somebody else; "he", "she", "his" and "her" mean them.
    """
    plain = strip_filler(text)
    if (reach := _REACH_ME.match(plain)) is not None:
        said = f"can be reached at {reach['at']}" if reach["at"] else f"goes by {reach['name']}"
        return Clause(lead="", shown=voice.shown, subject=voice.subject, predicate=said, is_speaker=True)
    lead = ""
    if not _SUBJECT.match(plain):
        match = _LEAD.match(plain) or _LEAD_TO_NAME.match(plain)
        if match is not None and _OF_A_NAME.match(match["rest"]) and match["lead"][-2:-1].isalnum():
            match = None  # "the author of Our Village"
        if match is not None and _is_lead(match["lead"], to_pronoun=match.re is _LEAD):
            lead, plain = match["lead"], match["rest"]
            if _CONJUNCTION.fullmatch(lead.strip()):
                main = _MAIN_AFTER.match(plain)
                if main is None:
                    return None  # "when I lived there": no statement of its own
                lead, plain = lead + main["inner"], main["rest"]
    clause = (
        _first_person(plain, voice)
        or _together(plain, voice)
        or _owned(plain, voice)
        or _pronoun(plain, before)
        or _named(plain, voice)
        or (None if lead else _elided(plain, voice))
    )
    if clause is None or len(clause.predicate) < 2:
        return None
    return replace(clause, lead=lead)


def strip_filler(text: str) -> str:
    """Without greetings, interjections and "remember that" at the front."""
    return text[match.end() :] if (match := _FILLER.match(text)) else text


def _first_person(text: str, voice: Voice) -> Clause | None:
    match = re.match(r"(I|i|We|we)(?:'(m|ve|re|ll|d)\b|(?=\s))\s*(?P<rest>.+)", text, re.DOTALL)
    if match is None:
        return None
    is_plural = match[1].lower() == "we"
    suffix = spell_out(match[2], match["rest"]) if match[2] else ""
    shown = f"{voice.shown} and others" if is_plural else voice.shown
    predicate = f"{suffix} {match['rest']}".strip()
    return Clause(
        lead="", shown=shown, subject=voice.subject, predicate=predicate, is_speaker=True, is_plural=is_plural
    )


def _together(text: str, voice: Voice) -> Clause | None:
    """ "My wife and I left", "Dev and I left": the speaker with somebody."""
    match = re.match(
        rf"(?:[Mm]y\s+(?P<noun>[^,;]{{2,40}}?)|(?P<name>{_NAME}))\s+and\s+I\s+(?P<rest>.+)", text, re.S
    )
    if match is None:
        return None
    other = match["name"] or f"their {match['noun']}"
    shown = f"{voice.shown} and {other}"
    return Clause(
        lead="", shown=shown, subject=voice.subject, predicate=match["rest"], is_speaker=True, is_plural=True
    )


def _owned(text: str, voice: Voice) -> Clause | None:
    """ "My brother Dev hates flying": the owner is the speaker, the subject is Dev."""
    match = re.match(r"(?:My|my|Our|our)\s+(?P<rest>.+)", text, re.DOTALL)
    if match is None and _PARENT.match(text):
        text = text[0].lower() + text[1:]
        return _possession(text, f"{voice.shown}'s", f"{voice.subject}'s", voice.subject)
    return match and _possession(match["rest"], f"{voice.shown}'s", f"{voice.subject}'s", voice.subject)


def _pronoun(text: str, before: Clause | None) -> Clause | None:
    match = re.match(r"(He|She|His|Her)(?:'(s|ll|d))?\s+(?P<rest>.+)", text, re.DOTALL | re.IGNORECASE)
    if match is None or before is None:
        return None
    word = match[1].lower()
    if before.gender not in ("any", "he" if word in ("he", "his") else "she"):
        return None
    if word in ("he", "she"):
        verb = {"s": "is ", "ll": "will ", "d": "would "}.get(match[2] or "", "")
        return replace(
            before,
            lead="",
            shown=before.called or before.shown,
            predicate=verb + match["rest"],
            kinship=None,
            noun=None if before.called else before.noun,
        )
    shown = before.called or before.shown
    owned = _possession(match["rest"], f"{shown}'s", f"{before.subject}'s", before.name)
    if owned is None or before.called is None or owned.called is not None:
        return owned
    return replace(owned, called=before.called + owned.subject.removeprefix(before.subject))


def _possession(rest: str, shown_owner: str, subject_owner: str, owner: str) -> Clause | None:
    tokens = rest.split()
    for n, token in enumerate(tokens[:9]):
        verb = re.fullmatch(r"(\w+)'(s|re|ll|d|ve)", token)
        if verb and n + 1 < len(tokens) and tokens[n + 1].casefold() in ("not", "a", "an", "called", "named"):
            expanded = {"s": "is", **SUFFIXES}[verb[2]]
            return _owned_by(
                [*tokens[:n], verb[1]], [expanded, *tokens[n + 1 :]], shown_owner, subject_owner, owner
            )
        if n == 0:
            continue  # what follows "my" is a noun
        if tokens[n - 1].endswith(":") or tokens[n - 1].casefold() in (
            "it",
            "this",
            "that",
            "he",
            "she",
            "they",
        ):
            return None
        is_name = token[0].isupper() or tokens[n - 1].endswith("'s") or tokens[n - 1] == "to"
        if is_finite(token) and not is_name and not _is_noun_here(tokens, n):
            return _owned_by(tokens[:n], tokens[n:], shown_owner, subject_owner, owner)
    return None


def _is_noun_here(tokens: list[str], n: int) -> bool:
    """True for "work" in "my hard work is ..." or "class" words after "dance": the verb comes later."""
    if n == 1 and tokens[0].casefold() in _DOUBLE:
        return True
    following = tokens[n + 1].casefold() if n + 1 < len(tokens) else ""
    return tokens[n].casefold() not in words.AUXILIARIES and following in words.AUXILIARIES


def _owned_by(
    noun_phrase: list[str], predicate: list[str], shown_owner: str, subject_owner: str, owner: str
) -> Clause | None:
    if predicate[0].casefold() in words.ADVERBS and len(predicate) == 1:
        return None
    while len(noun_phrase) > 1 and noun_phrase[-1].casefold() in words.ADVERBS:
        noun_phrase, predicate = noun_phrase[:-1], [noun_phrase[-1], *predicate]
    phrase = " ".join(noun_phrase)
    phrase = re.sub(r",(?=\s|$)", "", phrase)
    shown, noun = f"{shown_owner} {phrase}", phrase.casefold()
    head = re.match(r"(?P<kin>(?:[a-z][\w-]*\s){0,3}?[a-z][\w-]*)\s(?P<name>[A-ZÀ-ÖØ-Þ].*)$", phrase)
    said = " ".join(predicate)
    kin = _kin_noun(head["kin"] if head else noun)
    gender = words.KIN[kin][2] if kin else "any"
    if head and "'s" not in head["name"]:
        kinship = Kinship(noun=head["kin"].split()[-1], owner=owner)
        return Clause(
            lead="",
            shown=shown,
            subject=f"{subject_owner} {kinship.noun} {head['name']}",
            predicate=said,
            kinship=kinship,
            gender=gender,
            is_plural=" and " in head["name"],
            called=head["name"],
        )
    return Clause(
        lead="",
        shown=shown,
        subject=f"{subject_owner} {phrase}",
        predicate=said,
        noun=noun,
        gender=gender,
        is_plural=bool(re.search(r"[^s']s$|\band\b|children|people$", noun)) and kin is None,
    )


def _named(text: str, voice: Voice) -> Clause | None:
    match = _NAMED.match(text)
    if match is None:
        return None
    name, rest = match["name"], match["rest"].strip()
    first = name.split()[0].rstrip(".").casefold()
    if _is_verbal_noun(first) or (
        " " not in name and (_ABSTRACT.search(first) or first.removesuffix("'s") in words.VERBS)
    ):
        return None
    if first in ORDINARY and first not in TITLES and not (" " in name and first in ("new", "san")):
        return None
    if match["rest"].startswith("'s ") or name.endswith("'s"):
        bare = name.removesuffix("'s")
        return _possession(rest.removeprefix("'s").strip(), f"{bare}'s", f"{bare}'s", bare)
    if rest.startswith((",", "and ")) or not rest:
        return None
    verb = rest.split()[0]
    adverb_first = verb.casefold() in words.ADVERBS and len(rest.split()) > 1
    if not is_third_person(rest.split()[1] if adverb_first else verb):
        return None
    return Clause(lead="", shown=name, subject=name, predicate=rest)


def _elided(text: str, voice: Voice) -> Clause | None:
    """ "Had the interview this morning": the speaker is left out."""
    match = re.match(
        r"(?:(?:Just|Finally|Recently|Already)\s)?(?P<verb>[A-Z][a-z]+|[a-z]+)\s+(?P<next>\S+)", text
    )
    if match is None or text.split()[0].islower():
        return None
    verb = match["verb"].casefold()
    past = verb in words.IRREGULAR_PAST or (
        verb.endswith("ed") and verb[:-1] + "" != verb and is_regular(verb)
    )
    if not past or verb in _NOT_ELIDED or match["next"].casefold().strip(",.") in _AFTER_INVERSION:
        return None
    predicate = text[0].lower() + text[1:]
    return Clause(lead="", shown=voice.shown, subject=voice.subject, predicate=predicate, is_speaker=True)


def _is_verbal_noun(word: str) -> bool:
    """True for "learning", "writing", "running": not a name, whatever follows."""
    stem = word.removesuffix("ing")
    bases = (stem, stem + "e", stem[:-1] if stem[-1:] == stem[-2:-1] else stem)
    return stem != word and any(base in words.VERBS for base in bases)


def _is_lead(lead: str, *, to_pronoun: bool) -> bool:
    """True for words that may stand before a subject: short or closed by a comma, no clause of their own."""
    if not to_pronoun:
        return bool(_ADVERBIAL.match(lead))
    inner = lead.rstrip()
    if inner.endswith(","):
        return True
    return "," not in inner and (len(inner.split()) <= 6 or bool(_CONJUNCTION.match(inner)))


def _kin_noun(phrase: str) -> str | None:
    last = phrase.split()[-1] if phrase.split() else ""
    if last in words.KIN:
        return last
    return last[:-1] if last.endswith("s") and last[:-1] in words.KIN else None
