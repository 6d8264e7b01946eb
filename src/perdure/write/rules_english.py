"""English clauses: who they are about, what they say of them, and the same said in the third person."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from perdure.core.name_lexicon import ORDINARY, TITLES
from perdure.write.lexicon import english as words
from perdure.write.lexicon.shape import words_of

_PROPER = r"[A-ZÀ-ÖØ-Þ][\w'-]*\w"
_NAME = rf"(?:(?:Mr|Mrs|Ms|Dr|Prof)\.?\s)?{_PROPER}(?:\s(?:(?:van|von|de|der|da|al|bin)\s)*(?!I\b){_PROPER})*"
_SUBJECT = re.compile(r"(?:I|i|We|we|My|my|Our|our|He|he|She|she|His|his|Her|her)\b")
_NAMED = re.compile(rf"(?P<name>{_NAME})(?P<rest>(?:,| and\b|'s|\s).*)", re.DOTALL)
_FILLER = re.compile(
    r"(?:(?:oh|ooh|well|yeah|yea|yes|yep|yup|no|nope|nah|hey|hi|hello|hiya|wow|whoa|ok|okay|so|and|but|also|plus|actually"
    r"|btw|by the way|anyway|anyways|honestly|fyi|for the record|thanks|thank you|sure|right"
    r"|cool|nice|great|haha"
    r"|lol|sorry|um|uh|hmm|basically|you know|to be honest|tbh|in fact|of course|absolutely"
    r"|definitely|totally|exactly"
    r"|i mean|well then|good morning|good evening|(?:please )?(?:remember|note"
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
_CONTRACTIONS = (
    (re.compile(r"\bcan't\b", re.I), "can not"),
    (re.compile(r"\bcannot\b", re.I), "can not"),
    (re.compile(r"\bwon't\b", re.I), "will not"),
    (re.compile(r"\bain't\b", re.I), "is not"),
    (re.compile(r"(\w)n't\b", re.I), r"\1 not"),
)
_SUFFIXES = {"m": "am", "ve": "have", "re": "are", "ll": "will", "d": "would"}
_PARENT = re.compile(r"(?:Mum|Mom|Dad|Mama|Papa|Grandma|Grandpa|Granny|Grandad)\s+(?=\w)")
_USED_TO = re.compile(r"used to (?P<verb>\w+)")


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
    gender: he, she, they or any; for reading a later pronoun.
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
    lead = ""
    if not _SUBJECT.match(plain):
        match = _LEAD.match(plain) or _LEAD_TO_NAME.match(plain)
        if match is not None and (match.re is _LEAD or _opens_adverbially(match["lead"])):
            lead, plain = match["lead"], match["rest"]
    clause = (
        _first_person(plain, voice)
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


def is_finite(word: str) -> bool:
    """True for a word form that can be the verb of a clause."""
    plain = word.casefold().strip(".,;:!?")
    if plain in words.AUXILIARIES or plain in words.IRREGULAR_PAST or plain in words.VERBS:
        return True
    if plain.endswith("ed") and len(plain) > 3:
        return True
    return _base_of_third_person(plain) is not None


def is_past(predicate: str) -> bool:
    """True if the first verb of a plain predicate tells of something that happened."""
    tokens = [w.strip(".,;:!?") for w in predicate.casefold().split()]
    tokens = [w for w in tokens if w not in words.ADVERBS]
    if not tokens:
        return False
    if tokens[0] in ("have", "has") and len(tokens) > 1:
        done = tokens[1]
        stative = {"been", "lived", "worked", "known", "had", "loved", "wanted", "always", "felt"}
        return done not in stative and (done.endswith("ed") or done in _PARTICIPLES)
    return tokens[0] in words.IRREGULAR_PAST or (tokens[0].endswith("ed") and len(tokens[0]) > 3)


def plain_predicate(predicate: str) -> str:
    """Contractions written out and light adverbs in front dropped; "used to live" becomes "lived"."""
    plain = predicate
    for pattern, full in _CONTRACTIONS:
        plain = pattern.sub(full, plain)
    tokens = plain.split()
    kept = [w for n, w in enumerate(tokens) if n > 3 or w.casefold().strip(",") not in words.ADVERBS]
    return " ".join(kept)


def unended(plain: str) -> str | None:
    """The positive statement that a plain predicate says is over, or None if it says no such thing."""
    if match := _USED_TO.match(plain):
        verb = "am" if match["verb"] == "be" else match["verb"]
        return verb + plain[match.end() :]
    if re.search(r"\bno longer\b", plain):
        return re.sub(r"\bno longer\s+", "", plain)
    if re.search(r"\b(?:any ?more|any longer)\b", plain):
        rest = re.sub(r",?\s*\b(?:any ?more|any longer)\b", "", plain)
        rest, n_do = re.subn(r"^(?:do|does|did) not\s+", "", rest)
        rest, n_be = re.subn(r"^(am|is|are|have|has|can) not\s+", r"\1 ", rest)
        return rest if n_do or n_be else None
    if match := re.match(r"(?:have |has )?(?:stopped|given up|gave up|quit)\s+(\w+?)(ing)\b", plain):
        verb = {"be": "am", "liv": "live", "mak": "make"}.get(match[1], match[1])
        return verb + plain[match.end() :]
    return None


# --- finding the subject ---------------------------------------------------------------------------


def _first_person(text: str, voice: Voice) -> Clause | None:
    match = re.match(r"(I|i|We|we)(?:'(m|ve|re|ll|d)\b|(?=\s))\s*(?P<rest>.+)", text, re.DOTALL)
    if match is None:
        return None
    is_plural = match[1].lower() == "we"
    suffix = _SUFFIXES.get(match[2] or "", "")
    if suffix == "would" and re.match(
        r"(?:just |already |never )?(?:been|had|gone|seen|done)\b", match["rest"]
    ):
        suffix = "had"
    shown = f"{voice.shown} and others" if is_plural else voice.shown
    predicate = f"{suffix} {match['rest']}".strip()
    return Clause(
        lead="", shown=shown, subject=voice.subject, predicate=predicate, is_speaker=True, is_plural=is_plural
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
        shown = before.subject if before.kinship else before.shown
        return replace(before, lead="", shown=shown, predicate=verb + match["rest"], kinship=None, noun=None)
    shown = before.subject if before.kinship else before.shown
    return _possession(match["rest"], f"{shown}'s", f"{before.subject}'s", before.subject)


def _possession(rest: str, shown_owner: str, subject_owner: str, owner: str) -> Clause | None:
    tokens = rest.split()
    for n in range(1, min(len(tokens), 9)):
        token = tokens[n]
        verb = re.fullmatch(r"(\w+)'(s|re|ll|d|ve)", token)
        if verb and n + 1 < len(tokens) and tokens[n + 1].casefold() in ("not", "a", "an", "called", "named"):
            expanded = {"s": "is", **_SUFFIXES}[verb[2]]
            return _owned_by(
                [*tokens[:n], verb[1]], [expanded, *tokens[n + 1 :]], shown_owner, subject_owner, owner
            )
        is_name = token[0].isupper() or tokens[n - 1].endswith("'s")
        if is_finite(token) and not is_name and not (n == 1 and tokens[0].casefold() in _DOUBLE):
            return _owned_by(tokens[:n], tokens[n:], shown_owner, subject_owner, owner)
    return None


def _owned_by(
    noun_phrase: list[str], predicate: list[str], shown_owner: str, subject_owner: str, owner: str
) -> Clause | None:
    if predicate[0].casefold() in words.ADVERBS and len(predicate) == 1:
        return None
    phrase = " ".join(noun_phrase)
    shown, noun = f"{shown_owner} {phrase.rstrip(',')}", phrase.rstrip(",").casefold()
    head = re.match(r"(?P<kin>(?:[a-z][\w-]*\s){0,3}?[a-z][\w-]*),?\s(?P<name>[A-ZÀ-ÖØ-Þ].*?),?$", phrase)
    said = " ".join(predicate)
    kin = _kin_noun(head["kin"] if head else noun)
    gender = words.KIN[kin][2] if kin else "any"
    if head and "'s" not in head["name"]:
        kinship = Kinship(noun=head["kin"].split()[-1], owner=owner)
        return Clause(
            lead="", shown=shown, subject=head["name"], predicate=said, kinship=kinship, gender=gender
        )
    return Clause(
        lead="",
        shown=shown,
        subject=f"{subject_owner} {phrase.rstrip(',')}",
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
    if first in ORDINARY and first not in TITLES and not (" " in name and first in ("new", "san")):
        return None
    if match["rest"].startswith("'s ") or name.endswith("'s"):
        bare = name.removesuffix("'s")
        return _possession(rest.removeprefix("'s").strip(), f"{bare}'s", f"{bare}'s", bare)
    if rest.startswith((",", "and ")) or not rest:
        return None
    verb = rest.split()[0]
    adverb_first = verb.casefold() in words.ADVERBS and len(rest.split()) > 1
    if not _is_third_person(rest.split()[1] if adverb_first else verb):
        return None
    return Clause(lead="", shown=name, subject=name, predicate=rest)


def _is_third_person(word: str) -> bool:
    """A verb form that goes with a name: hates, moved, is; the bare form ("move") does not."""
    plain = word.casefold().strip(".,;:!?")
    if plain in words.AUXILIARIES:
        return plain not in ("am", "are", "do", "have", "don't", "haven't", "aren't", "be", "been")
    if plain in words.IRREGULAR_PAST:
        return True
    return (plain.endswith("ed") and len(plain) > 3) or _base_of_third_person(plain) is not None


def _elided(text: str, voice: Voice) -> Clause | None:
    """ "Had the interview this morning": the speaker is left out."""
    match = re.match(
        r"(?:(?:Just|Finally|Recently|Already)\s)?(?P<verb>[A-Z][a-z]+|[a-z]+)\s+(?P<next>\S+)", text
    )
    if match is None or text.split()[0].islower():
        return None
    verb = match["verb"].casefold()
    past = verb in words.IRREGULAR_PAST or (
        verb.endswith("ed") and verb[:-1] + "" != verb and _is_regular(verb)
    )
    if not past or verb in _NOT_ELIDED or match["next"].casefold().strip(",.") in _AFTER_INVERSION:
        return None
    predicate = text[0].lower() + text[1:]
    return Clause(lead="", shown=voice.shown, subject=voice.subject, predicate=predicate, is_speaker=True)


def _is_regular(past: str) -> bool:
    stem = past[:-2]
    return (
        stem in words.VERBS
        or past[:-1] in words.VERBS
        or (stem[-1:] == stem[-2:-1] and stem[:-1] in words.VERBS)
    )


def _opens_adverbially(lead: str) -> bool:
    return bool(
        re.match(r"(?:in|on|at|last|next|this|yesterday|today|after|before|during|since|when)\b", lead, re.I)
    )


def _kin_noun(phrase: str) -> str | None:
    last = phrase.split()[-1] if phrase.split() else ""
    if last in words.KIN:
        return last
    return last[:-1] if last.endswith("s") and last[:-1] in words.KIN else None


# --- saying it in the third person -----------------------------------------------------------------


def retell(clause: Clause, voice: Voice) -> str:
    """The clause as a sentence that stands alone, first person replaced by the speaker's name."""
    predicate = clause.predicate
    if clause.is_speaker and not clause.is_plural:
        predicate = conjugate(predicate)
    owner = "their" if clause.is_speaker else f"{voice.shown}'s"
    them = "them" if clause.is_speaker else voice.shown
    predicate = _in_third_person(predicate, voice, owner=owner, them=them)
    lead = _in_third_person(clause.lead, voice, owner=f"{voice.shown}'s", them=voice.shown)
    sentence = f"{lead}{clause.shown} {predicate}".strip().rstrip(".!;,:… ")
    return sentence[:1].upper() + sentence[1:]


