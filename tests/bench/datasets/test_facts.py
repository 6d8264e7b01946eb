from __future__ import annotations

import pytest

from bench.datasets.fact_reader import FoundFact, answer, entities_in, rank_chains
from bench.datasets.facts import Fact, by_slot, read_fact

CURRENT = "The name of the current"  # apart, for the template is eight words of the set


def found(*sentences: str) -> list[FoundFact]:
    return [FoundFact(id=str(n), text=s) for n, s in enumerate(sentences)]


@pytest.mark.parametrize(
    ("sentence", "subject", "relation", "object"),
    [
        ("Ida Moe is a citizen of Norway.", "Ida Moe", "citizenship", "Norway"),
        ("Ida Moe was born in the city of Bergen, N.O..", "Ida Moe", "born in", "Bergen, N.O."),
        ("The author of The Fjord is Ida Moe.", "The Fjord", "author", "Ida Moe"),
        ("The univeristy where Bo was educated is Lund.", "Bo", "educated at", "Lund"),
        ("Ida Moe's child is Bo.", "Ida Moe", "child", "Bo"),
        (f"{CURRENT} head of the Oslo government is Bo.", "Oslo", "head of government", "Bo"),
        ("The head coach of FC Fjord is Bo.", "FC Fjord", "head coach", "Bo"),
        ("The Lord Mayor of Oslo is Bo.", "Oslo", "lord mayor", "Bo"),
    ],
)
def test_sentence_is_read_by_its_template(sentence: str, subject: str, relation: str, object: str) -> None:
    assert read_fact(7, sentence) == Fact(serial=7, subject=subject, relation=relation, object=object)


def test_sentence_of_no_template_is_no_fact() -> None:
    assert read_fact(1, "Ida sails.") is None


def test_facts_of_a_slot_are_ordered_by_serial() -> None:
    new = Fact(serial=9, subject="Ida", relation="spouse", object="Bo")
    old = Fact(serial=2, subject="Ida", relation="spouse", object="Al")
    assert by_slot([new, old]) == {("Ida", "spouse"): (old, new)}


def test_newest_fact_of_the_slot_answers_whatever_the_order_of_what_was_found() -> None:
    facts = [
        FoundFact(id="10", text="Ida is married to Bo."),
        FoundFact(id="9", text="Ida is married to Al."),
    ]
    assert answer("Who is Ida married to?", facts) == "Bo"


def test_chain_follows_the_relations_that_the_question_names() -> None:
    facts = found(
        "The author of The Fjord is Ida Moe.",
        "Ida Moe is married to Bo.",
        "Ida Moe is a citizen of Norway.",
        "Bo is a citizen of Chile.",
        "The capital of Chile is Santiago.",
        "The capital of Norway is Oslo.",
    )
    asked = "What is the capital of the country whose citizen the spouse of the author of The Fjord is?"
    assert answer(asked, facts) == "Santiago"
    assert answer("Of the country that Ida Moe is a citizen of, which is the capital?", facts) == "Oslo"


def test_step_that_the_question_leaves_out_is_taken_if_no_other_way_leads_on() -> None:
    facts = found(
        "FC Fjord is associated with the sport of bandy.", "bandy was created in the country of Wales."
    )
    assert answer("Which country does FC Fjord originate from?", facts) == "Wales"


def test_chain_with_a_missing_link_has_no_answer() -> None:
    facts = found("The author of The Fjord is Ida Moe.", "The capital of Norway is Oslo.")
    assert answer("What is the capital of the author of The Fjord's country?", facts) is None


def test_nothing_found_or_nothing_readable_is_no_answer() -> None:
    assert answer("Who is Ida married to?", []) is None
    assert answer("Who is Ida married to?", found("Ida sails with Bo.")) is None


def test_longest_name_in_the_question_is_the_entity() -> None:
    names = {"Fjord": 1, "The Fjord": 1, "jor": 1, "Bo": 1}
    assert entities_in("Who wrote The Fjord?", names) == ["The Fjord"]


def test_circle_of_facts_ends() -> None:
    facts = [
        Fact(serial=1, subject="Ida", relation="spouse", object="Bo"),
        Fact(serial=2, subject="Bo", relation="spouse", object="Ida"),
    ]
    assert [c[-1].object for c in rank_chains("Who is Ida married to?", facts)] == ["Bo", "Ida"]
