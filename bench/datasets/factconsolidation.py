"""FactConsolidation (MemoryAgentBench, Conflict_Resolution): numbered facts, a higher number is true.

Each fact is a turn, its number the id, its text without it, a minute apart. Questions come after all facts.

The set gives answers only; which facts they rest on is found here, in code:

- single hop: the question's slot, the group of facts of one subject and relation. Evidence and `fresh` are
  its newest fact, `stale` the older ones with another object.
- multi-hop: the chain of newest facts, from the entity that the question names by the relations that it
  names, to the answer. Evidence is every fact of it; `fresh` are those that replaced another one, `stale`
  what they replaced.

Where the newest facts do not lead to the set's own answer, no evidence is given and the question is counted
in the notes. All such were read: the key then rests on a fact that a later one supersedes, against the set's
own rule. So no reader who keeps the rule reaches 100 %; the notes say how many questions that leaves.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from bench.datasets.fact_reader import Chain, rank_chains
from bench.datasets.facts import Fact, Slot, by_slot, read_fact
from bench.datasets.files import DataFolder, Hashes
from bench.datasets.making import MINUTE, after_all, make_case
from bench.datasets.nodes import Node
from bench.model import Dataset, Gold, Question, Turn

_START = datetime(2024, 1, 1, tzinfo=UTC)  # the set has no times; only their order means something
_LINE = re.compile(r"(\d+)\. (.+)")
HOPS = {"sh": "single-hop", "mh": "multi-hop"}


def load(root: Path, *, hops: str, size: str, hashes: Hashes | None = None) -> Dataset:
    """hops: sh or mh. size: 6k or 32k, as in the file's name."""
    folder = DataFolder(root, hashes)
    name = f"factconsolidation-{hops}-{size}"
    source = folder.json(f"factconsolidation/factconsolidation_{hops}_{size}.json")
    turns = _read_turns(source.at("context"))
    facts = [f for f in (read_fact(int(t.id), t.text) for t in turns) if f is not None]
    questions = _read_questions(source, turns, facts, hops)
    case = make_case(source, id=name, owner="user", turns=turns, questions=questions)
    unlinked = sum(not q.gold.evidence for q in questions)
    return Dataset(
        name=name,
        split="dev",
        sha256=folder.sha256,
        licence="MIT",
        cases=(case,),
        notes=(
            f"{len(turns) - len(facts)} of {len(turns)} facts are of no sentence that is known",
            f"{unlinked} of {len(questions)} questions have an answer to which the newest facts do not lead; "
            "they have no evidence",
        ),
    )


def _read_turns(context: Node) -> list[Turn]:
    """The first line is a heading."""
    turns: list[Turn] = []
    for line in context.as_text().split("\n")[1:]:
        if not line.strip():
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None:
            context.fail("has a line that is no numbered fact")
        at = _START + len(turns) * MINUTE
        turns.append(Turn(id=match[1], session="facts", speaker=None, role="user", text=match[2], at=at))
    return turns


def _read_questions(source: Node, turns: Sequence[Turn], facts: Sequence[Fact], hops: str) -> list[Question]:
    asked, keys, ids = (
        source.list("questions"),
        source.list("answers"),
        source.at("metadata").texts("qa_pair_ids"),
    )
    if not len(asked) == len(keys) == len(ids):
        source.fail("has not as many answers and ids as questions")
    slots = by_slot(facts)
    asked_at = after_all(turns, source)
    return [
        Question(
            id=id,
            text=text.as_text(),
            category=HOPS[hops],
            asked_at=asked_at,
            after=len(turns),
            gold=_gold(_find_chain(text.as_text(), answers, facts, hops), answers, slots),
        )
        for id, text, key in zip(ids, asked, keys, strict=True)
        for answers in [tuple(a.as_text() for a in key.each())]
    ]


def _find_chain(question: str, answers: Sequence[str], facts: Sequence[Fact], hops: str) -> Chain:
    """The newest facts from which an answer follows, by the relations that the question names; else empty."""
    chains = rank_chains(question, facts)
    fitting = [c for c in chains if len(c) == 1][:1] if hops == "sh" else chains
    return next((c for c in fitting if c[-1].object in answers), ())


def _gold(chain: Chain, answers: tuple[str, ...], slots: Mapping[Slot, Sequence[Fact]]) -> Gold:
    stale = {
        str(old.serial)
        for fact in chain
        for old in slots[fact.slot]
        if old.serial < fact.serial and old.object != fact.object
    }
    return Gold(
        evidence=tuple(frozenset({str(fact.serial)}) for fact in chain),
        sessions=frozenset({"facts"}) if chain else frozenset(),
        answers=answers,
        stale=frozenset(stale),
        fresh=frozenset(
            str(fact.serial)
            for fact in chain
            if any(old.serial < fact.serial and old.object != fact.object for old in slots[fact.slot])
        ),
    )
