"""Rank: what is known about an item itself moves its fused score: state, age, kind. Pure arithmetic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from datetime import datetime
from typing import TypeAlias

from perdure.core.text import normalise
from perdure.core.values import Episode, Fact, Hit, Status
from perdure.ports import Ref
from perdure.recall.fuse import Fused
from perdure.recall.plan import Intent, Plan
from perdure.recall.weights import Weights

Turn: TypeAlias = "tuple[str | None, str | None, int]"


def rank(
    fused: Sequence[Fused],
    facts: Mapping[str, Fact],
    episodes: Mapping[str, Episode],
    paths: Mapping[Ref, tuple[str, ...]],
    stale: Set[str],
    *,
    plan: Plan,
    weights: Weights,
) -> list[Hit]:
    """Hits best first, ties by id; each hit's `parts` multiply and add up to its score."""
    hits = []
    for item in fused:
        hit = Hit(
            kind=item.ref.kind,
            score=item.score,
            fact=facts.get(item.ref.id) if item.ref.kind == "fact" else None,
            episode=episodes.get(item.ref.id) if item.ref.kind == "episode" else None,
            signals=item.signals,
            path=paths.get(item.ref, ()),
            is_stale=item.ref.id in stale,
        )
        if hit.fact is not None or hit.episode is not None:
            hits.append(_weigh(hit, plan, weights))
    return sorted(hits, key=lambda h: (-h.score, h.id))


def _weigh(hit: Hit, plan: Plan, weights: Weights) -> Hit:
    state = weights.stale if hit.is_stale else 1.0
    if hit.fact is not None:
        state = _state_factor(hit.fact, plan, weights)
    kind = weights.fact if hit.fact else 1.0
    fresh = weights.recency * _recency(_begin(hit), plan.view.valid_at, weights)
    score = min(1.0, max(0.0, hit.score * state * kind + fresh * hit.score))
    parts = {"fused": hit.score, "state": state, "kind": kind, "recency": fresh * hit.score}
    return replace(hit, score=score, parts=parts)


def _state_factor(fact: Fact, plan: Plan, weights: Weights) -> float:
    factor = {Status.DISPUTED: weights.disputed, Status.SUSPECT: weights.suspect}.get(fact.body.status, 1.0)
    is_closed = fact.body.valid.end is not None and fact.body.valid.end <= plan.view.valid_at
    if is_closed and plan.intent is not Intent.HISTORICAL:
        factor *= weights.closed
    return factor


def _begin(hit: Hit) -> datetime | None:
    if hit.fact is not None:
        return hit.fact.body.valid.start
    return hit.episode.said_at if hit.episode is not None else None


def _recency(begin: datetime | None, now: datetime, weights: Weights) -> float:
    """1 for now, ½ a half-life ago, 0 for what has no date."""
    if begin is None:
        return 0.0
    age_days = max(0.0, (now - begin).total_seconds() / 86_400)
    return float(0.5 ** (age_days / weights.recency_half_life_days))


def with_context(hits: Sequence[Hit], weights: Weights) -> list[Hit]:
    """The hits with messages lifted by the turn they answer, or that answers them; best first, ties by id.

    An answer ("the blue one") often shares no word with the question that finds the turn before it. Only
    turns of two speakers, side by side in one call and session, lift each other, and no score passes 1.
    """
    turns = {_turn(hit.episode, 0): hit for hit in hits if hit.episode is not None}
    lifted = [_lift(hit, turns, weights) for hit in hits]
    return sorted(lifted, key=lambda h: (-h.score, h.id))


def _turn(episode: Episode, step: int) -> Turn:
    """The place of the episode, or of the one `step` turns on."""
    return episode.operation_id, episode.session, episode.position + step


def _lift(hit: Hit, turns: Mapping[Turn, Hit], weights: Weights) -> Hit:
    if hit.episode is None:
        return hit
    beside = [turns.get(_turn(hit.episode, step)) for step in (-1, 1)]
    best = max((other.score for other in beside if other and _is_reply(hit, other)), default=0.0)
    gain = weights.context * best * hit.parts["state"] * (1 - hit.score)
    return replace(hit, score=hit.score + gain, parts={**hit.parts, "context": gain})


def _is_reply(hit: Hit, other: Hit) -> bool:
    one, two = hit.episode, other.episode
    return one is not None and two is not None and (one.role, one.speaker) != (two.role, two.speaker)


def fold_repeats(hits: Sequence[Hit]) -> list[Hit]:
    """Leave out an episode whose words a better hit that came from it already shows."""
    shown: dict[str, list[str]] = {}
    kept = []
    for hit in hits:
        if hit.episode is not None:
            told = shown.get(hit.episode.id)
            if told and normalise(hit.episode.text) in told:
                continue
        if hit.fact is not None:
            words = normalise(hit.fact.body.text)
            for source in hit.fact.sources:
                if source.episode_id is not None:
                    shown.setdefault(source.episode_id, []).append(words)
        kept.append(hit)
    return kept
