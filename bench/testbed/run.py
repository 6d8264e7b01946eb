"""Feed all stories of some dials to a memory, and measure. Nothing is printed here."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import ClassVar, Literal, TypeAlias

from bench.model import Turn
from bench.testbed.cast import shuffled
from bench.testbed.dials import Dials
from bench.testbed.feeding import FAULTS, Fed, PerdureUnderTest, UnderTest, feed
from bench.testbed.generate import ASKED_AT, generate, hash_of
from bench.testbed.matching import periods_of
from bench.testbed.measure import Measure, Ratio, StoryResult, add_up, measure, raised_result
from bench.testbed.scripted import OracleModel
from bench.testbed.story import ProbeKind, Story
from perdure import Memory
from perdure.ports import Embedder, Model
from perdure.testing import CountingIds, FixedClock

Mode: TypeAlias = Literal["oracle", "faulty-5", "faulty-10", "faulty-20", "rules"]
MODES: tuple[Mode, ...] = ("oracle", "faulty-5", "faulty-10", "faulty-20", "rules")
RATES: Mapping[Mode, float] = {"oracle": 0.0, "faulty-5": 0.05, "faulty-10": 0.10, "faulty-20": 0.20}
MemoryFactory: TypeAlias = "Callable[[Model | None, FixedClock], Memory]"
TimelineKey: TypeAlias = "tuple[tuple[str, str, str], ...]"


@dataclass(frozen=True, slots=True, kw_only=True)
class TestbedResult:
    """What a run came to. sha256: of the stories. pairs: right pairs of all, by kind.

    halves: right stories of all, by kind. answers: right ones of all, by kind of question. permutations:
    further orders that end in the same timelines, of all that were fed; none with a model that errs by
    chance, which would be measured instead. asked, faults: questions to the
    model by purpose and faults by name. raised: what feeding a story ended with, by story.
    """

    __test__: ClassVar[bool] = False  # no test class, whatever pytest makes of the name

    mode: Mode
    dials: Dials
    sha256: str
    stories: tuple[StoryResult, ...]
    pairs: Mapping[str, Ratio]
    halves: Mapping[str, Ratio]
    measures: Mapping[Measure, Ratio]
    answers: Mapping[ProbeKind, Ratio]
    permutations: Mapping[str, Ratio]
    asked: Mapping[str, int]
    faults: Mapping[str, int]
    raised: Mapping[str, str]

    @property
    def abstain_scores(self) -> Mapping[str, tuple[float, ...]]:
        """The best scores of questions by whether the story answers them, to choose a threshold by."""
        return {
            kind: tuple(a.score for r in self.stories for a in r.answers if a.kind == kind)
            for kind in ("unanswerable", "answerable")
        }

    @property
    def pair_score(self) -> Ratio:
        """Right pairs of all pairs."""
        return _sum(self.pairs)


def _sum(ratios: Mapping[str, Ratio]) -> Ratio:
    total = Ratio()
    for ratio in ratios.values():
        total = total + ratio
    return total


def memory_of(embedder: str | Embedder = "hashing") -> MemoryFactory:
    """Memories that keep nothing, of this embedder, with the clock that is given and ids that count."""

    def make(model: Model | None, clock: FixedClock) -> Memory:
        return Memory(
            ":memory:",
            embedder=embedder,
            model=model or "rules",
            strong_model=model,
            clock=clock,
            new_id=CountingIds(),
        )

    return make


def run_testbed(dials: Dials, memory_factory: MemoryFactory, mode: Mode) -> TestbedResult:
    """Generate the stories, feed each group of `users` of them to a memory of its own, and measure."""
    stories = generate(dials)
    run = _Run(dials, memory_factory, mode)
    groups = [stories[at : at + dials.users] for at in range(0, len(stories), dials.users)]
    with _quiet():
        results = [result for group in groups for result in run.group(group)]
    return TestbedResult(
        mode=mode,
        dials=dials,
        sha256=hash_of(stories),
        stories=tuple(results),
        pairs=score_pairs(results),
        halves=_by_kind(results),
        measures=add_up(results),
        answers=_by_question(results),
        permutations=run.permutations,
        asked=run.asked,
        faults=run.faults,
        raised={r.id: r.raised for r in results if r.raised},
    )


@contextmanager
def _quiet() -> Iterator[None]:
    """Let warnings of the engine, which a faulty model brings about, not fall through to the terminal."""
    log, handler = logging.getLogger("perdure"), logging.NullHandler()
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)


def score_pairs(results: Sequence[StoryResult]) -> dict[str, Ratio]:
    """By kind: pairs of which both halves are right, of all pairs."""
    halves: dict[tuple[str, str], list[bool]] = {}
    for r in results:
        halves.setdefault((r.kind, r.pair), []).append(r.is_right)
    scores: dict[str, Ratio] = {}
    for (kind, _), rights in halves.items():
        is_right = len(rights) == 2 and all(rights)
        scores[kind] = scores.get(kind, Ratio()) + Ratio(hits=int(is_right), total=1)
    return scores


def _by_kind(results: Sequence[StoryResult]) -> dict[str, Ratio]:
    scores: dict[str, Ratio] = {}
    for r in results:
        name = f"{r.kind} {r.half}"
        scores[name] = scores.get(name, Ratio()) + Ratio(hits=int(r.is_right), total=1)
    return scores


def _by_question(results: Sequence[StoryResult]) -> dict[ProbeKind, Ratio]:
    scores: dict[ProbeKind, Ratio] = {}
    for answer in (a for r in results for a in r.answers):
        scores[answer.kind] = scores.get(answer.kind, Ratio()) + Ratio(hits=int(answer.is_right), total=1)
    return scores


class _Run:
    """One run: opens memories, counts what the model was asked."""

    def __init__(self, dials: Dials, factory: MemoryFactory, mode: Mode) -> None:
        self._dials = dials
        self._factory = factory
        self._mode: Mode = mode
        self.asked: dict[str, int] = {}
        self.faults: dict[str, int] = {}
        self.permutations: dict[str, Ratio] = {}

    def group(self, stories: Sequence[Story]) -> list[StoryResult]:
        """Feed stories to one memory and measure each; then their steps alone, in other orders."""
        oracle = self._oracle(stories)
        clock = FixedClock(ASKED_AT, step=timedelta(seconds=1))
        with self._factory(oracle, clock) as memory:
            under_test = PerdureUnderTest(memory, clock)
            turns = {s.id: s.case.turns for s in stories}
            fed = self._feed(under_test, stories, turns, oracle)
            results = [measure_or_raise(under_test, s, fed, self._dials) for s in stories]
            for story in stories if RATES.get(self._mode, 0.0) == 0.0 else ():
                self._permute(under_test, story, oracle)
        self._count(oracle)
        return results

    def _permute(self, memory: UnderTest, story: Story, oracle: OracleModel | None) -> None:
        """Count the further orders of the steps that end in the timelines of the first order.

        What stores nothing is the same in every order, and counts as wrong.
        """
        steps = {s.turn for s in story.statements}
        told = sorted((t for t in story.case.turns if t.id in steps), key=lambda t: t.at)
        if story.is_ordered or len(told) < 2 or self._dials.shuffles == 0:
            return
        rng = random.Random(f"{self._dials.seed}|{story.pair}|orders")
        first = self._timelines(memory, story, told, 0, oracle)
        orders = [_other_order(rng, told) for _ in range(self._dials.shuffles)]
        for n, order in enumerate((o for at, o in enumerate(orders) if o not in orders[:at]), start=1):
            is_same = self._timelines(memory, story, order, n, oracle) == first
            ratio = Ratio(hits=int(is_same and _is_filled(first, story)), total=1)
            self.permutations[story.kind] = self.permutations.get(story.kind, Ratio()) + ratio

    def _timelines(
        self, memory: UnderTest, story: Story, turns: Sequence[Turn], n: int, oracle: OracleModel | None
    ) -> tuple[TimelineKey, ...] | None:
        """The timelines of all slots after these turns, fed to a user of their own; None if that raised."""
        again = replace(story, case=replace(story.case, owner=f"{story.case.owner}/{n}"))
        fed = self._feed(memory, [again], {story.id: turns}, oracle)
        if fed.raised:
            return None
        facts = memory.facts(again.case.owner)
        return tuple(
            tuple((p.value, str(p.start), str(p.end)) for p in periods_of(facts, again, slot))
            for slot in again.slots
        )

    def _feed(
        self,
        memory: UnderTest,
        stories: Sequence[Story],
        turns: Mapping[str, Sequence[Turn]],
        oracle: OracleModel | None,
    ) -> Fed:
        return feed(
            memory, stories, turns, batch=self._dials.batch, focus=oracle.focus if oracle else lambda _: None
        )

    def _oracle(self, stories: Sequence[Story]) -> OracleModel | None:
        if self._mode == "rules":
            return None
        seed = int(hash_of(stories)[:8], 16) + self._dials.seed
        return OracleModel(stories, rate=RATES[self._mode], seed=seed)

    def _count(self, oracle: OracleModel | None) -> None:
        if oracle is None:
            return
        for purpose, count in oracle.asked.items():
            self.asked[purpose] = self.asked.get(purpose, 0) + count
        for fault in oracle.faults:
            self.faults[fault.name] = self.faults.get(fault.name, 0) + 1


def measure_or_raise(memory: UnderTest, story: Story, fed: Fed, dials: Dials) -> StoryResult:
    """The story's result; a story that raised while it was fed or measured is wrong, and says so."""
    if story.id in fed.raised:
        return raised_result(story, fed.raised[story.id])
    try:
        return measure(memory, story, fed.known[story.id], abstain_below=dials.abstain_below)
    except FAULTS as exc:
        return raised_result(story, f"{type(exc).__name__} in measuring")


def _is_filled(timelines: tuple[TimelineKey, ...] | None, story: Story) -> bool:
    """True if something is held of every slot of which something is true."""
    return timelines is not None and all(
        line for line, slot in zip(timelines, story.slots, strict=True) if slot.periods
    )


def _other_order(rng: random.Random, turns: Sequence[Turn]) -> list[Turn]:
    """An order by chance that is not the one in which things were said."""
    told = sorted(turns, key=lambda t: t.at)
    order = shuffled(rng, told)
    return order if order != told else order[::-1]
