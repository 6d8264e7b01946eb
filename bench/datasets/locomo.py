"""LoCoMo (snap-research): two speakers, dated sessions, questions asked when all is said.

Gold evidence is a list of dialogue ids. Some are joined (two in one text, with a colon or zeros too many):
they are taken apart. What names no turn even then is dropped and counted in the notes.

What the published audit (dial481/locomo-audit) says of a question becomes:

- `audited`: the gold with the audit's answer and evidence, whatever the kind of its error.
- `is_disputed`: for ATTRIBUTION_ERROR (the question asks of the wrong person) and AMBIGUOUS (the audit finds
  more than one answer, or none that is certain), as the question itself is at fault and no short answer to
  it can be called right; and where the audit's own answer is that the dialogue does not say. For the rest of
  WRONG_CITATION, HALLUCINATION, TEMPORAL_ERROR and INCOMPLETE the question stands and only its key was wrong:
  the audited gold is what to measure with.

Questions of category 5 rest on something that was never said: they have no evidence and no accepted answer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TypeAlias

from bench.datasets.files import DataFolder, Hashes
from bench.datasets.making import SECOND, after_all, make_case
from bench.datasets.nodes import Node
from bench.errors import BenchError
from bench.model import Case, Dataset, Gold, Question, Turn, TurnId
from perdure.errors import PerdureError
from perdure.interop.conversations import Message, Problems
from perdure.interop.locomo import is_locomo, read_locomo

CONVERSATIONS, AUDIT = "locomo/locomo-dev5.json", "locomo/audit-dev5.json"
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
KEY_ERRORS = frozenset({"WRONG_CITATION", "HALLUCINATION", "TEMPORAL_ERROR", "INCOMPLETE"})
QUESTION_ERRORS = frozenset({"ATTRIBUTION_ERROR", "AMBIGUOUS"})

_DIALOGUE_ID = re.compile(r"D:?0*(\d+):0*(\d+)")
_FAULT_ID = re.compile(r"locomo_(\d+)_qa(\d+)")
_IS_NOT_SAID = re.compile(r"^cannot be determined|does not suggest|is unspecified", re.IGNORECASE)
_Faults: TypeAlias = Mapping[tuple[int, int], Node]


@dataclass(frozen=True, slots=True)
class _Evidence:
    """named: a member for each id that names a turn. dropped: how many ids name none."""

    named: tuple[frozenset[TurnId], ...]
    dropped: int


def load(root: Path, *, hashes: Hashes | None = None) -> Dataset:
    folder = DataFolder(root, hashes)
    samples = folder.json(CONVERSATIONS)
    faults = _read_faults(folder.json(AUDIT))
    counts: Counter[str] = Counter()
    cases = tuple(_read_case(number, sample, faults, counts) for number, sample in enumerate(samples.each()))
    if unmatched := len(faults) - counts["faults"]:
        raise BenchError(f"{AUDIT}: {unmatched} faults are of no question in {CONVERSATIONS}")
    return Dataset(
        name="locomo",
        split="dev",
        sha256=folder.sha256,
        licence="CC BY-NC 4.0",
        cases=cases,
        notes=_notes(counts),
    )


def load_short(root: Path, *, hashes: Hashes | None = None) -> Dataset:
    """The first two conversations alone, for a check of some minutes."""
    whole = load(root, hashes=hashes)
    notes = ("the first two conversations; the counts below are of all", *whole.notes)
    return replace(whole, name="locomo-short", cases=whole.cases[:2], notes=notes)


def _notes(counts: Counter[str]) -> tuple[str, ...]:
    kinds = ", ".join(f"{kind} {counts[kind]}" for kind in sorted(KEY_ERRORS | QUESTION_ERRORS))
    return (
        f"{counts['dropped']} evidence ids name no turn and are left out",
        f"{counts['without']} answerable questions have no evidence",
        f"{counts['faults']} questions are audited ({kinds}), {counts['disputed']} of them disputed",
    )


def _read_faults(audit: Node) -> _Faults:
    """By conversation, counted from 0 in the file of ten that was audited, and question number in it."""
    faults: dict[tuple[int, int], Node] = {}
    for fault in audit.each():
        match = _FAULT_ID.fullmatch(fault.text("question_id"))
        if match is None:
            fault.fail("has a question id of another form than locomo_0_qa0")
        faults[int(match[1]), int(match[2])] = fault
    return faults


def _read_case(number: int, sample: Node, faults: _Faults, counts: Counter[str]) -> Case:
    turns = _read_turns(sample)
    asked_at = after_all(turns, sample)
    ids = {t.id for t in turns}
    questions = []
    for position, qa in enumerate(sample.list("qa")):
        gold = _read_gold(qa, ids, counts)
        question = Question(
            id=f"{sample.text('sample_id')}-q{position}",
            text=qa.text("question"),
            category=_category(qa),
            asked_at=asked_at,
            after=len(turns),
            gold=gold,
        )
        fault = faults.get((number, position))
        questions.append(question if fault is None else _correct(question, fault, ids, counts))
    name = sample.text("sample_id")
    owner = sample.at("conversation").text("speaker_a")
    return make_case(sample, id=name, owner=owner, turns=turns, questions=questions)


def _read_turns(sample: Node) -> list[Turn]:
    if not is_locomo(sample.value):
        sample.fail("is no conversation")
    try:
        (conversation,) = read_locomo(sample.value, Problems(skip=False))
    except PerdureError as exc:
        raise BenchError(f"{sample.place}: {exc}") from exc
    seen: Counter[str] = Counter()
    turns = []
    for message in conversation.messages:
        session = str(message["session"])
        turns.append(_read_turn(message, session, seen[session], sample))
        seen[session] += 1
    return turns


def _read_turn(message: Message, session: str, position: int, sample: Node) -> Turn:
    """position: in its session; a second each keeps the order, as only sessions have a time."""
    when, name = message["timestamp"], message["name"]
    if not isinstance(when, str):
        sample.fail(f"has no time for {session}")
    return Turn(
        id=str(message["id"]),
        session=session,
        speaker=name if isinstance(name, str) else None,
        role="user",
        text=str(message["content"]),
        at=datetime.fromisoformat(when) + position * SECOND,
    )


def _category(qa: Node) -> str:
    number = qa.whole("category")
    return CATEGORIES[number] if number in CATEGORIES else qa.fail("has a category other than 1 to 5")


def _read_gold(qa: Node, ids: set[TurnId], counts: Counter[str]) -> Gold:
    if qa.whole("category") == 5:
        return Gold(is_answerable=False)
    evidence = _read_evidence(qa.texts("evidence"), ids)
    counts["dropped"] += evidence.dropped
    counts["without"] += not evidence.named
    return _gold(evidence, qa.at("answer").as_words())


def _gold(evidence: _Evidence, accepted: str) -> Gold:
    sessions = {f"session_{turn[1:].split(':')[0]}" for member in evidence.named for turn in member}
    return Gold(evidence=evidence.named, sessions=frozenset(sessions), answers=(accepted,))


def _read_evidence(written: tuple[str, ...], ids: set[TurnId]) -> _Evidence:
    """Each id once, in order; a text that names several turns names each of them."""
    named: dict[TurnId, None] = {}
    dropped = 0
    for text in written:
        found = [f"D{m[1]}:{m[2]}" for m in _DIALOGUE_ID.finditer(text)]
        named |= dict.fromkeys(f for f in found if f in ids)
        dropped += sum(f not in ids for f in found) if found else 1
    return _Evidence(tuple(frozenset({turn}) for turn in named), dropped)


def _correct(question: Question, fault: Node, ids: set[TurnId], counts: Counter[str]) -> Question:
    """The question with what the audit says of it."""
    if fault.text("question") != question.text:
        fault.fail("is of a question with another text than the one of its number")
    kind = fault.text("error_type")
    if kind not in KEY_ERRORS | QUESTION_ERRORS:
        fault.fail("has a kind of error that is not known")
    evidence = _read_evidence(fault.texts("correct_evidence"), ids)
    answer = fault.at("correct_answer").as_words()
    is_disputed = kind in QUESTION_ERRORS or _IS_NOT_SAID.search(answer) is not None
    counts.update({"faults": 1, kind: 1, "disputed": int(is_disputed)})
    return replace(question, audited=_gold(evidence, answer), is_disputed=is_disputed)
