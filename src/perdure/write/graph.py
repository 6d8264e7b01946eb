"""The graph of what is said: entities, who mentions them, and the relations that facts state."""

from __future__ import annotations

from collections.abc import Sequence

from perdure.core.changes import Change, LinkEntity, PutEntity, PutRelation
from perdure.core.text import entity_key
from perdure.core.values import Draft, Entity, EntityId, FactId, ItemKind, Mention, Scope
from perdure.ports import NewId


def graph_changes(scope: Scope, stated: Sequence[tuple[Draft, FactId]], new_id: NewId) -> list[Change]:
    """Entities, links and relations of facts, from the drafts that stated them."""
    changes: list[Change] = []
    for draft, fact_id in stated:
        names = _names(draft)
        changes += entity_changes(scope, names, "fact", fact_id, new_id)
        known = {entity_key(m.name) for m in names}
        for relation in draft.relations:
            source, target = entity_key(relation.source), entity_key(relation.target)
            if {source, target} <= known and source != target:
                changes.append(
                    PutRelation(
                        fact_id=fact_id,
                        source_key=source,
                        label=relation.label,
                        target_key=target,
                    )
                )
    return changes


def _names(draft: Draft) -> list[Mention]:
    """Everything the draft names: its subject, its mentions and the ends of its relations."""
    named = list(draft.mentions)
    if draft.subject != "user":
        named.append(Mention(name=draft.subject, kind="person"))
    for relation in draft.relations:
        named += [Mention(name=relation.source), Mention(name=relation.target)]
    return named


def entity_changes(
    scope: Scope, mentions: Sequence[Mention], kind: ItemKind, item_id: str, new_id: NewId
) -> list[Change]:
    """Entities for these mentions, each linked to the item once."""
    changes: list[Change] = []
    seen: set[str] = set()
    for mention in mentions:
        key = entity_key(mention.name)
        if not key or key in seen:
            continue
        seen.add(key)
        entity = Entity(
            id=EntityId(new_id()), scope=scope, name=mention.name.strip(), key=key, kind=mention.kind
        )
        changes.append(PutEntity(entity=entity))
        changes.append(LinkEntity(entity_key=key, kind=kind, item_id=item_id))
    return changes
