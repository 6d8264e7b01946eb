"""Fusion is arithmetic: bounded, monotone, and blind to what else was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.ports import Match, Ref
from perdure.recall.fuse import Fused, fuse, strength
from perdure.recall.weights import DEFAULT_WEIGHTS

SIGNALS = ("vector", "keyword", "temporal", "graph")
raw_scores = st.floats(-1, 60, allow_nan=False)
refs = st.builds(Ref, st.sampled_from(["fact", "episode"]), st.sampled_from([f"i{n}" for n in range(12)]))
ranked = st.lists(st.builds(Match, refs, raw_scores), unique_by=lambda m: m.ref, max_size=12)
found = st.dictionaries(st.sampled_from(SIGNALS), ranked)


def scores(lists: Mapping[str, Sequence[Match]]) -> dict[Ref, float]:
    return {f.ref: f.score for f in fuse(lists, DEFAULT_WEIGHTS)}


def only(signal: str, score: float, *, rank: int = 1) -> float:
    ahead = [Match(Ref("fact", f"x{n}"), score) for n in range(rank - 1)]
    return scores({signal: [*ahead, Match(Ref("fact", "it"), score)]})[Ref("fact", "it")]


@given(found)
def test_every_score_lies_in_0_to_1(lists: dict[str, list[Match]]) -> None:
    assert all(0 <= score <= 1 for score in scores(lists).values())


@given(found)
def test_everything_found_is_there_once(lists: dict[str, list[Match]]) -> None:
    fused = fuse(lists, DEFAULT_WEIGHTS)
    assert sorted(map(str, {m.ref for matches in lists.values() for m in matches})) == sorted(
        str(f.ref) for f in fused
    )


@given(found)
def test_best_come_first_and_ties_by_kind_and_id(lists: dict[str, list[Match]]) -> None:
    order = [(-f.score, f.ref.kind, f.ref.id) for f in fuse(lists, DEFAULT_WEIGHTS)]
    assert order == sorted(order)


@given(found, st.randoms())
def test_the_order_of_the_signals_changes_nothing(lists: dict[str, list[Match]], chance: object) -> None:
    names = sorted(lists)
    turned = {name: lists[name] for name in reversed(names)}
    assert _plain(fuse(turned, DEFAULT_WEIGHTS)) == _plain(
        fuse({n: lists[n] for n in names}, DEFAULT_WEIGHTS)
    )


def _plain(fused: Sequence[Fused]) -> list[tuple[object, ...]]:
    return [(f.ref, f.score, sorted(f.signals, key=lambda s: s.signal)) for f in fused]


@given(found, st.lists(raw_scores, max_size=4))
def test_a_score_does_not_depend_on_what_comes_after_it(
    lists: dict[str, list[Match]], more: list[float]
) -> None:
    longer = {
        signal: [*matches, *(Match(Ref("fact", f"more{n}"), score) for n, score in enumerate(more))]
        for signal, matches in lists.items()
    }
    before, after = scores(lists), scores(longer)
    assert {ref: after[ref] for ref in before} == before


@given(ranked, st.data())
def test_a_score_does_not_depend_on_what_stands_before_it_but_on_the_rank(
    matches: list[Match], data: st.DataObject
) -> None:
    if not matches:
        return
    at = data.draw(st.integers(0, len(matches) - 1))
    others = [Match(Ref("fact", f"other{n}"), data.draw(raw_scores)) for n in range(at)]
    changed = [*others, *matches[at:]]
    assert scores({"keyword": changed})[matches[at].ref] == scores({"keyword": matches})[matches[at].ref]


@given(st.sampled_from(SIGNALS), raw_scores, raw_scores, st.integers(1, 50))
def test_more_strength_at_the_same_rank_never_scores_less(
    signal: str, one: float, other: float, rank: int
) -> None:
    low, high = sorted((one, other))
    assert only(signal, low, rank=rank) <= only(signal, high, rank=rank)


@given(st.sampled_from(SIGNALS), raw_scores, st.integers(1, 50), st.integers(1, 50))
def test_a_better_rank_at_the_same_strength_never_scores_less(
    signal: str, score: float, one: int, other: int
) -> None:
    better, worse = sorted((one, other))
    assert only(signal, score, rank=worse) <= only(signal, score, rank=better)


@given(found, raw_scores)
def test_one_more_signal_never_scores_less(lists: dict[str, list[Match]], score: float) -> None:
    ref = Ref("fact", "it")
    base = {"keyword": [Match(ref, 3.0)]}
    assert scores(base)[ref] <= scores({**base, "vector": [Match(ref, score)]})[ref]


@pytest.mark.parametrize(
    ("signal", "score", "expected"),
    [
        ("vector", -1.0, 0.0),
        ("vector", 0.15, 0.0),
        ("vector", 0.45, 0.5),
        ("vector", 1.0, 1.0),
        ("keyword", 0.0, 0.0),
        ("keyword", 6.0, 0.5),
        ("keyword", 54.0, 0.9),
        ("graph", 0.1, 0.5),
        ("graph", 1.0, 1.0),
        ("temporal", 1.0, 1.0),
    ],
)
def test_strengths(signal: str, score: float, expected: float) -> None:
    assert strength(signal, score, DEFAULT_WEIGHTS) == pytest.approx(expected)


def test_a_perfect_find_by_words_and_vector_is_near_1() -> None:
    ref = Ref("fact", "it")
    assert scores({"vector": [Match(ref, 1.0)], "keyword": [Match(ref, 60.0)]})[ref] == pytest.approx(
        0.965, abs=0.001
    )


def test_nothing_found_is_nothing() -> None:
    assert fuse({}, DEFAULT_WEIGHTS) == []
    assert fuse({"vector": []}, DEFAULT_WEIGHTS) == []
