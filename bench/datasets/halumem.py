"""HaluMem (MemTensor): what one user says over years, and the memory points to draw from it.

Two data sets are made of the same file:

- `load`: the turns are the messages of the dialogues. A question's evidence names memory points, not
  messages, and points cannot be tied to single messages: gold is the sessions that the points are from.
- `load_points`: the turns are the points themselves, as a perfect extraction would give them one by one; gold
  evidence is the points. A point with `is_update` supersedes the points that its `original_memories` quote:
  those are stale from its session on. What is quoted is often not the text of any point: then the earlier
  point that shares most words with it is taken (`_SHARED_WORDS`), else none; the notes count all three.
  `fresh` is what replaced them and is itself still current.
  Points whose source is `interference` are left out: they are untruths that only the assistant utters, made
  to be resisted, and no point of the gold memory.

A session's questions come after its turns. "Memory Boundary" questions ask what was never said: those without
evidence, which is all of them, are unanswerable.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.datasets.files import DataFolder, Hashes
from bench.datasets.making import after_all, make_case, not_before, read_moment, read_role
from bench.datasets.nodes import Node
from bench.model import Case, Dataset, Gold, Question, SessionId, Turn, TurnId

FILE = "halumem/pilot_slice_user3.jsonl.gz"
LICENCE = "CC BY-NC-ND 4.0"

_SHARED_WORDS = 0.6  # of all words of both texts, that two must share to be taken for one point
_TIME = re.compile(
    r"(?P<month>\w+) (?P<day>\d+), (?P<year>\d+), (?P<hour>\d+):(?P<minute>\d+):(?P<second>\d+)"
)
_LABELS = re.compile(r"(\[[^\]]*\])+")  # the time and the type, where a quotation begins with them
_OWNER = re.compile(r"Name: ([^;]+);")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Point:
    turn: TurnId
    session: SessionId
    text: str
    words: frozenset[str]


def load(root: Path, *, hashes: Hashes | None = None) -> Dataset:
    folder = DataFolder(root, hashes)
    counts: Counter[str] = Counter()
    cases = tuple(_read_dialogues(user, counts) for user in folder.json_lines(FILE))
    return Dataset(
        name="halumem",
        split="dev",
        sha256=folder.sha256,
        licence=LICENCE,
        cases=cases,
        notes=(
            f"{counts['unanswerable']} questions are unanswerable",
            f"{counts['unmatched']} of {counts['named']} evidence points are no memory point so far",
        ),
    )


def load_points(root: Path, *, hashes: Hashes | None = None) -> Dataset:
    folder = DataFolder(root, hashes)
    counts: Counter[str] = Counter()
    cases = tuple(_read_points_case(user, counts) for user in folder.json_lines(FILE))
    return Dataset(
        name="halumem-points",
        split="dev",
        sha256=folder.sha256,
        licence=LICENCE,
        cases=cases,
        notes=(
            f"{counts['interference']} interference points are left out",
            f"superseded points: {counts['exact']} found by their text, {counts['fuzzy']} by shared words, "
            f"{counts['none']} not found",
            f"{counts['stale evidence']} questions have evidence that is superseded when they are asked",
            f"{counts['unanswerable']} questions are unanswerable",
            f"{counts['unmatched']} of {counts['named']} evidence points are no memory point so far",
        ),
    )


def _read_dialogues(user: Node, counts: Counter[str]) -> Case:
    turns: list[Turn] = []
    questions: list[Question] = []
    points: dict[str, _Point] = {}
    for number, session in enumerate(user.list("sessions"), start=1):
        for position, message in enumerate(session.list("dialogue"), start=1):
            turns.append(_read_message(message, f"s{number}", position, turns))
        points |= {p.text: p for p in _read_points(session, f"s{number}", counts)}
        for asked in _questions(session):
            sessions = frozenset(p.session for p in _evidence(asked, points, counts))
            gold = Gold(sessions=sessions, answers=(asked.text("answer"),))
            questions.append(_read_question(asked, gold, turns, questions, counts))
    return _case(user, turns, questions)


def _read_points_case(user: Node, counts: Counter[str]) -> Case:
    turns: list[Turn] = []
    questions: list[Question] = []
    points: dict[str, _Point] = {}
    replaced: dict[TurnId, TurnId] = {}
    for number, session in enumerate(user.list("sessions"), start=1):
        for node, point in zip(
            _true_points(session), _read_points(session, f"s{number}", counts), strict=True
        ):
            replaced |= dict.fromkeys(_superseded(node, points.values(), counts), point.turn)
            points[point.text] = point
            turns.append(_read_point_turn(node, point, turns))
        for asked in _questions(session):
            gold = _points_gold(asked, points, replaced, counts)
            questions.append(_read_question(asked, gold, turns, questions, counts))
    return _case(user, turns, questions)


def _case(user: Node, turns: list[Turn], questions: list[Question]) -> Case:
    match = _OWNER.search(user.text("persona_info"))
    owner = match[1].strip() if match else user.fail("does not say who the user is")
    return make_case(user, id=user.text("uuid"), owner=owner, turns=turns, questions=questions)


def _read_message(message: Node, session: SessionId, position: int, turns: list[Turn]) -> Turn:
    return Turn(
        id=f"{session}:{position}",
        session=session,
        speaker=None,
        role=read_role(message.at("role")),
        text=message.text("content"),
        at=not_before(read_moment(message.at("timestamp"), _TIME), turns),
    )


def _read_point_turn(node: Node, point: _Point, turns: list[Turn]) -> Turn:
    """All points of a session have its end as their time; a second each keeps their order."""
    return Turn(
        id=point.turn,
        session=point.session,
        speaker=None,
        role="user",
        text=point.text,
        at=not_before(read_moment(node.at("timestamp"), _TIME), turns),
    )


def _true_points(session: Node) -> list[Node]:
    return [p for p in session.list("memory_points") if p.text("memory_source") != "interference"]


def _read_points(session: Node, name: SessionId, counts: Counter[str]) -> Iterator[_Point]:
    true = _true_points(session)
    counts["interference"] += len(session.list("memory_points")) - len(true)
    for node in true:
        text = node.text("memory_content")
        yield _Point(turn=f"{name}:p{node.whole('index')}", session=name, text=text, words=_words(text))


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[\w']+", text.lower()))


def _superseded(node: Node, earlier: Iterable[_Point], counts: Counter[str]) -> Iterator[TurnId]:
    """The points that an update quotes as replaced, as far as they can be found among the earlier."""
    if node.text("is_update") != "True":
        return
    known = list(earlier)
    for quoted in node.texts("original_memories"):
        exact = [p.turn for p in known if p.text == quoted]
        found = exact or [p.turn for p in [_most_alike(quoted, known)] if p is not None]
        counts["exact" if exact else "fuzzy" if found else "none"] += 1
        yield from found


def _most_alike(quoted: str, known: list[_Point]) -> _Point | None:
    """The later one of two that are equally alike."""
    words = _words(_LABELS.sub("", quoted, count=1) if quoted.startswith("[") else quoted)
    shares = [(len(words & p.words) / len(words | p.words), n) for n, p in enumerate(known) if p.words]
    share, best = max(shares, default=(0.0, 0))
    return known[best] if share >= _SHARED_WORDS else None


def _questions(session: Node) -> list[Node]:
    return session.list("questions") if session.has("questions") else []


def _evidence(asked: Node, points: Mapping[str, _Point], counts: Counter[str]) -> list[_Point]:
    texts = [e.text("memory_content") for e in asked.list("evidence")]
    counts["named"] += len(texts)
    counts["unmatched"] += sum(t not in points for t in texts)
    return [points[t] for t in texts if t in points]


def _points_gold(
    asked: Node, points: Mapping[str, _Point], replaced: Mapping[TurnId, TurnId], counts: Counter[str]
) -> Gold:
    evidence = _evidence(asked, points, counts)
    stale = frozenset(replaced)
    counts["stale evidence"] += any(p.turn in stale for p in evidence)
    return Gold(
        evidence=tuple(frozenset({p.turn}) for p in evidence),
        sessions=frozenset(p.session for p in evidence),
        answers=(asked.text("answer"),),
        stale=stale,
        fresh=frozenset(replaced.values()) - stale,
    )


def _read_question(
    asked: Node, gold: Gold, turns: list[Turn], before: list[Question], counts: Counter[str]
) -> Question:
    category = asked.text("question_type")
    if category == "Memory Boundary" and not asked.list("evidence"):
        counts["unanswerable"] += 1
        gold = Gold(stale=gold.stale, fresh=gold.fresh, is_answerable=False)
    return Question(
        id=f"q{len(before) + 1}",
        text=asked.text("question"),
        category=category,
        asked_at=after_all(turns, asked),
        after=len(turns),
        gold=gold,
    )
