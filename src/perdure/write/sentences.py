"""Text into sentences and clauses, with quotations set aside."""

from __future__ import annotations

import re
from dataclasses import dataclass

MAX_SENTENCE_CHARACTERS = 600

_ABBREVIATIONS = frozenset(
    {"dr", "mr", "mrs", "ms", "prof", "st", "jr", "sr", "vs", "no", "nr", "inc", "ltd", "co", "corp", "e.g"}
    | {"i.e", "etc", "approx", "ca", "a.m", "p.m", "z.b", "d.h", "bzw", "sra", "sta", "mme", "mlle", "ph.d"}
    | {"u.s", "u.k"}
)
_STOP = re.compile(r"[.!?…]+[\"'”’)\]]*(?=\s|$)|[。！？]+[”」』）]*|\n+")
_DATE_GOES_ON = re.compile(
    r"\s+(?:[a-zäöü]|(?:Jan(?:uar)?|Feb(?:ruar)?|Mär(?:z)?|Apr(?:il)?|Mai|Juni?|Juli?|Aug(?:ust)?"
    r"|Sep(?:t|tember)?|Okt(?:ober)?|Nov(?:ember)?|Dez(?:ember)?)\b)"
)
_QUOTATION = re.compile(
    r"\"[^\"\n]*\"|“[^”\n]*”|«[^»\n]*»|„[^“”\n]*[“”]|「[^」\n]*」|《[^》\n]*》"
    r"|(?<![\w'])'(?=\S)[^'\n]{0,200}(?:'\w[^'\n]{0,200}){0,6}'(?!\w)"
)
_MASK = 0xE000  # the private use area: one character stands for each quotation
_MASKS = 6000
QUOTATIONS = f"{chr(_MASK)}-{chr(_MASK + _MASKS)}"  # for use inside a character class


@dataclass(frozen=True, slots=True)
class Sentence:
    """text: trimmed, with its closing mark. is_question: by its closing mark."""

    text: str
    is_question: bool


@dataclass(frozen=True, slots=True)
class Masked:
    """Text whose quotations are replaced by one private character each."""

    text: str
    quotations: tuple[str, ...]

    def restore(self, text: str) -> str:
        """`text` with the quotations put back."""
        return re.sub(
            f"[{QUOTATIONS}]",
            lambda m: (
                self.quotations[ord(m.group()) - _MASK]
                if ord(m.group()) - _MASK < len(self.quotations)
                else m.group()
            ),
            text,
        )


def mask_quotations(text: str) -> Masked:
    """Set quoted words aside, so that what others said is not read as said by the speaker."""
    clean = re.sub(f"[{QUOTATIONS}]", "\ufffd", text)
    kept: list[str] = []

    def hide(match: re.Match[str]) -> str:
        if len(kept) >= _MASKS:
            return match.group()
        kept.append(match.group())
        return chr(_MASK + len(kept) - 1)

    return Masked(_QUOTATION.sub(hide, clean), tuple(kept))


def split_sentences(text: str) -> list[Sentence]:
    """The sentences in order; one over MAX_SENTENCE_CHARACTERS is left out.

    Abbreviations, initials, decimals, ordinals and URLs do not end one.
    """
    sentences: list[Sentence] = []
    begin = 0
    for match in _STOP.finditer(text):
        if match.group() == "." and not _ends_here(text, begin, match.start()):
            continue
        _append(sentences, text[begin : match.end()])
        begin = match.end()
    _append(sentences, text[begin:])
    return sentences


def _append(sentences: list[Sentence], piece: str) -> None:
    stripped = piece.strip().lstrip("-*•>–— ").strip()
    if stripped and len(stripped) <= MAX_SENTENCE_CHARACTERS:
        is_question = bool(re.search(r"[?？][\"'”’)\]!]*$", stripped)) or stripped.startswith("¿")
        sentences.append(Sentence(stripped, is_question))


def _ends_here(text: str, begin: int, at: int) -> bool:
    """False for a full stop after an abbreviation, an initial or a German ordinal."""
    word = re.search(r"(\S+)$", text[max(begin, at - 24) : at])
    if word is None:
        return True
    plain = word[1].lstrip("(\"'“").casefold()
    if plain in ("no", "nr"):
        return not re.match(r"\s+\d", text[at + 1 :])
    if plain in _ABBREVIATIONS:
        follows = re.match(r"\s+(\w)", text[at + 1 :])
        return plain in ("etc", "a.m", "p.m", "inc", "ltd", "co", "corp") and bool(
            follows and follows[1].isupper()
        )
    if re.fullmatch(r"[^\W\d_]", word[1]) and word[1] != "I":
        return False
    return not (re.fullmatch(r"\d{1,2}", plain) and _DATE_GOES_ON.match(text, at + 1))
