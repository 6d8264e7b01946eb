"""Drafts meet what is stored: what is one fact, what is two, and which order does not matter."""

from __future__ import annotations

from itertools import permutations

import pytest

from perdure import Memory
from perdure.core.values import Json
from perdure.testing import TableEmbedder
from tests.write.scripts import DIMENSION, fact, found, judged, near, only, verdict, world

UNRELATED = [
    "User prefers aisle seats",
    "User is allergic to shellfish",
    "User's sister is Nadia",
    "User pays 900 in rent",
    "User has blood type B",
    "User runs in Vela shoes",
    "User parks in bay 12",
    "User's dentist is Dr Hale",
]
CELLO, MOVED = "User started learning the cello", "User moved from bay 12 to bay 40"


def test_unrelated_facts_do_not_retire_one_another_whatever_the_judge_says() -> None:
    table = {text: near(0.8, n) for n, text in enumerate([*UNRELATED, CELLO], start=1)}
    all_wrong = judged(*[verdict("INVALIDATE", f"K{k}", t) for t in UNRELATED for k in range(1, 9)])
    with world([found(*UNRELATED), found(CELLO)], verdicts=[all_wrong], table=table) as w:
        w.tell("I prefer aisle seats, pay 900 in rent and park in bay 12; dentist Hale, sister Nadia; "
               "allergic to shellfish, blood type B, I run in Vela shoes.")  # fmt: skip
        w.tell("I started learning the cello.")
        assert w.current() == sorted([*UNRELATED, CELLO])


def test_true_contradiction_among_unrelated_facts_closes_exactly_one() -> None:
    table = {text: near(0.8, n) for n, text in enumerate([*UNRELATED, MOVED], start=1)}
    proposal = verdict("INVALIDATE", "K1", "User parks in bay 12")  # the first stored has the first label
    extracts = [found(UNRELATED[6], *UNRELATED[:4]), found(MOVED)]
    with world(extracts, verdicts=[judged(proposal)], table=table) as w:
        w.tell("I park in bay 12, prefer aisle seats, pay 900, allergic to shellfish, sister Nadia.")
        w.tell("I moved from bay 12 to bay 40.")
        assert w.current() == sorted([*UNRELATED[:4], MOVED])


def test_only_facts_about_the_same_subject_are_offered() -> None:
    others = [fact("Bo parks in bay 12", subject="Bo"), fact("User parks in bay 12", subject="user")]
    texts = ["Bo parks in bay 12", "User parks in bay 12", MOVED]
    table = {text: near(0.8, n) for n, text in enumerate(texts, start=1)}
    with world([found(*others), found(MOVED)], verdicts=[judged()], table=table) as w:
        w.tell("Bo and I park in bay 12.")
        w.tell("I moved from bay 12 to bay 40.")
        asked = w.judge.questions[0].user
        assert "User parks in bay 12" in asked
        assert "Bo parks" not in asked


def test_facts_below_the_least_similarity_are_not_offered_and_no_call_is_made() -> None:
    table = {UNRELATED[6]: near(1.0, 1), MOVED: near(0.34, 2)}
    with world([found(UNRELATED[6]), found(MOVED)], table=table) as w:
        w.tell("I park in bay 12.")
        result = w.tell("I moved from bay 12 to bay 40.")
        assert (only(result)["layer"], result["usage"]["model_calls"]) == ("new", 1)


PERIODS = [
    ("Maps", "2025-01-06", "2025-03-28"),
    ("Ads", "2025-03-31", "2025-08-29"),
    ("Maps", "2025-09-01", None),
]
ORDERS = list(permutations(range(3)))


def period(n: int, attribute: str | None) -> dict[str, Json]:
    team, start, end = PERIODS[n]
    slot: dict[str, Json] = {"attribute": attribute, "value": team} if attribute else {}
    return fact(f"Rin works on {team}", subject="Rin", valid_from=start, valid_to=end, **slot)


