"""Each verb does what its name says."""

from __future__ import annotations

import inspect
import json
from pathlib import Path

import pytest

from perdure import AsyncMemory, Memory
from perdure.core.values import Json
from perdure.engine import Engine
from perdure.errors import (
    IdempotencyConflict,
    InvalidInput,
    NotFound,
    StoreClosed,
    UndoConflict,
)
from perdure.sync import SyncEngine

OWNER = {"user_id": "ana"}
JANUARY, JUNE = "2024-01-05T10:00:00Z", "2024-06-05T10:00:00Z"


def texts(items: object) -> list[str]:
    assert isinstance(items, dict)
    return [item["memory"] for item in items["results"]]


def test_add_answers_with_ids_events_and_reasons(memory: Memory) -> None:
    (item,) = memory.add("I live in Porto.", user_id="ana", timestamp=JANUARY)["results"]
    assert (item["event"], item["layer"]) == ("ADD", "slot")
    assert memory.get(item["id"]) is not None


def test_results_are_plain_mappings(memory: Memory) -> None:
    memory.add("I live in Porto.", user_id="ana")
    result = memory.search("Where does the user live?", user_id="ana", explain=True)
    assert json.loads(json.dumps(result)) == result


def test_later_value_supersedes_and_as_of_shows_the_earlier(memory: Memory) -> None:
    memory.add("I live in Porto.", user_id="ana", timestamp=JANUARY)
    memory.add("I live in Lisbon.", user_id="ana", timestamp=JUNE)
    assert texts(memory.get_all(user_id="ana")) == ["User lives in Lisbon"]
    assert texts(memory.get_all(user_id="ana", as_of="2024-03-01")) == ["User lives in Porto"]
    assert len(memory.get_all(user_id="ana", validity="all")["results"]) == 2


def test_known_at_shows_what_was_known(memory: Memory) -> None:
    memory.add("I live in Porto.", user_id="ana", timestamp=JANUARY)
    before = memory.get_all(user_id="ana")["results"][0]["updated_at"]
    memory.add("I live in Lisbon.", user_id="ana", timestamp=JUNE)
    assert texts(memory.get_all(user_id="ana", known_at=before)) == ["User lives in Porto"]


def test_future_known_at_is_refused(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="known_at"):
        memory.get_all(user_id="ana", known_at="2999-01-01")


def test_update_keeps_the_version_before(memory: Memory) -> None:
    added = memory.add("Keeps two beehives", user_id="ana", infer=False)["results"][0]["id"]
    memory.update(added, "Keeps three beehives")
    assert [h["new_memory"] for h in memory.history(added)] == [
        "Keeps two beehives",
        "Keeps three beehives",
    ]
    assert texts(memory.search("beehives", user_id="ana", kinds=["fact"])) == ["Keeps three beehives"]


def test_update_of_a_slot_value_settles_the_slot_again(memory: Memory) -> None:
    memory.add("I live in Porto.", user_id="ana", timestamp=JANUARY)
    wrong = memory.add("I live in Lyon.", user_id="ana", timestamp=JUNE)["results"][0]["id"]
    memory.update(wrong, "I live in Lisbon.")
    current = memory.get_all(user_id="ana")["results"]
    assert [(m["value"], m["attribute"]) for m in current] == [("Lisbon", "home_city")]


def test_update_can_end_a_fact(memory: Memory) -> None:
    added = memory.add("Rents a boat", user_id="ana", infer=False, timestamp=JANUARY)["results"][0]["id"]
    memory.update(added, valid_to="2024-03-01")
    assert texts(memory.get_all(user_id="ana")) == []
    assert texts(memory.get_all(user_id="ana", as_of="2024-02-01")) == ["Rents a boat"]


def test_update_without_change_is_refused(memory: Memory) -> None:
    added = memory.add("Rents a boat", user_id="ana", infer=False)["results"][0]["id"]
    with pytest.raises(InvalidInput, match="update"):
        memory.update(added)


def test_metadata_survives_an_update_of_the_text(memory: Memory) -> None:
    odd: dict[str, Json] = {"aB": 1, "c_d": {"eF": 2}}
    added = memory.add("Rents a boat", user_id="ana", infer=False, metadata=odd)["results"][0]["id"]
    memory.update(added, "Rents a yacht")
    found = memory.get(added)
    assert found is not None
    assert found["metadata"] == odd


def test_delete_hides_fact_and_message_and_undo_brings_both_back(memory: Memory) -> None:
    added = memory.add("Locker code is ZX-0019", user_id="ana", infer=False)["results"][0]["id"]
    memory.delete(added)
    assert memory.get(added) is None
    assert texts(memory.search("ZX-0019", user_id="ana")) == []
    deleted = [d for d in memory.decisions(memory_id=added) if d["action"] == "DELETE"]
    memory.undo(deleted[0]["id"])
    assert memory.get(added) is not None
    assert len(memory.search("ZX-0019", user_id="ana")["results"]) >= 1


