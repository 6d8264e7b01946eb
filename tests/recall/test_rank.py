"""Rank: what is known about an item moves its fused score; repeats are folded."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from perdure.core.interval import ALWAYS, Interval
from perdure.core.values import (
    Body,
    Claim,
    Episode,
    EpisodeId,
    Fact,
    FactId,
    Hit,
    Role,
    Scope,
    Source,
    SourceId,
    Status,
    Validity,
    Version,
    View,
)
from perdure.ports import Ref
from perdure.recall.fuse import Fused
from perdure.recall.plan import Intent, Plan
from perdure.recall.rank import fold_repeats, rank, with_context
from perdure.recall.weights import DEFAULT_WEIGHTS

NOW = datetime(2024, 6, 1, tzinfo=UTC)
SCOPE = Scope(workspace="w", user_id="ana")
OWN = replace(DEFAULT_WEIGHTS, fact=1.0, recency=0.0)


def plan(intent: Intent = Intent.CURRENT) -> Plan:
    view = View(valid_at=NOW, validity=Validity.ANY)
    return Plan(query="q", intent=intent, view=view, tokens=(), entity_keys=(), window=None)


def fact(
    name: str = "f",
    *,
    valid: Interval = ALWAYS,
    status: Status = Status.ACTIVE,
    text: str = "Ana keeps bees",
    episode: str | None = None,
) -> Fact:
    body = Body(text=text, fingerprint=text, valid=valid, status=status)
    source = Source(
        id=SourceId(f"s-{name}"), fact_id=FactId(name), text=text, claim=Claim(), episode_id=_id(episode)
    )
    version = Version(fact_id=FactId(name), number=1, body=body, recorded=Interval(NOW, None))
    return Fact(id=FactId(name), scope=SCOPE, created_at=NOW, version=version, sources=(source,))


def _id(episode: str | None) -> EpisodeId | None:
    return None if episode is None else EpisodeId(episode)


def episode(name: str = "e", *, text: str = "I keep bees", said_at: datetime | None = None) -> Episode:
    return Episode(
        id=EpisodeId(name), scope=SCOPE, role=Role.USER, text=text, fingerprint=name, said_at=said_at
    )


def ranked(*facts: Fact, score: float = 0.5, intent: Intent = Intent.CURRENT) -> list[Hit]:
    fused = [Fused(ref=Ref("fact", f.id), score=score, signals=()) for f in facts]
    return rank(fused, {f.id: f for f in facts}, {}, {}, set(), plan=plan(intent), weights=OWN)


@pytest.mark.parametrize(
    ("status", "factor"),
    [
        (Status.ACTIVE, 1.0),
        (Status.DISPUTED, DEFAULT_WEIGHTS.disputed),
        (Status.SUSPECT, DEFAULT_WEIGHTS.suspect),
    ],
)
def test_doubtful_facts_score_less(status: Status, factor: float) -> None:
    assert ranked(fact(status=status))[0].score == pytest.approx(0.5 * factor)


def test_a_closed_fact_scores_less_unless_the_past_is_asked_for() -> None:
    closed = fact(valid=Interval(None, NOW))
    assert ranked(closed)[0].score == pytest.approx(0.5 * DEFAULT_WEIGHTS.closed)
    assert ranked(closed, intent=Intent.HISTORICAL)[0].score == pytest.approx(0.5)


def test_a_fact_that_ends_later_is_not_closed() -> None:
    assert ranked(fact(valid=Interval(None, NOW + timedelta(days=1))))[0].score == pytest.approx(0.5)


def test_a_stale_message_scores_less_and_says_so() -> None:
    said = episode()
    fused = [Fused(ref=Ref("episode", "e"), score=0.5, signals=())]
    (hit,) = rank(fused, {}, {"e": said}, {}, {"e"}, plan=plan(), weights=OWN)
    assert hit.is_stale
    assert hit.score == pytest.approx(0.5 * DEFAULT_WEIGHTS.stale)


@pytest.mark.parametrize(("age_days", "share"), [(0, 1.0), (180, 0.5), (360, 0.25), (-30, 1.0)])
def test_recency_halves_with_age(age_days: int, share: float) -> None:
    said = episode(said_at=NOW - timedelta(days=age_days))
    fused = [Fused(ref=Ref("episode", "e"), score=0.5, signals=())]
    (hit,) = rank(fused, {}, {"e": said}, {}, set(), plan=plan(), weights=DEFAULT_WEIGHTS)
    assert hit.parts["recency"] == pytest.approx(DEFAULT_WEIGHTS.recency * share * 0.5)


def test_what_has_no_date_gets_nothing_for_recency() -> None:
    fused = [Fused(ref=Ref("episode", "e"), score=0.5, signals=())]
    (hit,) = rank(fused, {}, {"e": episode()}, {}, set(), plan=plan(), weights=DEFAULT_WEIGHTS)
    assert hit.parts["recency"] == 0.0


def test_the_parts_give_the_score() -> None:
    (hit,) = ranked(fact(status=Status.SUSPECT, valid=Interval(None, NOW)))
    parts = hit.parts
    assert hit.score == pytest.approx(parts["fused"] * parts["state"] * parts["kind"] + parts["recency"])


def test_no_score_passes_1() -> None:
    fused = [Fused(ref=Ref("fact", "f"), score=1.0, signals=())]
    now_true = fact(valid=Interval(NOW, None))
    (hit,) = rank(fused, {"f": now_true}, {}, {}, set(), plan=plan(), weights=DEFAULT_WEIGHTS)
    assert hit.score == 1.0


def test_ties_come_by_id() -> None:
    fused = [
        Fused(ref=Ref("episode", "z"), score=0.5, signals=()),
        Fused(ref=Ref("fact", "b"), score=0.5, signals=()),
        Fused(ref=Ref("fact", "a"), score=0.5, signals=()),
    ]
    hits = rank(fused, {n: fact(n) for n in "ab"}, {"z": episode("z")}, {}, set(), plan=plan(), weights=OWN)
    assert [(h.kind, h.id) for h in hits] == [("fact", "a"), ("fact", "b"), ("episode", "z")]


def test_what_the_store_does_not_show_any_more_is_no_hit() -> None:
    fused = [Fused(ref=Ref("fact", "gone"), score=0.9, signals=())]
    assert rank(fused, {}, {}, {}, set(), plan=plan(), weights=OWN) == []


def hit(item: Fact | Episode, score: float) -> Hit:
    if isinstance(item, Fact):
        return Hit(kind="fact", score=score, fact=item)
    return Hit(kind="episode", score=score, episode=item)


def test_a_message_that_a_better_fact_shows_word_for_word_is_folded() -> None:
    shown = hit(fact(text="i  KEEP bees", episode="e"), 0.9)
    assert fold_repeats([shown, hit(episode(), 0.8)]) == [shown]


def test_a_message_above_its_fact_stays() -> None:
    hits = [hit(episode(), 0.9), hit(fact(text="I keep bees", episode="e"), 0.8)]
    assert fold_repeats(hits) == hits


def test_other_words_and_other_messages_are_not_folded() -> None:
    hits = [
        hit(fact(text="I keep bees", episode="e"), 0.9),
        hit(episode(text="I keep bees and goats"), 0.8),
        hit(episode("e2"), 0.7),
    ]
    assert fold_repeats(hits) == hits


def turn(name: str, position: int, score: float, *, speaker: str, session: str = "s") -> Hit:
    said = replace(episode(name), speaker=speaker, session=session, position=position)
    return Hit(kind="episode", score=score, episode=said, parts={"state": 1.0})


def test_a_turn_is_lifted_by_the_turn_it_answers() -> None:
    asked, answer = turn("q", 0, 0.8, speaker="Ana"), turn("a", 1, 0.2, speaker="Ben")
    lifted = {h.id: h for h in with_context([asked, answer], DEFAULT_WEIGHTS)}
    gain = DEFAULT_WEIGHTS.context * 0.8 * (1 - 0.2)
    assert lifted["a"].parts["context"] == pytest.approx(gain)
    assert lifted["a"].score == pytest.approx(0.2 + gain)


def test_context_can_change_the_order_but_no_score_passes_1() -> None:
    hits = [
        turn("q", 0, 1.0, speaker="Ana"),
        turn("far", 5, 0.3, speaker="Ben"),
        turn("a", 1, 0.2, speaker="Ben"),
    ]
    lifted = with_context(hits, DEFAULT_WEIGHTS)
    assert [h.id for h in lifted] == ["q", "a", "far"]
    assert lifted[0].score == 1.0


@pytest.mark.parametrize(
    "other",
    [
        turn("a", 1, 0.2, speaker="Ana"),
        turn("a", 2, 0.2, speaker="Ben"),
        turn("a", 1, 0.2, speaker="Ben", session="another"),
        hit(fact("a", episode="q"), 0.2),
    ],
    ids=["same speaker", "not beside it", "another session", "a fact"],
)
def test_nothing_else_is_lifted(other: Hit) -> None:
    asked = turn("q", 0, 0.8, speaker="Ana")
    assert [h.score for h in with_context([asked, other], DEFAULT_WEIGHTS)] == [0.8, 0.2]


def test_a_stale_message_gains_no_more_than_its_state_lets_it() -> None:
    stale = replace(turn("a", 1, 0.2, speaker="Ben"), parts={"state": 0.35})
    lifted = with_context([turn("q", 0, 0.8, speaker="Ana"), stale], DEFAULT_WEIGHTS)
    assert lifted[1].parts["context"] == pytest.approx(DEFAULT_WEIGHTS.context * 0.8 * 0.35 * 0.8)
