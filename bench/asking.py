"""Answers and verdicts by models, over the lines of a run.

A question whose model call failed has a line that says so and counts as wrong; none is left out. Answer
prompts hold the question, the asker's date and what the system returned; judges hold question, expected and
given answer. Nothing else of the gold and no category is in any prompt.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from bench.errors import BrokenRun
from bench.lines import Line, append_lines, read_lines
from bench.metrics.measures import SHOWN
from bench.metrics.record import Answered, Run
from bench.model import Json
from perdure.errors import ModelError
from perdure.ports import Answer, Model, Question, Usage
from perdure.prompts import Prompt, fence, read_prompt
from perdure.prompts.replies import Names, Reply

if TYPE_CHECKING:
    from pydantic import BaseModel

FOLDER = Path(__file__).parent / "prompts"
JUDGES = ("judge_strict", "judge_lenient")
NOTHING_EXPECTED = "The notes do not say."
CHUNK = 8

Report = Callable[[int, int], None]


class AnswerReply(Reply):
    """What a reader answers."""

    other_names: ClassVar[Names] = {"answer": ("response", "text", "result")}
    bare_text: ClassVar[str | None] = "answer"

    answer: str


class VerdictReply(Reply):
    """What a judge says."""

    other_names: ClassVar[Names] = {"right": ("correct", "verdict", "is_correct", "label")}

    right: bool


@cache
def load(name: str) -> Prompt:
    """A prompt of the harness."""
    replies: dict[str, type[BaseModel]] = {"AnswerReply": AnswerReply, "VerdictReply": VerdictReply}
    return read_prompt((FOLDER / f"{name}.md").read_text(encoding="utf-8"), replies)


def answer_question(question: Answered) -> Question:
    """What the reader is asked: the notes that came back, the date, the question."""
    notes = "\n".join(" ".join(fence(item.text or "").split()) for item in question.items[:SHOWN])
    return load("answer").question(
        memory=notes or "(no notes)", asked=question.asked_at[:10], question=fence(question.text)
    )


def judge_question(name: str, question: Answered, given: str) -> Question:
    """What a judge is asked: question, expected, given. The unanswerable is expected to stay unanswered."""
    expected = question.gold.answers if question.gold.is_answerable else (NOTHING_EXPECTED,)
    return load(name).question(
        question=fence(question.text),
        expected="\n".join(fence(each) for each in expected),
        given=fence(given),
    )


def judgeable(run: Run) -> list[Answered]:
    """The questions that have an expected answer or none at all to give; BrokenRun if there are none."""
    found = [q for q in run.questions if q.gold.answers or not q.gold.is_answerable]
    if not found:
        raise BrokenRun(f"{run.path}: {run.dataset} has no expected answers to judge by.")
    return found


async def ask_all(
    run: Run, reader: Model, judge: Model, path: Path, *, most: int | None = None, report: Report
) -> Path:
    """Answer and judge every question (the first `most`); what stands in `path` already is not asked again.

    BrokenRun if the file is of another run, other models or other prompts.
    """
    questions = judgeable(run)[:most]
    identity = _identity(run, reader, judge)
    done = _done(path, identity)
    waiting = [q for q in questions if q.id not in done]
    for start in range(0, len(waiting), CHUNK):
        report(len(questions) - len(waiting) + start, len(questions))
        chunk = waiting[start : start + CHUNK]
        lines = await asyncio.gather(*(_line(q, reader, judge, identity) for q in chunk))
        append_lines(path, lines)
    report(len(questions), len(questions))
    return path


def _identity(run: Run, reader: Model, judge: Model) -> dict[str, Json]:
    return {
        "run": run.key,
        "reader": reader.name,
        "judge": judge.name,
        "prompts": [load(name).label for name in ("answer", *JUDGES)],
        "shown": SHOWN,
    }


def _done(path: Path, identity: Mapping[str, Json]) -> set[str]:
    if not path.exists():
        return set()
    found = set()
    for line in read_lines(path):
        if line.get("of") != identity:
            raise BrokenRun(f"{path} holds answers of another run, model or prompt. Move it away.")
        found.add(str(line["question"]))
    return found


async def _line(question: Answered, reader: Model, judge: Model, identity: Mapping[str, Json]) -> Line:
    began = time.perf_counter()
    answer, error, usage = await _ask(reader, answer_question(question))
    given = cast(AnswerReply, answer.value).answer if answer else ""
    verdicts: dict[str, Json] = dict.fromkeys(JUDGES)
    judged = Usage()
    for name in JUDGES if answer else ():
        verdict, fault, used = await _ask(judge, judge_question(name, question, given))
        judged += used
        verdicts[name] = cast(VerdictReply, verdict.value).right if verdict else None
        error = error or fault
    return {
        "type": "answer",
        "of": dict(identity),
        "question": question.id,
        "category": question.category,
        "answer": given,
        "verdicts": verdicts,
        "error": error,
        "usage": {"reader": _usage(usage), "judge": _usage(judged)},
        "seconds": time.perf_counter() - began,
    }


async def _ask(model: Model, question: Question) -> tuple[Answer | None, str | None, Usage]:
    """The answer, or what went wrong, by its kind."""
    try:
        answer = await model.ask(question)
    except ModelError as exc:
        return None, f"{question.purpose}: {type(exc).__name__}", Usage(calls=1)
    return answer, None, answer.usage


def _usage(usage: Usage) -> dict[str, Json]:
    return {"input": usage.input_tokens, "output": usage.output_tokens, "calls": usage.calls}


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One judged question. right: by judge; a call that failed counts as wrong and stands in `error`."""

    question: str
    category: str
    answer: str
    right: Mapping[str, bool]
    error: str | None
    tokens_in: int
    tokens_out: int
    calls: int


def read_answers(path: Path, run: Run, *, most: int | None = None) -> list[Told]:
    """Every answer of the run; BrokenRun if one is missing, repeated or of another run."""
    lines = list(read_lines(path)) if path.exists() else []
    if any(_key(line) != run.key for line in lines):
        raise BrokenRun(f"{path} holds answers of another run than {run.path}. Ask again.")
    wanted = [q.id for q in judgeable(run)[:most]]
    found = [str(line["question"]) for line in lines]
    if sorted(found) != sorted(wanted):
        raise BrokenRun(f"{path}: {len(found)} answers to {len(wanted)} questions. Ask again to finish.")
    return [_told(line) for line in lines]


def _key(line: Line) -> Json:
    identity = line.get("of")
    return identity.get("run") if isinstance(identity, Mapping) else None


def _told(line: Line) -> Told:
    verdicts = cast("Mapping[str, bool | None]", line["verdicts"])
    usage = cast("Mapping[str, Mapping[str, int]]", line["usage"])
    both: Sequence[Mapping[str, int]] = (usage["reader"], usage["judge"])
    return Told(
        question=str(line["question"]),
        category=str(line["category"]),
        answer=str(line["answer"]),
        right={name: verdicts[name] is True for name in JUDGES},
        error=None if line["error"] is None else str(line["error"]),
        tokens_in=sum(u["input"] for u in both),
        tokens_out=sum(u["output"] for u in both),
        calls=sum(u["calls"] for u in both),
    )
