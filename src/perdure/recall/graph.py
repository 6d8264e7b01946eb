"""Graph diffusion: relevance spreads from the query's names and the first hits over what they share.

Personalised PageRank on the neighbourhood of the seeds (Page et al. 1999; Haveliwala 2002), hubs damped,
work bounded: at most two hops and a fixed number of links an entity.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence

from perdure.core.values import Entity, EntityId, Scope
from perdure.ports import Link, Match, Ref, Store
from perdure.recall.plan import Plan
from perdure.recall.weights import Weights

ROUNDS = 12
MAX_ENTITIES = 60


async def diffuse(
    store: Store, scope: Scope, plan: Plan, seeds: Sequence[Ref], weights: Weights
) -> tuple[list[Match], Mapping[Ref, tuple[str, ...]]]:
    """Items by the share of relevance that reaches them, best first, and the names on the way there."""
    named = await store.entities(scope, plan.entity_keys) if plan.entity_keys else []
    seed_links = await store.links_of_items(scope, seeds, view=plan.view) if seeds else []
    start = list(dict.fromkeys([e.id for e in named] + [link.entity_id for link in seed_links]))
    if not start:
        return [], {}
    links = await store.links_of_entities(
        scope, start[:MAX_ENTITIES], view=plan.view, limit=weights.graph_links
    )
    reached = list(dict.fromkeys(link.ref for link in links))
    links += await store.links_of_items(scope, reached, view=plan.view)
    # A name that nothing shown mentions must not take a share: at an earlier record time it was unknown.
    linked = {link.entity_id for link in links}
    restart: dict[EntityId | Ref, float] = {e.id: 1.0 for e in named if e.id in linked}
    restart |= {ref: 0.5 for ref in seeds if ref in set(reached)}
    shares = page_rank(_neighbours(links), restart, stay=1 - weights.graph_restart)
    visible = set(reached)
    found = [Match(n, s) for n, s in shares.items() if isinstance(n, Ref) and n in visible and s > 0]
    found.sort(key=lambda m: (-m.score, m.ref.kind, m.ref.id))
    paths = await _paths(store, scope, links, found, named)
    return found[: weights.pool], paths


def page_rank(
    neighbours: Mapping[EntityId | Ref, Sequence[EntityId | Ref]],
    restart: Mapping[EntityId | Ref, float],
    *,
    stay: float,
) -> dict[EntityId | Ref, float]:
    """Each node's share of relevance, in [0, 1]; the shares add up to at most 1.

    restart: where the walk begins anew, by weight. stay: the chance of walking on, in (0, 1).
    A node passes on by inverse square root of its neighbours' degrees, so that hubs get less.
    """
    total = sum(restart.values())
    if not total:
        return {}
    base = {node: weight / total for node, weight in restart.items()}
    shares = dict(base)
    for _ in range(ROUNDS):
        following: dict[EntityId | Ref, float] = defaultdict(float)
        for node, share in base.items():
            following[node] += (1 - stay) * share
        for node, share in shares.items():
            around = neighbours.get(node, ())
            pulls = [1 / math.sqrt(len(neighbours.get(n, ())) or 1) for n in around]
            whole = sum(pulls)
            for neighbour, pull in zip(around, pulls, strict=True):
                following[neighbour] += stay * share * pull / whole
        shares = dict(following)
    return shares


def _neighbours(links: Sequence[Link]) -> dict[EntityId | Ref, list[EntityId | Ref]]:
    both: dict[EntityId | Ref, dict[EntityId | Ref, None]] = defaultdict(dict)
    for link in links:
        both[link.entity_id][link.ref] = None
        both[link.ref][link.entity_id] = None
    return {node: list(around) for node, around in both.items()}


async def _paths(
    store: Store,
    scope: Scope,
    links: Sequence[Link],
    found: Sequence[Match],
    named: Sequence[Entity],
) -> dict[Ref, tuple[str, ...]]:
    """For each item the entities it was reached by, the query's own names first."""
    by_item: dict[Ref, list[EntityId]] = defaultdict(list)
    for link in links:
        by_item[link.ref].append(link.entity_id)
    asked = {e.id for e in named}
    wanted = {i for m in found for i in by_item[m.ref]}
    names = {e.id: e.name for e in await store.entities_by_id(scope, sorted(wanted))}
    return {
        m.ref: tuple(
            dict.fromkeys(
                names[i] for i in sorted(by_item[m.ref], key=lambda i: (i not in asked, i)) if i in names
            )
        )[:4]
        for m in found
    }
