"""One size: perdure, the floor and the rivals side by side, all contests, all single figures."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from bench.memory import resident_mb
from bench.model import Turn
from bench.scale import ours
from bench.scale.floor import Floor, make_floor, matrix_of
from bench.scale.peers import Filled, adding, asking, fill_peer, listing, start_peer
from bench.scale.records import Recorder, Rounds, one_value
from bench.scale.rounds import Call, Contest, hold, timed
from bench.scale.vectors import SumEmbedder
from bench.scale.world import BATCH, BIG, Queries, World, make_world, new_turns, queries
from perdure import Memory

FLOOR = "floor"
SIGNALS = ("vector", "keyword", "graph", "temporal")
LISTED = 100
SEARCHES = 10
ADDS = 20
IMPORTED = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """rounds: of each contest. call_budget_s: for a subject in one round. fill_budget_s: for a rival's fill,
    of its own seconds; 0 leaves it out."""

    rounds: int = 5
    call_budget_s: float = 3.0
    fill_budget_s: float = 300.0


@dataclass(slots=True, kw_only=True)
class Stage:
    """Everything of one size that is open.

    say: takes a line about how far things are. peers: those that hold the whole world. stopped: those whose
    budget ended before; what is measured of them is recorded with the size that they reached.
    """

    world: World
    memory: Memory
    path: Path
    effort: Effort
    record: Recorder
    say: Callable[[str], None]
    embedder: SumEmbedder = field(default_factory=SumEmbedder)
    peers: dict[str, Filled] = field(default_factory=dict)
    stopped: dict[str, Filled] = field(default_factory=dict)

    def contest(
        self,
        what: str,
        case: str,
        calls: Mapping[str, Call],
        *,
        repeats: int,
        notes: Mapping[str, str] | None = None,
    ) -> None:
        """Hold it and record what each subject took, in ms. notes: by subject."""
        self.say(f"{self.world.size}: {what} {case}")
        contest = Contest(what=what, case=case, calls=calls, repeats=repeats)
        found = hold(contest, rounds=self.effort.rounds, budget_s=self.effort.call_budget_s)
        for name, values in found.items():
            note = (notes or {}).get(name, "")
            self.take(name, what, "ms", values, case=case, note=note)

    def one(self, name: str, what: str, value: float, unit: str, *, case: str = "", note: str = "") -> None:
        self.take(name, what, unit, one_value(value), case=case, note=note)

    def take(
        self,
        name: str,
        what: str,
        unit: str,
        values: Rounds,
        *,
        case: str = "",
        note: str = "",
        size: int | None = None,
    ) -> None:
        """Record it. size: that of the world, unless the subject holds less."""
        held = size or self.world.size
        self.record.take(name=name, size=held, what=what, case=case, unit=unit, values=values, note=note)


@contextmanager
def open_stage(
    size: int,
    *,
    peer_names: Sequence[str],
    peer_folder: Path | None,
    effort: Effort,
    record: Recorder,
    say: Callable[[str], None],
) -> Iterator[Stage]:
    """A filled store of that size, and the rivals filled as far as their budget goes."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-scale-")))
        path = folder / "memory.db"
        memory = stack.enter_context(ours.open_memory(path))
        world = make_world(size)
        stage = Stage(world=world, memory=memory, path=path, effort=effort, record=record, say=say)
        say(f"{size}: filling perdure")
        stage.take(ours.NAME, "add batched", "/s", ours.fill(memory, world))
        for name in peer_names:
            _open_peer(stage, stack, name, peer_folder)
        yield stage


def _open_peer(stage: Stage, stack: ExitStack, name: str, folder: Path | None) -> None:
    system = start_peer(name, folder=folder)
    stack.callback(system.close)
    size = stage.world.size

    def step(reached: int) -> None:
        stage.say(f"{size}: filling {name}, {reached} in")

    budget = stage.effort.fill_budget_s
    filled = fill_peer(system, stage.world, budget_s=budget, on_step=step)
    note = ""
    if filled.reached == size:
        stage.peers[name] = filled
    else:
        stage.stopped[name] = filled
        note = f"stopped at {filled.reached} of {size} after {filled.seconds:.0f} s of its own time"
    stage.one(name, "fill", filled.reached / filled.seconds, "/s", note=note)


def measure(stage: Stage) -> None:
    """All contests and single figures of the stage, searches before adds, so that the size is exact."""
    by_owner = {owner: queries(stage.world, owner) for owner in (BIG, stage.world.small)}
    for scope, owner in (("big", BIG), ("small", stage.world.small)):
        _searches(stage, scope, owner, by_owner[owner])
    _reads(stage)
    _stopped(stage, by_owner[BIG])
    _fresh(stage, by_owner[BIG].common[0])
    _sizes(stage)
    _adds(stage)
    taken = min(IMPORTED, stage.world.counts[BIG])
    stage.say(f"{stage.world.size}: import of {taken} messages")
    rate = ours.import_rate(list(islice(stage.world.turns(BIG), taken)))
    stage.one(ours.NAME, "import", rate, "/s", note=f"{taken} messages into a new store, rules extracting")


