"""The scripted model knows only what it is shown, answers by the gold, and errs as often as it is told to."""

from __future__ import annotations

import random
from collections import Counter
from typing import cast

import pytest

from bench.testbed.dials import Dials
from bench.testbed.faults import (
    OF_EXTRACT,
    OF_JUDGE,
    Decision,
    Fault,
    FaultName,
    Shown,
    draw_fault,
    spoil_decisions,
)
from bench.testbed.generate import generate
from bench.testbed.scripted import OracleModel, add_all, invalidate_all, look_up
from bench.testbed.story import GoldStatement, Story
from perdure.errors import ModelUnavailable, UnreadableReply
from perdure.ports import Question
from perdure.prompts import load_prompt, show_labelled, show_turn
from perdure.prompts.replies import ExtractReply, JudgeDecision, JudgeReply

RATE_SAMPLES = 4000


def _story(kind: str, half: int = 0) -> Story:
    return generate(Dials(kinds=(kind,), filler=2, languages=("en",)))[half]


def _note(gold: GoldStatement) -> str:
    return f"from {gold.at.isoformat()}, said {gold.at.isoformat()}"


def _judge_question(drafts: list[GoldStatement], candidates: list[GoldStatement]) -> Question:
    lines = [show_labelled(f"D{n}", g.statement.text, note=_note(g)) for n, g in enumerate(drafts, 1)]
    offers = [
        show_labelled(f"K{n}", g.statement.text, note=f"active, {_note(g)}")
        for n, g in enumerate(candidates, 1)
    ]
    return load_prompt("judge").question(drafts="\n".join(lines), candidates="\n".join(offers))


async def _judged(
    story: Story, drafts: list[GoldStatement], candidates: list[GoldStatement]
) -> list[JudgeDecision]:
    answer = await OracleModel([story]).ask(_judge_question(drafts, candidates))
    return cast("JudgeReply", answer.value).decisions  # the question asks for this reply


def _extract_question(story: Story) -> Question:
    shown = [
        show_turn(n, role=t.role, speaker=t.speaker, said_at=t.at, text=t.text)
        for n, t in enumerate(story.case.turns, 1)
    ]
    return load_prompt("extract").question(turns="\n".join(shown), instructions="")


async def test_extraction_gives_the_statements_of_the_turns_that_are_shown() -> None:
    story = _story("coexist.dogs", half=1)
    answer = await OracleModel([story]).ask(_extract_question(story))
    facts = cast("ExtractReply", answer.value).facts  # the question asks for this reply
    told = [(said.text, n) for n, t in enumerate(story.case.turns, 1) for said in t.statements]
    assert [(f.text, *f.turns) for f in facts] == told
    assert [f.ended for f in facts if "no longer" in f.text] == [True]


async def test_turns_that_no_story_holds_give_nothing() -> None:
    question = load_prompt("extract").question(
        turns=show_turn(1, role="user", speaker=None, said_at=None, text="I like rain."), instructions=""
    )
    answer = await OracleModel([_story("update.boat")]).ask(question)
    assert cast("ExtractReply", answer.value).facts == []  # the question asks for this reply


async def test_a_contradicted_candidate_is_named_and_quoted() -> None:
    story = _story("update.boat")
    old, new = story.statements
    (decision,) = await _judged(story, [new], [old])
    assert (decision.action, decision.target, decision.quote) == ("INVALIDATE", "K1", old.statement.text)


async def test_the_right_target_is_found_among_others_under_its_own_label() -> None:
    story = _story("chain.boat")
    (decision,) = await _judged(story, [story.statements[3]], list(story.statements[:3]))
    assert decision.target == "K3"


async def test_a_target_that_is_not_offered_is_not_found() -> None:
    story = _story("update.boat")
    other = _story("look_alike").statements[0]
    (decision,) = await _judged(story, [story.statements[1]], [other])
    assert (decision.action, decision.target) == ("ADD", None)


@pytest.mark.parametrize(
    ("kind", "half", "action"),
    [
        ("repeat.boat", 0, "NOOP"),
        ("repeat.boat", 1, "ADD"),
        ("refine", 0, "UPDATE"),
        ("refine", 1, "INVALIDATE"),
        ("conflict.boat", 0, "INVALIDATE"),
        ("correction.boat", 0, "INVALIDATE"),
        ("out_of_order.boat", 0, "ADD"),
        ("look_alike", 0, "ADD"),
        ("look_alike", 1, "INVALIDATE"),
        ("hypothetical.boat", 0, "ADD"),
        ("handover", 0, "INVALIDATE"),
        ("handover", 1, "ADD"),
    ],
)
async def test_the_verdict_is_that_of_the_gold(kind: str, half: int, action: str) -> None:
    story = _story(kind, half)
    (decision,) = await _judged(story, [story.statements[1]], [story.statements[0]])
    assert decision.action == action


