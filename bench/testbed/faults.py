"""What a model gets wrong, by chance of a seed: one fault a question, in a given share of the questions."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from bench.testbed.cast import choose

Decision: TypeAlias = "dict[str, str | None]"
FaultName: TypeAlias = Literal[
    "dropped fact",
    "invented turn",
    "wrong operation",
    "invented label",
    "other label",
    "wrong quote",
    "invalidate all",
    "repeated decision",
    "broken json",
    "time-out",
]
OF_EXTRACT: tuple[FaultName, ...] = ("dropped fact", "invented turn", "broken json", "time-out")
OF_JUDGE: tuple[FaultName, ...] = (
    "wrong operation",
    "invented label",
    "other label",
    "wrong quote",
    "invalidate all",
    "repeated decision",
    "broken json",
    "time-out",
)
INVENTED_LABEL, INVENTED_TURN = "K97", 97
INVENTED_QUOTE = "Somebody once said something about that."


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What goes wrong with one question. number: of the question, from 1."""

    number: int
    purpose: str
    name: FaultName


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A candidate or a draft as the model saw it."""

    label: str
    note: str
    text: str


def draw_fault(rng: random.Random, rate: float, *, number: int, purpose: str) -> Fault | None:
    """A fault in `rate` of all cases, each of its purpose equally often."""
    luck = rng.random()
    name = choose(rng, OF_EXTRACT if purpose == "extract" else OF_JUDGE)
    return Fault(number=number, purpose=purpose, name=name) if luck < rate else None


def spoil_facts(
    facts: Sequence[Mapping[str, object]], fault: Fault, rng: random.Random
) -> list[dict[str, object]]:
    """The facts with one of them left out, or resting on a turn that does not exist."""
    kept = [dict(fact) for fact in facts]
    if not kept:
        return kept
    at = int(rng.random() * len(kept))
    if fault.name == "dropped fact":
        del kept[at]
    elif fault.name == "invented turn":
        kept[at]["turns"] = [INVENTED_TURN]
    return kept


def spoil_decisions(
    decisions: Sequence[Decision], candidates: Sequence[Shown], fault: Fault, rng: random.Random
) -> list[Decision]:
    """The decisions with one fault in one of them, or in all."""
    spoilt = [dict(decision) for decision in decisions]
    if not spoilt or not candidates:
        return spoilt
    at = int(rng.random() * len(spoilt))
    wrong = choose(rng, candidates)
    decision = spoilt[at]
    if fault.name == "wrong operation":
        spoilt[at] = _with_other_action(decision, wrong, rng)
    elif fault.name == "invented label":
        spoilt[at] = _aimed(decision, Shown(label=INVENTED_LABEL, note="", text=wrong.text))
    elif fault.name == "other label":
        spoilt[at] = _aimed(decision, wrong)
    elif fault.name == "wrong quote":
        spoilt[at] = {**_aimed(decision, _target(decision, candidates) or wrong), "quote": INVENTED_QUOTE}
    elif fault.name == "invalidate all":
        spoilt = [_aimed({**d, "action": "INVALIDATE"}, wrong) for d in spoilt]
    elif fault.name == "repeated decision":
        spoilt.append(_with_other_action(decision, wrong, rng))
    return spoilt


def _with_other_action(decision: Decision, target: Shown, rng: random.Random) -> Decision:
    others = [a for a in ("ADD", "NOOP", "UPDATE", "INVALIDATE") if a != decision["action"]]
    action = choose(rng, others)
    if action == "ADD":
        return {**decision, "action": action, "target": None, "quote": None}
    aimed = decision if decision["target"] else _aimed(decision, target)
    return {**aimed, "action": action}


def _aimed(decision: Decision, target: Shown) -> Decision:
    """The decision on another target; one that had none becomes an INVALIDATE."""
    action = decision["action"] if decision["action"] != "ADD" else "INVALIDATE"
    return {**decision, "action": action, "target": target.label, "quote": target.text}


def _target(decision: Decision, candidates: Sequence[Shown]) -> Shown | None:
    return next((c for c in candidates if c.label == decision["target"]), None)


def break_json(text: str, rng: random.Random) -> str:
    """The reply cut in the middle, in prose instead, or with its brackets lost."""
    ways = (text[: len(text) // 2], "I would rather not say.", text.replace("[", "").replace("}", ""))
    return choose(rng, ways)


def as_json(name: str, members: Sequence[Mapping[str, object]]) -> str:
    return json.dumps({name: list(members)}, ensure_ascii=False)
