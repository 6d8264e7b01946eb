"""StateBench (Parslee-ai): timelines of talk with what it makes of the state, then queries.

A timeline is a case. Events are taken in the order of the file, also where their times go backwards (in
`supersession_detection` and some `supersession`): that is the order in which the set replays them.

- Turns `t1`, `t2` ... are the conversation turns. Turns of one moment are a second apart.
- What the set gives as the state at the start comes first, as user turns `init-1`, ... of the session
  `initial`: persistent facts (all are valid, global and superseded by nothing at that time), then the working
  set, then the environment without its clock `now`. `identity_role` says who asks; its name is the owner.
- A `state_write` or a `supersession` (each holds writes) says nothing aloud. It is what a perfect extractor
  would draw, so it is a statement on the turn that says it: of those that hold the value's words (of all, if
  none does) the nearest in time, of equally near ones the one that it follows, and never across a query.
  Mostly that is the turn just before it in the file. Not so where the set writes what is said half a minute
  later (track `supersession`), what is said at the same time but listed next (`environmental_freshness`), or
  lists the first decision last (`supersession_detection`); on the turn before, an extraction would know what
  nobody has said yet, or the old decision would come last. Persistent facts and environment at the start are
  statements on their turns; the working set, which holds suppositions, makes none.
- A statement's attribute is its key, or that of what it supersedes (by key or id), so that
  `limit_v2` and `limit` are one slot; the subject is the same in words. Each slot holds one value.
- `implicit_supersession`, `depends_on`, `required_facts` and `forbidden_facts` are empty throughout, and
  every scope is global: there is nothing to read in them.
- Gold is in phrases (must_mention, must_not_mention), the decision is the accepted answer, the track is the
  category.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

from bench.datasets.files import DataFolder, Hashes
from bench.datasets.making import SECOND, make_case, read_iso, read_role
from bench.datasets.nodes import Node
from bench.model import Case, Dataset, Gold, Question, Statement, Turn

_SPOKEN, _QUERY, _WRITES = "conversation_turn", "query", frozenset({"state_write", "supersession"})


def load(root: Path, *, part: str, hashes: Hashes | None = None) -> Dataset:
    """part: dev or train, as in the file's name. Both are of the development portion."""
    folder = DataFolder(root, hashes)
    timelines = folder.json_lines(f"statebench/{part}.jsonl.gz")
    cases = tuple(_read_case(timeline) for timeline in timelines)
    tracks = Counter(q.category for case in cases for q in case.questions)
    statements = sum(len(t.statements) for case in cases for t in case.turns)
    return Dataset(
        name="statebench" if part == "dev" else f"statebench-{part}",
        split="dev",
        sha256=folder.sha256,
        licence="MIT",
        cases=cases,
        notes=(
            "queries by track: " + ", ".join(f"{track} {n}" for track, n in sorted(tracks.items())),
            f"{statements} statements on turns, for systems that are given the extraction",
        ),
    )


@dataclass(slots=True, kw_only=True)
class _Timeline:
    """A case in the making. slots: the attribute of each key or id that was written so far."""

    turns: list[Turn] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    slots: dict[str, str] = field(default_factory=dict)
    at_each: Counter[datetime] = field(default_factory=Counter)

    def say(self, turn: Turn) -> None:
        later = self.at_each[turn.at] * SECOND
        self.at_each[turn.at] += 1
        self.turns.append(replace(turn, at=turn.at + later))

    def state(self, write: Node) -> Statement:
        key = write.text("key")
        replaced = write.text("supersedes") if write.has("supersedes") else key
        attribute = self.slots.get(replaced, key)
        self.slots |= {write.text("id"): attribute, key: attribute}
        return _statement(attribute, write.text("value"))


def _statement(attribute: str, value: str) -> Statement:
    words = attribute.replace("_", " ")
    return Statement(
        text=f"{words}: {value}", subject=words, attribute=attribute, value=value, cardinality="single"
    )


