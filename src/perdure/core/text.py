"""Text as data: normal forms, fingerprints, keys and tokens, for any script.

Nothing here knows a language. Stems and stop words belong to the flows.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from hashlib import blake2b
from itertools import takewhile

MAX_TOKEN_CHARACTERS = 64

_BLANKS = re.compile(r"\s+")
_KEY_BLANKS = re.compile(r"[\s_\-‐-―]+")
_EDGE_PUNCTUATION = " \t\r\n.!?,;:\"'`“”‘’«»()[]{}<>…。！？，；：、"
_SCRIPT_WITHOUT_BLANKS = "⺀-〿぀-ヿ㄀-ㄯ㐀-䶿一-鿿豈-﫿가-힯ᄀ-ᇿ฀-໿က-႟ក-៿\U00020000-\U0003fffd"
_DENSE = re.compile(f"[{_SCRIPT_WITHOUT_BLANKS}]+")
# A code keeps its inner joints and trailing sharps and pluses: C++, INV-2041, a@b.c, auth.core, 12.5
_WORD = re.compile(rf"[^\W{_SCRIPT_WITHOUT_BLANKS}](?:[^\W{_SCRIPT_WITHOUT_BLANKS}]|[\u0300-\u036f])*")
_CODE = re.compile(
    rf"(?:[^\W{_SCRIPT_WITHOUT_BLANKS}]|[@#$])"
    rf"(?:[^\W{_SCRIPT_WITHOUT_BLANKS}]|[.\-_/\\:@+#&%'’]+(?=[^\W{_SCRIPT_WITHOUT_BLANKS}]))*"
    r"(?:\+\+|\#|\+)?"
)
_SYMBOL = re.compile(r"[\U0001F000-\U0001FAFF☀-➿]")
_APOSTROPHE = re.compile(r"['’]")


def replace_lone_surrogates(text: str) -> str:
    """The text with every unpaired surrogate replaced by U+FFFD, so that it can be stored as UTF-8."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def normalise(text: str) -> str:
    """NFKC, case-folded, without invisible format characters, blanks folded to one space."""
    if text.isascii():  # nothing to compose, nothing invisible; most texts, and five times faster
        return _BLANKS.sub(" ", text.lower()).strip()
    composed = unicodedata.normalize("NFKC", replace_lone_surrogates(text)).casefold()
    visible = "".join(c for c in composed if unicodedata.category(c) != "Cf" or c == "\u200d")
    return _BLANKS.sub(" ", unicodedata.normalize("NFKC", visible)).strip()


def fingerprint(text: str) -> str:
    """32 hex digits, equal for texts that differ only in case, blanks, form or closing punctuation."""
    plain = normalise(text)
    return digest(plain.strip(_EDGE_PUNCTUATION) or plain)


def digest(*parts: str) -> str:
    """32 hex digits over the parts, each kept apart from the next."""
    whole = blake2b(digest_size=16)
    for part in parts:
        encoded = part.encode("utf-8", "surrogatepass")
        whole.update(len(encoded).to_bytes(8, "big"))
        whole.update(encoded)
    return whole.hexdigest()


def entity_key(name: str) -> str:
    """One key for the spellings of one name; never empty for a name that is not.

    Case, form, blanks, hyphens and underscores are folded away; symbols that carry meaning
    (`C++`, `C#`, `v1.2`) and every script are kept.
    """
    plain = normalise(name)
    joined = unicodedata.normalize("NFKC", _KEY_BLANKS.sub("", plain))
    return joined.strip(_EDGE_PUNCTUATION) or joined or plain


def tokenise(text: str) -> list[str]:
    """Index tokens in order of appearance, repeats included.

    Words are folded (case, form, accents). A code is kept whole and its words are added.
    Scripts without blanks give single characters and bigrams. Emoji are tokens.
    """
    plain = normalise(text)
    tokens: list[tuple[int, int, str]] = []
    for match in _DENSE.finditer(plain):
        run = match.group()
        tokens += [(match.start() + i, 0, c) for i, c in enumerate(run)]
        tokens += [(match.start() + i, 1, run[i : i + 2]) for i in range(len(run) - 1)]
    for match in _CODE.finditer(plain):
        tokens += _code_tokens(match.group(), match.start())
    tokens += [(m.start(), 0, m.group()) for m in _SYMBOL.finditer(plain)]
    return [token for _, _, token in sorted(tokens)]


def dense_runs(text: str) -> list[str]:
    """The stretches of the normalised text in scripts without blanks (Chinese, Japanese, Korean, Thai …)."""
    return _DENSE.findall(normalise(text))


def fold_accents(text: str) -> str:
    """The text without combining marks on Latin, Greek and Cyrillic letters."""
    decomposed = unicodedata.normalize("NFD", text)
    bare = "".join(c for c in decomposed if not "\u0300" <= c <= "\u036f")
    return unicodedata.normalize("NFC", bare)


def _code_tokens(code: str, at: int) -> list[tuple[int, int, str]]:
    whole = fold_accents(_APOSTROPHE.sub("'", code))
    words = [fold_accents(m.group()) for m in _WORD.finditer(code)]
    found = [(at, 0, whole[:MAX_TOKEN_CHARACTERS])]
    if len(words) > 1 or (words and words[0] != whole):
        found += [(at, 1 + n, word[:MAX_TOKEN_CHARACTERS]) for n, word in enumerate(words)]
    return found


def differing_middles(one: Sequence[str], two: Sequence[str]) -> tuple[int, Sequence[str], Sequence[str]]:
    """How many words two texts begin with in common, and what is left of each without its common end."""
    head = _common(one, two)
    tail = _common(one[head:][::-1], two[head:][::-1])
    return head, one[head : len(one) - tail], two[head : len(two) - tail]


def _common(one: Sequence[str], two: Sequence[str]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, two, strict=False)))
