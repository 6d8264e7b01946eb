"""A model that knows the stories: it extracts what was told and judges by the gold, or by a rule for all.

It sees what any model sees, the text of the prompt, and answers in text that the one reply parser reads.
Turns, drafts and candidates are looked up by their words: a target that was not offered is not found.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import TypeAlias

from bench.testbed.faults import (
    Decision,
    Fault,
    Shown,
    as_json,
    break_json,
    draw_fault,
    spoil_decisions,
    spoil_facts,
)
from bench.testbed.story import CONTRADICTS, SAYS_THE_SAME, GoldStatement, Story
from perdure.models.structured import StructuredModel
from perdure.models.transport import FormatKind, Message, RawReply, ReplyFormat
from perdure.ports import Answer, Question
from perdure.remote.failures import EndpointFailure, FailureKind
from perdure.testing import ScriptedTime

NAME = "testbed/oracle"
_FENCED = re.compile(r"<data>\n(.*?)\n</data>", re.DOTALL)
_TURN = re.compile(r"\[(\d+)\] (?:\(time unknown\)|\S+) .*? \((?:user|assistant)\): (.*)")
_LABELLED = re.compile(r"\[([DK]\d+)\] \((.*?)\) (.*)")
_FROM = re.compile(r"\bfrom ([0-9-]+)")
_SAID = re.compile(r"\bsaid ([0-9T:-]+)")

Judge: TypeAlias = "Callable[[Sequence[Shown], Sequence[Shown]], list[Decision]]"


def add_all(drafts: Sequence[Shown], candidates: Sequence[Shown]) -> list[Decision]:
    """The rule that nothing changes anything."""
    return [_decision(d, "ADD", None) for d in drafts]


def invalidate_all(drafts: Sequence[Shown], candidates: Sequence[Shown]) -> list[Decision]:
    """The rule that whatever is new retires what was offered first."""
    return [_decision(d, "INVALIDATE", candidates[0]) for d in drafts]


class OracleModel:
    """See `perdure.ports.Model`. rate: the share of questions with a fault.

    judge: a rule for all instead of the gold. `focus` names the story that is being fed; without it all
    stories are looked through. `faults` and `asked` tell what went wrong and how much was asked, by purpose.
    Nothing waits.
    """

    def __init__(
        self, stories: Sequence[Story], *, rate: float = 0.0, seed: int = 0, judge: Judge | None = None
    ) -> None:
        self._transport = _OracleTransport(stories, judge)
        self._model = StructuredModel(self._transport, gate=ScriptedTime().gate())
        self._rate = rate
        self._seed = seed
        self.asked: dict[str, int] = {"extract": 0, "judge": 0}
        self.faults: list[Fault] = []

    @property
    def name(self) -> str:
        return self._model.name

    def focus(self, story: Story | None) -> None:
        """What is asked from now on is about this story."""
        self._transport.story = story

    async def ask(self, question: Question) -> Answer:
        self.asked[question.purpose] += 1
        number = sum(self.asked.values())
        luck = random.Random(f"{self._seed}|{number}")
        fault = draw_fault(luck, self._rate, number=number, purpose=question.purpose)
        if fault is not None:
            self.faults.append(fault)
        self._transport.fault, self._transport.luck = fault, luck
        return await self._model.ask(question)

    async def close(self) -> None:
        await self._model.close()


class _OracleTransport:
    """Computes each reply from the messages. A time-out lasts for the whole question, other faults once."""

    formats: tuple[FormatKind, ...] = ("json_schema",)

    def __init__(self, stories: Sequence[Story], judge: Judge | None) -> None:
        self._stories = stories
        self._judge = judge
        self.story: Story | None = None
        self.fault: Fault | None = None
        self.luck = random.Random(0)

    @property
    def name(self) -> str:
        return NAME

    async def complete(
        self, messages: Sequence[Message], reply_format: ReplyFormat, max_tokens: int
    ) -> RawReply:
        fault = self.fault
        if fault is not None and fault.name == "time-out":
            raise EndpointFailure(FailureKind.UNAVAILABLE, "no answer in time")
        is_first = len(messages) == 2
        answer = self._extract if reply_format.name == "extract" else self._decide
        text = answer(messages[1].text, fault if is_first else None)
        is_broken = fault is not None and fault.name == "broken json"
        if is_broken and (is_first or self.luck.random() < 0.5):
            text = break_json(text, self.luck)
        return RawReply(text=text, model=NAME)

    async def close(self) -> None:
        """Nothing is held."""

    def _looked_at(self) -> Sequence[Story]:
        return self._stories if self.story is None else [self.story]

    def _extract(self, prompt: str, fault: Fault | None) -> str:
        facts: list[dict[str, object]] = []
        for label, text in _TURN.findall(_sections(prompt)[-1]):
            found = next((t for s in self._looked_at() for t in s.case.turns if t.text == text), None)
            if found is not None:
                facts += [{**asdict(said), "turns": [int(label)]} for said in found.statements]
        if fault is not None:
            facts = spoil_facts(facts, fault, self.luck)
        return as_json("facts", facts)

    def _decide(self, prompt: str, fault: Fault | None) -> str:
        drafts, candidates = (_shown(section) for section in _sections(prompt)[-2:])
        decisions = (self._judge or self._by_gold)(drafts, candidates)
        if fault is not None:
            decisions = spoil_decisions(decisions, candidates, fault, self.luck)
        return as_json("decisions", decisions)

    def _by_gold(self, drafts: Sequence[Shown], candidates: Sequence[Shown]) -> list[Decision]:
        return [self._verdict(d, candidates) for d in drafts]

    def _verdict(self, draft: Shown, candidates: Sequence[Shown]) -> Decision:
        """By the story that is fed, or by the one that knows most of the candidates."""
        stories = self._looked_at()
        if len(stories) > 1:
            stories = sorted(stories, key=lambda s: -sum(look_up(s, c) is not None for c in candidates))
        for story in stories:
            new = look_up(story, draft)
            if new is not None:
                return _against(story, draft, new, candidates)
        return _decision(draft, "ADD", None)


def _against(story: Story, draft: Shown, new: GoldStatement, candidates: Sequence[Shown]) -> Decision:
    """What the gold says of the draft and the candidates: the same before a change, the latest first."""
    known = [(c, old) for c in candidates if (old := look_up(story, c)) is not None and old.key != new.key]
    known.sort(key=lambda pair: pair[1].at, reverse=True)
    for candidate, old in known:
        name = story.relation(new.key, old.key)
        if name in SAYS_THE_SAME:
            return _decision(draft, "NOOP" if name == "same" else "UPDATE", candidate)
    for candidate, old in known:
        if story.relation(new.key, old.key) in CONTRADICTS:
            return _decision(draft, "INVALIDATE", candidate)
    return _decision(draft, "ADD", None)


def look_up(story: Story, shown: Shown) -> GoldStatement | None:
    """The statement of these words; of several, the one of the date that is shown."""
    same = [s for s in story.statements if s.statement.text == shown.text]
    dated = [s for s in same if _is_dated(s, shown.note)]
    return next(iter(dated or same), None)


def _is_dated(statement: GoldStatement, note: str) -> bool:
    said, since = _SAID.search(note), _FROM.search(note)
    if said is not None:
        return statement.at.isoformat().startswith(said[1])
    start = statement.statement.valid_from or statement.at.date().isoformat()
    return since is not None and since[1].startswith(start)


def _sections(prompt: str) -> list[str]:
    return _FENCED.findall(prompt)


def _shown(section: str) -> list[Shown]:
    return [Shown(label=label, note=note, text=text) for label, note, text in _LABELLED.findall(section)]


def _decision(draft: Shown, action: str, target: Shown | None) -> Decision:
    return {
        "draft": draft.label,
        "action": action,
        "target": target.label if target else None,
        "quote": target.text if target else None,
        "reason": "",
    }