@pytest.mark.parametrize("attribute", [None, "team", "works_on", "employer"])
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("as_batch", [True, False], ids=["batch", "one by one"])
def test_same_statement_true_twice_with_a_gap_is_two_periods(
    attribute: str | None, order: tuple[int, ...], *, as_batch: bool
) -> None:
    drafts = [period(n, attribute) for n in order]
    batches = [drafts] if as_batch else [[d] for d in drafts]
    table = {f"Rin works on {t}": near(0.3, n) for n, t in enumerate(["Maps", "Ads"], start=1)}
    wrong = judged(verdict("NOOP", "K1", "Rin works on Maps"))
    with world([found(*b) for b in batches], verdicts=[wrong], table=table) as w:
        for _ in batches:
            w.tell("Rin works on Maps, then Ads, then Maps.")
        at = {
            day: [m["memory"] for m in w.memory.get_all(user_id="ana", as_of=day)["results"]]
            for day in ("2025-02-01", "2025-05-01", "2025-10-01")
        }
        assert at == {
            "2025-02-01": ["Rin works on Maps"],
            "2025-05-01": ["Rin works on Ads"],
            "2025-10-01": ["Rin works on Maps"],
        }
        assert len(w.everything()) == 3


PAIRS = [
    ("Mum takes 50 mg of Valpren", "Mum takes 75 mg of Ostelin", 2),
    ("Flat A's deposit is 1,200", "Flat B's deposit is 1,250", 2),
    ("Badge 4471 opens the lab", "Badge 4417 opens the store room", 2),
    ("Lives in Lyon", "Her home is in Lyon", 1),
]


@pytest.mark.parametrize(("first", "second", "count"), PAIRS)
def test_near_facts_are_one_only_if_nothing_tells_them_apart(first: str, second: str, count: int) -> None:
    table = {first: near(1.0, 1), second: near(0.99, 2)}
    verdicts = [judged(verdict("NOOP", "K1", first))] if count == 2 else []
    with world([found(first), found(second)], verdicts=verdicts, table=table) as w:
        w.tell(first)
        w.tell(second)
        stored = w.memory.get_all(user_id="ana")["results"]
        assert len(stored) == count
        assert sum(len(m["sources"]) for m in stored) == 2


@pytest.mark.parametrize(("first", "second", "count"), PAIRS)
def test_near_facts_of_one_batch_are_told_apart_too(first: str, second: str, count: int) -> None:
    table = {first: near(1.0, 1), second: near(0.99, 2)}
    with world([found(first, second)], table=table) as w:
        w.tell(f"{first}. {second}.")
        assert len(w.everything()) == count


@pytest.mark.parametrize(("first", "second"), [p[:2] for p in PAIRS])
def test_verbatim_text_is_merged_with_its_exact_repeat_only(first: str, second: str) -> None:
    table = {first: near(1.0, 1), second: near(0.99, 2)}
    with Memory(":memory:", embedder=TableEmbedder(table, DIMENSION), model="rules") as memory:
        for text in (first, second, first):
            memory.add(text, user_id="ana", infer=False)
        stored = memory.get_all(user_id="ana", validity="all")["results"]
        assert sorted(m["memory"] for m in stored) == sorted([first, second])


def test_same_text_again_is_one_row_with_a_stable_id() -> None:
    with world([found("Keeps bees"), found("Keeps bees")]) as w:
        first = only(w.tell("I keep bees."))
        again = only(w.tell("I keep bees."))
        assert (again["event"], again["layer"], again["id"]) == ("NOOP", "exact", first["id"])


TEA, COFFEE = "User drinks tea at breakfast", "User switched from tea to coffee at breakfast"


def test_replaced_fact_comes_up_in_no_signal_after_reconcile() -> None:
    table = {TEA: near(1.0, 1), COFFEE: near(0.8, 2), "tea": near(1.0, 1)}
    proposal = judged(verdict("INVALIDATE", "K1", TEA))
    extracts = [found(fact(TEA, valid_from="2025-01-06")), found(fact(COFFEE, valid_from="2025-03-03"))]
    with world(extracts, verdicts=[proposal], table=table) as w:
        old = only(w.tell("I drink tea at breakfast."))["id"]
        w.tell("I switched from tea to coffee at breakfast.")
        for signals in (["vector"], ["keyword"], ["graph"], None):
            hits = w.memory.search("tea", user_id="ana", limit=50, signals=signals, kinds=["fact"])
            assert old not in [h["id"] for h in hits["results"]]
        assert [m["id"] for m in w.memory.get_all(user_id="ana", as_of="2025-02-01")["results"]] == [old]