def _searches(stage: Stage, scope: str, owner: str, asked: Queries) -> None:
    floor = _floor(stage, owner, asked)
    for kind, texts in (("common", asked.common), ("rare", asked.rare)):
        calls = {ours.NAME: _ours(stage, owner, texts, None), FLOOR: _scan(stage, floor, texts)}
        for name, peer in stage.peers.items():
            calls[name] = _asking(peer, owner, texts)
        about = {FLOOR: f"{floor.library}, {stage.world.counts[owner]} vectors, one a fact"}
        stage.contest("search", f"{scope}/{kind}", calls, repeats=SEARCHES, notes=about)
        stage.one(
            ours.NAME,
            "search statements",
            _statements(stage, owner, texts[0]),
            "count",
            case=f"{scope}/{kind}",
        )
        for signal in SIGNALS[:3]:
            call = {ours.NAME: _ours(stage, owner, texts, (signal,))}
            stage.contest(f"search {signal}", f"{scope}/{kind}", call, repeats=SEARCHES)
    call = {ours.NAME: _ours(stage, owner, asked.dated, ("temporal",))}
    stage.contest("search temporal", f"{scope}/dated", call, repeats=SEARCHES)


def _floor(stage: Stage, owner: str, asked: Queries) -> Floor:
    return make_floor(matrix_of(stage.world, owner, stage.embedder), stage.embedder.embed(asked.rare))


def _ours(stage: Stage, owner: str, texts: Sequence[str], signals: Sequence[str] | None) -> Call:
    return timed(lambda n: ours.search(stage.memory, owner, texts[n % len(texts)], signals))


def _scan(stage: Stage, floor: Floor, texts: Sequence[str]) -> Call:
    vectors = stage.embedder.embed(texts)
    return timed(lambda n: floor.scan(vectors[n % len(texts)]))


def _asking(peer: Filled, owner: str, texts: Sequence[str]) -> Call:
    return lambda n: asking(peer.system, owner, texts[n % len(texts)])


def _statements(stage: Stage, owner: str, text: str) -> int:
    before = ours.statements(stage.memory)
    ours.search(stage.memory, owner, text)
    return ours.statements(stage.memory) - before


def _reads(stage: Stage) -> None:
    memory = stage.memory
    ids = [item["id"] for item in memory.get_all(user_id=BIG, limit=LISTED)["results"]]
    calls = {ours.NAME: timed(lambda n: memory.get_all(user_id=BIG, limit=LISTED))}
    for name, peer in stage.peers.items():
        calls[name] = _listing(peer)
    stage.contest("list 100", "", calls, repeats=SEARCHES)
    get = timed(lambda n: memory.get(ids[n % len(ids)]))
    stage.contest("get", "", {ours.NAME: get}, repeats=ADDS)


def _stopped(stage: Stage, asked: Queries) -> None:
    """What a rival that was stopped does at the size it reached, alone."""
    for name, peer in stage.stopped.items():
        for what, case, call in (
            ("search", "big/common", _asking(peer, BIG, asked.common)),
            ("search", "big/rare", _asking(peer, BIG, asked.rare)),
            ("list 100", "", _listing(peer)),
        ):
            stage.say(f"{peer.reached}: {what} {case}, {name}")
            contest = Contest(what=what, case=case, calls={name: call}, repeats=SEARCHES)
            found = hold(contest, rounds=stage.effort.rounds, budget_s=stage.effort.call_budget_s)
            note = f"stopped here on the way to {stage.world.size}"
            stage.take(name, what, "ms", found[name], case=case, note=note, size=peer.reached)


def _listing(peer: Filled) -> Call:
    return lambda n: listing(peer.system, BIG, LISTED)


def _fresh(stage: Stage, query: str) -> None:
    stage.say(f"{stage.world.size}: fresh processes")
    found = [ours.fresh(stage.path, query) for _ in range(3)]
    for what, unit, values in (
        ("fresh import", "ms", [one.import_s * 1000 for one in found]),
        ("fresh open", "ms", [one.open_s * 1000 for one in found]),
        ("fresh first search", "ms", [one.first_search_s * 1000 for one in found]),
        ("fresh, all three", "ms", [one.total_s * 1000 for one in found]),
        ("memory idle", "MB", [one.idle_mb for one in found]),
        ("memory searched", "MB", [one.searched_mb for one in found]),
    ):
        rounds: Rounds = tuple((value,) for value in values)
        stage.take(ours.NAME, what, unit, rounds)


def _sizes(stage: Stage) -> None:
    stage.one(ours.NAME, "file", ours.file_megabytes(stage.path), "MB")
    for name, peer in stage.peers.items():
        stage.one(name, "memory searched", resident_mb(peer.system.worker_id), "MB")
        stage.one(name, "file", ours.file_megabytes(peer.system.folder), "MB")


def _adds(stage: Stage) -> None:
    """One at a time, each on disk when it is acknowledged; then full batches, at the size reached."""
    repeats, rounds = ADDS, stage.effort.rounds
    fresh = new_turns(0, repeats * rounds + 1)
    calls: dict[str, Call] = {ours.NAME: lambda n: ours.add(stage.memory, BIG, [fresh[n]])}
    for name, peer in stage.peers.items():
        calls[name] = _adding(peer, fresh)
    stage.contest("add one", "", calls, repeats=repeats)
    more = new_turns(len(fresh), BATCH * (rounds + 1))

    def batch(n: int) -> float:
        return ours.add(stage.memory, BIG, more[n * BATCH : (n + 1) * BATCH])

    stage.contest("add 500", "", {ours.NAME: batch}, repeats=1)


def _adding(peer: Filled, turns: Sequence[Turn]) -> Call:
    return lambda n: adding(peer.system, BIG, turns[n])
