"""LongMemEval in its original format: each question has a haystack of dated sessions of its own.

- Every `*.json` and `*.json.gz` of the folder is taken, but for the list of question ids; all must be of this
  format. A file that the harness does not know must have its hash beside it, in `<file>.sha256`. A question
  that stands in two files word for word is taken once.
- An instance is a case. Sessions are fed in the order of their dates, messages a second apart. A session id
  that a haystack holds twice is told apart by `#2` in the ids of its turns.
- Gold sessions are `answer_session_ids`; evidence are the turns that say `has_answer`. Question ids that end
  in `_abs` are unanswerable: what they name is what comes near.
- Split: `question-ids-50-450.json` says which questions are for development. `load` takes all, or those of
  one split; what it gives is `dev` only if every question is, else `held`, so that no figure over held
  questions passes for one of development.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Literal

from bench.datasets.files import DataFolder, Hashes
from bench.datasets.making import SECOND, make_case, read_moment, read_role
from bench.datasets.nodes import Node
from bench.errors import BenchError, DataMissing
from bench.model import Case, Dataset, Gold, Question, Turn

IDS = "longmemeval/question-ids-50-450.json"
_TIME = re.compile(r"(?P<year>\d{4})/(?P<month>\d\d)/(?P<day>\d\d) \(\w+\) (?P<hour>\d\d):(?P<minute>\d\d)")


def load(root: Path, *, split: Literal["dev", "held"] | None = None, hashes: Hashes | None = None) -> Dataset:
    folder = DataFolder(root, hashes)
    ids = folder.json(IDS)
    splits = dict.fromkeys(ids.texts("dev"), "dev") | dict.fromkeys(ids.texts("held_out"), "held")
    instances = _read_instances(folder)
    chosen = {n: i for n, i in instances.items() if split is None or splits.get(n) == split}
    if not chosen:
        raise DataMissing(
            f"longmemeval holds no question of the split {split}. Put the full original file beside it."
        )
    of_each = Counter(splits.get(name, "no split") for name in chosen)
    return Dataset(
        name="longmemeval" if split is None else f"longmemeval-{split}",
        split="dev" if set(of_each) == {"dev"} else "held",
        sha256=folder.sha256,
        licence="MIT",
        cases=tuple(_read_case(instance) for instance in chosen.values()),
        notes=("questions by split: " + ", ".join(f"{name} {n}" for name, n in sorted(of_each.items())),),
    )


def _read_instances(folder: DataFolder) -> dict[str, Node]:
    """By question id, in the order of the files' names."""
    instances: dict[str, Node] = {}
    for name in folder.names("longmemeval", ".json", ".json.gz"):
        if name == IDS:
            continue
        for instance in folder.json(name).each():
            known = instances.setdefault(instance.text("question_id"), instance)
            if known.value != instance.value:
                raise BenchError(
                    f"{instance.place} and {known.place} are one question with two haystacks. Keep one file."
                )
    return instances


def _read_case(instance: Node) -> Case:
    turns, evidence = [], []
    for turn, has_answer in _read_turns(instance):
        turns.append(turn)
        if has_answer:
            evidence.append(frozenset({turn.id}))
    name = instance.text("question_id")
    is_answerable = not name.endswith("_abs")
    question = Question(
        id=name,
        text=instance.text("question"),
        category=instance.text("question_type"),
        asked_at=read_moment(instance.at("question_date"), _TIME),
        after=len(turns),
        gold=Gold(
            evidence=tuple(evidence),
            sessions=frozenset(instance.texts("answer_session_ids")),
            answers=(instance.at("answer").as_words(),),
        )
        if is_answerable
        else Gold(is_answerable=False),
    )
    return make_case(instance, id=name, owner="user", turns=turns, questions=(question,))


def _read_turns(instance: Node) -> Iterator[tuple[Turn, bool]]:
    """Each turn, and whether it says that it has the answer."""
    seen: Counter[str] = Counter()
    for day, session, messages in _sessions_by_date(instance):
        seen[session] += 1
        again = f"#{seen[session]}" if seen[session] > 1 else ""
        for position, message in enumerate(messages):
            turn = Turn(
                id=f"{session}{again}:{position + 1}",
                session=session,
                speaker=None,
                role=read_role(message.at("role")),
                text=message.text("content"),
                at=day + position * SECOND,
            )
            yield turn, message.has("has_answer") and message.truth("has_answer")


def _sessions_by_date(instance: Node) -> list[tuple[datetime, str, list[Node]]]:
    dates, ids = instance.list("haystack_dates"), instance.texts("haystack_session_ids")
    sessions = instance.list("haystack_sessions")
    if not len(dates) == len(ids) == len(sessions):
        instance.fail("has not as many dates and ids as sessions")
    dated = [
        (read_moment(date, _TIME), name, session.each())
        for date, name, session in zip(dates, ids, sessions, strict=True)
    ]
    return sorted(dated, key=lambda entry: entry[0])
