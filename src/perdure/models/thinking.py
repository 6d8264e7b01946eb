"""Take a model's thoughts and chat tokens off its reply, so that a draft is never read as the answer."""

from __future__ import annotations

import re

_WORDS = r"(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis)"
_OPEN = re.compile(rf"<{_WORDS}(?:\s[^<>]*)?>|\[THINK\]|◁think▷", re.IGNORECASE)
_CLOSE = re.compile(rf"</{_WORDS}\s*>|\[/THINK\]|◁/think▷", re.IGNORECASE)
# gpt-oss: <|channel|>analysis<|message|>… <|channel|>final<|message|>the answer<|return|>
_CHANNEL = re.compile(r"<\|channel\|>\s*(\w+)[^<]*<\|message\|>")
_CHAT_TOKEN = re.compile(
    r"<[|｜][^<>|｜\n]{1,40}[|｜]>|</?s>|\[/?INST\]|<(?:start|end)_of_turn>(?:model|user)?|<eos>|<bos>"
)
_INVISIBLE_EDGES = "\ufeff\u200b\u2060 \t\r\n\0"


def answers_without_thoughts(reply: str) -> list[str]:
    """What may be the answer, most likely first; empty when the reply holds nothing but thought.

    The text after the last closing mark comes first. Texts after earlier marks follow, for an answer whose
    own words hold such a mark; they must be JSON from end to end to be believed. A block that never
    closes hides all that comes after it.
    """
    text = _final_channel(reply)
    if text is None:
        return []
    after_marks = [text[mark.end() :] for mark in _CLOSE.finditer(text)]
    candidates = [_before_open_thought(part) for part in reversed(after_marks)]
    if not after_marks:
        candidates = [_before_open_thought(text)]
    cleaned = [tidy(candidate) for candidate in candidates]
    return [candidate for candidate in cleaned if candidate]


def tidy(text: str) -> str:
    """The text without chat tokens, byte order mark and blank edges."""
    return _CHAT_TOKEN.sub(" ", text).strip(_INVISIBLE_EDGES)


def _before_open_thought(text: str) -> str:
    opening = _OPEN.search(text)
    return text[: opening.start()] if opening else text


def _final_channel(text: str) -> str | None:
    """The final channel of a reply in channels, the whole of any other, None if only thought came."""
    channels = list(_CHANNEL.finditer(text))
    if not channels:
        return text
    last = channels[-1]
    return text[last.end() :] if last.group(1).casefold() == "final" else None
