"""Run one system on one dataset: feed, ask, write a line a question. What is scored is left to `metrics`."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import perdure
from bench.lines import Identity, Line, append_lines, finished_cases, only_one
from bench.memory import resident_mb
from bench.model import Case, Dataset, Gold, Json, Question, TurnId
from bench.systems.base import Fed, Item, Query, Reply, System
from bench.tokens import count_tokens

ROOT = Path(__file__).parents[1]
PACKAGE = Path(perdure.__file__).parent  # what runs: an installed copy, unless it was installed with -e
DEFAULT_LIMIT = 50
TEXTS_KEPT = 20
OURS = "bench.systems.ours"


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a run is: questions answered of all, and the case at work."""

    done: int
    total: int
    case: str


Report = Callable[[Progress], None]


def run(
    dataset: Dataset,
    system: System,
    path: Path,
    *,
    limit: int = DEFAULT_LIMIT,
    seed: int = 0,
    is_fresh: bool = False,
    prompts: Mapping[str, Json] | None = None,
    report: Report = lambda progress: None,
) -> Path:
    """Ask the system every question of the dataset and write what came back to `path`.

    A run that was stopped goes on after its last whole case; one that has ended is left as it is.
    is_fresh: begin anew. BrokenRun if the file holds another run.
    """
    identity = identify(dataset, system, limit=limit, seed=seed, prompts=prompts or {})
    with only_one(path):
        if is_fresh:
            path.unlink(missing_ok=True)
        return _run(dataset, system, path, identity, report)


def _run(dataset: Dataset, system: System, path: Path, identity: Identity, report: Report) -> Path:
    finished, has_ended = finished_cases(path, identity)
    if has_ended:
        return path
    done = sum(len(c.questions) for c in dataset.cases if c.id in finished)
    for case in dataset.cases:
        if case.id in finished:
            continue
        report(Progress(done=done, total=dataset.question_count, case=case.id))
        append_lines(path, run_case(case, system, identity))
        done += len(case.questions)
    append_lines(path, [_end(identity, dataset)])
    report(Progress(done=done, total=dataset.question_count, case=""))
    return path


def identify(
    dataset: Dataset, system: System, *, limit: int, seed: int, prompts: Mapping[str, Json]
) -> Identity:
    """What this run is, and where its code was."""
    return Identity(
        dataset=dataset.name,
        split=dataset.split,
        data_sha256=dataset.sha256,
        gold=gold_sha256(dataset),
        system=system.name,
        about={**system.about, "limits": list(system.limits)},
        limit=limit,
        seed=seed,
        code=code_sha256(type(system).__module__),
        commit=commit(),
        prompts=prompts,
    )


def run_case(case: Case, system: System, identity: Identity) -> list[Line]:
    """The lines of one case: a line a question in the order asked, then the case's own."""
    system.reset(case.owner)
    sessions = {t.id: t.session for t in case.turns}
    lines: list[Line] = []
    fed: list[Fed] = []
    start = 0
    for question in case.questions:
        if question.after > start:
            fed.append(system.feed(case.turns[start : question.after]))
            start = question.after
        query = Query(text=question.text, asked_at=question.asked_at, limit=identity.limit)
        lines.append(_question_line(case, question, system.ask(query), sessions, identity))
    lines.append(_case_line(case, fed, start, len(lines), identity))
    return lines


def _question_line(
    case: Case, question: Question, reply: Reply, sessions: Mapping[TurnId, str], identity: Identity
) -> Line:
    return {
        "type": "question",
        "key": identity.key,
        "run": identity.as_json(),
        "case": case.id,
        "question": question.id,
        "text": question.text,
        "asked_at": question.asked_at.isoformat(),
        "category": question.category,
        "gold": _gold(question.gold, sessions),
        "audited": None if question.audited is None else _gold(question.audited, sessions),
        "is_disputed": question.is_disputed,
        "items": [_item(item, sessions, rank) for rank, item in enumerate(reply.items)],
        "seconds": reply.seconds,
        "embedding_seconds": reply.embedding_seconds,
        "warnings": list(reply.warnings),
    }


def _item(item: Item, sessions: Mapping[TurnId, str], rank: int) -> Line:
    is_kept = rank < TEXTS_KEPT
    return {
        "turns": list(item.turns),
        "sessions": [sessions[t] for t in item.turns],
        "kind": item.kind,
        "score": item.score,
        "state": item.state,
        "text": item.text if is_kept else None,
        "tokens": count_tokens(item.text) if is_kept else None,
    }