def test_delete_of_an_unknown_id_is_not_found(memory: Memory) -> None:
    with pytest.raises(NotFound):
        memory.delete("00000000-0000-7000-8000-000000000000")


def test_delete_of_the_current_value_brings_the_earlier_one_back(memory: Memory) -> None:
    memory.add("I live in Porto.", user_id="ana", timestamp=JANUARY)
    newer = memory.add("I live in Lisbon.", user_id="ana", timestamp=JUNE)["results"][0]["id"]
    memory.delete(newer)
    assert texts(memory.get_all(user_id="ana")) == ["User lives in Porto"]


def test_delete_of_a_message_takes_along_what_rests_on_it_alone(memory: Memory) -> None:
    result = memory.add("I live in Porto.", user_id="ana", timestamp=JANUARY)
    memory.delete(result["episodes"][0])
    assert texts(memory.get_all(user_id="ana", validity="all")) == []
    assert memory.get(result["episodes"][0]) is None


SMALL_TALK = "Nothing much to say about zeppelins."


def test_delete_of_a_message_that_states_nothing_is_undone(memory: Memory) -> None:
    (episode,) = memory.add(SMALL_TALK, user_id="ana")["episodes"]
    undo_id = memory.delete(episode)["undo_id"]
    assert texts(memory.search("zeppelins", user_id="ana")) == []
    memory.undo(undo_id)
    assert texts(memory.search("zeppelins", user_id="ana")) == [SMALL_TALK]
    with pytest.raises(UndoConflict):
        memory.undo(undo_id)


def test_delete_all_is_undone_with_every_message_it_hid_and_no_other(memory: Memory) -> None:
    (earlier,) = memory.add("The umbrella was left behind.", user_id="ana")["episodes"]
    memory.delete(earlier)
    memory.add("I live in Porto.", user_id="ana", timestamp=JANUARY)
    memory.add(SMALL_TALK, user_id="ana")
    before = [texts(memory.search(q, user_id="ana")) for q in ("Porto", "zeppelins", "umbrella")]
    undo_id = memory.delete_all(user_id="ana")["undo_id"]
    assert memory.stats(user_id="ana")["facts"] == 0
    memory.undo(undo_id)
    assert [texts(memory.search(q, user_id="ana")) for q in ("Porto", "zeppelins", "umbrella")] == before
    with pytest.raises(UndoConflict):
        memory.undo(undo_id)
    assert memory.check() == []


def test_delete_all_of_an_empty_scope_gives_nothing_to_undo(memory: Memory) -> None:
    assert "undo_id" not in memory.delete_all(user_id="nobody")


def test_undo_of_a_delete_leaves_hidden_what_was_deleted_before(memory: Memory) -> None:
    said = [{"role": "user", "content": f"I live in Porto{end}"} for end in (".", "!")]
    first, second = (memory.add([m], user_id="ana", timestamp=JANUARY) for m in said)
    fact = first["results"][0]["id"]
    memory.delete(first["episodes"][0])
    memory.undo(memory.delete(fact)["undo_id"])
    assert memory.get(first["episodes"][0]) is None
    assert memory.get(second["episodes"][0]) is not None


def test_delete_all_touches_one_owner_only(memory: Memory) -> None:
    memory.add("Keeps bees", user_id="ana", infer=False)
    memory.add("Keeps goats", user_id="bob", infer=False)
    assert memory.delete_all(user_id="ana")["facts"] == 1
    assert texts(memory.get_all(user_id="ana")) == []
    assert texts(memory.get_all(user_id="bob")) == ["Keeps goats"]


def test_delete_all_needs_an_id(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="user_id"):
        memory.delete_all()


def test_undo_of_a_supersession_restores_the_timeline(memory: Memory) -> None:
    memory.add("I live in Porto.", user_id="ana", timestamp=JANUARY)
    item = memory.add("I live in Lisbon.", user_id="ana", timestamp=JUNE)["results"][0]
    memory.undo(item["decision_id"])
    (left,) = memory.get_all(user_id="ana", validity="all")["results"]
    assert (left["memory"], left["valid_to"], left["state"]) == ("User lives in Porto", None, "current")


def test_undo_of_an_operation_twice_is_refused(memory: Memory) -> None:
    operation_id = memory.add("Keeps bees", user_id="ana", infer=False)["operation_id"]
    assert operation_id is not None
    memory.undo(operation_id)
    with pytest.raises(UndoConflict):
        memory.undo(operation_id)


