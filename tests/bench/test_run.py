"""Runs: what is written, how a stopped run goes on, what is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from bench.embedding import CachedEmbedder
from bench.errors import BrokenRun, SystemMissing
from bench.lines import only_one
from bench.metrics.record import read_run
from bench.metrics.summary import pair, summarise
from bench.model import Case, Dataset, Gold, Json, Turn
from bench.run import run
from bench.systems import BASELINES, CONFIGURATIONS, make_system
from bench.systems.base import Fed, Item, Query, Reply, System
from bench.systems.baselines import Bm25
from perdure.embed.hashing import HashingEmbedder
from tests.bench.cases import dataset, gold, question, turns


class Recorder:
    """Gives back the turns fed, newest first, and keeps what it was told."""

    name = "recorder"
    limits: tuple[str, ...] = ()

    def __init__(self) -> None:
        self.told: list[object] = []
        self._turns: list[Turn] = []
        self.breaks_at: str | None = None

    @property
    def about(self) -> Mapping[str, Json]:
        return {"system": self.name}

    def reset(self, owner: str) -> None:
        self.told.append(owner)
        self._turns = []

    def feed(self, turns: Sequence[Turn]) -> Fed:
        self.told.append([t.id for t in turns])
        self._turns += turns
        return Fed(seconds=1.0, counts={"turns": len(turns)})

    def ask(self, query: Query) -> Reply:
        if query.text == self.breaks_at:
            raise ConnectionError("gone")
        self.told.append(query)
        items = tuple(Item(turns=(t.id,), text=t.text, score=0.5) for t in reversed(self._turns))
        return Reply(items=items, seconds=0.25)

    def close(self) -> None:
        """Nothing is held."""


def two_cases() -> Dataset:
    whole = dataset()
    other = Case(id="c2", owner="marek", turns=turns(), questions=(question(1, "Last?", gold("t6")),))
    return replace(whole, cases=(*whole.cases, other))


def test_turns_are_fed_as_far_as_each_question_needs(tmp_path: Path) -> None:
    system = Recorder()
    run(dataset(), system, tmp_path / "r.jsonl")
    shapes = [t if isinstance(t, str | list) else "asked" for t in system.told]
    assert shapes == ["ilse", ["t1", "t2", "t3"], "asked", ["t4", "t5", "t6"], "asked", "asked", "asked"]


def test_a_system_sees_words_and_time_and_nothing_of_the_gold(tmp_path: Path) -> None:
    system = Recorder()
    run(dataset(), system, tmp_path / "r.jsonl")
    asked = [t for t in system.told if isinstance(t, Query)]
    assert {f for q in asked for f in q.__slots__} == {"text", "asked_at", "limit"}


def test_a_finished_run_is_read_back_whole(tmp_path: Path) -> None:
    path = run(dataset(), Recorder(), tmp_path / "r.jsonl")
    back = read_run(path)
    assert (back.dataset, back.system) == ("invented", "recorder")
    assert [q.id for q in back.questions] == ["c1/q1", "c1/q2", "c1/q3", "c1/q4"]
    second = back.questions[1]
    assert [i.turns for i in second.items[:2]] == [("t6",), ("t5",)]
    assert second.gold.stale == {"t2"}
    assert second.gold.sessions == {"s2"}
    assert back.fed[0].turns == 6
    summary = summarise(back)
    mean = summary.figure("turns all@3", "several")
    assert mean is not None
    assert mean.mean == 0.0
    assert summary.speed.search_p50_ms == 250.0
    assert summary.speed.turns_per_s == 3.0


def test_every_line_carries_the_identity_of_its_run(tmp_path: Path) -> None:
    path = run(dataset(), Recorder(), tmp_path / "r.jsonl", seed=7, prompts={"answer": "1"})
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert len({line["key"] for line in lines}) == 1
    asked = [line["run"] for line in lines if line["type"] == "question"]
    fields = {"dataset", "data_sha256", "system", "about", "limit", "seed", "code", "commit", "prompts"}
    assert all(fields <= set(identity) for identity in asked)
    assert asked[0]["seed"] == 7


def test_a_stopped_run_goes_on_after_its_last_whole_case(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    broken = Recorder()
    broken.breaks_at = "Last?"
    with pytest.raises(ConnectionError):
        run(two_cases(), broken, path)
    with pytest.raises(BrokenRun, match="has not ended"):
        read_run(path)
    system = Recorder()
    run(two_cases(), system, path)
    assert [t for t in system.told if isinstance(t, str)] == ["marek"]
    assert len(read_run(path).questions) == 5


def test_a_finished_run_is_not_run_again_unless_asked(tmp_path: Path) -> None:
    path = run(dataset(), Recorder(), tmp_path / "r.jsonl")
    again, fresh = Recorder(), Recorder()
    run(dataset(), again, path)
    run(dataset(), fresh, path, is_fresh=True)
    assert again.told == []
    assert fresh.told != []


def test_a_half_written_line_is_an_error_for_readers_and_cut_off_by_the_next_run(tmp_path: Path) -> None:
    path = run(two_cases(), Recorder(), tmp_path / "r.jsonl")
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    with pytest.raises(BrokenRun, match="half written"):
        read_run(path)
    run(two_cases(), Recorder(), path)
    assert path.read_bytes() == whole


@pytest.mark.parametrize("kept", ["question", "case"])
def test_a_lost_line_is_an_error_and_no_smaller_denominator(tmp_path: Path, kept: str) -> None:
    path = run(two_cases(), Recorder(), tmp_path / "r.jsonl")
    lines = path.read_text().splitlines(keepends=True)
    lost = next(n for n, line in enumerate(lines) if json.loads(line)["type"] == kept)
    path.write_text("".join(lines[:lost] + lines[lost + 1 :]))
    with pytest.raises(BrokenRun):
        read_run(path)


def test_a_repeated_question_is_an_error(tmp_path: Path) -> None:
    path = run(dataset(), Recorder(), tmp_path / "r.jsonl")
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([lines[0], *lines]))
    with pytest.raises(BrokenRun, match="twice"):
        read_run(path)


def test_two_runs_in_one_file_are_refused(tmp_path: Path) -> None:
    one = run(dataset(), Recorder(), tmp_path / "one.jsonl", seed=1)
    two = run(dataset(), Recorder(), tmp_path / "two.jsonl", seed=2)
    with pytest.raises(BrokenRun, match="another run"):
        run(dataset(), Recorder(), one, seed=2)
    two.write_text(two.read_text().splitlines(keepends=True)[0] + one.read_text())
    with pytest.raises(BrokenRun, match="another run"):
        read_run(two)


def test_runs_on_other_data_are_not_paired(tmp_path: Path) -> None:
    one = read_run(run(dataset(), Recorder(), tmp_path / "one.jsonl"))
    other = replace(dataset(), sha256="1" * 64)
    two = read_run(run(other, Recorder(), tmp_path / "two.jsonl"))
    with pytest.raises(BrokenRun, match="same questions"):
        pair(one, two, "turns all@10")


def test_runs_with_other_gold_are_not_paired(tmp_path: Path) -> None:
    one = read_run(run(dataset(), Recorder(), tmp_path / "one.jsonl"))
    case = dataset().cases[0]
    asked = tuple(replace(q, gold=replace(q.gold, stale=frozenset())) for q in case.questions)
    other = replace(dataset(), cases=(replace(case, questions=asked),))
    two = read_run(run(other, Recorder(), tmp_path / "two.jsonl"))
    with pytest.raises(BrokenRun, match=r"same questions \(gold\)"):
        pair(one, two, "turns all@10")


def test_two_versions_of_perdure_are_not_paired(tmp_path: Path) -> None:
    embedder = CachedEmbedder(HashingEmbedder())
    runs = []
    for name in ("perdure", "perdure-messages"):
        system = make_system(name, embedder)
        path = run(dataset(), system, tmp_path / f"{name}.jsonl")
        system.close()
        runs.append(read_run(path))
    older = replace(runs[1], identity={**runs[1].identity, "code": "0" * 16})
    assert pair(runs[0], runs[1], "turns all@10") is not None
    with pytest.raises(BrokenRun, match="different versions of perdure"):
        pair(runs[0], older, "turns all@10")


def test_the_code_that_is_hashed_is_the_code_that_runs() -> None:
    import perdure
    from bench.run import PACKAGE

    assert Path(perdure.__file__).parent == PACKAGE


def test_one_file_is_written_by_one_process(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    with only_one(path), pytest.raises(BrokenRun, match="another process"):
        run(dataset(), Recorder(), path)
    run(dataset(), Recorder(), path)


def test_the_audit_changes_gold_and_leaves_disputed_questions_out(tmp_path: Path) -> None:
    asked = (
        question(1, "First?", gold("t1"), audited=gold("t6")),
        replace(question(2, "Second?", gold("t6")), is_disputed=True),
    )
    case = Case(id="c1", owner="ilse", turns=turns(), questions=asked)
    back = read_run(run(replace(dataset(), cases=(case,)), Recorder(), tmp_path / "r.jsonl"))
    plain = summarise(back).figure("turns any@1")
    audited = summarise(back, is_audited=True).figure("turns any@1")
    assert plain is not None
    assert audited is not None
    assert (plain.n, plain.mean) == (2, 0.5)
    assert (audited.n, audited.mean) == (1, 1.0)


def test_an_unknown_system_is_an_error_that_lists_those_there_are() -> None:
    with pytest.raises(SystemMissing, match="bm25"):
        make_system("bm52", CachedEmbedder(HashingEmbedder()))


SYSTEMS = [*BASELINES, *CONFIGURATIONS]


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_system_keeps_the_contract(name: str, tmp_path: Path) -> None:
    system: System = make_system(name, CachedEmbedder(HashingEmbedder()))
    back = read_run(run(dataset(), system, tmp_path / "one.jsonl"))
    again = read_run(run(dataset(), system, tmp_path / "two.jsonl"))
    system.close()
    known = {t.id for t in turns()}
    for first, repeat in zip(back.questions, again.questions, strict=True):
        assert first.items == repeat.items
        assert {t for item in first.items for t in item.turns} <= known
        scores = [item.score for item in first.items if item.score is not None]
        assert scores == sorted(scores, reverse=True)
        assert first.seconds >= 0
    early = {t for item in back.questions[0].items for t in item.turns}
    assert early <= {"t1", "t2", "t3"}
    assert any(q.items for q in back.questions)


def test_bm25_finds_by_stems_and_returns_nothing_for_strange_words() -> None:
    system = Bm25()
    system.reset("ilse")
    system.feed(turns())
    asked = question(1, "Painting the hive", Gold())
    reply = system.ask(Query(text=asked.text, asked_at=asked.asked_at, limit=10))
    assert [i.turns[0] for i in reply.items] == ["t4", "t2"]  # of equal ones the latest
    assert system.ask(Query(text="zzz", asked_at=asked.asked_at, limit=10)).items == ()


def test_given_statements_are_what_is_stored(tmp_path: Path) -> None:
    system = make_system("perdure-given", CachedEmbedder(HashingEmbedder()))
    back = read_run(run(dataset(), system, tmp_path / "r.jsonl"))
    system.close()
    texts = {i.text for i in back.questions[1].items}
    assert any("The hives are painted green now." in (t or "") for t in texts)
    assert {i.kind for q in back.questions for i in q.items} == {"fact"}


def test_figures_of_others_do_not_move_with_the_engine(tmp_path: Path) -> None:
    embedder = CachedEmbedder(HashingEmbedder())
    names = ("perdure", "bm25", "dense")
    systems = [make_system(name, embedder) for name in names]
    codes = [
        read_run(run(dataset(), system, tmp_path / f"{system.name}.jsonl")).identity["code"]
        for system in systems
    ]
    for system in systems:
        system.close()
    assert codes[1] == codes[2] != codes[0]
