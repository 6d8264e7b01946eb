"""A reader in code: answers a question from the facts that were found, by serial order and nothing else.

It makes end-to-end accuracy on FactConsolidation a number without a model: the found facts are grouped by
(subject, relation), the newest of each group is taken to be true, and the chain of relations that the
question names is followed from the entity that it names. It sees the question's text and the found facts,
never the gold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bench.datasets.fact_cues import CUES, cue_for
from bench.datasets.facts import Fact, Relation, by_slot, read_fact

MAX_STEPS = 4  # the longest chain that the questions of the set ask for

# A step that the question names is worth more than one that it may mean; a step that it does not mention
# costs, and so does a relation that it names and the chain does not use. Set on the development questions.
_NAMED, _HINTED, _UNMENTIONED = 2.0, 0.5, -2.0
_LEFT_OUT = -1.0

Chain: TypeAlias = tuple[Fact, ...]
_Graph: TypeAlias = Mapping[str, Sequence[Fact]]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFact:
    """id: the turn's, a whole number whose order is that in which the facts were told."""

    id: str
    text: str


def answer(question: str, found: Sequence[FoundFact]) -> str | None:
    """The object at the end of the best chain; None if the facts hold none."""
    chains = rank_chains(question, read_found(found))
    return chains[0][-1].object if chains else None


def read_found(found: Sequence[FoundFact]) -> list[Fact]:
    """What is no sentence of the set's templates is left out: the reader has no use for it."""
    facts = (read_fact(int(f.id), f.text) for f in found)
    return [fact for fact in facts if fact is not None]


def rank_chains(question: str, facts: Sequence[Fact]) -> list[Chain]:
    """The chains of newest facts from an entity of the question to what it asks for; best first, then the
    shortest."""
    graph = _newest_by_subject(facts)
    scored = [
        (_score(rest, chain), chain)
        for entity in entities_in(question, graph)
        for rest in [_without(question, entity)]
        for chain in _chains(entity, graph)
        if cue_for(chain[-1].relation).asks.search(rest)
    ]
    scored.sort(key=lambda s: (-s[0], len(s[1]), [f.serial for f in s[1]]))
    return [chain for _, chain in scored]


def entities_in(question: str, names: Mapping[str, object]) -> list[str]:
    """The names that stand in the question as words of their own and inside no longer one."""
    spans = {name: m.span() for name in names if name in question and (m := _mention(name).search(question))}
    return [
        name
        for name, (start, end) in spans.items()
        if not any(s <= start and end <= e and (s, e) != (start, end) for s, e in spans.values())
    ]


def _mention(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")


def _without(question: str, entity: str) -> str:
    return _mention(entity).sub("_", question).lower()


def _newest_by_subject(facts: Sequence[Fact]) -> _Graph:
    graph: dict[str, list[Fact]] = {}
    for (subject, _), versions in by_slot(facts).items():
        graph.setdefault(subject, []).append(versions[-1])
    return graph


def _chains(start: str, graph: _Graph, before: Chain = ()) -> Iterator[Chain]:
    """Chains from an entity that come back to none of theirs."""
    seen = {f.subject for f in before} | {start}
    for fact in graph.get(start, ()):
        chain = (*before, fact)
        yield chain
        if len(chain) < MAX_STEPS and fact.object not in seen:
            yield from _chains(fact.object, graph, chain)


def _score(question: str, chain: Chain) -> float:
    relations = [f.relation for f in chain]
    steps = sum(_step_score(question, relation) for relation in set(relations))
    repeated = len(relations) - len(set(relations))
    return steps + _UNMENTIONED * repeated + _LEFT_OUT * len(_named_in(question) - set(relations))


def _step_score(question: str, relation: Relation) -> float:
    cue = cue_for(relation)
    if cue.names.search(question):
        return _NAMED
    return _HINTED if cue.hints.search(question) else _UNMENTIONED


def _named_in(question: str) -> set[Relation]:
    return {relation for relation, cue in CUES.items() if cue.names.search(question)}
