"""Graph diffusion: relevance spreads from the query's names and the first hits over what they share.

Personalised PageRank on the neighbourhood of the seeds (Page et al. 1999; Haveliwala 2002), hubs damped,
work bounded: two hops from item to item, and a fixed number of links a name.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set
from typing import TypeAlias

from perdure.core.filters import Filter
from perdure.core.values import Entity, EntityId, Scope
from perdure.ports import Link, Match, Ref, Store
from perdure.recall.plan import Plan
from perdure.recall.weights import Weights

ROUNDS = 12
MAX_ENTITIES = 60
Node: TypeAlias = "EntityId | Ref"


async def diffuse(
    store: Store,
    scope: Scope,
    plan: Plan,
    seeds: Sequence[Ref],
    *,
    where: Filter | None,
    weights: Weights,
) -> tuple[list[Match], Mapping[Ref, tuple[str, ...]]]:
    """Items by the share of relevance that reaches them, best first, and the names on the way there.

    Only what view and filter show passes relevance on.
    """
    named = await store.entities(scope, plan.entity_keys) if plan.entity_keys else []
    asked = [e.id for e in named]
    seed_links = await store.links_of_items(scope, seeds, view=plan.view) if seeds else []

    async def expand(entities: Sequence[EntityId]) -> list[Link]:
        chosen = list(dict.fromkeys(entities))[:MAX_ENTITIES]
        if not chosen:
            return []
        found = await store.links_of_entities(
            scope, chosen, view=plan.view, where=where, limit=weights.graph_links
        )
        return without_hubs(found, limit=weights.graph_links, keep=set(asked))

    first = [*asked, *(link.entity_id for link in seed_links)]
    links = await expand(first)
    around = await store.links_of_items(scope, _items(links), view=plan.view) if links else []
    hubs = set(first) - {link.entity_id for link in links}
    around = [link for link in around if link.entity_id not in hubs]
    links += around + await expand(_next_entities(around, known=set(first)))
    visible = set(_items(links))
    # A name that nothing shown mentions must not take a share: at an earlier record time it was unknown.
    linked = {link.entity_id for link in links}
    restart: dict[Node, float] = {i: 1.0 for i in asked if i in linked}
    restart |= {ref: 0.5 for ref in seeds if ref in visible}
    shares = page_rank(_neighbours(links), restart, stay=1 - weights.graph_restart)
    found = [Match(n, s) for n, s in shares.items() if isinstance(n, Ref) and s > 0]
    found.sort(key=lambda m: (-m.score, m.ref.kind, m.ref.id))
    found = found[: weights.depth]
    return found, await _paths(store, scope, links, found, named)


def without_hubs(links: Sequence[Link], *, limit: int, keep: Set[EntityId]) -> list[Link]:
    """The links less those of names that more items mention than were looked at, save those asked about.

    The newest few of very many say nothing about which of them is meant.
    """
    counts = Counter((link.entity_id, link.ref.kind) for link in links)
    hubs = {entity for (entity, _), count in counts.items() if count >= limit} - keep
    return [link for link in links if link.entity_id not in hubs]


def _next_entities(around: Sequence[Link], *, known: Set[EntityId]) -> list[EntityId]:
    """The names one step further out, those with most ways to them first."""
    ways = Counter(link.entity_id for link in around if link.entity_id not in known)
    return sorted(ways, key=lambda entity: (-ways[entity], entity))


def _items(links: Sequence[Link]) -> list[Ref]:
    return list(dict.fromkeys(link.ref for link in links))


def page_rank(
    neighbours: Mapping[Node, Sequence[Node]], restart: Mapping[Node, float], *, stay: float
) -> dict[Node, float]:
    """Each node's share of relevance, in [0, 1]; the shares add up to at most 1.

    restart: where the walk begins anew, by weight. stay: the chance of walking on, in (0, 1).
    A node passes on by inverse square root of its neighbours' degrees, so that hubs get less.
    """
    import numpy as np

    total = sum(restart.values())
    if not total:
        return {}
    nodes = list(dict.fromkeys([*neighbours, *restart]))
    place = {node: n for n, node in enumerate(nodes)}
    around = [neighbours.get(node, ()) for node in nodes]
    degrees = np.array([len(each) for each in around])
    begins = np.repeat(np.arange(len(nodes)), degrees)
    ends = np.array([place[n] for each in around for n in each], dtype=np.intp)
    pulls = 1 / np.sqrt(np.maximum(degrees[ends], 1))
    flows = stay * pulls / np.bincount(begins, pulls, len(nodes))[begins]
    base = np.zeros(len(nodes))
    base[[place[node] for node in restart]] = [weight / total for weight in restart.values()]
    shares = base
    for _ in range(ROUNDS):
        shares = (1 - stay) * base + np.bincount(ends, shares[begins] * flows, len(nodes))
    return {node: share for node, share in zip(nodes, shares.tolist(), strict=True) if share > 0}


def _neighbours(links: Sequence[Link]) -> dict[Node, list[Node]]:
    both: dict[Node, dict[Node, None]] = defaultdict(dict)
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