def conjugate(predicate: str) -> str:
    """The predicate of "I" made to fit a name: "am" → "is", "live" → "lives"; the past stays.

    A second verb after "and" or "but" follows the first, unless the first takes an infinitive.
    """
    first, *others = _PHRASES.split(predicate)
    told = [_conjugate_phrase(first)]
    is_finite_all = not _TAKES_INFINITIVE.search(first)
    for mark, phrase in zip(others[::2], others[1::2], strict=True):
        told += [mark, _conjugate_phrase(phrase) if is_finite_all else phrase]
    return "".join(told)


def _conjugate_phrase(phrase: str) -> str:
    tokens = phrase.split(" ")
    for n, token in enumerate(tokens):
        bare = token.rstrip(",.!")
        if bare.casefold() in words.ADVERBS or bare.casefold() in _BEFORE_VERBS:
            continue
        tokens[n] = _third_person(bare) + token[len(bare) :]
        break
    return " ".join(tokens)


def _third_person(verb: str) -> str:
    plain = verb.casefold()
    if plain in _THIRD:
        return _THIRD[plain]
    if plain in words.AUXILIARIES or plain in words.IRREGULAR_PAST or plain not in words.VERBS:
        return verb
    if plain.endswith(("s", "sh", "ch", "x", "z", "o")):
        return verb + "es"
    if plain.endswith("y") and plain[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


def _base_of_third_person(word: str) -> str | None:
    candidates = (word.removesuffix("s"), word.removesuffix("es"), word.removesuffix("ies") + "y")
    return next((c for c in candidates if word.endswith("s") and c in words.VERBS and c != word), None)


def _in_third_person(text: str, voice: Voice, *, owner: str, them: str) -> str:
    name = voice.shown

    def spoken(match: re.Match[str]) -> str:
        suffix = _SUFFIXES.get(match["suffix"] or "")
        if suffix:
            return f"{name} {_THIRD.get(suffix, suffix)}"
        verb = match["verb"]
        return f"{name} {_third_person(verb)}" if verb else name

    text = re.sub(r"\b(?:I|(?<= )i)\b(?:'(?P<suffix>m|ve|ll|d)\b|\s(?P<verb>[a-z']+))?", spoken, text)
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


_PHRASES = re.compile(r"(,? (?:and|but|then) )")
_TAKES_INFINITIVE = re.compile(
    r"^(?:can|could|will|would|shall|should|may|might|must|do|did|don't|didn't|can't|couldn't"
    r"|won't)\b|\bto \w|\blet\b",
    re.I,
)
_BEFORE_VERBS = frozenset({"never", "hardly", "no", "longer"})
_THIRD = {"am": "is", "have": "has", "haven't": "hasn't", "do": "does", "don't": "doesn't", "are": "are"}
_PARTICIPLES = words.IRREGULAR_PAST | words_of(
    "gone done seen taken given written eaten driven begun broken chosen drawn fallen flown forgotten",
    "gotten grown known ridden sung swum thrown worn become come run",
)
_DOUBLE = frozenset({"dance", "work", "book", "play", "show", "run", "travel", "study", "cook"})
_NOT_ELIDED = frozenset(
    {"was", "were", "did", "said", "let", "set", "put", "read", "cut", "hit", "cost", "told", "showed"}
)
_AFTER_INVERSION = frozenset({"you", "i", "we", "they", "he", "she", "it", "by", "on", "that", "the?"})
