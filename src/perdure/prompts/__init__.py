"""Prompts as code: one Markdown file each, with its name, version, inputs and reply schema.

A file has a front matter (`name`, `version`, `inputs`, `reply`) and the sections `## system`, `## user` and
`## examples`. `$input` in the user section is filled in by `Prompt.question`. Examples are sentences of our
own that stand in the prompt; a model that copies one out has found nothing (`Prompt.echoes`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING

from perdure.core.text import fingerprint, tokenise
from perdure.ports import Question
from perdure.prompts.fencing import fence, show_labelled, show_turn, show_wish

if TYPE_CHECKING:
    from pydantic import BaseModel

__all__ = [
    "Prompt",
    "echoes_a_prompt",
    "fence",
    "load_prompt",
    "prompt_names",
    "read_prompt",
    "show_labelled",
    "show_turn",
    "show_wish",
]

SHORTEST_PASSAGE = 4

_HEAD = re.compile(r"---\n(.*?)\n---\n(.*)\Z", re.DOTALL)
_SECTION = re.compile(r"^## (system|user|examples)\n", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A prompt file. examples: each sentence in it that must never be stored as a memory."""

    name: str
    version: str
    inputs: tuple[str, ...]
    system: str
    user: str
    reply: type[BaseModel]
    examples: tuple[str, ...]

    @property
    def label(self) -> str:
        """Name and version, to be stored with what the prompt made: `extract/1`."""
        return f"{self.name}/{self.version}"

    def question(self, **inputs: str) -> Question:
        """The question with every input filled in. TypeError if one is missing or unknown.

        Inputs are made by `show_turn`, `show_labelled` or `show_wish`, which fence what people wrote.
        """
        if set(inputs) != set(self.inputs):
            raise TypeError(f"prompt {self.name!r} takes exactly the inputs {', '.join(self.inputs)}")
        return Question(
            purpose=self.name,
            system=self.system,
            user=Template(self.user).substitute(inputs),
            reply=self.reply,
        )

    def echoes(self, text: str) -> bool:
        """True if the text is one of the prompt's example sentences or a passage of its rules.

        A passage has four words or more; a shorter text is an echo only of a whole example.
        """
        if fingerprint(text) in {fingerprint(example) for example in self.examples}:
            return True
        return is_passage(text, f"{self.system}\n{self.user}")


def is_passage(text: str, whole: str) -> bool:
    """True if the text, of four words or more, stands word for word in `whole`."""
    return len(tokenise(text)) >= SHORTEST_PASSAGE and _as_words(text) in _as_words(whole)


@lru_cache(maxsize=64)
def _as_words(text: str) -> str:
    return f" {' '.join(tokenise(text))} "


def echoes_a_prompt(text: str) -> bool:
    """True if the text repeats a sentence of any prompt in this package."""
    return any(load_prompt(name).echoes(text) for name in prompt_names())


def prompt_names() -> list[str]:
    """The prompts in this package, by name."""
    return sorted(
        path.name.removesuffix(".md") for path in files(__name__).iterdir() if path.name.endswith(".md")
    )


@cache
def load_prompt(name: str) -> Prompt:
    """The prompt of that name; LookupError if there is none, ValueError if its file is malformed."""
    if name not in prompt_names():
        raise LookupError(f"there is no prompt {name!r}")
    from perdure.prompts.replies import ExtractReply, JudgeReply

    replies: dict[str, type[BaseModel]] = {"ExtractReply": ExtractReply, "JudgeReply": JudgeReply}
    return read_prompt(files(__name__).joinpath(f"{name}.md").read_text(encoding="utf-8"), replies)


def read_prompt(text: str, replies: Mapping[str, type[BaseModel]]) -> Prompt:
    """The prompt that the text of a file holds; `replies` are the shapes that it may name.

    ValueError or LookupError for a malformed file.
    """
    head = _HEAD.match(text)
    if head is None:
        raise ValueError("a prompt file begins with a front matter between two lines of three dashes")
    fields = dict(re.split(r":\s*", line, maxsplit=1) for line in head.group(1).splitlines())
    _, *parts = _SECTION.split(head.group(2))
    sections = {title: body.strip() for title, body in zip(parts[::2], parts[1::2], strict=True)}
    return Prompt(
        name=fields["name"],
        version=fields["version"],
        inputs=tuple(re.split(r",\s*", fields["inputs"])),
        system=sections["system"],
        user=sections["user"],
        reply=replies[fields["reply"]],
        examples=tuple(line.removeprefix("- ") for line in sections["examples"].splitlines()),
    )