def test_undo_twice_is_refused(memory: Memory) -> None:
    item = memory.add("Keeps bees", user_id="ana", infer=False)["results"][0]
    memory.undo(item["decision_id"])
    with pytest.raises(UndoConflict):
        memory.undo(item["decision_id"])


def test_undo_of_an_operation_takes_back_all_it_did(memory: Memory) -> None:
    result = memory.add("I live in Porto. I work at Acme.", user_id="ana", timestamp=JANUARY)
    assert len(result["results"]) == 2
    assert result["operation_id"] is not None
    memory.undo(result["operation_id"])
    assert texts(memory.get_all(user_id="ana", validity="all")) == []


def test_undo_of_an_update_that_was_changed_again_is_refused(memory: Memory) -> None:
    added = memory.add("Keeps two beehives", user_id="ana", infer=False)["results"][0]["id"]
    memory.update(added, "Keeps three beehives")
    first = next(d for d in memory.decisions(memory_id=added) if d["action"] == "UPDATE")
    memory.update(added, "Keeps four beehives")
    with pytest.raises(UndoConflict):
        memory.undo(first["id"])


def test_erase_leaves_nothing_and_proves_it(memory: Memory) -> None:
    added = memory.add("Safe code is CANARY-5501", user_id="ana", infer=False)["results"][0]["id"]
    receipt = memory.erase(added)
    assert (receipt["facts"], receipt["episodes"], receipt["remains"]) == (1, 1, 0)
    assert memory.get(added) is None
    with pytest.raises(NotFound):
        memory.history(added)


def test_a_fact_with_new_dates_still_knows_its_message(memory: Memory) -> None:
    added = memory.add("I live in Porto.", user_id="ana", timestamp=JANUARY)
    fact_id = added["results"][0]["id"]
    memory.update(fact_id, valid_to=JUNE)
    (fact,) = memory.get_all(user_id="ana", validity="all")["results"]
    assert [s["episode_id"] for s in fact["sources"]] == added["episodes"]
    memory.delete(fact_id)
    assert texts(memory.search("Porto", user_id="ana", validity="all")) == []


