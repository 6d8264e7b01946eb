"""RealMemBench: long dialogues of five personas; some turns are queries that earlier sessions answer.

- A persona is a case; all sessions in the order of the file are its turns, queries and their replies too: a
  query's `after` counts the turns before it, so that nothing has heard it when it is asked.
- The assistant's next turn tells what it used: `memory_used` (texts of extracted memories) and
  `memory_session_uuids`, the gold sessions. Only sessions before the query count. A query without any is left
  out. Evidence: each memory used names the turn that it was drawn from (`source_content_snapshot`); one whose
  turn is not found gives a gold session only.
- Times: only days are known, turns are a second apart. Some sessions are dated before the one that they
  follow; time then stands still, as the order of the file is the one that gold sessions agree with.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeAlias

from bench.datasets.files import DataFolder, Hashes
from bench.datasets.making import after_all, make_case, not_before, read_moment, read_role
from bench.datasets.nodes import Node
from bench.model import Case, Dataset, Gold, Question, SessionId, Turn, TurnId

_DAY = re.compile(r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)(?: \(\w+\))?")
_Sources: TypeAlias = Mapping[tuple[SessionId, str], TurnId | None]  # session, memory -> the turn it is from


def load(root: Path, *, hashes: Hashes | None = None) -> Dataset:
    folder = DataFolder(root, hashes)
    counts: Counter[str] = Counter()
    cases = tuple(
        _read_case(folder.json(name), counts) for name in folder.names("realmem", ".json.gz", ".json")
    )
    return Dataset(
        name="realmem",
        split="dev",
        sha256=folder.sha256,
        licence="Apache-2.0 (file), MIT (README)",
        cases=cases,
        notes=(
            f"{counts['no gold']} queries have no gold session before them and are left out",
            f"{counts['not before']} gold sessions are not before their query and do not count",
            f"{counts['no turn']} of {counts['memories']} memories used are from no turn that is found",
            f"{counts['empty']} empty turns are left out",
            f"{counts['back']} sessions are dated before the one that they follow",
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Persona:
    """A case in the making."""

    turns: list[Turn]
    questions: list[Question]
    counts: Counter[str]


def _read_case(persona: Node, counts: Counter[str]) -> Case:
    made = _Persona(turns=[], questions=[], counts=counts)
    sources: dict[tuple[SessionId, str], TurnId | None] = {}
    latest: datetime | None = None
    for dialogue in persona.list("dialogues"):
        day = read_moment(dialogue.at("current_time"), _DAY)
        counts["back"] += latest is not None and day < latest
        latest = day
        session, spoken = dialogue.text("session_uuid"), dialogue.list("dialogue_turns")
        for position, said in enumerate(spoken):
            if said.truth("is_query"):
                made.questions.extend(_read_query(said, spoken[position + 1 :], session, sources, made))
            made.turns.extend(_read_turn(said, session, position + 1, not_before(day, made.turns)))
        counts["empty"] += sum(not said.text("content").strip() for said in spoken)
        sources |= _read_sources(dialogue, session, spoken)
    name = persona.at("_metadata").text("person_name")
    return make_case(
        persona, id=name, owner=name.replace("_", " "), turns=made.turns, questions=made.questions
    )


def _read_turn(said: Node, session: SessionId, number: int, at: datetime) -> list[Turn]:
    """One turn, or none if nothing is said."""
    text = said.text("content")
    if not text.strip():
        return []
    role = read_role(said.at("speaker"))
    return [Turn(id=f"{session}:{number}", session=session, speaker=None, role=role, text=text, at=at)]


def _read_sources(dialogue: Node, session: SessionId, spoken: Sequence[Node]) -> _Sources:
    numbers: dict[str, int] = {}
    for number, said in enumerate(spoken, start=1):
        if said.text("content").strip():
            numbers.setdefault(said.text("content"), number)
    found: dict[tuple[SessionId, str], TurnId | None] = {}
    for memory in dialogue.list("extracted_memory"):
        source = numbers.get(memory.text("source_content_snapshot"))
        found[session, memory.text("content")] = f"{session}:{source}" if source else None
    return found


def _read_query(
    said: Node, later: Sequence[Node], session: SessionId, sources: _Sources, made: _Persona
) -> list[Question]:
    """One question, or none if no session before it is gold."""
    gold = _read_gold(later[0], session, sources, made) if later and later[0].has("memory_used") else Gold()
    if not gold.sessions:
        made.counts["no gold"] += 1
        return []
    return [
        Question(
            id=said.text("query_id"),
            text=said.text("content"),
            category=said.text("category_name"),
            asked_at=after_all(made.turns, said),
            after=len(made.turns),
            gold=gold,
        )
    ]


def _read_gold(reply: Node, session: SessionId, sources: _Sources, made: _Persona) -> Gold:
    earlier = {t.session for t in made.turns} - {session}
    named = dict.fromkeys(reply.texts("memory_session_uuids"))
    sessions = frozenset(s for s in named if s in earlier)
    made.counts["not before"] += len(named) - len(sessions)
    evidence: dict[TurnId, None] = {}
    for memory in reply.list("memory_used"):
        if memory.text("session_uuid") in sessions:
            turn = sources.get((memory.text("session_uuid"), memory.text("content")))
            evidence |= {turn: None} if turn else {}
            made.counts.update({"memories": 1, "no turn": int(turn is None)})
    return Gold(evidence=tuple(frozenset({turn}) for turn in evidence), sessions=sessions)
