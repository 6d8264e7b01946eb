"""Contract: no read and no write of one scope ever reaches another, however alike their ids are.

The tests are generated: every way to read × every pair of neighbours. A new read method of the port
gets its line in `READS`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from perdure.core.changes import Change, LinkEntity, PutDecision, PutEntity, PutEpisode, PutOperation
from perdure.core.interval import Interval
from perdure.core.text import fingerprint
from perdure.core.values import (
    Action,
    Body,
    Cardinality,
    Decision,
    DecisionId,
    Entity,
    EntityId,
    EpisodeId,
    FactId,
    Layer,
    Operation,
    OperationId,
    Scope,
    Slot,
    Validity,
)
from perdure.ports import Ref, Store
from perdure.testing.contract_base import (
    BOTH,
    ContractBase,
    day,
    index,
    new_episode,
    new_fact,
    new_source,
    unit,
    view,
    write,
)

Read = Callable[[Store, Scope], Awaitable[set[str]]]
TEXT = "Ana lives in Porto"
SAID = "I live in Porto"
HOME = Slot(subject="ana", attribute="home", cardinality=Cardinality.SINGLE)
ALIKE = (
    "ann_lee", "ann-lee", "annXlee", "ann%", "ANN_LEE", "ann_lee ", " ann_lee", "ann_lee\0", "ann_lee\0x",
    "*", "%", "", "é", "e\u0301", "Å", "\u212b", "ß", "ss", "null", '"]', "1", "01",
)  # fmt: skip
PAIRS = [("ann_lee", other) for other in ALIKE[1:]] + [("é", "e\u0301"), ("Å", "\u212b"), ("ß", "ss")]


def _neighbours() -> list[tuple[Scope, Scope]]:
    """Two scopes that differ in one id only, for every id that a scope has; then workspaces."""
    pairs = [(Scope(workspace="w", user_id=a), Scope(workspace="w", user_id=b)) for a, b in PAIRS]
    for name in ("agent_id", "app_id", "run_id"):
        both = [replace(Scope(workspace="w", user_id="u"), **{name: i}) for i in ("ann_lee", "ann-lee")]
        pairs.append((both[0], both[1]))
    pairs.append((Scope(workspace="w", user_id="u"), Scope(workspace="w", agent_id="u")))
    pairs.append((Scope(workspace="w1", user_id="u"), Scope(workspace="w2", user_id="u")))
    pairs.append((Scope(workspace="w_1"), Scope(workspace="w%1")))
    return pairs


def _facts(tag: str) -> list[Change]:
    said = Body(text=TEXT, fingerprint="fp", slot=HOME, value="Porto", valid=Interval(day(1), None))
    return [
        new_fact(f"{tag}-fact", said, vector=unit(1, 2, 3, 4)),
        new_source(f"{tag}-source", f"{tag}-fact", f"{tag}-episode", SAID),
    ]


def _everything(tag: str, scope: Scope) -> list[Change]:
    """One of each thing; the same words under any tag."""
    said = new_episode("x", SAID, scope=scope, said_at=day(1)).episode
    said = replace(said, id=EpisodeId(f"{tag}-episode"), operation_id=OperationId(f"{tag}-operation"))
    decision = Decision(
        id=DecisionId(f"{tag}-decision"),
        operation_id=OperationId(f"{tag}-operation"),
        action=Action.ADD,
        layer=Layer.NEW,
        fact_id=FactId(f"{tag}-fact"),
        reason="new",
    )
    operation = Operation(id=OperationId(f"{tag}-operation"), scope=scope, kind="add", state="captured")
    return [
        PutOperation(operation=operation),
        PutEpisode(episode=said, index=index(SAID, unit(1, 2, 3, 4))),
        *_facts(tag),
        PutEntity(entity=Entity(id=EntityId(f"{tag}-entity"), scope=scope, name="Porto", key="porto")),
        LinkEntity(entity_key="porto", kind="fact", item_id=f"{tag}-fact"),
        LinkEntity(entity_key="porto", kind="episode", item_id=f"{tag}-episode"),
        PutDecision(decision=decision),
    ]


BOTH_TAGS = ("a", "b")
_U = Scope(workspace="w", user_id="u")


def _ids(kind: str) -> list[str]:
    return [f"{tag}-{kind}" for tag in BOTH_TAGS]


async def _read_facts(store: Store, scope: Scope) -> set[str]:
    return {fact.id for fact in await store.facts(scope, _ids("fact"), view=None)}


async def _read_list_facts(store: Store, scope: Scope) -> set[str]:
    page = await store.list_facts(scope, view=view(), where=None, limit=9, after=None)
    return {fact.id for fact in page.items}


async def _read_count_facts(store: Store, scope: Scope) -> set[str]:
    shown = await _read_list_facts(store, scope)
    return shown if await store.count_facts(scope, view=view(), where=None) == len(shown) else {"miscounted"}


async def _read_history(store: Store, scope: Scope) -> set[str]:
    return {v.fact_id for i in _ids("fact") for v in await store.history(scope, FactId(i))}


async def _read_slot_facts(store: Store, scope: Scope) -> set[str]:
    return {fact.id for fact in await store.slot_facts(scope, [HOME])}


async def _read_fingerprints(store: Store, scope: Scope) -> set[str]:
    return {fact.id for fact in await store.facts_by_fingerprint(scope, ["fp"])}


async def _read_facts_of_episodes(store: Store, scope: Scope) -> set[str]:
    asked = [EpisodeId(i) for i in _ids("episode")]
    return {fact.id for fact in await store.facts_of_episodes(scope, asked)}


async def _read_episodes(store: Store, scope: Scope) -> set[str]:
    return {e.id for e in await store.episodes(scope, _ids("episode"), view=None)}


async def _read_list_episodes(store: Store, scope: Scope) -> set[str]:
    page = await store.list_episodes(scope, view=view(), where=None, limit=9, after=None)
    return {e.id for e in page.items}


async def _read_episode_ids(store: Store, scope: Scope) -> set[str]:
    return set((await store.episode_ids(scope, [fingerprint(SAID)])).values())


async def _read_vectors(store: Store, scope: Scope) -> set[str]:
    found = await store.search_vectors(scope, unit(1, 2, 3, 4), kinds=BOTH, view=view(), where=None, limit=9)
    return {m.ref.id for m in found}


async def _read_keywords(store: Store, scope: Scope) -> set[str]:
    found = await store.search_keywords(scope, ["porto"], kinds=BOTH, view=view(), where=None, limit=9)
    return {m.ref.id for m in found}


async def _read_times(store: Store, scope: Scope) -> set[str]:
    window = Interval(day(0), day(9))
    shown = view(Validity.ANY)
    found = await store.search_times(scope, window, kinds=BOTH, view=shown, where=None, limit=9)
    return {ref.id for ref in found}


async def _read_entities(store: Store, scope: Scope) -> set[str]:
    return {e.id for e in await store.entities(scope, ["porto"])}


async def _read_entities_by_id(store: Store, scope: Scope) -> set[str]:
    return {e.id for e in await store.entities_by_id(scope, [EntityId(i) for i in _ids("entity")])}


async def _read_links_of_entities(store: Store, scope: Scope) -> set[str]:
    asked = [EntityId(i) for i in _ids("entity")]
    links = await store.links_of_entities(scope, asked, view=view(), limit=9)
    return {i for link in links for i in (link.entity_id, link.ref.id)}


async def _read_links_of_items(store: Store, scope: Scope) -> set[str]:
    asked = [Ref("fact", i) for i in _ids("fact")] + [Ref("episode", i) for i in _ids("episode")]
    links = await store.links_of_items(scope, asked, view=view())
    return {i for link in links for i in (link.entity_id, link.ref.id)}


async def _read_sources(store: Store, scope: Scope) -> set[str]:
    return {s.fact_id for s in await store.sources(scope, _ids("fact"), known_at=None)}


async def _read_decisions(store: Store, scope: Scope) -> set[str]:
    found = await store.decisions(scope, ids=[DecisionId(i) for i in _ids("decision")])
    for tag in BOTH_TAGS:
        found += await store.decisions(scope, fact_id=FactId(f"{tag}-fact"))
        found += await store.decisions(scope, operation_id=OperationId(f"{tag}-operation"))
    return {d.id for d in found}


async def _read_operation(store: Store, scope: Scope) -> set[str]:
    found = [await store.operation(scope, OperationId(i)) for i in _ids("operation")]
    return {operation.id for operation in found if operation}


async def _read_operations(store: Store, scope: Scope) -> set[str]:
    return {operation.id for operation in await store.operations(scope, state=None, limit=9)}


async def _read_operation_episodes(store: Store, scope: Scope) -> set[str]:
    found = [await store.operation_episodes(scope, OperationId(i)) for i in _ids("operation")]
    return {episode.id for episodes in found for episode in episodes}


async def _read_scope_items(store: Store, scope: Scope) -> set[str]:
    facts, episodes = await store.scope_items(scope)
    return {*facts, *episodes}


READS: dict[str, tuple[Read, tuple[str, ...]]] = {
    "facts": (_read_facts, ("fact",)),
    "list_facts": (_read_list_facts, ("fact",)),
    "count_facts": (_read_count_facts, ("fact",)),
    "history": (_read_history, ("fact",)),
    "slot_facts": (_read_slot_facts, ("fact",)),
    "facts_by_fingerprint": (_read_fingerprints, ("fact",)),
    "facts_of_episodes": (_read_facts_of_episodes, ("fact",)),
    "episodes": (_read_episodes, ("episode",)),
    "sources": (_read_sources, ("fact",)),
    "list_episodes": (_read_list_episodes, ("episode",)),
    "episode_ids": (_read_episode_ids, ("episode",)),
    "search_vectors": (_read_vectors, ("fact", "episode")),
    "search_keywords": (_read_keywords, ("fact", "episode")),
    "search_times": (_read_times, ("fact", "episode")),
    "entities": (_read_entities, ("entity",)),
    "entities_by_id": (_read_entities_by_id, ("entity",)),
    "links_of_entities": (_read_links_of_entities, ("entity", "fact", "episode")),
    "links_of_items": (_read_links_of_items, ("entity", "fact", "episode")),
    "decisions": (_read_decisions, ("decision",)),
    "operation": (_read_operation, ("operation",)),
    "operations": (_read_operations, ("operation",)),
    "operation_episodes": (_read_operation_episodes, ("episode",)),
    "scope_items": (_read_scope_items, ("fact", "episode")),
}
EXACT = ("slot_facts", "facts_by_fingerprint", "episode_ids")


class IsolationContract(ContractBase):
    """Two scopes with the same words: each sees its own, whatever is asked."""

    @pytest.mark.parametrize("pair", _neighbours(), ids=lambda pair: f"{pair[0].key}~{pair[1].key!r}")
    async def test_neighbours_never_see_one_another(self, store: Store, pair: tuple[Scope, Scope]) -> None:
        for tag, scope in zip(BOTH_TAGS, pair, strict=True):
            await write(store, *_everything(tag, scope), scope=scope)
        for tag, scope in zip(BOTH_TAGS, pair, strict=True):
            seen = {name: await read(store, scope) for name, (read, _) in READS.items()}
            assert seen == {name: {f"{tag}-{k}" for k in kinds} for name, (_, kinds) in READS.items()}

    @pytest.mark.parametrize("name", READS)
    async def test_a_scope_without_items_sees_none(self, store: Store, name: str) -> None:
        await write(store, *_everything("a", _U), scope=_U)
        read, _ = READS[name]
        assert await read(store, Scope(workspace="w", user_id="u", run_id="r")) == set()

    @pytest.mark.parametrize("name", [name for name in READS if name not in EXACT])
    async def test_a_read_of_a_covering_scope_sees_both(self, store: Store, name: str) -> None:
        for tag, user in zip(BOTH_TAGS, ("ana", "ben"), strict=True):
            scope = Scope(workspace="w", user_id=user)
            await write(store, *_everything(tag, scope), scope=scope)
        read, kinds = READS[name]
        seen = await read(store, Scope(workspace="w"))
        assert seen == {f"{tag}-{kind}" for tag in BOTH_TAGS for kind in kinds}

    @pytest.mark.parametrize("pair", _neighbours(), ids=lambda pair: f"{pair[0].key}~{pair[1].key!r}")
    async def test_an_erase_never_reaches_a_neighbour(self, store: Store, pair: tuple[Scope, Scope]) -> None:
        for tag, scope in zip(BOTH_TAGS, pair, strict=True):
            await write(store, *_everything(tag, scope), scope=scope)
        receipt = await store.erase(pair[0], fact_ids=["b-fact"], episode_ids=["b-episode"])
        assert (receipt.facts, receipt.episodes) == (0, 0)
        assert await _read_scope_items(store, pair[1]) == {"b-fact", "b-episode"}

    async def test_counts_are_those_of_the_scope(self, store: Store) -> None:
        await write(store, *_everything("a", _U), scope=_U)
        stats = await store.stats(Scope(workspace="w", user_id="v"))
        assert (stats.facts, stats.episodes, stats.entities, stats.decisions) == (0, 0, 0, 0)
        assert (stats.open_operations, stats.waiting_vectors) == (0, 0)