def test_update_leaves_no_vector_of_the_old_words() -> None:
    table = {TEA: near(1.0, 1), "User drinks coffee": near(1.0, 1, base=9), "tea": near(1.0, 1)}
    with world([found(TEA)], table=table) as w:
        old = str(only(w.tell("I drink tea at breakfast."))["id"])
        w.memory.update(old, "User drinks coffee")
        hits = w.memory.search("tea", user_id="ana", signals=["vector"], kinds=["fact"])["results"]
        assert [h["score"] for h in hits if h["score"] > 0.5] == []
        assert [h["new_memory"] for h in w.memory.history(old)] == [TEA, "User drinks coffee"]


DATES: list[tuple[str, str | None]] = [
    ("-0534-01-01", None),
    ("0000-00-00", None),
    ("10000-01-01", None),
    ("2023", "2023"),
    ("2023-06", "2023-06"),
    ("2023-02-30", None),
    ("2025-06-07T25:00:00", None),
    ("unknown", "said"),
    ("", "said"),
    ("next spring", None),
    ("2024-W07", None),
    ("1718000000", None),
    ("1718000000000", None),
]


@pytest.mark.parametrize(("written", "shown"), DATES)
def test_date_is_exact_or_with_its_precision_or_empty_and_never_today(
    written: str, shown: str | None
) -> None:
    with world([found(fact("User keeps bees", valid_from=written))]) as w:
        w.tell("I keep bees.", timestamp="2025-04-01T08:00:00Z")
        (stored,) = w.memory.get_all(user_id="ana", validity="all")["results"]
        expected = "2025-04-01T08:00:00+00:00" if shown == "said" else shown
        assert (stored["memory"], stored["valid_from"]) == ("User keeps bees", expected)


def test_all_reads_work_after_the_thirteen_dates() -> None:
    drafts = [fact(f"User keeps hive {n}", valid_from=date) for n, (date, _) in enumerate(DATES)]
    table = {str(d["text"]): near(0.3, n) for n, d in enumerate(drafts, start=1)}
    with world([found(*drafts)], table=table) as w:
        ids = [item["id"] for item in w.tell("I keep hives.")["results"]]
        assert len(w.memory.get_all(user_id="ana", validity="all")["results"]) == 13
        assert len(w.memory.search("hive", user_id="ana", limit=50, kinds=["fact"])["results"]) == 13
        assert [len(w.memory.history(i)) for i in ids] == [1] * 13
        assert len(w.memory.get_all(user_id="ana", as_of="2025-03-01")["results"]) >= 8


def test_state_that_was_over_when_told_is_not_current() -> None:
    with world([found(fact("User worked at Acme", valid_to="2020"))]) as w:
        w.tell("I worked at Acme until 2020.", timestamp="2025-04-01T08:00:00Z")
        assert w.current() == []
        (stored,) = w.memory.get_all(user_id="ana", as_of="2019-05-05")["results"]
        assert (stored["valid_from"], stored["valid_to"]) == (None, "2020-01-01T00:00:00+00:00")


def test_state_of_one_day_holds_on_that_day() -> None:
    with world([found(fact("User stayed in Gent", valid_from="2025-05-14", valid_to="2025-05-14"))]) as w:
        w.tell("I stayed in Gent on 14 May.", timestamp="2025-06-01T08:00:00Z")
        assert len(w.memory.get_all(user_id="ana", as_of="2025-05-14T12:00:00Z")["results"]) == 1
        assert w.current() == []


