"""Which language a message is in, and what the rules read from one that is not English."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Literal, TypeAlias

from perdure.core.values import Cardinality
from perdure.write.lexicon import doubts
from perdure.write.lexicon.chinese import CHINESE
from perdure.write.lexicon.english_cues import ENGLISH_CUES
from perdure.write.lexicon.french import FRENCH
from perdure.write.lexicon.german import GERMAN
from perdure.write.lexicon.shape import Form, Language, SlotPattern
from perdure.write.lexicon.spanish import SPANISH
from perdure.write.rules_doubts import is_left_again
from perdure.write.rules_slots import ENTITY_KINDS, SlotReading
from perdure.write.rules_values import clean_value, snake, split_values

LANGUAGES: tuple[Language, ...] = (GERMAN, SPANISH, FRENCH)
Reading: TypeAlias = Language | Literal["english", "unknown"]

_DENSE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_HAN_ONLY = re.compile(r"[\u3040-\u30ff\uac00-\ud7af]")
_LATIN = re.compile(r"[A-Za-z]")
_OTHER_LETTERS = re.compile(r"[^\W\d_A-Za-zÀ-ɏ]")
_CLAUSE_MARK = {
    "zh": re.compile(r"[，,；;](?=我)"),
    "other": re.compile(
        r";\s+|,?\s+(?:und|y|et|aber|pero|mais)\s+(?=(?:ich|wohne|lebe|arbeite|bin|habe|mein|je|j'"
        r"|mon|ma|yo|me|mi|vivo|trabajo|tengo|soy)\b)",
        re.I,
    ),
}


def language_of(text: str) -> Reading:
    """English where the small words say nothing else; unknown for scripts the rules do not read."""
    if _DENSE.search(text) and len(_DENSE.findall(text)) * 2 >= len(_LATIN.findall(text)):
        return "unknown" if _HAN_ONLY.search(text) else CHINESE
    if len(_OTHER_LETTERS.findall(text)) > len(_LATIN.findall(text)):
        return "unknown"
    tokens = re.findall(r"[^\W\d_]+", text.casefold())
    best = max(LANGUAGES, key=lambda language: sum(t in language.cues for t in tokens))
    score = sum(t in best.cues for t in tokens)
    english = sum(t in ENGLISH_CUES for t in tokens)
    return best if score > english and (score >= 2 or best.first_person.search(text)) else "english"


def split_clauses(sentence: str, language: Language) -> list[str]:
    mark = _CLAUSE_MARK["zh" if language.code == "zh" else "other"]
    pieces = [piece.strip() for piece in mark.split(sentence) if piece.strip()]
    return pieces[:1] + [_with_subject(piece) for piece in pieces[1:]]


def _with_subject(piece: str) -> str:
    """German "arbeite bei Brill" behind "und" gets its pronoun back."""
    lacks = re.match(r"(?:wohne|lebe|arbeite|bin|habe)\b", piece) and not re.search(r"\bich\b", piece, re.I)
    return f"Ich {piece}" if lacks else piece


def read_slots(clause: str, language: Language, *, message: str) -> list[SlotReading]:
    """The slots of one clause; empty for denials, wishes and conditions, "no longer" ends a value.

    message: all that was said; it may tell of the way back from a move.
    """
    is_over = bool(language.over.search(clause))
    if not is_over and (held := _undenied(clause, language)) is not None:
        return _denied_slots(held, language)
    if is_over:
        clause = _unended(clause, language)
    is_unsure = bool(language.unsure.search(clause))
    readings: list[SlotReading] = []
    for pattern in language.slots:
        match = pattern.pattern.search(clause)
        if match is None or any(r.attribute == pattern.attribute for r in readings):
            continue
        if is_unsure and not is_over and pattern.value != "dislike":
            continue
        raw = match.groupdict().get("v") or match.groupdict().get("w") or ""
        if pattern.value is not None:
            raw = _DEGREE.sub("", raw)
        readings += _readings(pattern, raw, is_over=is_over)
    return [r for r in readings if not _is_doubted(r, clause) and not _is_left(r, message)]


def _is_left(reading: SlotReading, message: str) -> bool:
    is_move = reading.attribute == "home_city" and reading.form == "begins"
    return is_move and is_left_again(reading.value, message, is_english=False)


def _is_doubted(reading: SlotReading, clause: str) -> bool:
    """True for jests, countries for cities, and what is so for a part of the time only."""
    if doubts.JOKING.search(clause):
        return True
    if reading.attribute not in ("home_city", "employer", "job_title"):
        return False
    is_country = reading.attribute == "home_city" and reading.value.casefold() in doubts.NOT_CITIES
    return is_country or bool(_PARTLY.search(clause))


_PARTLY = re.compile(
    r"\b(?:am Wochenende|unter der Woche|(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag"
    r"|sonntag)s|im (?:Sommer|Winter)"
    r"|vorübergehend|manchmal|nebenbei|als Kind|für (?:den|einen|ein|eine|zwei|drei) \w+"
    r"|(?:los )?fines de semana|entre semana|en (?:verano|invierno)|a veces|de niñ[oa]|por ahora"
    r"|temporalmente"
    r"|le week-end|en semaine|en (?:été|hiver)|parfois|enfant|temporairement|pour l'(?:été|hiver|instant)"
    r"|im (?:Spiel|Traum|Roman)|en (?:el juego|mi sueño|mi novela)|dans (?:le jeu|mon rêve|mon roman))\b",
    re.I,
)
_DENIALS = {
    "de": (re.compile(r"^(ich (?:wohne|lebe|arbeite|bin)) nicht (?!mehr\b)", re.I), r"\1 "),
    "es": (re.compile(r"^(?:yo )?no (?=(?:vivo|trabajo|soy|estoy)\b)", re.I), ""),
    "fr": (re.compile(r"^(je|j['’])\s?(?:ne |n['’])(habite|travaille|suis|vis) pas ", re.I), r"\1 \2 "),
}
_DENIED = frozenset({"home_city", "employer", "allergy", "diet", "marital_status"})


_HOW_MUCH = (
    r"(?:wirklich|echt|ganz|so|gar|überhaupt|auch|immer|noch|besonders|total|sehr|nicht|gerne?|am liebsten"
    r"|viel|voll|wahnsinnig|unglaublich|eigentlich|mucho|muchísimo|bastante|demasiado|nada|para nada|tanto"
    r"|beaucoup|énormément|vraiment|trop|bien|du tout|tellement)"
)
_DEGREE = re.compile(rf"^(?:{_HOW_MUCH}\s+)+|(?:\s+{_HOW_MUCH}\b)+[\s.!]*$", re.I)
_OVER = {
    "de": (
        (re.compile(r"\s+nicht\s+mehr\b", re.I), ""),
        (re.compile(r"\bkein\w*\s+(.+?)\s+mehr\b", re.I), r"\1"),
    ),
    "es": ((re.compile(r"\bya no\s+", re.I), ""),),
    "fr": (
        (re.compile(r"\bje\s+n['’]\s?(\w+)\s+plus\b", re.I), r"j'\1"),
        (re.compile(r"\bje\s+ne\s+(\w+)\s+plus\b", re.I), r"je \1"),
    ),
}


def _unended(clause: str, language: Language) -> str:
    """The positive form of "no longer" ("Ya no vivo en Lima"); the clause itself where it has none."""
    for pattern, positive in _OVER.get(language.code, ()):
        clause = pattern.sub(positive, clause)
    return clause


def _undenied(clause: str, language: Language) -> str | None:
    """The positive form of a plain denial ("No vivo en Lima"), or None."""
    if language.code not in _DENIALS:
        return None
    pattern, positive = _DENIALS[language.code]
    held, count = pattern.subn(positive, clause.strip())
    return re.sub(r"^je habite", "j'habite", held, flags=re.I) if count else None


def _denied_slots(held: str, language: Language) -> list[SlotReading]:
    """What a denial ends, if one value is all that it names."""
    plain = held.rstrip(" .!")
    found = [
        reading for reading in read_slots(plain, language, message=plain) if reading.attribute in _DENIED
    ]
    if len(found) != 1:
        return []
    named = (found[0].value.casefold(), found[0].says.rsplit(maxsplit=1)[-1].casefold())
    if not plain.casefold().endswith(named):
        return []
    return [replace(found[0], form="ends", relation=None)]


def _readings(pattern: SlotPattern, raw: str, *, is_over: bool) -> list[SlotReading]:
    if pattern.cardinality is Cardinality.MULTI or pattern.value is not None:
        named = split_values(raw, pattern.shape) if pattern.shape != "exact" else [raw]
    else:
        value = clean_value(raw, pattern.shape)
        named = [] if value is None else [value]
    form: Form = "ends" if is_over else pattern.form
    return [
        SlotReading(
            attribute=pattern.attribute.format(snake(name)),
            value=pattern.value or name,
            form=form,
            says=pattern.says.replace("{v}", name),
            cardinality=pattern.cardinality,
            relation=None if is_over else pattern.relation,
            confidence=pattern.confidence,
            kind=ENTITY_KINDS.get(pattern.attribute, "other"),
        )
        for name in named
    ]
