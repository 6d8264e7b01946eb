"""What one question scores, and what scores are worth."""

from __future__ import annotations

import pytest

from bench.metrics.confidence import abstention, reliability
from bench.metrics.measures import MEASURES, holds
from bench.metrics.record import Answered, Found, Wanted


def wanted(
    *evidence: str,
    sessions: tuple[str, ...] = (),
    must_show: tuple[str, ...] = (),
    must_not_show: tuple[str, ...] = (),
    stale: tuple[str, ...] = (),
    fresh: tuple[str, ...] = (),
    is_answerable: bool = True,
) -> Wanted:
    return Wanted(
        evidence=tuple(frozenset({e}) for e in evidence),
        sessions=frozenset(sessions),
        answers=(),
        must_show=must_show,
        must_not_show=must_not_show,
        stale=frozenset(stale),
        fresh=frozenset(fresh),
        is_answerable=is_answerable,
    )


def found(*turns: str, text: str = "", score: float | None = None, session: str = "s") -> Found:
    return Found(
        turns=turns,
        sessions=tuple(session for _ in turns),
        kind="turn",
        score=score,
        state=None,
        text=text,
        tokens=len(text.split()),
    )


def answered(gold: Wanted, *items: Found, name: str = "q", dataset: str = "invented") -> Answered:
    return Answered(
        dataset=dataset,
        id=name,
        text="",
        asked_at="2024-01-01",
        category="c",
        gold=gold,
        audited=None,
        is_disputed=False,
        items=items,
        seconds=0.0,
        embedding_seconds=0.0,
    )


def score(measure: str, question: Answered) -> float | None:
    return MEASURES[measure].of(question)


def test_evidence_in_one_window_counts_by_its_places() -> None:
    question = answered(wanted("t3"), found("t1", "t2", "t3"))
    assert score("turns any@1", question) == 0.0
    assert score("turns any@3", question) == 1.0


def test_sessions_count_once_each_however_many_of_their_turns_come_back() -> None:
    items = [found(f"t{n}", session="a") for n in range(30)] + [found("u1", session="b")]
    question = answered(wanted("u1", sessions=("b",)), *items)
    assert score("turns any@20", question) == 0.0
    assert score("sessions any@3", question) == 1.0
    assert score("sessions any@1", question) == 0.0


def test_what_does_not_apply_is_none_and_not_zero() -> None:
    question = answered(wanted(), found("t1"))
    names = [m for m in MEASURES if m != "tokens@10"]
    assert [m for m in names if score(m, question) is not None] == []


def test_a_phrase_is_found_as_whole_words_in_any_case_and_spacing() -> None:
    assert holds("We meet in ROOM\n302 today", "room 302")
    assert not holds("Room 3021", "Room 302")
    assert holds("It costs $5,000.", "$5,000")
    assert not holds("art", "part")


def test_clean_needs_all_that_must_and_nothing_that_must_not_be_shown() -> None:
    gold = wanted(must_show=("green", "hive"), must_not_show=("blue",))
    assert score("clean@10", answered(gold, found("a", text="a green hive"))) == 1.0
    assert score("clean@10", answered(gold, found("a", text="a green hive, once blue"))) == 0.0
    assert score("clean@10", answered(gold, found("a", text="a green barn"))) == 0.0


def test_only_the_first_ten_items_are_shown() -> None:
    items = [found(f"t{n}", text="grey") for n in range(10)] + [found("t10", text="blue")]
    assert score("leaks@10", answered(wanted(must_not_show=("blue",)), *items)) == 0.0


def test_the_newest_must_stand_above_every_superseded_one() -> None:
    gold = wanted("new", stale=("old", "older"), fresh=("new",))
    assert score("newest first", answered(gold, found("x"), found("new"), found("old"))) == 1.0
    assert score("newest first", answered(gold, found("older"), found("new"), found("old"))) == 0.0
    assert score("newest first", answered(gold, found("x"))) == 0.0
    assert score("stale@10", answered(gold, found("x"), found("old"))) == 1.0
    assert score("stale@10", answered(gold, found("x"), found("new"))) == 0.0


def test_what_replaced_something_else_is_no_matter_of_this_question() -> None:
    gold = wanted("x", stale=("old",), fresh=("new",))
    assert score("newest first", answered(gold, found("old"), found("new"))) is None


def test_abstention_by_hand() -> None:
    right = [answered(wanted("t"), found("t", score=s), name=f"a{s}") for s in (0.9, 0.8, 0.7, 0.4)]
    wrong = [answered(wanted(is_answerable=False), found("t", score=s), name=f"u{s}") for s in (0.5, 0.3)]
    kept = abstention([*right, *wrong])
    assert kept is not None
    assert kept.auroc == pytest.approx(7 / 8)
    assert (kept.threshold, kept.refused, kept.lost) == (0.4, 0.5, 0.0)


def test_a_system_without_scores_has_no_abstention() -> None:
    questions = [answered(wanted("t"), found("t")), answered(wanted(is_answerable=False), found("t"))]
    assert abstention(questions) is None
    assert reliability(questions) is None


def test_a_score_that_means_its_share_has_no_calibration_error() -> None:
    hits = [answered(wanted("t"), found("t", score=0.75)) for _ in range(3)]
    miss = answered(wanted("t"), found("x", score=0.75))
    curve = reliability([*hits, miss])
    assert curve is not None
    assert curve.error == pytest.approx(0.0)
    (only,) = curve.bins
    assert (only.n, only.score, only.right) == (4, 0.75, 0.75)


def test_an_overconfident_score_has_its_distance_as_error() -> None:
    curve = reliability([answered(wanted("t"), found("x", score=0.9)) for _ in range(25)])
    assert curve is not None
    assert curve.error == pytest.approx(0.9)
    assert curve.worst == pytest.approx(0.9)


def test_an_unanswerable_question_counts_as_wrong_for_reliability() -> None:
    curve = reliability([answered(wanted(is_answerable=False), found("x", score=1.0))])
    assert curve is not None
    assert curve.bins[0].right == 0.0
