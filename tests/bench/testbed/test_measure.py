"""The measures tell right memories from wrong ones: each is shown to reach its best and its worst."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from bench.model import Turn
from bench.testbed.dials import Dials
from bench.testbed.feeding import Fed, Seen, Stored, feed
from bench.testbed.generate import generate
from bench.testbed.measure import Measure, Ratio, StoryResult, add_up, measure
from bench.testbed.run import measure_or_raise, score_pairs
from bench.testbed.story import Story
from tests.bench.testbed.by_hand import (
    ByRule,
    Perfect,
    Policy,
    by_rule,
    fact_of,
    keep_all,
    merge_all,
    perfect,
    retire_all,
)

SMALL = Dials(seed=3, filler=0)


def test_a_perfect_memory_gets_every_story_and_every_question_right() -> None:
    results = perfect(replace(SMALL, stories=4))
    assert [(r.id, r.faults, r.raised) for r in results if not r.is_right] == []
    assert [(r.id, a.kind) for r in results for a in r.answers if not a.is_right] == []


def test_a_perfect_memory_scores_every_pair() -> None:
    assert all(score.hits == score.total for score in score_pairs(perfect(SMALL)).values())


@pytest.mark.parametrize("policy", [keep_all, retire_all, merge_all])
def test_no_blanket_rule_scores_a_pair(policy: Policy) -> None:
    scores = score_pairs(by_rule(replace(SMALL, stories=4), policy))
    assert {kind for kind, score in scores.items() if score.hits} == set()


def test_a_memory_that_never_retires_misses_contradictions_and_retires_nothing_wrongly() -> None:
    totals = add_up(by_rule(SMALL, keep_all))
    missed = totals["missed_contradictions"]
    assert missed.hits == missed.total > 0
    assert totals["wrong_retirements"].hits == 0


def test_a_memory_that_retires_everything_retires_wrongly_and_misses_nothing() -> None:
    totals = add_up(by_rule(SMALL, retire_all))
    assert totals["wrong_retirements"].hits > 0
    assert totals["missed_contradictions"].hits < totals["missed_contradictions"].total / 4


def test_a_memory_that_merges_everything_merges_wrongly() -> None:
    assert add_up(by_rule(SMALL, merge_all))["wrong_merges"].hits > 0


def test_a_repeat_kept_twice_is_a_duplicate() -> None:
    totals = add_up(by_rule(replace(SMALL, kinds=("repeat.city",)), keep_all))
    assert totals["duplicates"] == Ratio(hits=1, total=3)


def test_a_stale_value_above_the_right_one_is_exposed() -> None:
    assert _exposed(["past", "holds"]) == {"stale_above": 1, "stale_as_current": 0, "stale_within_ten": 1}


def test_a_stale_value_below_the_right_one_stands_within_ten() -> None:
    assert _exposed(["holds", "past"]) == {"stale_above": 0, "stale_as_current": 0, "stale_within_ten": 1}


def test_no_stale_value_is_no_exposure() -> None:
    assert _exposed(["holds"]) == {"stale_above": 0, "stale_as_current": 0, "stale_within_ten": 0}


def test_a_stale_value_shown_as_current_is_exposed_as_such() -> None:
    assert _exposed(["holds", "past"], state="current")["stale_as_current"] == 1


def test_what_belongs_to_another_user_is_a_leak() -> None:
    story = _story("update.city")
    memory = _Shows(story, [Seen(text="Marvik", owner="somebody else", state="current", score=1.0)])
    assert measure_all(memory, story).measures["leaks"].hits == len(story.probes)


def test_what_was_never_stored_is_lost_and_not_retired() -> None:
    story = _story("update.city")
    result = measure_all(ByRule(policy=lambda stored, new: stored), story)
    assert result.measures["lost"] == Ratio(hits=2, total=2)
    assert "wrong_retirements" not in result.measures


def test_a_story_whose_feeding_raised_is_wrong_in_all_and_says_so() -> None:
    story = _story("update.city")
    result = measure_all(_Breaks(policy=keep_all), story)
    assert result.raised == "RuntimeError at t0"
    assert not result.is_right
    assert [a.is_right for a in result.answers] == [False] * len(story.probes)
    assert result.measures["lost"] == Ratio(hits=2, total=2)
    assert result.measures["missed_contradictions"] == Ratio(hits=1, total=1)


def test_a_value_that_ended_before_it_was_said_to_hold_is_no_right_timeline() -> None:
    story = _story("update.city")
    first = story.statements[0]
    early = replace(Perfect(story=story).facts("")[0], end=first.at - timedelta(days=9))
    memory = _Holds(story, [early, Perfect(story=story).facts("")[1]])
    assert measure_all(memory, story).faults == ("timeline",)


def test_a_forgotten_number_that_is_shown_makes_the_story_wrong() -> None:
    story = _story("forget")
    number = next(s.statement.value for s in story.statements if s.statement.value)
    memory = _Shows(story, [Seen(text=f"It is {number}.", owner=None, state="closed", score=0.1)])
    assert measure_all(memory, story).faults == ("unanswerable",)


@pytest.mark.parametrize(("score", "is_right"), [(0.1, True), (0.9, False)])
def test_what_nobody_told_is_answered_by_a_low_score(score: float, is_right: bool) -> None:
    story = _story("abstain")
    memory = _Shows(story, [Seen(text="Good morning!", owner=None, state="current", score=score)])
    assert [a.is_right for a in measure_all(memory, story).answers] == [is_right]


def measure_all(memory: ByRule | Perfect, story: Story) -> StoryResult:
    """Feed the story and measure it."""
    fed: Fed = feed(memory, [story], {story.id: story.case.turns}, batch=1, focus=lambda _: None)
    return measure_or_raise(memory, story, fed, SMALL)


def _story(kind: str) -> Story:
    return generate(replace(SMALL, kinds=(kind,)))[0]


def _exposed(order: list[str], *, state: str = "closed") -> dict[Measure, int]:
    """What of the exposure measures is hit if statements of these states are shown in this order."""
    story = _story("update.city")
    by_state = {s.state: fact_of(s.statement, s.at, n) for n, s in enumerate(story.statements)}
    seen = [
        Seen(
            text=by_state[name].text,
            owner=None,
            state="current" if name == "holds" else state,
            score=1.0,
            fact=by_state[name],
        )
        for name in ("past", "holds")
        if name in order
    ]
    seen.sort(key=lambda item: order.index("holds" if item.fact == by_state["holds"] else "past"))
    result = measure(
        _Shows(story, seen),
        story,
        {t.id: story.case.turns[0].at for t in story.case.turns},
        abstain_below=0.3,
    )
    names: tuple[Measure, ...] = ("stale_above", "stale_as_current", "stale_within_ten")
    return {name: result.measures[name].hits for name in names}


class _Shows(Perfect):
    """Holds the gold and answers every question with the same items."""

    def __init__(self, story: Story, seen: Sequence[Seen]) -> None:
        super().__init__(story=story)
        self._seen = seen

    def find(self, query: str, owner: str, **_: object) -> Sequence[Seen]:
        return self._seen


class _Holds(Perfect):
    """Holds these facts and answers right."""

    def __init__(self, story: Story, stored: Sequence[Stored]) -> None:
        super().__init__(story=story)
        self._stored = stored

    def facts(self, owner: str) -> Sequence[Stored]:
        return self._stored


class _Breaks(ByRule):
    """Takes in nothing."""

    def remember(self, turns: Sequence[Turn], owner: str) -> None:
        raise RuntimeError("no")
