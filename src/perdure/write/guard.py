"""The guard: may two statements be taken for the same, or one for a change of the other?

A pure function of the two. It says which check failed. A false alarm costs a duplicate; a miss would
cost a memory, so every destructive act asks here first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from perdure.core.text import differing_middles, entity_key, normalise
from perdure.core.values import Body, Draft, Slot
from perdure.write.lexicon.telling import FUNCTION_WORDS, NUMBER_WORDS, TELLING
from perdure.write.naming import names_in
from perdure.write.slots import is_settled_by_code, slot_of

_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
# A code with a digit and a letter, a name that ends in + or #, or initials; also in the possessive.
_MARK = re.compile(
    r"(?<![\w'’])(?:(?=[\w.\-/@#+]*[^\W\d])[\w.\-/@#+]*\d[\w\-/@#+]*|\w+[+#]+|[A-Z]{1,6})(?!\w)(?!['’](?!s\b))"
)
_NEGATION = re.compile(
    r"\bn(?:e\b|['’])[^.;!?]*?\b(?:pas|plus|jamais|rien|aucun\w*|personne|guère)\b|"
    r"\b(?:not|no|never|none|nobody|nothing|nowhere|without|cannot|neither|nor|hardly|barely|rarely|seldom|"
    r"nicht|kein\w*|nie|niemals|nichts|ohne|nunca|jamás|nada|nadie|sin|ne|pas|jamais|aucun\w*|sans|"
    r"não|non|niet|geen|inte|ikke|aldrig|nooit|mai|senza|sem)\b|"
    r"n['’]t\b|不|没|沒|未|别|無|ない|ません|안\s|않|не\b|нет\b|никогда\b"
)
_ENDING = re.compile(
    r"\b(?:used to|no longer|any ?more|stopped|quit|left|formerly|ex|former|gave up|"
    r"nicht mehr|ya no|ne\b.*\bplus)\b"
)
_MODALITY = re.compile(
    r"\b(?:might|could|would|should|perhaps|maybe|possibly|probably|plans?|planning|hopes?|hoping|"
    r"wants?|wish(?:es)?|considering|thinking (?:of|about)|if|almost|nearly|"
    r"vielleicht|könnten?|möchten?|würden?|plant(?=,| (?:einen?|den|die|das)\b)|planen|"
    r"überleg(?:t|en)|erwäg(?:t|en)|hofft|hoffen|wenn|"
    r"will (?:nach|in|zu)|denkt (?:darüber|daran)|"
    r"quizás?|tal vez|a lo mejor|podrían?|querrían?|quieren?|quisieran?|piensan? en|planean?|esperan?|"
    r"tiene intención|si|peut-être|pourrai(?:t|ent)|voudrai(?:t|ent)|veut|veulent|pense(?:nt)? à|"
    r"envisage(?:nt)?|espère(?:nt)?|compte (?:aller|déménager|partir)|projette(?:nt)?)\b"
)
_QUOTED = re.compile(r"[\"“”«»„]([^\"“”«»„]{2,})[\"“”«»„]")
_OPPOSITES = (
    ({"like", "likes", "love", "loves", "enjoy", "enjoys", "adore", "adores", "prefers"},
     {"dislike", "dislikes", "hate", "hates", "detest", "detests", "loathe", "loathes"}),
    ({"always"}, {"never"}),
    ({"before"}, {"after"}),
    ({"bought", "buys", "buy"}, {"sold", "sells", "sell"}),
    ({"started", "joined", "began"}, {"stopped", "quit", "left", "ended"}),
    ({"married"}, {"divorced", "single"}),
    ({"mother", "mum", "mom"}, {"father", "dad"}),
    ({"brother"}, {"sister"}),
    ({"son"}, {"daughter"}),
    ({"left"}, {"right"}),
    ({"first"}, {"last"}),
    ({"accepted"}, {"declined", "rejected"}),
    ({"open", "opened"}, {"closed", "shut"}),
    ({"up"}, {"down"}),
    ({"won"}, {"lost"}),
)  # fmt: skip
_PERHAPS = re.compile(r"\bmay\b")
_IN_MAY = re.compile(r"(?<=\w\s)May\b")
_WORD = re.compile(r"\w+|[%€$£]")
_TURNING = ("un", "in", "im", "dis", "non", "ir", "il")
_STEM = 4  # letters that the forms of a word mostly share
_SHARED_OPENING = 2  # a subject and a verb
_PERSONLESS = frozenset({"", "user"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """What the guard sees of one statement."""

    text: str
    subject: str
    slot: Slot | None
    value: str | None


def side_of_body(body: Body) -> Side:
    subject = body.slot.subject if body.slot else entity_key(body.subject or "")
    return Side(text=body.text, subject=subject, slot=body.slot, value=body.value)


def side_of_draft(draft: Draft) -> Side:
    return Side(text=draft.text, subject=entity_key(draft.subject), slot=slot_of(draft), value=draft.value)


def failed_for_same(old: Side, new: Side) -> tuple[str, ...]:
    """Why the two cannot be one fact; empty if nothing speaks against it.

    Checks: subject, slot, value, numbers, codes, words (that exclude one another: weekdays, kin, units,
    colours), names, negation, ending, modality, quotation, opposites, substitution (the same sentence with
    one thing in the place of another, which is a different fact however close the two things are).
    """
    failed = list(failed_for_change(old, new))
    checks = {
        "value": _values_differ(old, new),
        "numbers": _numbers(old.text) != _numbers(new.text),
        "codes": _marks(old.text) != _marks(new.text),
        "words": _telling(old.text) != _telling(new.text),
        "names": _names(old) != _names(new),
        "negation": _negations(old.text) != _negations(new.text),
        "ending": bool(_ENDING.search(normalise(old.text))) != bool(_ENDING.search(normalise(new.text))),
        "opposites": _are_opposed(old.text, new.text),
        "substitution": _is_substituted(old.text, new.text),
    }
    return (*failed, *(name for name, differs in checks.items() if differs))


def failed_for_change(old: Side, new: Side) -> tuple[str, ...]:
    """Why the new statement may not replace or end the old one; empty if nothing speaks against it.

    Checks: subject, slot (a known attribute changes only itself), modality, quotation.
    """
    checks = {
        "subject": _subjects_differ(old, new),
        "slot": _slots_differ(old.slot, new.slot),
        "modality": _is_unsure(old.text) != _is_unsure(new.text),
        "quotation": _quotes(old.text) != _quotes(new.text),
    }
    return tuple(name for name, differs in checks.items() if differs)


def _subjects_differ(old: Side, new: Side) -> bool:
    if old.subject in _PERSONLESS and new.subject in _PERSONLESS:
        return False
    return old.subject != new.subject


def _slots_differ(old: Slot | None, new: Slot | None) -> bool:
    """Two attributes, one of them known. The names that models invent vary too much to tell apart by."""
    if old is None or new is None or old.attribute == new.attribute:
        return False
    return is_settled_by_code(old.attribute) or is_settled_by_code(new.attribute)


def _values_differ(old: Side, new: Side) -> bool:
    if old.value is None or new.value is None or old.slot is None or new.slot is None:
        return False
    return entity_key(old.value) != entity_key(new.value)


def _numbers(text: str) -> list[str]:
    """Numbers in figures or words, sorted as text; 1,200 and 1200 are one."""
    plain = _THOUSANDS.sub("", normalise(text))
    figures = _NUMBER.findall(plain)
    return sorted(figures + [NUMBER_WORDS[w] for w in _WORD.findall(plain) if w in NUMBER_WORDS])


def _marks(text: str) -> frozenset[str]:
    """Codes, initials and versions: what embeddings blur and a person would not."""
    found = _MARK.findall(text)
    return frozenset(m.casefold() for m in found if m != "I" and (m != "A" or not text.startswith(m)))


def _telling(text: str) -> frozenset[str]:
    """The words of the text that exclude others of their class, as class and canonical word."""
    words = _WORD.findall(normalise(text))
    told = {meaning for word in words for meaning in TELLING.get(word, ())}
    return frozenset(told | ({"month:may"} if _IN_MAY.search(text) else set()))


def _names(side: Side) -> frozenset[str]:
    keys = {entity_key(m.name) for m in names_in(side.text)}
    return frozenset(keys - {side.subject, "user", "users"})


def _negations(text: str) -> int:
    return len(_NEGATION.findall(normalise(text)))


def _is_unsure(text: str) -> bool:
    return bool(_MODALITY.search(normalise(text)) or _PERHAPS.search(text))


def _quotes(text: str) -> frozenset[str]:
    return frozenset(normalise(q) for q in _QUOTED.findall(text))


def _are_opposed(old: str, new: str) -> bool:
    """True if one holds a word and the other its opposite: by the table, or by a prefix (un-, dis-)."""
    left, right = set(_WORD.findall(normalise(old))), set(_WORD.findall(normalise(new)))
    only_left, only_right = left - right, right - left
    turned = any(p + w in other for one, other in ((only_left, only_right), (only_right, only_left))
                 for w in one if len(w) > 2 for p in _TURNING)  # fmt: skip
    return turned or any(
        (only_left & one and only_right & other) or (only_left & other and only_right & one)
        for one, other in _OPPOSITES
    )


def _is_substituted(old: str, new: str) -> bool:
    """True if the two say the same up to one place where each has words that the other has no form of."""
    words = [_WORD.findall(normalise(text)) for text in (old, new)]
    head, *middles = differing_middles(*words)
    shared = len(words[0]) - len(middles[0])
    if head < _SHARED_OPENING or 2 * shared < max(map(len, words)):
        return False
    left, right = (frozenset(map(_plain_form, middle)) - FUNCTION_WORDS - {""} for middle in middles)
    return bool(left - right) and bool(right - left)


def _plain_form(word: str) -> str:
    """One form of a word: of those that are known to mean the same, else its beginning; "" for figures."""
    if word in FUNCTION_WORDS or word in TELLING:
        return min(TELLING.get(word, {word}))
    return "" if word.isdigit() else word[:_STEM]


def marks_of(text: str) -> frozenset[str]:
    """Every number, code, name and telling word of a text: what an update must not lose."""
    names = frozenset(entity_key(m.name) for m in names_in(text))
    return frozenset(_numbers(text)) | _marks(text) | names | _telling(text)
