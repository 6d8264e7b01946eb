"""What a message takes back or corrects before it ends: only what stands in the end is read.

"I work at Acme. Actually no, I work at Apex." / "I live in Porto. Wait, sorry, Lisbon." / "...",
"Just kidding!"
Where the right value cannot be read, the wrong one is dropped all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from perdure.core.values import Cardinality, Draft
from perdure.write.lexicon import doubts
from perdure.write.rules_doubts import closes_the_facts
from perdure.write.sentences import Sentence

_MARKS = (
    r"(?:(?:actually|wait|correction|scratch that|oops|whoops|my mistake|my bad|nope|or rather"
    r"|hold on|edit)"
    r"|(?:no|sorry)(?=[,.!:]|\s+(?:wait|sorry|I mean|actually|no)\b)"
    r"|I (?:meant?|meant to say|should say)|make that|that should be|it should be)"
)
_CORRECTS = re.compile(
    rf"(?:(?:oh|well|hmm|um|uh|and|but"
    rf"|ah)[,.!]*\s+)*(?P<marks>{_MARKS}(?:[,.!:;—–-]*\s+{_MARKS})*)[,.!:;—–-]*\s+"
    r"(?P<rest>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_INSIDE = re.compile(
    r"(?:,|;|\.\.\.|…|\s[—–-])\s*(?=(?:oh[, ]+)?(?:wait\b|sorry,|no,? wait\b|I mean\b|I meant\b"
    r"|actually,? no\b"
    r"|scratch that\b|or rather\b|correction\b|make that\b|oops\b|jk\b|just kidding\b|no, sorry\b"
    r"|no, (?:it's |on )?(?:\d|(?-i:[A-Z])[\w'&-]*[.!]*$|(?-i:[A-Z])\w+ \d)))",
    re.IGNORECASE,
)
_JEST_FIRST = re.compile(
    r"(?:(?:haha+|lol|ok|no)[,.!]*\s+)*(?:I'm |I was )?(?:jk|just kidding|kidding|just joking"
    r"|joking)[,.!;:—–-]*\s+(?P<rest>.+)",
    re.IGNORECASE | re.DOTALL,
)
_WITH_SUBJECT = re.compile(r"(?:I|we|my|our|he|she|his|her)\b", re.IGNORECASE)
_NOT_THE_OLD = re.compile(r",?\s+(?:and )?not (?:in |at |for )?(?P<old>[^,.;!]{2,40})[.!]*$", re.IGNORECASE)
_NAME = r"(?:[A-ZÀ-ÖØ-Þ][\w'&-]*(?:\s[A-ZÀ-ÖØ-Þ][\w'&-]*){0,3}|\d{1,4})"
_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)"
)
_DATE = (
    rf"(?:(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}"
    rf"|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?)(?:,? \d{{4}})?"
)
_BARE = re.compile(rf"(?:it's |it is |in |at |for |on )?(?P<new>{_DATE}|{_NAME})[.!]*")
_DATES_INSIDE = re.compile(rf"\b{_DATE}\b")
_NAMES_INSIDE = re.compile(rf"(?<=\s)(?!I\b){_NAME}")
_FIRM = re.compile(r"\b(?:wait|correction|scratch|mean|meant|no|oops|rather|make that)\b", re.IGNORECASE)
_FEW_WORDS = 2


@dataclass(frozen=True, slots=True)
class Standing:
    """A sentence that still stands. corrects: its slots replace those said earlier in the message."""

    sentence: Sentence
    corrects: bool = False


def standing_sentences(sentences: Iterable[Sentence]) -> list[Standing]:
    """The sentences without what is taken back or is text to work on; corrections are marked or",
    "carried out."""
    kept: list[Standing] = []
    for sentence in sentences:
        if closes_the_facts(sentence.text):
            break
        is_whole = _CORRECTS.fullmatch(sentence.text) is not None
        for piece in [sentence.text] if is_whole else _INSIDE.split(sentence.text):
            _add(kept, Sentence(piece.strip(), sentence.is_question))
    return kept


def replace_corrected(earlier: Sequence[Draft], correction: Sequence[Draft]) -> list[Draft]:
    """The earlier drafts without the single-valued slots that the correction fills."""
    slots = {
        (d.subject, d.attribute) for d in correction if d.attribute and d.cardinality is Cardinality.SINGLE
    }
    return [d for d in earlier if d.claim.ends or (d.subject, d.attribute) not in slots]


def _add(kept: list[Standing], sentence: Sentence) -> None:
    if not sentence.text or doubts.TAKEN_BACK_TAIL.search(sentence.text):
        return
    if doubts.TAKEN_BACK.fullmatch(sentence.text):
        del kept[-1:]
        return
    if jest := _JEST_FIRST.fullmatch(sentence.text):
        del kept[-1:]
        kept.append(Standing(Sentence(jest["rest"], sentence.is_question)))
        return
    match = None if sentence.is_question else _CORRECTS.fullmatch(sentence.text)
    if match is None:
        kept.append(Standing(sentence))
        return
    _correct(kept, sentence, match)


def _correct(kept: list[Standing], sentence: Sentence, match: re.Match[str]) -> None:
    rest = match["rest"]
    denied = _NOT_THE_OLD.search(rest)
    right = rest[: denied.start()] if denied else rest
    if _WITH_SUBJECT.match(right):
        kept.append(Standing(Sentence(right, is_question=False), corrects=True))
        return
    if not kept:
        kept.append(Standing(sentence))
        return
    bare = _BARE.fullmatch(right)
    if bare is not None:
        mended = _with_value(kept[-1].sentence.text, bare["new"], denied["old"] if denied else None)
        kept[-1:] = [Standing(Sentence(mended, is_question=False))] if mended else []
    elif _FIRM.search(match["marks"]) and len(right.split()) <= _FEW_WORDS:
        del kept[-1:]
    else:
        kept.append(Standing(sentence))


def _with_value(text: str, new: str, old: str | None) -> str | None:
    """The sentence with the new value in place of the old; None where it is not plain which that is."""
    if old is not None and text.count(old) == 1:
        return text.replace(old, new)
    if re.fullmatch(_DATE, new):
        dates = _DATES_INSIDE.findall(text)
        return text.replace(dates[0], new) if len(dates) == 1 else None
    is_number = new.isdecimal()
    found = [m for m in _NAMES_INSIDE.finditer(text) if m.group().isdecimal() == is_number]
    if len(found) != 1:
        return None
    return text[: found[0].start()] + new + text[found[0].end() :]
