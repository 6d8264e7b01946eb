"""English sentences into clauses that each have a subject of their own."""

from __future__ import annotations

import re

from perdure.write.lexicon.english import ADVERBS
from perdure.write.rules_gate import opens_question
from perdure.write.rules_subjects import Clause, Voice, parse_clause
from perdure.write.rules_verbs import base_of_third_person, is_finite, plain_predicate

_JOINT = re.compile(
    r"\s*;\s*|\s+[–—]+\s+|\s-\s|\.\.\.\s*|…\s*|,?\s+(?:and|but|so|yet|plus)\s+|,\s+", re.IGNORECASE
)
_PRONOUN_START = re.compile(
    r"(?:(?:then|now|also|recently|yesterday|today|later|(?:last|next|this) \w+|(?:in|on|since) \w+)\s+){0,2}"
    r"(?:I|we|he|she)(?:'(?:m|ve|d|ll|re|s)|\s+(?P<next>[\w']+))",
    re.IGNORECASE,
)
_OWNED_START = re.compile(r"(?:my|our|his|her)\s+\w", re.IGNORECASE)
_SUBORDINATE = re.compile(
    r"(?:when|whenever|while|after|before|since|if|because|as|although|though|even though|once"
    r"|until|unless|that)\b",
    re.I,
)
_INNER_SUBORDINATE = re.compile(
    r"\b(?:if|that|because|said|says|told|think|thinks|thought|when|while|who|which|whether|hope|wish)\s*$",
    re.I,
)
_HAS_SUBJECT = re.compile(r"\b(?:I|we|he|she|they|you|it|my|our|his|her)\b|[A-Z][\w'-]+\s+\w+", re.IGNORECASE)
_ELLIPSIS = re.compile(
    r"(?P<subject>.+?)\s+(?P<aux>is|isn't|are|aren't|am|does|doesn't|do|don't|did|didn't|can|can't|has|hasn't|was|wasn't)"
    r"(?P<not>\s+not)?(?P<too>,?\s+(?:too|either))?[.!]*",
    re.IGNORECASE,
)
_BARE_DENIAL = re.compile(
    r"(?:I|we)(?:'m not|'re not"
    r"|\s+(?:(?:am|are|do|did|was|were|have|can)(?:n't| not)|never (?:was|did|have|am)))"
    r"(?:\s+(?:really|at all|actually|anymore|any more))?[.!]*",
    re.IGNORECASE,
)
_AUXILIARY = re.compile(
    r"(?:am|is|are|was|were|does|do|did|can|has|have)(?:n't|\s+not|\b)\s*(?:not\s+)?", re.I
)


def split_clauses(sentence: str, *, voice: Voice) -> list[str]:
    """The clauses in order; a joint splits only where what follows has its own subject and verb."""
    pieces: list[str] = []
    begin = 0
    asks = "?" in sentence
    for match in _JOINT.finditer(sentence):
        left, right = sentence[begin : match.start()], sentence[match.end() :]
        mark = match.group().strip().lower()
        is_bare_comma = mark == ","
        if not left.strip() or _INNER_SUBORDINATE.search(left):
            continue
        if is_bare_comma and (_SUBORDINATE.match(left.strip()) or not _HAS_SUBJECT.search(left)):
            continue
        if _is_noun_phrase(left) and mark != ";":
            continue  # "my wife and I": one subject
        if (
            (asks and opens_question(right))
            or mark == ";"
            or _starts_clause(right, voice=voice, is_bare_comma=is_bare_comma)
        ):
            pieces.append(left)
            begin = match.end()
    pieces.append(sentence[begin:])
    return [piece.strip() for piece in pieces if piece.strip()]


def parse_clauses(
    pieces: list[str], *, voice: Voice, before: Clause | None
) -> list[tuple[str, Clause | None]]:
    """Each piece with its clause (None if nobody is its subject); pronouns and ellipses filled in.

    before: the last clause about somebody else said earlier in the message.
    """
    parsed: list[tuple[str, Clause | None]] = []
    last: Clause | None = None
    for piece in pieces:
        whole = _fill_ellipsis(piece, last)
        clause = None if whole is None else parse_clause(whole, voice=voice, before=before)
        parsed.append((piece, clause))
        last = clause or last
        if clause is not None and not clause.is_speaker and clause.gender != "they":
            before = clause
    return parsed


def without_denied(parsed: list[tuple[str, Clause | None]]) -> list[tuple[str, Clause | None]]:
    """Without "they say I'm ill" before a bare "but I'm not": nothing of the two is plainly so."""
    kept: list[tuple[str, Clause | None]] = []
    for piece, clause in parsed:
        if _BARE_DENIAL.fullmatch(piece) and kept and (last := kept[-1][1]) is not None and last.is_speaker:
            kept.pop()
        else:
            kept.append((piece, clause))
    return kept


def _is_noun_phrase(left: str) -> bool:
    """True for "my wife" or "Dev": words without a verb."""
    tokens = left.split()
    owned = bool(tokens) and tokens[0].lower() in ("my", "our", "his", "her")
    verbs = tokens[2 if owned else 0 :]
    return not any(is_finite(token) or "'" in token for token in verbs)


def _starts_clause(right: str, *, voice: Voice, is_bare_comma: bool) -> bool:
    pronoun = _PRONOUN_START.match(right)
    if pronoun is not None:
        return (
            pronoun["next"] is None
            or is_finite(pronoun["next"])
            or pronoun["next"].lower() in ADVERBS
            or pronoun["next"].lower().endswith("ly")
        )
    if _OWNED_START.match(right):
        return parse_clause(right, voice=voice, before=_ANYBODY) is not None
    return (
        not is_bare_comma
        and right[:1].isupper()
        and parse_clause(right, voice=voice, before=None) is not None
    )


def _fill_ellipsis(piece: str, last: Clause | None) -> str | None:
    """ "my daughter is" takes its complement from the clause before; None if there is none to take."""
    match = _ELLIPSIS.fullmatch(piece)
    if match is None:
        return piece
    if last is None:
        return None
    auxiliary = _AUXILIARY.match(last.predicate)
    rest = last.predicate[auxiliary.end() :] if auxiliary else plain_predicate(last.predicate)
    rest = rest.rstrip(" .!")
    if not rest:
        return None
    if auxiliary is None and match["aux"].lower().startswith("do"):
        first, _, more = rest.partition(" ")  # "likes nuts" after "doesn't" is "like nuts"
        rest = f"{base_of_third_person(first) or first} {more}".rstrip()
    return f"{match['subject']} {match['aux']}{match['not'] or ''} {rest}"


_ANYBODY = Clause(lead="", shown="Somebody", subject="somebody", predicate="is")