def test_erase_of_a_fact_with_new_dates_takes_its_message_along(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Memory(path, embedder="hashing", model="rules") as memory:
        fact_id = memory.add("I live in Zwolle.", user_id="ana", timestamp=JANUARY)["results"][0]["id"]
        memory.update(fact_id, valid_to=JUNE)
        assert memory.erase(fact_id)["episodes"] == 1
        files = b"".join(p.read_bytes() for p in tmp_path.iterdir())
        assert b"zwolle" not in files.lower()
        assert memory.check() == []


def test_erase_of_an_owner_leaves_no_trace_of_the_id_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Memory(path, embedder="hashing", model="rules") as memory:
        memory.add(
            "I live in Porto. My badge is CANARY-5501.", user_id="owner-7781", idempotency_key="key-9912"
        )
        memory.add("I live in Gent.", user_id="ben")
        assert memory.erase(user_id="owner-7781")["remains"] == 0
        files = b"".join(p.read_bytes() for p in tmp_path.iterdir())
        for word in (b"owner-7781", b"CANARY-5501", b"key-9912"):
            assert word not in files
        assert len(memory.get_all(user_id="ben")["results"]) == 1
        assert memory.check() == []


def test_reset_empties_the_store(memory: Memory) -> None:
    memory.add("Keeps bees", user_id="ana", infer=False)
    memory.reset()
    assert memory.stats()["facts"] == 0
    assert memory.stats()["episodes"] == 0


def test_same_sentence_twice_is_one_fact_with_two_sources(memory: Memory) -> None:
    first = memory.add("Keeps bees", user_id="ana", infer=False)["results"][0]
    second = memory.add("Keeps bees", user_id="ana", infer=False)["results"][0]
    assert (second["event"], second["id"]) == ("NOOP", first["id"])
    found = memory.get(first["id"])
    assert found is not None
    assert len(found["sources"]) == 2


def test_same_dated_message_again_stores_nothing(memory: Memory) -> None:
    message = {"role": "user", "content": "I live in Porto.", "timestamp": JANUARY}
    memory.add(message, user_id="ana")
    before = memory.stats()
    again = memory.add(message, user_id="ana")
    assert again["results"] == []
    assert again["skipped"][0]["reason"] == "this message is stored already"
    assert memory.stats() == before


def test_idempotency_key_gives_the_first_answer(memory: Memory) -> None:
    first = memory.add("Keeps bees", user_id="ana", infer=False, idempotency_key="k1")
    assert memory.add("Keeps bees", user_id="ana", infer=False, idempotency_key="k1") == first
    assert memory.stats()["episodes"] == 1


def test_idempotency_key_with_another_body_is_refused(memory: Memory) -> None:
    memory.add("Keeps bees", user_id="ana", infer=False, idempotency_key="k1")
    with pytest.raises(IdempotencyConflict):
        memory.add("Keeps goats", user_id="ana", infer=False, idempotency_key="k1")


def test_scopes_never_mix(memory: Memory) -> None:
    ids = ["ann_lee", "ann-lee", "annXlee", "ann", "ann%", "ANN", "ann ", "añn", "an\u0303n", "ann\u0000"]
    for n, owner in enumerate(ids):
        memory.add(f"Secret number {n}", user_id=owner, infer=False)
    for n, owner in enumerate(ids):
        assert texts(memory.get_all(user_id=owner)) == [f"Secret number {n}"]
        found = memory.search("secret number", user_id=owner, kinds=["fact"])
        assert texts(found) == [f"Secret number {n}"]


def test_filters_may_carry_the_scope(memory: Memory) -> None:
    memory.add("Keeps bees", user_id="ana", infer=False, metadata={"tag": "farm"})
    memory.add("Keeps goats", user_id="ana", infer=False, metadata={"tag": "hill"})
    where: dict[str, Json] = {"AND": [{"user_id": "ana"}, {"metadata": {"tag": "farm"}}]}
    assert texts(memory.get_all(filters=where)) == ["Keeps bees"]
    assert texts(memory.search("keeps", filters=where, kinds=["fact"])) == ["Keeps bees"]


def test_pages_are_complete_and_without_repeats(memory: Memory) -> None:
    messages = [f"Fact number {n}" for n in range(25)]
    memory.add(messages, user_id="ana", infer=False)
    seen: list[str] = []
    cursor = None
    while True:
        page = memory.get_all(user_id="ana", limit=7, cursor=cursor)
        seen += texts(page)
        cursor = page["next"]
        if cursor is None:
            break
    assert sorted(seen) == sorted(messages)


def test_expired_facts_are_hidden_from_lists_but_not_from_get(memory: Memory) -> None:
    added = memory.add("Has a visitor badge", user_id="ana", infer=False, expiration_date="2024-12-31")
    assert texts(memory.get_all(user_id="ana")) == []
    assert texts(memory.get_all(user_id="ana", show_expired=True)) == ["Has a visitor badge"]
    assert memory.get(added["results"][0]["id"]) is not None


def test_immutable_facts_cannot_be_changed(memory: Memory) -> None:
    added = memory.add("Born in 1990", user_id="ana", infer=False, immutable=True)["results"][0]["id"]
    with pytest.raises(InvalidInput, match="immutable"):
        memory.update(added, "Born in 1991")
    with pytest.raises(InvalidInput, match="immutable"):
        memory.delete(added)


def test_a_closed_memory_says_so() -> None:
    memory = Memory(":memory:", embedder="hashing", model="rules")
    memory.close()
    memory.close()
    with pytest.raises(StoreClosed):
        memory.get_all(user_id="ana")


async def test_async_memory_has_the_same_verbs() -> None:
    async with AsyncMemory(":memory:", embedder="hashing", model="rules") as memory:
        await memory.add("Keeps bees", user_id="ana", infer=False)
        assert texts(await memory.get_all(user_id="ana")) == ["Keeps bees"]


def public(kind: type) -> dict[str, object]:
    return {n: v for n, v in vars(kind).items() if not n.startswith("_") and callable(v)}


def test_sync_and_async_verbs_have_equal_signatures() -> None:
    verbs = {
        name: verb
        for base in Engine.__mro__
        for name, verb in public(base).items()
        if inspect.iscoroutinefunction(verb) and name != "open"
    }
    assert set(verbs) == set(public(SyncEngine)) - {"engine", "loop"}
    for name, verb in verbs.items():
        assert inspect.signature(verb) == inspect.signature(getattr(SyncEngine, name)), name
    assert inspect.signature(Memory.__init__) == inspect.signature(AsyncMemory.__init__)


def test_what_was_asked_not_to_be_kept_is_not_stored_at_all(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Memory(path, embedder="hashing", model="rules") as memory:
        result = memory.add(
            ["Don't keep this: I'm interviewing elsewhere.", "I live in Porto."], user_id="ana"
        )
        assert [s["reason"] for s in result["skipped"]] == ["asked not to keep"]
        assert memory.stats()["episodes"] == 1
        alone = memory.add("Please do not save this: I'm interviewing elsewhere.", user_id="ana")
        assert (alone["results"], alone["operation_id"], len(alone["skipped"])) == ([], None, 1)
    assert b"interviewing" not in b"".join(p.read_bytes() for p in tmp_path.iterdir())
