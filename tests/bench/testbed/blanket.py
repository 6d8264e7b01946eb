"""The engine with a judge who follows one rule whatever is said."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from bench.testbed.dials import Dials
from bench.testbed.feeding import PerdureUnderTest, feed
from bench.testbed.generate import ASKED_AT
from bench.testbed.measure import StoryResult
from bench.testbed.run import measure_or_raise, memory_of
from bench.testbed.scripted import Judge, OracleModel
from bench.testbed.story import Story
from perdure.testing import FixedClock


def run_blanket(stories: Sequence[Story], judge: Judge) -> list[StoryResult]:
    """Each story in a memory of its own, with perfect extraction."""
    results = []
    for story in stories:
        oracle = OracleModel([story], judge=judge)
        clock = FixedClock(ASKED_AT, step=timedelta(seconds=1))
        with memory_of()(oracle, clock) as memory:
            under_test = PerdureUnderTest(memory, clock)
            fed = feed(under_test, [story], {story.id: story.case.turns}, batch=1, focus=oracle.focus)
            results.append(measure_or_raise(under_test, story, fed, Dials()))
    return results
