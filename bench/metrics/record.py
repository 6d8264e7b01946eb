"""A finished run, read back from its lines; anything less than whole is an error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from bench.errors import BrokenRun
from bench.lines import Line, key_of, read_lines
from bench.model import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """An item that came back. turns and sessions run side by side; text and tokens of the first 20 alone."""

    turns: tuple[str, ...]
    sessions: tuple[str, ...]
    kind: str
    score: float | None
    state: str | None
    text: str | None
    tokens: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The gold of a question, as in `bench.model.Gold`."""

    evidence: tuple[frozenset[str], ...]
    sessions: frozenset[str]
    answers: tuple[str, ...]
    must_show: tuple[str, ...]
    must_not_show: tuple[str, ...]
    stale: frozenset[str]
    fresh: frozenset[str]
    is_answerable: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A question with what came back. id: unique in its run."""

    dataset: str
    id: str
    text: str
    asked_at: str
    category: str
    gold: Wanted
    audited: Wanted | None
    is_disputed: bool
    items: tuple[Found, ...]
    seconds: float
    embedding_seconds: float

    @property
    def as_audited(self) -> Answered:
        """The same question with the gold that the audit left."""
        return self if self.audited is None else replace(self, gold=self.audited)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fed:
    """What feeding one case took."""

    turns: int
    seconds: float
    embedding_seconds: float
    counts: Mapping[str, int]
    warnings: tuple[str, ...]
    resident_mb: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """identity: as in the lines. key: equal for runs that must give equal figures."""

    path: Path
    identity: Mapping[str, Json]
    key: str
    questions: tuple[Answered, ...]
    fed: tuple[Fed, ...]
    notes: tuple[str, ...]

    @property
    def dataset(self) -> str:
        return str(self.identity["dataset"])

    @property
    def system(self) -> str:
        return str(self.identity["system"])


def read_run(path: Path) -> Run:
    """The run in the file. BrokenRun if it is half written, has not ended, lacks or repeats questions, or
    holds lines of another run."""
    if not path.exists():
        raise BrokenRun(f"{path} is not there. Make it with `perdure bench run`.")
    lines = list(read_lines(path))
    asked = [line for line in lines if line["type"] == "question"]
    cases = [line for line in lines if line["type"] == "case"]
    if not lines or lines[-1]["type"] != "end":
        raise BrokenRun(f"{path} has not ended. `run` the same again to finish it.")
    if not asked:
        raise BrokenRun(f"{path} holds no question.")
    identity = _object(asked[0]["run"])
    _check_key(path, lines, key_of(identity))
    _check_counts(path, asked, cases, lines[-1])
    return Run(
        path=path,
        identity=identity,
        key=key_of(identity),
        questions=tuple(_answered(line) for line in asked),
        fed=tuple(_fed(line) for line in cases),
        notes=_texts(lines[-1]["notes"]),
    )


def _check_key(path: Path, lines: Sequence[Line], key: str) -> None:
    for number, line in enumerate(lines, start=1):
        identity = line.get("run")
        is_other = line.get("key") != key or (isinstance(identity, Mapping) and key_of(identity) != key)
        if is_other:
            raise BrokenRun(f"{path}, line {number}: of another run. Delete the file and run it again.")


def _check_counts(path: Path, asked: Sequence[Line], cases: Sequence[Line], end: Line) -> None:
    ids = [(line["case"], line["question"]) for line in asked]
    if len(set(ids)) != len(ids):
        raise BrokenRun(f"{path}: a question was answered twice. Delete the file and run it again.")
    per_case = {case["case"]: case["questions"] for case in cases}
    if len(per_case) != len(cases) or len(cases) != end["cases"] or len(asked) != end["questions"]:
        raise BrokenRun(
            f"{path}: {len(asked)} questions in {len(cases)} cases, where the dataset has {end['questions']} "
            f"in {end['cases']}. Delete the file and run it again."
        )
    for case, wanted in per_case.items():
        if sum(line["case"] == case for line in asked) != wanted:
            raise BrokenRun(f"{path}: case {case!r} lacks questions. Delete the file and run it again.")


def _answered(line: Line) -> Answered:
    audited = line["audited"]
    return Answered(
        dataset=str(_object(line["run"])["dataset"]),
        id=f"{line['case']}/{line['question']}",
        text=str(line["text"]),
        asked_at=str(line["asked_at"]),
        category=str(line["category"]),
        gold=_wanted(_object(line["gold"])),
        audited=None if audited is None else _wanted(_object(audited)),
        is_disputed=line["is_disputed"] is True,
        items=tuple(_found(_object(item)) for item in _list(line["items"])),
        seconds=_number(line["seconds"]),
        embedding_seconds=_number(line["embedding_seconds"]),
    )


def _wanted(value: Mapping[str, Json]) -> Wanted:
    return Wanted(
        evidence=tuple(frozenset(_texts(alternatives)) for alternatives in _list(value["evidence"])),
        sessions=frozenset(_texts(value["sessions"])),
        answers=_texts(value["answers"]),
        must_show=_texts(value["must_show"]),
        must_not_show=_texts(value["must_not_show"]),
        stale=frozenset(_texts(value["stale"])),
        fresh=frozenset(_texts(value["fresh"])),
        is_answerable=value["is_answerable"] is True,
    )


def _found(value: Mapping[str, Json]) -> Found:
    score, state, text, tokens = value["score"], value["state"], value["text"], value["tokens"]
    return Found(
        turns=_texts(value["turns"]),
        sessions=_texts(value["sessions"]),
        kind=str(value["kind"]),
        score=None if score is None else _number(score),
        state=None if state is None else str(state),
        text=None if text is None else str(text),
        tokens=None if tokens is None else int(_number(tokens)),
    )


def _fed(line: Line) -> Fed:
    return Fed(
        turns=int(_number(line["turns"])),
        seconds=_number(line["seconds"]),
        embedding_seconds=_number(line["embedding_seconds"]),
        counts={name: int(_number(count)) for name, count in _object(line["counts"]).items()},
        warnings=_texts(line["warnings"]),
        resident_mb=_number(line["resident_mb"]),
    )


def _object(value: Json) -> Mapping[str, Json]:
    if not isinstance(value, Mapping):
        raise BrokenRun("a result line lacks an object where one belongs. Delete the file and run it again.")
    return value


def _list(value: Json) -> Sequence[Json]:
    if not isinstance(value, list):
        raise BrokenRun("a result line lacks a list where one belongs. Delete the file and run it again.")
    return cast("Sequence[Json]", value)  # a list of JSON values, which isinstance cannot say


def _texts(value: Json) -> tuple[str, ...]:
    return tuple(str(text) for text in _list(value))


def _number(value: Json) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BrokenRun("a result line lacks a number where one belongs. Delete the file and run it again.")
    return float(value)
