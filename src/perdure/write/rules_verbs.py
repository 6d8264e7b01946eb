"""English verb forms: telling them apart, and making them fit a name."""

from __future__ import annotations

import re

from perdure.write.lexicon import english as words
from perdure.write.lexicon.shape import words_of

_CONTRACTIONS = (
    (re.compile(r"\bcan't\b", re.I), "can not"),
    (re.compile(r"\bcannot\b", re.I), "can not"),
    (re.compile(r"\bwon't\b", re.I), "will not"),
    (re.compile(r"\bain't\b", re.I), "is not"),
    (re.compile(r"(\w)n't\b", re.I), r"\1 not"),
)
SUFFIXES = {"m": "am", "ve": "have", "re": "are", "ll": "will", "d": "would"}
_USED_TO = re.compile(r"used to (?P<verb>\w+)")
_PHRASES = re.compile(r"(,? (?:and|but|then) )")
_TAKES_INFINITIVE = re.compile(
    r"^(?:can|could|will|would|shall|should|may|might|must|do|did|don't|didn't|can't|couldn't"
    r"|won't)\b|\bto \w"
    r"|\b(?:lets?|helps?|makes?|who|that|which|those|how)\b",
    re.I,
)
_DENIAL = re.compile(
    r"(?:(?:do|does)(?:n't| not) (?P<verb>live|work)(?P<after> .+)"
    r"|(?:do|does)(?:n't| not) (?P<feels>(?:hate|detest|dislike|loathe|despise|love|adore) .+)"
    r"|(?:was|were) never (?P<never>allergic to .+)|never (?:was|were) (?P<ever>allergic to .+)"
    r"|(?P<be>am|is|are)(?:n't| not) (?P<rest>(?:allergic to|an? vegan|an? vegetarian|vegan|vegetarian"
    r"|pescatarian|married|single|engaged|divorced|living in|working (?:at|for)|based in)\b.*))",
    re.IGNORECASE,
)
_BETWEEN = words.ADVERBS | {"never", "ever", "rather", "not", "hardly"}
_BEFORE_VERBS = frozenset({"never", "hardly", "no", "longer"})
_THIRD = {"am": "is", "have": "has", "haven't": "hasn't", "do": "does", "don't": "doesn't", "are": "are"}
_PARTICIPLES = words.IRREGULAR_PAST | words_of(
    "gone done seen taken given written eaten driven begun broken chosen drawn fallen flown forgotten",
    "gotten grown known ridden sung swum thrown worn become come run",
)
_STATIVE = frozenset({"been", "lived", "worked", "known", "had", "loved", "wanted", "felt", "got", "always"})


def is_finite(word: str) -> bool:
    """True for a word form that can be the verb of a clause."""
    plain = word.casefold().strip(".,;:!?")
    if plain in words.AUXILIARIES or plain in words.VERBS or is_past_form(plain):
        return True
    return base_of_third_person(plain) is not None


def is_past_form(word: str) -> bool:
    """True for an irregular past form, or anything in -ed that is not a base form ("need")."""
    is_regular = word.endswith("ed") and len(word) > 3 and not word.endswith("eed")
    return word in words.IRREGULAR_PAST or is_regular


def spell_out(suffix: str, following: str) -> str:
    """The auxiliary behind 'm, 've, 're, 'll or 'd; 'd is "had" before a participle, else "would"."""
    tokens = [w.casefold().strip(".,;:!?") for w in following.split()]
    word = next((w for w in tokens if w not in _BETWEEN), "")
    is_done = word in _PARTICIPLES or is_past_form(word) or word == "been"
    return "had" if suffix == "d" and is_done and word not in words.VERBS else SUFFIXES[suffix]


def is_past(predicate: str) -> bool:
    """True if the first verb of a plain predicate tells of something that happened."""
    tokens = [w.strip(".,;:!?") for w in predicate.casefold().split()]
    tokens = [w for w in tokens if w not in words.ADVERBS]
    if not tokens:
        return False
    if tokens[0] in ("have", "has") and len(tokens) > 1:
        done = tokens[1]
        if done == "been" and tokens[2:3] == ["to"]:
            return True
        return done not in _STATIVE and (is_past_form(done) or done in _PARTICIPLES)
    return is_past_form(tokens[0])


def is_third_person(word: str) -> bool:
    """A verb form that goes with a name: hates, moved, is; the bare form ("move") does not."""
    plain = word.casefold().strip(".,;:!?")
    if plain in words.AUXILIARIES:
        return plain not in ("am", "are", "do", "have", "don't", "haven't", "aren't", "be", "been")
    return is_past_form(plain) or base_of_third_person(plain) is not None


def is_regular(past: str) -> bool:
    """True for the -ed form of a verb in the lists."""
    stem = past[:-2]
    return (
        stem in words.VERBS
        or past[:-1] in words.VERBS
        or (stem[-1:] == stem[-2:-1] and stem[:-1] in words.VERBS)
    )


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


def undenied(predicate: str) -> str | None:
    """The positive statement that a plain denial ("don't live in", "am not allergic to") turns round.

    None if the predicate is no such denial; "not really", "not always" and the past are none.
    """
    match = _DENIAL.match(predicate)
    if match is None:
        return None
    if allergic := match["never"] or match["ever"]:
        return f"am {allergic}"
    if match["feels"]:
        return str(match["feels"])
    return f"{match['be']} {match['rest']}" if match["be"] else match["verb"] + match["after"]


def conjugate(predicate: str) -> str:
    """The predicate of "I" made to fit a name: "am" → "is", "live" → "lives"; the past stays.

    A second verb after "and" or "but" follows the first, unless the first takes an infinitive.
    """
    first, *others = _PHRASES.split(predicate)
    told = [conjugate_phrase(first)]
    follows = not is_past(first) and not _TAKES_INFINITIVE.search(first)
    for mark, phrase in zip(others[::2], others[1::2], strict=True):
        told += [mark, conjugate_phrase(phrase) if follows and not phrase.startswith("like ") else phrase]
        follows = follows and not _TAKES_INFINITIVE.search(phrase)
    return "".join(told)


def conjugate_phrase(phrase: str) -> str:
    """The phrase with its first verb in the third person."""
    tokens = phrase.split(" ")
    for n, token in enumerate(tokens):
        bare = token.rstrip(",.!")
        if not bare or bare.casefold() in words.ADVERBS or bare.casefold() in _BEFORE_VERBS:
            continue
        tokens[n] = third_person(bare) + token[len(bare) :]
        break
    return " ".join(tokens)


def third_person(verb: str) -> str:
    """The form after a name: "go" → "goes"; what is no base form stays."""
    plain = verb.casefold()
    if verb.isupper() and len(verb) > 1:
        return third_person(plain).upper()
    if plain in _THIRD:
        return _THIRD[plain]
    if plain in words.AUXILIARIES or plain in words.IRREGULAR_PAST or plain not in words.VERBS:
        return verb
    if plain.endswith(("s", "sh", "ch", "x", "z", "o")):
        return verb + "es"
    if plain.endswith("y") and plain[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


def base_of_third_person(word: str) -> str | None:
    """ "likes" → "like"; None if it is no such form of a known verb."""
    candidates = (word.removesuffix("s"), word.removesuffix("es"), word.removesuffix("ies") + "y")
    return next((c for c in candidates if word.endswith("s") and c in words.VERBS and c != word), None)