def _read_case(timeline: Node) -> Case:
    made = _Timeline()
    start = timeline.at("initial_state")
    for turn in _initial_turns(start, made):
        made.say(turn)
    events = timeline.list("events")
    writes = _place_writes(events)
    spoken = 0
    for position, event in enumerate(events):
        if event.text("type") == _SPOKEN:
            spoken += 1
            made.say(_read_turn(event, spoken, tuple(made.state(w) for w in writes.get(position, ()))))
        elif event.text("type") == _QUERY:
            made.questions.append(_read_query(event, timeline, made))
    owner = start.at("identity_role").text("user_name")
    return make_case(
        timeline, id=timeline.text("id"), owner=owner, turns=made.turns, questions=made.questions
    )


def _initial_turns(start: Node, made: _Timeline) -> Iterator[Turn]:
    environment = start.at("environment")
    now = read_iso(environment.at("now"))
    told: list[tuple[str, datetime, tuple[Statement, ...]]] = []
    for fact in start.list("persistent_facts"):
        statement = made.state(fact)
        told.append((statement.text, read_iso(fact.at("ts")), (statement,)))
    for item in start.list("working_set"):
        told.append((item.text("content"), read_iso(item.at("ts")), ()))
    for key, value in environment.entries():
        if key != "now":
            statement = _statement(key, value.as_text())
            made.slots[key] = key
            told.append((statement.text, now, (statement,)))
    for number, (text, at, statements) in enumerate(told, start=1):
        yield Turn(
            id=f"init-{number}",
            session="initial",
            speaker=None,
            role="user",
            text=text,
            at=at,
            statements=statements,
        )


def _read_turn(event: Node, number: int, statements: tuple[Statement, ...]) -> Turn:
    return Turn(
        id=f"t{number}",
        session="talk",
        speaker=None,
        role=read_role(event.at("speaker")),
        text=event.text("text"),
        at=read_iso(event.at("ts")),
        statements=statements,
    )


def _read_query(event: Node, timeline: Node, made: _Timeline) -> Question:
    truth = event.at("ground_truth")
    return Question(
        id=f"{timeline.text('id')}-q{len(made.questions) + 1}",
        text=event.text("prompt"),
        category=timeline.text("track"),
        asked_at=read_iso(event.at("ts")),
        after=len(made.turns),
        gold=Gold(
            answers=(truth.text("decision"),),
            must_show=truth.texts("must_mention"),
            must_not_show=truth.texts("must_not_mention"),
        ),
    )


def _place_writes(events: Sequence[Node]) -> dict[int, list[Node]]:
    """The writes that each spoken event says, by its position, in the order of the file."""
    placed: dict[int, list[Node]] = {}
    for position, event in enumerate(events):
        kind = event.text("type")
        if kind in _WRITES:
            for write in event.list("writes"):
                placed.setdefault(_turn_for(write, position, events), []).append(write)
        elif kind not in (_SPOKEN, _QUERY):
            event.fail("is an event of a kind that is not known")
    return placed


def _turn_for(write: Node, position: int, events: Sequence[Node]) -> int:
    """The position of the turn that says what is written at the given one."""
    at, value = read_iso(events[position].at("ts")), write.text("value").lower()
    near = _between_queries(position, events)
    spoken = [n for n in near if events[n].text("type") == _SPOKEN]
    if not spoken:
        write.fail("is what no turn says")

    def distance(n: int) -> tuple[bool, timedelta, bool, int]:
        gap = abs(read_iso(events[n].at("ts")) - at)
        return (value not in events[n].text("text").lower(), gap, n > position, abs(n - position))

    return min(spoken, key=distance)


def _between_queries(position: int, events: Sequence[Node]) -> range:
    queries = [n for n, event in enumerate(events) if event.text("type") == _QUERY]
    first = max((n for n in queries if n < position), default=-1) + 1
    return range(first, min((n for n in queries if n > position), default=len(events)))
