"""What a memory made of a story: every measure as a count out of a count, without any model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

from bench.model import TurnId
from bench.testbed.feeding import Seen, Stored, UnderTest
from bench.testbed.matching import Carried, are_periods_right, carried, is_start_right, periods_of, shows
from bench.testbed.story import GoldStatement, Mark, Period, Probe, ProbeKind, SlotGold, State, Story

TOP = 10
SHOWN_STATES = frozenset({"current", "upcoming", "disputed", "suspect"})
TRUE_ONCE: frozenset[State] = frozenset({"holds", "disputed", "past"})
Measure: TypeAlias = Literal[
    "wrong_retirements",
    "missed_contradictions",
    "undecided",
    "lost",
    "filler_lost",
    "wrong_merges",
    "duplicates",
    "slots_right",
    "stale_above",
    "stale_as_current",
    "stale_within_ten",
    "leaks",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratio:
    """How many of how many. Adding up two is adding both parts."""

    hits: int = 0
    total: int = 0

    def __add__(self, other: Ratio) -> Ratio:
        return Ratio(hits=self.hits + other.hits, total=self.total + other.total)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """One question. score: of the best item, 0 if there is none."""

    kind: ProbeKind
    is_right: bool
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryResult:
    """What came of one story. faults: why it is not right, in fixed words; empty if it is.

    raised: what feeding or measuring it ended with, "" if nothing.
    """

    id: str
    pair: str
    kind: str
    half: str
    language: str
    is_right: bool
    faults: tuple[str, ...]
    measures: Mapping[Measure, Ratio] = field(default_factory=dict)
    answers: tuple[Answered, ...] = ()
    raised: str = ""


def measure(
    memory: UnderTest, story: Story, known: Mapping[TurnId, datetime], *, abstain_below: float
) -> StoryResult:
    """Compare what is stored after the story was fed, and what is found, with its gold.

    known: the record time after each turn.
    """
    facts = memory.facts(story.case.owner)
    found = {s.key: carried(facts, s) for s in story.statements}
    tally = _Tally()
    decided = _Decided(memory, story.case.owner)
    for gold in story.statements:
        _judge_statement(tally, decided, gold, found[gold.key])
    for gold in story.filler.values():
        _judge_filler(tally, decided, gold, carried(facts, gold))
    _judge_duplicates(tally, story, found)
    for slot in story.slots:
        is_right = not slot.periods or are_periods_right(periods_of(facts, story, slot), slot)
        tally.note("slots_right", is_right, "" if is_right else "timeline")
    answers = []
    for probe in story.probes:
        seen = _find(memory, story, probe, known)
        _judge_exposure(tally, story, probe, seen)
        answers.append(_answer(story, probe, seen, facts, abstain_below))
    for kind in story.must:
        if not all(a.is_right for a in answers if a.kind == kind):
            tally.faults.add(kind)
    return StoryResult(
        id=story.id,
        pair=story.pair,
        kind=story.kind,
        half=story.half,
        language=story.language,
        is_right=not tally.faults,
        faults=tuple(sorted(tally.faults)),
        measures=tally.counts,
        answers=tuple(answers),
    )


def raised_result(story: Story, what: str) -> StoryResult:
    """The result of a story that could not be fed or measured: wrong, with every question wrong."""
    answers = tuple(Answered(kind=p.kind, is_right=False, score=0.0) for p in story.probes)
    return StoryResult(
        id=story.id,
        pair=story.pair,
        kind=story.kind,
        half=story.half,
        language=story.language,
        is_right=False,
        faults=("raised",),
        measures=_all_wrong(story),
        answers=answers,
        raised=what,
    )


def _all_wrong(story: Story) -> Mapping[Measure, Ratio]:
    """The worst that can be said of each statement and each slot."""
    once = len([s for s in story.statements if s.state in TRUE_ONCE])
    holding = len([s for s in story.statements if s.state in ("holds", "disputed")])
    ended = len([s for s in story.statements if s.state not in ("holds", "disputed", "unscored")])
    return {
        "lost": Ratio(hits=once, total=once),
        "wrong_retirements": Ratio(hits=holding, total=holding),
        "missed_contradictions": Ratio(hits=ended, total=ended),
        "slots_right": Ratio(hits=0, total=len(story.slots)),
    }


class _Tally:
    """Counts and faults of one story."""

    def __init__(self) -> None:
        self.counts: dict[Measure, Ratio] = {}
        self.faults: set[str] = set()

    def note(self, name: Measure, is_hit: bool, fault: str = "") -> None:
        """One opportunity, and whether it was taken. fault: what makes the story wrong, "" if nothing."""
        self.counts[name] = self.counts.get(name, Ratio()) + Ratio(hits=int(is_hit), total=1)
        if fault:
            self.faults.add(fault)


class _Decided:
    """Whether anything was ever decided about some words; asked of the memory once, and only if needed."""

    def __init__(self, memory: UnderTest, owner: str) -> None:
        self._memory = memory
        self._owner = owner
        self._texts: frozenset[str] | None = None

    def has(self, gold: GoldStatement) -> bool:
        if self._texts is None:
            self._texts = frozenset(self._memory.decided(self._owner))
        return gold.statement.text in self._texts


def _judge_statement(tally: _Tally, decided: _Decided, gold: GoldStatement, at: Carried) -> None:
    if gold.state == "unscored":
        return
    states = {f.state for f in at.carriers}
    is_absorbed = not at.carriers and any(f.state in SHOWN_STATES for f in at.absorbing)
    tally.note("wrong_merges", is_absorbed, "wrong merge" if is_absorbed else "")
    if gold.state in TRUE_ONCE:
        is_lost = not states and not is_absorbed and not decided.has(gold)
        tally.note("lost", is_lost, "lost" if is_lost else "")
        if is_lost:
            return
    if gold.state in ("holds", "disputed"):
        _judge_holding(tally, gold, states, is_absorbed=is_absorbed)
    else:
        _judge_ended(tally, gold, states)


def _judge_holding(tally: _Tally, gold: GoldStatement, states: set[str], *, is_absorbed: bool) -> None:
    """A statement that holds must be current, one of a conflict disputed."""
    is_retired = not states & SHOWN_STATES and not is_absorbed
    tally.note("wrong_retirements", is_retired, "wrong retirement" if is_retired else "")
    wanted = "disputed" if gold.state == "disputed" else "current"
    is_wrong = bool(states & SHOWN_STATES) and wanted not in states
    tally.note("undecided", is_wrong, f"not {wanted}" if is_wrong else "")


def _judge_ended(tally: _Tally, gold: GoldStatement, states: set[str]) -> None:
    is_missed = bool(states & {"current", "upcoming"})
    tally.note("missed_contradictions", is_missed, "missed contradiction" if is_missed else "")
    is_doubted = "disputed" in states or ("suspect" in states and gold.state != "stale")
    tally.note("undecided", is_doubted, "left undecided" if is_doubted else "")


def _judge_filler(tally: _Tally, decided: _Decided, gold: GoldStatement, at: Carried) -> None:
    """What was said beside the story holds too. That it was not kept makes no story wrong, but is counted."""
    is_lost = not at.carriers and not at.absorbing and not decided.has(gold)
    tally.note("filler_lost", is_lost)
    if not is_lost:
        is_retired = not any(f.state in SHOWN_STATES for f in (*at.carriers, *at.absorbing))
        tally.note("wrong_retirements", is_retired, "wrong retirement of filler" if is_retired else "")


def _judge_duplicates(tally: _Tally, story: Story, found: Mapping[str, Carried]) -> None:
    """One value of one slot that holds should stand in one current fact."""
    facts: dict[tuple[str, str, str], set[str]] = {}
    for gold in story.statements:
        said = gold.statement
        if gold.state == "holds" and said.value and said.attribute:
            current = {f.id for f in found[gold.key].carriers if f.state == "current"}
            facts.setdefault((said.subject, said.attribute, said.value), set()).update(current)
    for ids in facts.values():
        tally.note("duplicates", len(ids) > 1, "duplicate" if len(ids) > 1 else "")


def _find(memory: UnderTest, story: Story, probe: Probe, known: Mapping[TurnId, datetime]) -> Sequence[Seen]:
    known_at = known[probe.known_after] if probe.known_after is not None else None
    return memory.find(probe.text, story.case.owner, limit=TOP, as_of=probe.as_of, known_at=known_at)


def _judge_exposure(tally: _Tally, story: Story, probe: Probe, seen: Sequence[Seen]) -> None:
    is_foreign = any(item.owner not in (None, story.case.owner) for item in seen)
    tally.note("leaks", is_foreign, "leak" if is_foreign else "")
    stale = stale_statements(story, probe)
    if probe.kind != "current" or not stale or not probe.right:
        return
    shown = [(n, item) for n, item in enumerate(seen) if _is_stale(story, item, stale)]
    right = next((n for n, item in enumerate(seen) if _shows_any(item, probe.right)), len(seen))
    tally.note("stale_above", any(n < right for n, _ in shown))
    tally.note("stale_as_current", any(item.state == "current" for _, item in shown))
    tally.note("stale_within_ten", bool(shown))


def stale_statements(story: Story, probe: Probe) -> list[GoldStatement]:
    """What answered the question once, or never did though it was told."""
    tells = story.slots[probe.slot].tells if probe.slot < len(story.slots) else ()
    return [
        s
        for s in story.statements
        if s.key in tells and s.state in ("past", "never") and s.statement.value not in probe.right
    ]


def _is_stale(story: Story, item: Seen, stale: Sequence[GoldStatement]) -> bool:
    """True for a fact that says what is over, and for the very message that said it.

    That somebody spent a weekend there, or is no longer there, is not stale.
    """
    if item.fact is not None:
        return any(carried([item.fact], gold).carriers for gold in stale)
    turns = {t.id: t.text for t in story.case.turns}
    return any(item.text == turns[gold.turn] for gold in stale)


def _shows_any(item: Seen, values: Sequence[str]) -> bool:
    return any(shows(item.text, v) for v in values)


def _answer(
    story: Story, probe: Probe, seen: Sequence[Seen], facts: Sequence[Stored], abstain_below: float
) -> Answered:
    score = seen[0].score if seen else 0.0
    match probe.kind:
        case "history":
            is_right = [p.value for p in _slot_periods(story, probe, facts)] == list(probe.right)
        case "count":
            held = {p.value for p in _slot_periods(story, probe, facts) if p.end is None}
            is_right = len(held) == probe.count
        case "when":
            is_right = _is_dated_right(probe, seen)
        case "unanswerable":
            is_told = bool(probe.wrong)
            is_right = not any(_shows_any(i, probe.wrong) for i in seen) if is_told else score < abstain_below
        case "answerable":
            is_right = _is_first_right(probe, seen) and score >= abstain_below
        case _:
            is_right = _is_first_right(probe, seen)
    return Answered(kind=probe.kind, is_right=is_right, score=score)


def _slot_periods(story: Story, probe: Probe, facts: Sequence[Stored]) -> list[Period]:
    slot: SlotGold = story.slots[probe.slot]
    return periods_of(facts, story, slot)


def _is_first_right(probe: Probe, seen: Sequence[Seen]) -> bool:
    """The first item that names any value of the question names a right one; of several, all are named."""
    named = [item for item in seen if _shows_any(item, (*probe.right, *probe.wrong))]
    if not named or not _shows_any(named[0], probe.right):
        return False
    return all(any(shows(item.text, v) for item in named) for v in probe.right)


def _is_dated_right(probe: Probe, seen: Sequence[Seen]) -> bool:
    """The first fact that names the value, not the message, begins when it should."""
    facts = [item.fact for item in seen if item.fact is not None and _shows_any(item, probe.right)]
    if not facts or facts[0].start is None:
        return False
    return is_start_right(Mark(at=facts[0].start, exact="by"), probe.start)


def add_up(results: Sequence[StoryResult]) -> dict[Measure, Ratio]:
    """The measures of all stories together."""
    total: dict[Measure, Ratio] = {}
    for result in results:
        for name, ratio in result.measures.items():
            total[name] = total.get(name, Ratio()) + ratio
    return total


def count_faults(results: Sequence[StoryResult]) -> Counter[str]:
    """How many stories have each fault."""
    return Counter(fault for r in results for fault in r.faults)