def test_love_that_turned_to_hate_leaves_the_dislike() -> None:
    love, hate = "User loves Chinese food", "User hates Chinese food"
    table = {love: near(1.0, 1), hate: near(0.97, 2)}
    extracts = [found(fact(love, valid_from="2025-01-06")), found(fact(hate, valid_from="2025-03-03"))]
    with world(extracts, verdicts=[judged(verdict("DELETE", "K1", love))], table=table) as w:
        w.tell("I love Chinese food.")
        w.tell("I hate Chinese food.")
        assert w.current() == [hate]
        assert w.everything() == sorted([love, hate])


def test_new_employer_is_first_and_the_old_one_history() -> None:
    acme = fact("User works at Acme", attribute="works_at", value="Acme", valid_from="2024-01-08")
    birch = fact("User works at Birch", attribute="works_at", value="Birch", valid_from="2025-03-03")
    with world([found(acme), found(birch)]) as w:
        old = str(only(w.tell("I work at Acme."))["id"])
        w.tell("I left Acme; I now work at Birch.")
        first = w.memory.search("where does the user work?", user_id="ana", kinds=["fact"])["results"][0]
        assert first["memory"] == "User works at Birch"
        assert w.memory.history(old)[-1]["state"] == "closed"


@pytest.mark.parametrize("name", ["parking_bay", "parks_in"])
def test_invented_attribute_is_judged_like_a_fact_without_one(name: str) -> None:
    bay12 = fact("User parks in bay 12", attribute="parking_bay", value="12", valid_from="2025-01-06")
    bay40 = fact("User parks in bay 40", attribute=name, value="40", valid_from="2025-03-03")
    table = {"User parks in bay 12": near(1.0, 1), "User parks in bay 40": near(0.9, 2)}
    proposal = judged(verdict("INVALIDATE", "K1", "User parks in bay 12"))
    with world([found(bay12), found(bay40)], verdicts=[proposal], table=table) as w:
        w.tell("I park in bay 12.")
        w.tell("I park in bay 40.")
        assert w.current() == ["User parks in bay 40"]


def test_known_attribute_with_several_values_never_asks_the_judge() -> None:
    pets = [fact(f"User has a dog named {n}", attribute="pet", value=n) for n in ("Rex", "Max")]
    with world([found(p) for p in pets]) as w:
        w.tell("I have a dog named Rex.")
        w.tell("I have a dog named Max.")
        assert w.current() == ["User has a dog named Max", "User has a dog named Rex"]
        assert w.judge.calls == []


def bay(number: str, since: str) -> dict[str, Json]:
    return fact(f"User parks in bay {number}", attribute="parking_bay", value=number, valid_from=since)


def test_value_that_returns_after_a_gap_is_judged_again() -> None:
    table = {f"User parks in bay {n}": near(0.8, i) for i, n in enumerate(("12", "40"), start=1)}
    proposals = [
        judged(verdict("INVALIDATE", "K1", "User parks in bay 12")),
        judged(verdict("INVALIDATE", "K2", "User parks in bay 40")),
    ]
    extracts = [
        found(bay("12", "2025-01-06")),
        found(bay("40", "2025-03-03")),
        found(bay("12", "2025-09-01")),
    ]
    with world(extracts, verdicts=proposals, table=table) as w:
        for n in ("12", "40", "12"):
            w.tell(f"I park in bay {n}.")
        at = {
            day: [m["memory"] for m in w.memory.get_all(user_id="ana", as_of=day)["results"]]
            for day in ("2025-02-01", "2025-05-01", "2025-10-01")
        }
        assert at == {
            "2025-02-01": ["User parks in bay 12"],
            "2025-05-01": ["User parks in bay 40"],
            "2025-10-01": ["User parks in bay 12"],
        }


def test_second_period_of_a_value_is_reported_as_its_own_fact() -> None:
    drafts = [period(n, "employer") for n in range(3)]
    with world([found(d) for d in drafts]) as w:
        first, _, again = [w.tell(f"Rin works on {PERIODS[n][0]}.")["results"] for n in range(3)]
        assert again[0]["event"] == "ADD"
        assert again[0]["id"] != first[0]["id"]
        stored = w.memory.get(again[0]["id"])
        assert stored is not None
        assert (stored["valid_from"], stored["valid_to"]) == ("2025-09-01", None)
