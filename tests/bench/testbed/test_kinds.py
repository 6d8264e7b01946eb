"""Every kind has a twin that demands the opposite, and tells a truth without contradictions."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from bench.testbed.cast import COURSES, DOGS, FIRMS, OTHERS, PEOPLE, PLACES, draw_cast
from bench.testbed.dials import LANGUAGES, Language
from bench.testbed.kinds import KINDS
from bench.testbed.matching import shows
from bench.testbed.story import Sketch
from bench.testbed.wording import load_lexicon

WANTED = (
    "update revert correction coexist handover implied propagated hypothetical someone_else temporary "
    "out_of_order conflict chain forget abstain"
).split()
NAMES = sorted(KINDS)


def _sketches(name: str, seed: int = 1) -> tuple[Sketch, Sketch]:
    return KINDS[name].build(draw_cast(random.Random(f"{seed}|{name}")))


def test_every_kind_that_was_asked_for_is_there() -> None:
    assert [w for w in WANTED if not any(name.split(".")[0] == w for name in KINDS)] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_kind_says_in_one_sentence_what_is_right_and_why_its_twin_differs(name: str) -> None:
    assert KINDS[name].why.endswith(".")
    assert len(KINDS[name].why.split()) > 8


@pytest.mark.parametrize("name", NAMES)
def test_a_twin_begins_alike_and_ends_otherwise(name: str) -> None:
    plain, twin = _sketches(name)
    assert plain.steps[0].phrase == twin.steps[0].phrase
    assert _outcome(plain) != _outcome(twin)


def _outcome(sketch: Sketch) -> tuple[object, ...]:
    """What a memory must hold in the end, and answer."""
    return (
        tuple((t.key, t.state) for s in sketch.steps for t in s.told),
        tuple((s.subject, s.attribute, s.periods) for s in sketch.slots),
        tuple((a.kind, a.right) for a in sketch.asks),
    )


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(3))
def test_periods_of_a_slot_of_one_value_do_not_overlap(name: str, seed: int) -> None:
    for sketch in _sketches(name, seed):
        for slot in sketch.slots:
            if slot.cardinality == "single":
                for earlier, later in pairwise(slot.periods):
                    assert earlier.end is not None
                    assert later.start is not None
                    assert earlier.end.at <= later.start.at
            for period in slot.periods:
                assert period.start is not None
                assert period.end is None or period.start.at < period.end.at


@pytest.mark.parametrize("name", NAMES)
def test_a_value_holds_in_the_end_exactly_if_its_last_period_is_open(name: str) -> None:
    for sketch in _sketches(name):
        states = {t.key: t for s in sketch.steps for t in s.told}
        for slot in (s for s in sketch.slots if s.periods):
            held = {states[k].value for k in slot.tells if states[k].state == "holds"}
            assert held == {p.value for p in slot.periods if p.end is None}


@pytest.mark.parametrize("name", NAMES)
def test_relations_slots_and_questions_speak_of_what_is_told(name: str) -> None:
    lexicon = load_lexicon("en")
    for sketch in _sketches(name):
        keys = {t.key for s in sketch.steps for t in s.told}
        assert {k for r in sketch.relations for k in (r.new, r.old)} <= keys
        assert {k for s in sketch.slots for k in s.tells} <= keys
        assert {s.phrase for s in sketch.steps} <= set(lexicon.phrases)
        assert {a.question for a in sketch.asks} <= set(lexicon.questions)
        assert all(a.known_after is None or a.known_after <= len(sketch.steps) for a in sketch.asks)
        assert set(sketch.must) <= {a.kind for a in sketch.asks}


@pytest.mark.parametrize("name", NAMES)
def test_steps_are_told_in_the_order_of_their_keys(name: str) -> None:
    for sketch in _sketches(name):
        assert [s.at for s in sketch.steps] == sorted(s.at for s in sketch.steps)
        assert [s.told[0].key for s in sketch.steps] == sorted(s.told[0].key for s in sketch.steps)


def test_no_name_can_be_found_in_another() -> None:
    names = (*PEOPLE, *PLACES, *DOGS, *COURSES, *FIRMS, *OTHERS)
    assert len(set(names)) == len(names)
    assert [(one, two) for one in names for two in names if one != two and shows(two, one)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_name_is_a_word_of_a_lexicon(language: Language) -> None:
    lexicon = load_lexicon(language)
    phrases, filler = lexicon.phrases.values(), lexicon.filler
    texts = [w for p in phrases for w in (p.plain, *p.varied, *p.implied, *p.says, *p.says2)]
    texts += [*lexicon.questions.values(), *filler.talk, *filler.reply, *filler.things]
    text = " ".join(texts)
    names = (*PEOPLE, *PLACES, *DOGS, *COURSES, *FIRMS, *OTHERS)
    assert [name for name in names if shows(text, name)] == []
