"""The shapes in which chat models answer. Imported with the first prompt, not with perdure.

Models are forgiven in what is optional: a field of the wrong type takes its default, so that one bad
field does not cost the fact. What makes a member useful (a fact's text, a draft's label) is required.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Annotated, ClassVar, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

Names: TypeAlias = dict[str, tuple[str, ...]]

DEFAULT_CONFIDENCE = 0.8

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_NO_VALUE = frozenset({"", "null", "none", "n/a", "na", "unknown", "undefined"})


class Reply(BaseModel):
    """A part of an answer. other_names: what models call a field instead, most telling first.

    bare_text: the field that a plain string stands for, if a string can stand for the whole.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    other_names: ClassVar[Names] = {}
    bare_text: ClassVar[str | None] = None


def _text(value: object) -> str:
    """Text, a number as text, or nothing."""
    if isinstance(value, str):
        return "" if value.strip().casefold() in _NO_VALUE else value.strip()
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return ""


def _optional_text(value: object) -> str | None:
    return _text(value) or None


def _needed_text(value: object) -> object:
    return value.strip() if isinstance(value, str) else value


def _one_of(*words: str) -> Callable[[object], str | None]:
    """The word that a reply names in any case, else None."""

    def choose(value: object) -> str | None:
        plain = _text(value).casefold()
        return plain if plain in words else None

    return choose


def _kind(value: object) -> str:
    return "event" if _text(value).casefold() == "event" else "state"


def _truth(value: object) -> bool:
    return value is True or _text(value).casefold() in {"true", "yes", "1"}


def _confidence(value: object) -> float:
    """A number in [0, 1]; "90%" and 90 mean 0.9; anything else is the default."""
    is_percent = isinstance(value, str) and value.strip().endswith("%")
    try:
        number = float(_text(value).rstrip("%"))
    except ValueError:
        return DEFAULT_CONFIDENCE
    if is_percent or 2 <= number <= 100:
        number /= 100
    return number if math.isfinite(number) and 0 <= number <= 1 else DEFAULT_CONFIDENCE


def _labels(value: object) -> list[int]:
    """Turn labels out of 2, "2", 2.0, "[2]", "2, 3", [2, "3"]; what is no whole number is left out."""
    items = value if isinstance(value, list) else [value]
    found: list[int] = []
    for item in items:
        found += [int(float(n)) for n in _NUMBER.findall(_text(item)) if len(n) < 10 and float(n) % 1 == 0]
    return list(dict.fromkeys(found))


def _name_kinds(value: object) -> list[object]:
    """Entities: objects as they are, plain strings as names; the rest is left out."""
    items = value if isinstance(value, list) else [value]
    named: list[object] = []
    for item in items:
        if isinstance(item, str) and _text(item):
            named.append({"name": item})
        elif isinstance(item, dict) and _text(item.get("name")):
            named.append(item)
    return named


def _full_relations(value: object) -> list[object]:
    """Relations with both ends and a label; the rest is left out."""
    items = value if isinstance(value, list) else [value]
    ends = ("source", "label", "target")
    return [r for r in items if isinstance(r, dict) and all(_text(r.get(end)) for end in ends)]


Text: TypeAlias = Annotated[str, BeforeValidator(_text)]
OptionalText: TypeAlias = Annotated[str | None, BeforeValidator(_optional_text)]
NeededText: TypeAlias = Annotated[str, BeforeValidator(_needed_text), Field(min_length=1)]
NeededLabel: TypeAlias = Annotated[str, BeforeValidator(_text), Field(min_length=1)]


class NamedEntity(Reply):
    """A name in a fact. kind: person, place, organisation, thing or other."""

    name: Text
    kind: Annotated[str, BeforeValidator(lambda kind: _text(kind).casefold() or "other")] = "other"


class NamedRelation(Reply):
    """A typed edge between two names."""

    source: Text
    label: Text
    target: Text


class ExtractedFact(Reply):
    """One statement that stands alone. turns: the labels of the turns it rests on.

    valid_from, valid_to: ISO 8601 as written, not yet read. ended: the statement says that it stopped.
    """

    bare_text: ClassVar[str | None] = "text"
    other_names: ClassVar[Names] = {
        "text": (
            "fact",
            "memory",
            "statement",
            "content",
            "sentence",
            "summary",
            "entity_name",
            "data",
            "description",
        ),
        "valid_from": ("start", "start_date", "from", "since", "date", "event_date"),
        "valid_to": ("end", "end_date", "to", "until"),
        "turns": ("turn", "sources", "source_turns", "turn_ids"),
        "kind": ("type",),
        "attribute": ("predicate", "property"),
        "confidence": ("score", "certainty"),
    }

    text: NeededText
    subject: Text = ""
    attribute: OptionalText = None
    value: OptionalText = None
    cardinality: Annotated[Literal["single", "multi"] | None, BeforeValidator(_one_of("single", "multi"))] = (
        None
    )
    kind: Annotated[Literal["state", "event"], BeforeValidator(_kind)] = "state"
    valid_from: OptionalText = None
    valid_to: OptionalText = None
    ended: Annotated[bool, BeforeValidator(_truth)] = False
    turns: Annotated[list[int], BeforeValidator(_labels)] = []
    entities: Annotated[list[NamedEntity], BeforeValidator(_name_kinds)] = []
    relations: Annotated[list[NamedRelation], BeforeValidator(_full_relations)] = []
    confidence: Annotated[float, BeforeValidator(_confidence)] = DEFAULT_CONFIDENCE


class ExtractReply(Reply):
    """The facts found; an empty list means that nothing was worth keeping."""

    other_names: ClassVar[Names] = {
        "facts": (
            "fact",
            "memories",
            "memory",
            "extracted_facts",
            "statements",
            "items",
            "results",
            "data",
        )
    }

    facts: list[ExtractedFact]


class JudgeDecision(Reply):
    """What to do with one draft. draft, target: labels as they were shown. quote: words of the target.

    action is as written; the caller reads it and treats unknown words as unknown.
    """

    other_names: ClassVar[Names] = {
        "draft": ("draft_id", "draft_label", "fact", "new", "label", "id"),
        "action": ("event", "operation", "decision", "verdict", "type"),
        "target": ("target_id", "target_label", "candidate", "existing", "of"),
        "quote": ("evidence", "quoted", "target_quote"),
        "reason": ("why", "explanation", "rationale", "reasoning"),
    }

    draft: NeededLabel
    action: Text = ""
    target: OptionalText = None
    quote: OptionalText = None
    reason: Text = ""


class JudgeReply(Reply):
    """One decision a draft."""

    other_names: ClassVar[Names] = {
        "decisions": (
            "decision",
            "actions",
            "operations",
            "results",
            "memory",
            "memories",
            "verdicts",
            "items",
        )
    }

    decisions: list[JudgeDecision]