def _gold(gold: Gold, sessions: Mapping[TurnId, str]) -> Line:
    evidence: list[Json] = [sorted(alternatives) for alternatives in gold.evidence]
    in_sessions = gold.sessions or {sessions[t] for alternatives in gold.evidence for t in alternatives}
    return {
        "evidence": evidence,
        "sessions": sorted(in_sessions),
        "answers": list(gold.answers),
        "must_show": list(gold.must_show),
        "must_not_show": list(gold.must_not_show),
        "stale": sorted(gold.stale),
        "fresh": sorted(gold.fresh),
        "is_answerable": gold.is_answerable,
    }


def _case_line(case: Case, fed: Sequence[Fed], turns: int, questions: int, identity: Identity) -> Line:
    counts: dict[str, int] = {}
    for each in fed:
        for name, count in each.counts.items():
            counts[name] = counts.get(name, 0) + count
    return {
        "type": "case",
        "key": identity.key,
        "case": case.id,
        "questions": questions,
        "turns": turns,
        "seconds": sum(f.seconds for f in fed),
        "embedding_seconds": sum(f.embedding_seconds for f in fed),
        "counts": {name: counts[name] for name in sorted(counts)},
        "warnings": sorted({w for f in fed for w in f.warnings}),
        "resident_mb": resident_mb(),
    }


def _end(identity: Identity, dataset: Dataset) -> Line:
    return {
        "type": "end",
        "key": identity.key,
        "cases": len(dataset.cases),
        "questions": dataset.question_count,
        "notes": list(dataset.notes),
    }


@cache
def code_sha256(module: str) -> str:
    """A hash of every source that makes a figure of a system, which is defined in the module.

    These are the datasets, this runner, the embedder and the system's own; for perdure's own configurations
    the whole package that runs. So the figures of others do not move with the engine.
    """
    own = Path(str(sys.modules[module].__file__))
    folders = (ROOT / "bench" / "datasets", *([own.parent] if own.parent.name == "rivals" else []))
    single = [
        *("run.py", "model.py", "embedding.py", "tokens.py", "lines.py"),
        *("systems/base.py", "systems/text.py", "systems/given.py"),
    ]
    named = {p.relative_to(ROOT).as_posix(): p for folder in folders for p in _sources(folder)}
    named |= {f"bench/{name}": ROOT / "bench" / name for name in single}
    named[f"system/{own.name}"] = own
    package = _sources(PACKAGE if module == OURS else PACKAGE / "embed")
    named |= {f"perdure/{p.relative_to(PACKAGE).as_posix()}": p for p in package}
    whole = hashlib.sha256()
    for name, path in sorted(named.items()):
        whole.update(name.encode())
        whole.update(path.read_bytes())
    return whole.hexdigest()[:16]


def gold_sha256(dataset: Dataset) -> str:
    """A hash of what a loader makes of its files: every turn's id, every question with its gold."""
    whole = hashlib.sha256()
    for case in dataset.cases:
        sessions = {t.id: t.session for t in case.turns}
        whole.update(json.dumps([case.id, [[t.id, t.text] for t in case.turns]]).encode())
        for q in case.questions:
            audited = None if q.audited is None else _gold(q.audited, sessions)
            told = [q.id, q.text, q.category, q.after, _gold(q.gold, sessions), audited, q.is_disputed]
            whole.update(json.dumps(told, sort_keys=True).encode())
    return whole.hexdigest()[:16]


def _sources(folder: Path) -> Iterator[Path]:
    kinds = {".py", ".sql", ".md", ".json", ".txt"}
    return (p for p in folder.rglob("*") if p.suffix in kinds and p.is_file())


@cache
def commit() -> str:
    """The commit checked out, with `+` if the tree or the running package differs; `unknown` without git."""
    try:
        head = _git("rev-parse", "HEAD")
        is_other = bool(_git("status", "--porcelain")) or not _is_of_checkout()
        return head[:12] + ("+" if is_other else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def _is_of_checkout() -> bool:
    """True if the package that runs has the sources of the checkout."""
    ours = ROOT / "src" / "perdure"
    running = {p.relative_to(PACKAGE).as_posix(): p.read_bytes() for p in _sources(PACKAGE)}
    return running == {p.relative_to(ours).as_posix(): p.read_bytes() for p in _sources(ours)}


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=True)
    return done.stdout.strip()
