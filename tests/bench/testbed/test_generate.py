"""Stories are the same for the same seed, and what is true in them does not hang on how they are told."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bench.testbed.dials import FIXED, FULL, LANGUAGES, Dials, Language
from bench.testbed.generate import as_dataset, generate, hash_of
from bench.testbed.matching import shows
from bench.testbed.wording import FOLDER, Phrase, blanks_of, load_lexicon

ROOT = Path(__file__).parents[3]
FIXED_HASH = "2b31283016f2c3f63a28a27dfb23ef791753f78372f1d4f64b4c3caca6e86384"


def test_the_stories_of_the_fixed_preset_have_the_hash_that_is_written_here() -> None:
    assert hash_of(generate(FIXED)) == FIXED_HASH


def test_another_process_with_another_hash_seed_makes_the_same_stories() -> None:
    script = (
        "from bench.testbed.dials import FIXED; from bench.testbed.generate import generate, hash_of; "
        "print(hash_of(generate(FIXED)))"
    )
    environment = {"PYTHONPATH": f"{ROOT / 'src'}:{ROOT}", "PYTHONHASHSEED": "5"}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment
    )
    assert done.stdout.strip() == FIXED_HASH


def test_another_seed_makes_other_stories() -> None:
    assert hash_of(generate(replace(FIXED, seed=8))) != FIXED_HASH


def test_the_dataset_holds_every_case_and_the_hash_of_the_stories() -> None:
    stories = generate(FIXED)
    dataset = as_dataset(stories)
    assert (dataset.split, dataset.sha256) == ("generated", FIXED_HASH)
    assert [c.id for c in dataset.cases] == [s.id for s in stories]
    assert dataset.question_count > 150


def test_every_language_is_told_in_both_halves() -> None:
    assert {(s.language, s.half) for s in generate(FIXED)} == {
        (language, half) for language in LANGUAGES for half in ("plain", "twin")
    }


@pytest.mark.parametrize("count", [0, 6, 60])
def test_filler_stands_before_each_step(count: int) -> None:
    story = generate(Dials(kinds=("chain.city",), filler=count))[0]
    assert len(story.case.turns) == 4 * (count + 1)
    assert [t.at for t in story.case.turns] == sorted(t.at for t in story.case.turns)


def test_six_hundred_turns_of_filler_keep_their_order() -> None:
    story = generate(Dials(kinds=("update.city",), filler=600))[0]
    assert [t.at for t in story.case.turns] == sorted({t.at for t in story.case.turns})


def test_a_permuted_story_is_the_same_truth_in_another_order() -> None:
    told, permuted = (generate(Dials(kinds=("chain.boat",), permute=p))[0] for p in (False, True))
    assert [t.id for t in told.case.turns] != [t.id for t in permuted.case.turns]
    assert sorted(t.id for t in told.case.turns) == sorted(t.id for t in permuted.case.turns)
    assert told.slots == permuted.slots
    assert told.statements == permuted.statements


def test_a_late_story_tells_its_first_step_last() -> None:
    story = generate(Dials(kinds=("chain.city",), late=True))[0]
    assert story.case.turns[-1].id == story.statements[0].turn


def test_what_was_known_when_is_asked_only_if_things_are_told_in_order() -> None:
    told, late = (generate(Dials(kinds=("update.city",), late=p))[0] for p in (False, True))
    assert "known_at" in {p.kind for p in told.probes}
    assert "known_at" not in {p.kind for p in late.probes}


def test_a_story_that_hangs_on_its_order_is_never_permuted() -> None:
    told, permuted = (generate(Dials(kinds=("forget",), permute=p))[0] for p in (False, True))
    assert told.case == permuted.case


def test_a_namesake_lives_where_nobody_of_the_story_does() -> None:
    story = generate(Dials(kinds=("update.city",), namesakes=True))[0]
    others = [g.statement for g in story.filler.values() if g.statement.attribute == "lives_in"]
    values = {s.statement.value for s in story.statements}
    assert len(others) == 1
    assert others[0].value not in values


@pytest.mark.parametrize("wording", ["plain", "varied", "implied"])
def test_every_value_that_is_told_stands_in_its_turn_and_in_its_statement(wording: str) -> None:
    for story in generate(_worded(wording)):
        turns = {t.id: t.text for t in story.case.turns}
        for gold in story.statements:
            value = gold.statement.value
            if value is not None:
                assert shows(turns[gold.turn], value), (story.id, turns[gold.turn], value)
                assert shows(gold.statement.text, value), (story.id, gold.statement.text, value)


@pytest.mark.parametrize("wording", ["plain", "varied", "implied"])
def test_no_blank_is_left_open(wording: str) -> None:
    for story in generate(_worded(wording)):
        texts = [t.text for t in story.case.turns] + [p.text for p in story.probes]
        texts += [s.text for t in story.case.turns for s in t.statements]
        assert not [t for t in texts if "{" in t or "}" in t or "  " in t]


def test_implied_wording_says_a_move_without_the_word() -> None:
    plain, implied = (
        generate(_worded(w, "update.city"))[0].case.turns[-1].text for w in ("plain", "implied")
    )
    assert "moved" in plain
    assert "moved" not in implied


def test_turns_of_a_story_that_matter_are_told_at_different_times_unless_two_people_conflict() -> None:
    for story in generate(replace(FULL, stories=2)):
        if not story.kind.startswith("conflict."):
            assert len({t.at for t in story.case.turns}) == len(story.case.turns), story.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_lexicon_has_the_phrases_questions_and_blanks_of_the_english_one(language: Language) -> None:
    english, other = load_lexicon("en"), load_lexicon(language)
    assert set(other.phrases) == set(english.phrases)
    assert set(other.questions) == set(english.questions)
    assert len(other.months) == 12
    for name, phrase in english.phrases.items():
        assert _blanks(other.phrases[name]) == _blanks(phrase), name
    for name, question in english.questions.items():
        assert blanks_of([other.questions[name]]) == blanks_of([question]), name


def test_there_is_a_lexicon_for_each_language_and_no_other() -> None:
    assert sorted(p.stem for p in FOLDER.glob("*.json")) == sorted(LANGUAGES)


def test_dials_that_name_an_unknown_kind_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown upd"):
        Dials(kinds=("upd",))


def _blanks(phrase: Phrase) -> list[frozenset[str]]:
    """The blanks of each part: every wording of a part has the same ones, but `moved` may say less."""
    return [blanks_of([phrase.plain]), blanks_of(phrase.says), blanks_of(phrase.says2)]


def _worded(wording: str, *kinds: str) -> Dials:
    dials = {
        "plain": Dials(wording="plain", filler=2, stories=2),
        "varied": Dials(wording="varied", filler=2, stories=4),
        "implied": Dials(wording="implied", filler=2, stories=4),
    }[wording]
    return replace(dials, kinds=kinds) if kinds else dials
