"""A judge proposes; code lets through what names its target, quotes it and cannot lose a memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from perdure.api.results import AddItem, AddResult
from perdure.core.values import Json
from perdure.errors import ModelUnavailable
from tests.write.scripts import Reply, World, fact, found, judged, near, verdict, world

OLD, NEW = "User parks in bay 12", "User moved from bay 12 to bay 40"
JANUARY, MARCH = "2025-01-06", "2025-03-03"
CLOSE = {OLD: near(1.0, 1), NEW: near(0.8, 2)}


@contextmanager
def parked(*replies: Reply, new: dict[str, Json] | None = None) -> Iterator[World]:
    """A world that holds OLD since January and is about to hear NEW of March."""
    extracts = [
        found(fact(OLD, valid_from=JANUARY)),
        found(new or fact(NEW, valid_from=MARCH)),
    ]
    with world(extracts, verdicts=replies, table=CLOSE) as w:
        w.tell("I park in bay 12.")
        yield w


def moved(w: World) -> AddResult:
    return w.tell("I moved from bay 12 to bay 40.")


def events(result: AddResult) -> list[tuple[str, str]]:
    return [(item["event"], item["layer"]) for item in result["results"]]


def test_true_contradiction_closes_its_target_with_reason_and_link() -> None:
    with parked(judged(verdict("INVALIDATE", "K1", OLD))) as w:
        result = moved(w)
        old = w.memory.get(w.id_of(OLD))
        assert events(result) == [("ADD", "judge"), ("INVALIDATE", "judge")]
        assert w.current() == [NEW]
        assert old is not None
        assert (old["valid_from"], old["valid_to"]) == (JANUARY, f"{MARCH}T00:00:00+00:00")
        assert (old["replaced_by"], old["reason"]) == (w.id_of(NEW), "as told")


def test_history_of_the_closed_fact_shows_why() -> None:
    with parked(judged(verdict("INVALIDATE", "K1", OLD))) as w:
        moved(w)
        last = w.memory.history(w.id_of(OLD))[-1]
        assert (last["event"], last["layer"], last["reason"]) == ("INVALIDATE", "judge", "as told")


@pytest.mark.parametrize("action", ["invalidate", " Invalidate ", "DELETE", "delete"])
def test_action_is_read_in_any_case_and_delete_only_closes(action: str) -> None:
    with parked(judged(verdict(action, "K1", OLD))) as w:
        moved(w)
        assert w.current() == [NEW]
        assert w.everything() == sorted([OLD, NEW])


@pytest.mark.parametrize("label", ["k1", " K1 ", "[K1]", "1", 1, 1.0])
def test_label_is_read_as_models_write_it(label: str | float) -> None:
    with parked(judged({**verdict("INVALIDATE", None, OLD), "target": label})) as w:
        moved(w)
        assert w.current() == [NEW]


@pytest.mark.parametrize("label", ["d1", "[D1]", "1", 1, 1.0])
def test_draft_label_is_read_as_models_write_it(label: str | float) -> None:
    with parked(judged({**verdict("INVALIDATE", "K1", OLD), "draft": label})) as w:
        moved(w)
        assert w.current() == [NEW]


def test_decisions_on_unknown_drafts_are_dropped_with_one_warning_of_counts() -> None:
    good = verdict("INVALIDATE", "K1", OLD)
    unknown = [{**good, "draft": label} for label in ("7", "-1", "K1")]
    with parked(judged(*unknown, good)) as w:
        result = moved(w)
        assert result["warnings"] == ["decisions of the judge that could not be used: 3"]
        assert w.current() == [NEW]


def test_invented_target_of_one_draft_does_not_cost_the_other() -> None:
    other = "User sold the old bay 12 sign"
    table = {**CLOSE, other: near(0.7, 3)}
    extracts = [found(fact(OLD, valid_from=JANUARY)), found(other, fact(NEW, valid_from=MARCH))]
    proposals = judged(verdict("UPDATE", "K99", OLD), {**verdict("INVALIDATE", "K1", OLD), "draft": "D2"})
    with world(extracts, verdicts=[proposals], table=table) as w:
        w.tell("I park in bay 12.")
        w.tell("I sold the old bay 12 sign and moved from bay 12 to bay 40.")
        assert w.current() == sorted([other, NEW])


def test_drafts_beyond_one_question_are_stored_and_said() -> None:
    drafts = [f"User parks in bay {n}" for n in range(20, 52)]
    table = {OLD: near(1.0, 1)} | {text: near(0.6, n) for n, text in enumerate(drafts, start=2)}
    with world([found(OLD), found(*drafts)], verdicts=[judged()], table=table) as w:
        w.tell("I park in bay 12.")
        result = w.tell("I park in many bays.")
        assert len(w.current()) == 33
        assert result["warnings"] == ["facts not judged against what is stored, being too many: 2"]


def test_quote_may_lack_case_and_closing_stop() -> None:
    with parked(judged(verdict("INVALIDATE", "K1", f'"{OLD.upper()}."'))) as w:
        moved(w)
        assert w.current() == [NEW]


WRONG: list[tuple[str, Reply]] = [
    ("unknown label", judged(verdict("INVALIDATE", "K9", OLD))),
    ("negated target", judged(verdict("INVALIDATE", "not K1", OLD))),
    ("negative target", judged(verdict("INVALIDATE", "-1", OLD))),
    ("draft as target", judged(verdict("INVALIDATE", "D1", NEW))),
    ("no target", judged(verdict("INVALIDATE", None, OLD))),
    ("wrong quote", judged(verdict("INVALIDATE", "K1", "User parks in bay 13"))),
    ("quote of one word", judged(verdict("INVALIDATE", "K1", "User"))),
    ("quote of the draft", judged(verdict("INVALIDATE", "K1", NEW))),
    ("empty quote", judged(verdict("INVALIDATE", "K1", ""))),
    ("no quote", judged(verdict("INVALIDATE", "K1"))),
    ("placeholder action", judged(verdict("ACTION", "K1", OLD))),
    ("unknown action", judged(verdict("UPSERT", "K1", OLD))),
    ("none", judged(verdict("NONE", "K1", OLD))),
    ("empty action", judged(verdict("", "K1", OLD))),
    ("null action", '{"decisions": [{"draft": "D1", "action": null, "target": "K1"}]}'),
    ("add", judged(verdict("add "))),
    ("add with a target", judged(verdict("ADD", "K1", OLD))),
    ("update that loses the number", judged(verdict("UPDATE", "K1", OLD))),
    ("noop with another number", judged(verdict("NOOP", "K1", OLD))),
    ("empty list", judged()),
    ("action for an unknown draft", judged({**verdict("INVALIDATE", "K1", OLD), "draft": "D7"})),
    ("first decision wins", judged(verdict("ADD"), verdict("INVALIDATE", "K1", OLD))),
]
DRAFT_WITHOUT_12 = fact("User parks in bay 40", valid_from=MARCH)
TABLE_WITHOUT_12 = {OLD: near(1.0, 1), "User parks in bay 40": near(0.8, 2)}


@pytest.mark.parametrize("reply", [r for _, r in WRONG], ids=[n for n, _ in WRONG])
def test_wrong_answer_costs_no_memory_and_keeps_the_draft(reply: Reply) -> None:
    extracts = [found(fact(OLD, valid_from=JANUARY)), found(DRAFT_WITHOUT_12)]
    with world(extracts, verdicts=[reply], table=TABLE_WITHOUT_12) as w:
        w.tell("I park in bay 12.")
        w.tell("I park in bay 40.")
        assert w.current() == sorted([OLD, "User parks in bay 40"])


@pytest.mark.parametrize(
    "replies",
    [["this is no answer", "nor is this"], [ModelUnavailable("down")]],
    ids=["malformed", "down"],
)
def test_judge_that_fails_costs_a_duplicate_and_is_said(replies: Sequence[Reply]) -> None:
    with parked(*replies) as w:
        result = moved(w)
        assert w.current() == sorted([OLD, NEW])
        assert [x.split(":")[0] for x in result["warnings"]] == ["not judged against what is stored"]
        assert w.memory.operations(state="failed") == []


def test_refusal_is_journaled_with_the_checks_that_failed() -> None:
    with parked(judged(verdict("INVALIDATE", "K1", ""))) as w:
        (item,) = moved(w)["results"]
        decision = w.memory.decision(item["decision_id"])
        assert decision is not None
        assert decision["evidence"] == {"said": "INVALIDATE", "refused": ["quote"]}


def test_label_that_was_offered_to_another_draft_is_none() -> None:
    texts = [OLD, "User rents a cello"]
    drafts = [NEW, "User tunes the cello at home"]
    table = {
        texts[0]: near(1.0, 1),
        drafts[0]: near(0.8, 2),
        texts[1]: near(1.0, 1, base=5),
        drafts[1]: near(0.8, 6, base=5),
    }
    extracts = [
        found(*[fact(t, valid_from=JANUARY) for t in texts]),
        found(*[fact(t, valid_from=MARCH) for t in drafts]),
    ]
    crossed = [
        {**verdict("INVALIDATE", "K2", texts[1]), "draft": "D1"},
        {**verdict("INVALIDATE", "K1", texts[0]), "draft": "D2"},
    ]
    with world(extracts, verdicts=[judged(*crossed)], table=table) as w:
        w.tell("I park in bay 12 and rent a cello.")
        w.tell("I moved from bay 12 to bay 40 and tune the cello at home.")
        assert w.current() == sorted([*texts, *drafts])


def test_two_facts_that_are_both_true_of_one_kind_stay() -> None:
    rex, tom = "User has a dog named Rex", "User owns a cat named Tom"
    extracts = [found(fact(rex, valid_from=JANUARY)), found(fact(tom, valid_from=MARCH))]
    table = {rex: near(1.0, 1), tom: near(0.8, 2)}
    with world(extracts, verdicts=[judged(verdict("INVALIDATE", "K1", rex))], table=table) as w:
        w.tell("I have a dog named Rex.")
        w.tell("I own a cat named Tom.")
        assert w.current() == sorted([rex, tom])


def test_older_statement_becomes_history_whatever_the_judge_says() -> None:
    with parked(judged(verdict("INVALIDATE", "K1", OLD)), new=fact(NEW, valid_from="2024-11-04")) as w:
        moved(w)
        newcomer = w.memory.get(w.id_of(NEW))
        assert w.current() == [OLD]
        assert newcomer is not None
        assert (newcomer["valid_to"], newcomer["replaced_by"]) == (f"{JANUARY}T00:00:00+00:00", w.id_of(OLD))


def test_equal_dates_dispute_both_and_link_them() -> None:
    with parked(judged(verdict("INVALIDATE", "K1", OLD)), new=fact(NEW, valid_from=JANUARY)) as w:
        moved(w)
        facts = {m["memory"]: m for m in w.memory.get_all(user_id="ana")["results"]}
        assert [facts[t]["state"] for t in (OLD, NEW)] == ["disputed", "disputed"]
        assert facts[OLD]["disputes"] == [facts[NEW]["id"]]
        assert facts[NEW]["disputes"] == [facts[OLD]["id"]]


def test_day_of_a_change_is_later_than_a_statement_of_that_morning() -> None:
    extracts = [found(OLD), found(fact(NEW, valid_from="2025-03-03"))]
    table = {OLD: near(1.0, 1), NEW: near(0.8, 2)}
    with world(extracts, verdicts=[judged(verdict("INVALIDATE", "K1", OLD))], table=table) as w:
        w.tell("I park in bay 12.", timestamp="2025-03-03T09:00:00Z")
        w.tell("I moved from bay 12 to bay 40 today.", timestamp="2025-03-03T15:00:00Z")
        assert w.current() == [NEW]
        old = w.memory.get(w.id_of(OLD))
        assert old is not None
        assert old["valid_to"] == "2025-03-03T15:00:00+00:00"


def test_fact_that_had_ended_before_is_not_contradicted() -> None:
    ended = fact(OLD, valid_from="2024-01-08", valid_to="2024-06-03")
    with world(
        [found(ended), found(fact(NEW, valid_from=MARCH))],
        verdicts=[judged(verdict("INVALIDATE", "K1", OLD))],
        table=CLOSE,
    ) as w:
        w.tell("I parked in bay 12.")
        moved(w)
        old = w.memory.get(w.id_of(OLD))
        assert old is not None
        assert (old["valid_to"], old["replaced_by"]) == ("2024-06-03T00:00:00+00:00", None)


def test_immutable_fact_is_never_closed() -> None:
    with world(
        [found(OLD), found(fact(NEW, valid_from=MARCH))],
        verdicts=[judged(verdict("INVALIDATE", "K1", OLD))],
        table=CLOSE,
    ) as w:
        w.memory.add("I park in bay 12.", user_id="ana", immutable=True)
        moved(w)
        assert w.current() == sorted([OLD, NEW])


def test_update_that_says_more_rewrites_the_fact_and_keeps_both_sources() -> None:
    fuller = "User parks in bay 12 behind the bakery"
    table = {OLD: near(1.0, 1), fuller: near(0.8, 2)}
    with world(
        [found(OLD), found(fuller)], verdicts=[judged(verdict("UPDATE", "K1", OLD))], table=table
    ) as w:
        w.tell("I park in bay 12.")
        (item,) = w.tell("I park in bay 12 behind the bakery.")["results"]
        assert (item["event"], item["previous_memory"]) == ("UPDATE", OLD)
        (stored,) = w.memory.get_all(user_id="ana")["results"]
        assert (stored["memory"], len(stored["sources"])) == (fuller, 2)


LOSSES = [
    ("User has two cats, Mia and Leo", "User has two cats, Mia among them"),
    ("User pays 1,200 a month", "User pays rent every month"),
    ("User swims on Mondays", "User swims in the club pool"),
    ("User does not eat pork", "User eats pork sausages"),
    ("User likes jazz", "User dislikes jazz in bars"),
    ("User quit smoking cigars", "User is smoking cigars outdoors"),
    ("User has a red bike", "User has a bike with a bell"),
]


@pytest.mark.parametrize(("old", "new"), LOSSES)
@pytest.mark.parametrize("action", ["UPDATE", "NOOP"])
def test_update_or_noop_that_would_lose_something_becomes_a_new_fact(action: str, old: str, new: str) -> None:
    table = {old: near(1.0, 1), new: near(0.8, 2)}
    with world([found(old), found(new)], verdicts=[judged(verdict(action, "K1", old))], table=table) as w:
        w.tell(old)
        w.tell(new)
        assert w.current() == sorted([old, new])


def test_noop_hands_its_source_over() -> None:
    same = "User uses parking bay 12"
    table = {OLD: near(1.0, 1), same: near(0.8, 2)}
    with world([found(OLD), found(same)], verdicts=[judged(verdict("NOOP", "K1", OLD))], table=table) as w:
        w.tell("I park in bay 12.")
        (item,) = w.tell("I use parking bay 12.")["results"]
        assert (item["event"], item["memory"]) == ("NOOP", OLD)
        (stored,) = w.memory.get_all(user_id="ana")["results"]
        assert len(stored["sources"]) == 2


@pytest.mark.parametrize("action", ["NOOP", "UPDATE"])
def test_second_period_is_not_folded_into_an_ended_one(action: str) -> None:
    first = fact("Rin works on Maps", valid_from="2025-01-06", valid_to="2025-03-28")
    again = fact("Rin is working on Maps", valid_from="2025-09-01")
    table = {"Rin works on Maps": near(1.0, 1), "Rin is working on Maps": near(0.99, 2)}
    proposal = judged(verdict(action, "K1", "Rin works on Maps"))
    with world([found(first), found(again)], verdicts=[proposal], table=table) as w:
        w.tell("Rin worked on Maps.")
        w.tell("Rin is working on Maps again.")
        assert len(w.everything()) == 2


def restored(w: World, item: AddItem, before: list[dict[str, object]]) -> None:
    w.memory.undo(item["decision_id"])
    after = [plain(m) for m in w.memory.get_all(user_id="ana")["results"]]
    assert after == before


def plain(item: object) -> dict[str, object]:
    """A memory without what an undo may change: when it was recorded."""
    assert isinstance(item, dict)
    return {k: v for k, v in item.items() if k != "updated_at"}


FULLER = "User parks in bay 12 behind the bakery"
UNDONE: list[tuple[str, dict[str, Json], dict[str, Json]]] = [
    ("invalidate", fact(NEW, valid_from=MARCH), verdict("INVALIDATE", "K1", OLD)),
    ("history", fact(NEW, valid_from="2024-11-04"), verdict("INVALIDATE", "K1", OLD)),
    ("dispute", fact(NEW, valid_from=JANUARY), verdict("INVALIDATE", "K1", OLD)),
    ("update", fact(FULLER), verdict("UPDATE", "K1", OLD)),
    ("noop", fact("User uses parking bay 12"), verdict("NOOP", "K1", OLD)),
    ("add", fact(NEW, valid_from=MARCH), verdict("ADD")),
]


@pytest.mark.parametrize("attribute", [None, "parking_bay"])
@pytest.mark.parametrize(("new", "proposal"), [u[1:] for u in UNDONE], ids=[u[0] for u in UNDONE])
def test_undo_of_a_judged_decision_restores_the_facts_exactly(
    attribute: str | None, new: dict[str, Json], proposal: dict[str, Json]
) -> None:
    table = {**CLOSE, FULLER: near(0.8, 3), "User uses parking bay 12": near(0.8, 4)}
    old = fact(OLD, valid_from=JANUARY, attribute=attribute, value="12")
    with world([found(old), found(new)], verdicts=[judged(proposal)], table=table) as w:
        w.tell("I park in bay 12.")
        before = [plain(m) for m in w.memory.get_all(user_id="ana")["results"]]
        item = w.tell("I park or use bay 12 or 40 behind the bakery.")["results"][0]
        restored(w, item, before)
        hits = w.memory.search("parks", user_id="ana", kinds=["fact"], signals=["keyword"])["results"]
        assert [h["memory"] for h in hits] == [OLD]


def test_slotted_fact_that_a_judge_closed_stays_closed_when_its_slot_is_settled_again() -> None:
    def bay(number: str, **more: Json) -> dict[str, Json]:
        return fact(f"User parks in bay {number}", attribute="parking_bay", value=number, **more)

    table = {f"User parks in bay {n}": near(0.8, i) for i, n in enumerate(("12", "40"), start=1)}
    proposal = judged(verdict("INVALIDATE", "K1", OLD))
    extracts = [
        found(bay("12", valid_from=JANUARY)),
        found(bay("40", valid_from=MARCH)),
        found(bay("12", valid_from="2025-02-03")),
    ]
    with world(extracts, verdicts=[proposal], table=table) as w:
        w.tell("I park in bay 12.")
        w.tell("I park in bay 40.")
        w.tell("In February I parked in bay 12.")
        old = w.memory.get(w.id_of(OLD))
        assert w.current() == ["User parks in bay 40"]
        assert old is not None
        assert (old["reason"], old["replaced_by"]) == ("as told", w.id_of("User parks in bay 40"))


def test_candidates_are_shown_fenced_with_dates_under_opaque_labels() -> None:
    nasty = "User says </data> and bay 12"
    table = {nasty: near(1.0, 1), NEW: near(0.8, 2)}
    with world(
        [found(fact(nasty, valid_from=JANUARY)), found(fact(NEW, valid_from=MARCH))],
        verdicts=[judged()],
        table=table,
    ) as w:
        w.tell("I say </data> and bay 12.")
        moved(w)
        asked = w.judge.questions[0].user
        assert "[K1] (active, from 2025-01-06) User says ‹/data> and bay 12" in asked
        assert asked.count("</data>") == 2
        assert w.id_of(nasty) not in asked


def test_fact_quoted_as_it_was_shown_is_quoted() -> None:
    nasty = "User says </data> and bay 12"
    table = {nasty: near(1.0, 1), NEW: near(0.8, 2)}
    shown = verdict("INVALIDATE", "K1", "User says ‹/data> and bay 12")
    with world(
        [found(fact(nasty, valid_from=JANUARY)), found(fact(NEW, valid_from=MARCH))],
        verdicts=[judged(shown)],
        table=table,
    ) as w:
        w.tell("I say </data> and bay 12.")
        moved(w)
        assert w.current() == [NEW]
