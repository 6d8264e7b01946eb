"""BEAM, 100K: ten chats of about 128k tokens, twenty questions in ten abilities each, asked at the end.

- A message's id is the set's. The marker that its making left at the end of messages (an arrow and two
  numbers) is cut off.
- A message may open a day (`time_anchor`), which holds until another does; messages are a second apart.
- Sessions are `<batch>.<n>`: the batch's number, and how many days were opened in it so far. Before a batch
  opens a day, and in one that opens none, the session is `<batch>`. In the ten chats each batch opens one day
  with its first message.
- `source_chat_ids` is a list, nested lists, or an object of lists: every id is an evidence member of its own.
  For knowledge_update the original turns are stale and the updated ones fresh; a turn that is named as both
  (it tells of the change itself) is not stale. Abstention questions are unanswerable.
- Accepted answers are `answer`, `ideal_answer` or `ideal_summary`. Questions of instruction_following and
  preference_following have none: what they want is a manner, not an answer.
- Questions that disputed-questions.txt lists are disputed; the notes say how many of them are in the chats.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from bench.datasets.files import DataFolder, Hashes, parse_json
from bench.datasets.making import SECOND, after_all, make_case, read_moment, read_role
from bench.datasets.nodes import Node
from bench.model import Case, Dataset, Gold, Question, Turn, TurnId

DISPUTED = "beam100k/disputed-questions.txt"
_CHAT, _QUESTIONS = ".chat.json.gz", ".questions.json.gz"
_MARKER = re.compile(r"\s*->->\s*[\w/]+,[\w/]+\)?\s*\Z")
_DAY = re.compile(r"(?P<month>[A-Za-z]+)-(?P<day>\d+)-(?P<year>\d+)")
_ANSWERS = ("answer", "ideal_answer", "ideal_summary")


def load(root: Path, *, hashes: Hashes | None = None) -> Dataset:
    folder = DataFolder(root, hashes)
    names = sorted(folder.names("beam100k", _CHAT), key=lambda n: (len(n), n))
    disputed = _read_disputed(folder)
    counts: Counter[str] = Counter()
    cases = tuple(_read_case(name, folder, disputed, counts) for name in names)
    return Dataset(
        name="beam100k",
        split="dev",
        sha256=folder.sha256,
        licence="none stated in the repository",
        cases=cases,
        notes=(
            f"{counts['disputed']} of {len(disputed)} disputed questions are asked in these chats",
            f"{counts['no message']} evidence ids name no message and are left out",
            f"{counts['both']} updates have a turn that is both original and updated; it is fresh",
            f"{counts['without']} answerable questions have no evidence",
        ),
    )


def _read_disputed(folder: DataFolder) -> frozenset[str]:
    """The file holds objects one after the other, each with a comma behind it."""
    text = folder.text(DISPUTED).strip().rstrip(",")
    listed = parse_json(f"[{text}]", DISPUTED)
    return frozenset(entry.text("question") for entry in listed.each())


def _read_case(name: str, folder: DataFolder, disputed: frozenset[str], counts: Counter[str]) -> Case:
    chat = folder.json(name)
    abilities = folder.json(name.removesuffix(_CHAT) + _QUESTIONS)
    turns = list(_read_turns(chat))
    number = Path(name).name.removesuffix(_CHAT)
    questions = []
    for ability, group in abilities.entries():
        for position, asked in enumerate(group.each(), start=1):
            gold = _read_gold(asked, ability, turns, counts)
            questions.append(
                Question(
                    id=f"{number}-{ability}-{position}",
                    text=asked.text("question"),
                    category=ability,
                    asked_at=after_all(turns, chat),
                    after=len(turns),
                    gold=gold,
                    is_disputed=asked.text("question") in disputed,
                )
            )
    counts["disputed"] += sum(q.is_disputed for q in questions)
    return make_case(chat, id=number, owner="user", turns=turns, questions=questions)


def _read_turns(chat: Node) -> Iterator[Turn]:
    day: datetime | None = None
    since = 0
    for batch in chat.each():
        opened = 0
        for message in (m for group in batch.list("turns") for m in group.each()):
            if message.has("time_anchor"):
                day, since, opened = read_moment(message.at("time_anchor"), _DAY), 0, opened + 1
            if day is None:
                message.fail("comes before any day was opened")
            number = str(batch.whole("batch_number"))
            yield Turn(
                id=str(message.whole("id")),
                session=f"{number}.{opened}" if opened else number,
                speaker=None,
                role=read_role(message.at("role")),
                text=_MARKER.sub("", message.text("content")),
                at=day + since * SECOND,
            )
            since += 1


def _read_gold(asked: Node, ability: str, turns: list[Turn], counts: Counter[str]) -> Gold:
    if ability == "abstention":
        return Gold(is_answerable=False)
    sessions = {t.id: t.session for t in turns}
    sources = asked.at("source_chat_ids")
    named = _message_ids(sources)
    known = [n for n in named if n in sessions]
    counts["no message"] += len(named) - len(known)
    counts["without"] += not known
    stale, fresh = _versions(sources, counts) if ability == "knowledge_update" else (frozenset(), frozenset())
    return Gold(
        evidence=tuple(frozenset({n}) for n in known),
        sessions=frozenset(sessions[n] for n in known),
        answers=tuple(asked.text(key) for key in _ANSWERS if asked.has(key)),
        stale=stale & sessions.keys(),
        fresh=fresh & sessions.keys(),
    )


def _versions(sources: Node, counts: Counter[str]) -> tuple[frozenset[TurnId], frozenset[TurnId]]:
    original = frozenset(_message_ids(sources.at("original_info")))
    updated = frozenset(_message_ids(sources.at("updated_info")))
    counts["both"] += bool(original & updated)
    return original - updated, updated


def _message_ids(sources: Node) -> list[TurnId]:
    """Each once, in order."""
    return list(dict.fromkeys(str(leaf.as_whole()) for leaf in sources.leaves()))
