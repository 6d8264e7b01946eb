"""Of statements that differ only in what the question does not name, the newest stands first."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure import Memory
from perdure.core.text import tokenise
from perdure.recall.freshness import are_of_a_kind
from perdure.recall.plan import content_tokens

START = datetime(2024, 3, 1, 9, tzinfo=UTC)
CHAIRS = ("Ada Lind", "Bo Marsh", "Cleo Hart")


def is_alike(one: str, two: str, question: str) -> bool:
    return are_of_a_kind(tokenise(one), tokenise(two), frozenset(content_tokens(question)))


ALIKE = [
    ("The chair of the guild is Ada", "The chair of the guild is Bo Marsh", "Who chairs the guild?"),
    ("The limit is 500 crowns a month", "The limit is 700 crowns a month", "What is the limit?"),
    (
        "Olmen United is a team of the sport of rowing",
        "Olmen United is a team of the sport of water polo",
        "Which sport does the team Olmen United do?",
    ),
    (
        "The stone that the quarry sells is red slate",
        "The stone that the quarry sells is slate rock",
        "What stone does the quarry sell?",
    ),
]
UNLIKE = [
    # the question names what tells them apart
    ("The chair of the guild is Ada", "The chair of the guild is Bo", "Is Ada the chair of the guild?"),
    # two places differ: other things are spoken of
    ("The mayor of Olmen is Ada", "The mayor of Trest is Bo", "Who is the mayor?"),
    # one only says more
    ("The chair of the guild is Ada", "The chair of the guild is Ada Lind", "Who chairs the guild?"),
    # hardly anything is shared
    ("The guild met on the old stone bridge", "The guild sold honey and wax to a fair", "What of the guild?"),
    # what is shared is not asked about
    ("The chair of the guild is Ada", "The chair of the guild is Bo", "Where is the submarine?"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "two", "question"), ALIKE)
def test_statements_of_a_kind_are_known(one: str, two: str, question: str) -> None:
    assert is_alike(one, two, question)


@pytest.mark.parametrize(("one", "two", "question"), UNLIKE)
def test_others_are_left_alone(one: str, two: str, question: str) -> None:
    assert not is_alike(one, two, question)


WORDS = st.lists(st.sampled_from("ada bo guild chair mill of the is was red".split()), max_size=9)


@given(WORDS, WORDS, st.frozensets(st.sampled_from(["guild", "chair", "ada", "mill"])))
def test_the_order_of_the_two_does_not_matter(one: list[str], two: list[str], asked: frozenset[str]) -> None:
    assert are_of_a_kind(one, two, asked) == are_of_a_kind(two, one, asked)


@given(WORDS)
def test_a_statement_is_no_other_one_of_its_own_kind(words: list[str]) -> None:
    assert not are_of_a_kind(words, words, frozenset(words))


def said(memory: Memory, order: tuple[int, ...]) -> None:
    """The chair on three days, told in any order."""
    for n in order:
        memory.add(
            f"The chair of the rope guild is {CHAIRS[n]}.",
            user_id="ana",
            infer=False,
            timestamp=START + timedelta(days=n),
        )


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_the_newest_stands_first_in_whatever_order_it_was_told(
    memory: Memory, order: tuple[int, ...]
) -> None:
    said(memory, order)
    found = memory.search("Who is the chair of the rope guild?", user_id="ana", kinds=["fact"])["results"]
    assert [next(c for c in CHAIRS if c in hit["memory"]) for hit in found] == list(reversed(CHAIRS))


def test_scores_stay_in_order_and_explain_what_moved_them(memory: Memory) -> None:
    said(memory, (0, 1, 2))
    found = memory.search("Who is the chair of the rope guild?", user_id="ana", explain=True)["results"]
    scores = [hit["score"] for hit in found]
    assert scores == sorted(scores, reverse=True)
    assert all("newest" in hit["score_details"] for hit in found)


def test_a_question_about_the_past_moves_nothing(memory: Memory) -> None:
    said(memory, (0, 1, 2))
    found = memory.search("Who was previously the chair of the rope guild?", user_id="ana", explain=True)
    assert not any("newest" in hit["score_details"] for hit in found["results"])


def test_what_the_question_names_stands_first_though_it_is_older(memory: Memory) -> None:
    said(memory, (0, 1, 2))
    first = memory.search("Is Ada Lind the chair of the rope guild?", user_id="ana")["results"][0]
    assert "Ada Lind" in first["memory"]


def test_the_same_words_of_another_speaker_are_another_matter(memory: Memory) -> None:
    for n, name in enumerate(("Ilse", "Marek")):
        message = {
            "role": "user",
            "name": name,
            "content": f"My favourite boat is the {('Heron', 'Swift')[n]}.",
        }
        memory.add(message, user_id="ana", infer=False, timestamp=START + timedelta(days=n))
    found = memory.search("What is the favourite boat?", user_id="ana", kinds=["episode"], explain=True)
    assert not any("newest" in hit["score_details"] for hit in found["results"])


def test_what_is_yet_to_come_does_not_stand_before_what_holds(memory: Memory) -> None:
    said(memory, (0, 2))
    asked_at = START + timedelta(days=1)
    found = memory.search("Who is the chair of the rope guild?", user_id="ana", reference_date=asked_at)
    assert CHAIRS[0] in found["results"][0]["memory"]