async def test_each_draft_gets_its_own_decision() -> None:
    story = _story("chain.boat")
    first, second, third, fourth = story.statements
    decisions = await _judged(story, [second, fourth], [first, third])
    assert [(d.draft, d.target) for d in decisions] == [("D1", "K2"), ("D2", "K2")]


def test_of_two_statements_in_the_same_words_the_one_of_the_date_shown_is_meant() -> None:
    story = _story("revert.boat")
    first, _, third = story.statements
    assert first.statement.text == third.statement.text
    for gold in (first, third):
        note = f"active, from {gold.at.isoformat()}"
        assert look_up(story, Shown(label="K1", note=note, text=gold.statement.text)) == gold


async def test_a_rule_for_all_takes_the_place_of_the_gold() -> None:
    story = _story("hypothetical.boat")
    question = _judge_question([story.statements[1]], [story.statements[0]])
    for judge, action in ((add_all, "ADD"), (invalidate_all, "INVALIDATE")):
        answer = await OracleModel([story], judge=judge).ask(question)
        assert [d.action for d in cast("JudgeReply", answer.value).decisions] == [action]


@pytest.mark.parametrize("rate", [0.05, 0.10, 0.20])
@pytest.mark.parametrize(("purpose", "names"), [("extract", OF_EXTRACT), ("judge", OF_JUDGE)])
def test_faults_come_at_the_rate_given_each_as_often(
    rate: float, purpose: str, names: tuple[FaultName, ...]
) -> None:
    drawn = [
        draw_fault(random.Random(f"3|{n}"), rate, number=n, purpose=purpose) for n in range(RATE_SAMPLES)
    ]
    found = Counter(fault.name for fault in drawn if fault is not None)
    assert sum(found.values()) == pytest.approx(rate * RATE_SAMPLES, rel=0.1)
    assert set(found) == set(names)
    assert min(found.values()) > rate * RATE_SAMPLES / len(names) / 2


async def test_no_fault_comes_without_a_rate() -> None:
    story = _story("update.boat")
    model = OracleModel([story])
    for _ in range(50):
        await model.ask(_extract_question(story))
    assert (model.faults, model.asked) == ([], {"extract": 50, "judge": 0})


async def test_the_same_seed_brings_the_same_faults() -> None:
    story = _story("update.boat")
    runs = []
    for _ in range(2):
        model = OracleModel([story], rate=0.2, seed=4)
        for _ in range(40):
            await _ask_anyway(model, _extract_question(story))
        runs.append(model.faults)
    assert runs[0] == runs[1]
    assert 0 < len(runs[0]) < 20


async def _ask_anyway(model: OracleModel, question: Question) -> str:
    """What became of the question: the name of the failure, or of the reply's type."""
    try:
        answer = await model.ask(question)
    except (ModelUnavailable, UnreadableReply) as exc:
        return type(exc).__name__
    return type(answer.value).__name__


async def test_broken_json_and_time_outs_come_through_the_reader_and_the_gate_that_all_models_share() -> None:
    story = _story("update.boat")
    model = OracleModel([story], rate=1.0, seed=1)
    ends = Counter([await _ask_anyway(model, _extract_question(story)) for _ in range(60)])
    names = Counter(fault.name for fault in model.faults)
    assert ends["ModelUnavailable"] == names["time-out"] > 0
    assert ends["UnreadableReply"] > 0
    assert sum(ends.values()) == 60


def test_each_fault_of_a_judge_spoils_the_decision_in_its_own_way() -> None:
    shown = [Shown(label=f"K{n}", note="", text=f"Fact {n}.") for n in (1, 2)]
    right: Decision = {
        "draft": "D1",
        "action": "INVALIDATE",
        "target": "K1",
        "quote": "Fact 1.",
        "reason": "",
    }

    def spoilt(name: FaultName) -> list[Decision]:
        fault = Fault(number=1, purpose="judge", name=name)
        return spoil_decisions([right], shown, fault, random.Random(2))

    assert spoilt("wrong operation")[0]["action"] != "INVALIDATE"
    assert spoilt("invented label")[0]["target"] == "K97"
    assert spoilt("other label")[0]["target"] in ("K1", "K2")
    assert (spoilt("wrong quote")[0]["target"], spoilt("wrong quote")[0]["quote"]) != ("K1", "Fact 1.")
    assert {d["action"] for d in spoilt("invalidate all")} == {"INVALIDATE"}
    assert [d["draft"] for d in spoilt("repeated decision")] == ["D1", "D1"]
