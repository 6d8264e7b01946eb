from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bench.errors import RivalFailed, SystemMissing
from bench.model import Turn
from bench.systems.base import Fed, Query, System
from bench.systems.rivals.catalogue import LIMITS, RIVALS, make_rival
from bench.systems.rivals.rival import WORKERS, Rival, RivalSystem
from bench.systems.rivals.setup import known_environments, set_up
from perdure.embed.hashing import HashingEmbedder

MONDAY = datetime(2024, 5, 6, 9, tzinfo=UTC)
FAKE = Rival(
    name="fake",
    about="a fake",
    environment="fake",
    worker="fake_worker.py",
    options={"fake": True},
    variables={"GREETING": "hello from {folder}"},
    limits=("it is a fake",),
)


def start(*, call_timeout_s: float = 20.0, rival: Rival = FAKE) -> RivalSystem:
    return RivalSystem(
        rival,
        HashingEmbedder(8),
        python=Path(sys.executable),
        workers=Path(__file__).parent,
        call_timeout_s=call_timeout_s,
    )


@pytest.fixture
def fake() -> Iterator[RivalSystem]:
    system = start()
    system.reset("ana")
    yield system
    system.close()


def turn(number: int, text: str) -> Turn:
    return Turn(id=f"t{number}", session="s", speaker="Ana", role="user", text=text, at=MONDAY)


def query(text: str, *, limit: int = 5) -> Query:
    return Query(text=text, asked_at=MONDAY, limit=limit)


def test_it_is_a_system_that_says_what_it_runs_and_what_it_cannot(fake: RivalSystem) -> None:
    system: System = fake
    assert system.name == "fake"
    assert system.about == {
        "name": "fake",
        "versions": {"fake": "1.2"},
        "embedder": "hashing/v1",
        "options": {"fake": True},
    }
    assert system.limits == ("it is a fake",)


def test_turns_arrive_with_day_and_speaker_and_are_found(fake: RivalSystem) -> None:
    fake.feed([turn(1, "I keep bees"), turn(2, "I sail")])
    reply = fake.ask(query("bees"))
    assert [item.turns for item in reply.items] == [("t1",)]
    assert reply.items[0].text == "6 May 2024 Ana: I keep bees"
    assert (reply.seconds, reply.embedding_seconds) == (0.001, 0.0)


def test_a_long_feed_goes_in_parts_and_its_figures_add_up(fake: RivalSystem) -> None:
    fed = fake.feed([turn(n, f"note {n}") for n in range(101)])
    assert fed == Fed(
        seconds=1.5,
        embedding_seconds=0.75,
        counts={"embedding_calls": 3, "memories": 101},
        warnings=("slow",),
    )


def test_the_newest_are_listed_and_owners_are_apart(fake: RivalSystem) -> None:
    fake.feed([turn(1, "one"), turn(2, "two")])
    assert [item.turns for item in fake.list_newest(1).items] == [("t2",)]
    fake.use("bo")
    assert fake.list_newest(5).items == ()


def test_a_user_of_two_names_is_one_word_to_the_rival(fake: RivalSystem) -> None:
    fake.reset("Ilse Marek")
    fake.feed([turn(1, "bees")])
    assert [i.turns for i in fake.ask(query("bees")).items] == [("t1",)]


def test_reset_forgets(fake: RivalSystem) -> None:
    fake.feed([turn(1, "bees")])
    fake.reset("ana")
    assert fake.ask(query("bees")).items == ()


def test_variables_reach_the_worker_filled_in(fake: RivalSystem) -> None:
    assert fake.ask(query("greeting")).items[0].text == f"hello from {fake.folder}"


def test_a_closed_rival_leaves_no_files() -> None:
    system = start()
    system.reset("ana")
    system.close()
    assert not system.folder.exists()


def test_a_dying_worker_is_said_with_its_last_words() -> None:
    system = start()
    with pytest.raises(RivalFailed, match=r"died during `ask`; exit code 3(.|\n)*the last words"):
        system.ask(query("die"))
    system.close()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nonsense", "a line that is no JSON"),
        ("wordless", "something that is no answer"),
        ("fail", "could not do `ask` .ValueError: no."),
    ],
)
def test_a_worker_that_answers_wrongly_is_ended(text: str, said: str) -> None:
    system = start()
    with pytest.raises(RivalFailed, match=said):
        system.ask(query(text))
    with pytest.raises(RivalFailed):
        system.ask(query("anything"))
    system.close()


def test_more_items_than_wanted_are_refused(fake: RivalSystem) -> None:
    fake.feed([turn(1, "bees"), turn(2, "bees")])
    with pytest.raises(RivalFailed, match="at most 1 items"):
        fake.ask(query("many bees", limit=1))


def test_a_worker_that_hangs_is_given_up() -> None:
    system = start(call_timeout_s=0.2)
    with pytest.raises(RivalFailed, match=r"no answer to `ask` within 0.2 s"):
        system.ask(query("hang"))
    system.close()


def test_a_worker_that_cannot_start_is_said() -> None:
    broken = Rival(
        name="broken",
        about="",
        environment="fake",
        worker="fake_worker.py",
        options={},
        variables={},
        limits=(),
    )
    with pytest.raises(RivalFailed, match=r"broken: the worker died during `hello`(.|\n)*no options"):
        start(rival=broken)


def test_a_missing_environment_is_said_with_the_command_that_makes_it(tmp_path: Path) -> None:
    with pytest.raises(SystemMissing, match=r"perdure bench rivals mem0"):
        make_rival("mem0-faiss", HashingEmbedder(8), folder=tmp_path)


def test_an_unknown_rival_is_said_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(SystemMissing, match="mem0-faiss"):
        make_rival("mem9", HashingEmbedder(8), folder=tmp_path)
    with pytest.raises(SystemMissing, match="chat model"):
        make_rival("Graphiti", HashingEmbedder(8), folder=tmp_path)
    with pytest.raises(SystemMissing, match="langgraph-store, mcp-memory-service, mem0"):
        set_up("mem9", tmp_path)


def test_every_rival_has_a_worker_an_environment_and_limits() -> None:
    assert {rival.environment for rival in RIVALS.values()} == set(known_environments())
    for rival in RIVALS.values():
        assert (WORKERS / rival.worker).exists()
        assert rival.limits
    assert not set(LIMITS) & set(RIVALS)


def test_every_requirement_is_pinned() -> None:
    folder = Path(WORKERS).parent / "requirements"
    lines = [line for path in folder.glob("*.txt") for line in path.read_text().splitlines()]
    assert [line for line in lines if line.split(";")[0].count("==") != 1] == []
