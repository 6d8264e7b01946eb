from __future__ import annotations

from collections.abc import Callable

import pytest

from bench.datasets.nodes import Node
from bench.errors import BenchError

SET = Node(
    {"name": "Ada", "age": 36, "tags": ["x"], "open": True, "none": None, "deep": {"a": [1, [2]]}}, "f"
)


def test_members_are_read_as_what_they_are() -> None:
    assert (SET.text("name"), SET.whole("age"), SET.texts("tags"), SET.truth("open")) == (
        "Ada",
        36,
        ("x",),
        True,
    )


def test_short_answer_may_be_a_text_or_a_number() -> None:
    assert [SET.at("name").as_words(), SET.at("age").as_words()] == ["Ada", "36"]


def test_null_counts_as_absent() -> None:
    assert [SET.has("none"), SET.has("absent"), SET.has("name")] == [False, False, True]


def test_leaves_are_what_is_held_at_any_depth() -> None:
    assert [leaf.value for leaf in SET.at("deep").leaves()] == [1, 2]
    assert SET.at("none").leaves() == []


@pytest.mark.parametrize(
    ("read", "place"),
    [
        (lambda: SET.text("age"), "f.age: is no text"),
        (lambda: SET.whole("open"), "f.open: is no whole number"),
        (lambda: SET.truth("age"), "f.age: is neither true nor false"),
        (lambda: SET.list("name"), "f.name: is no list"),
        (lambda: SET.at("deep").list("a")[0].as_text(), r"f\.deep\.a\[0\]: is no text"),
        (lambda: SET.at("absent"), "f: has no 'absent'"),
        (lambda: SET.at("name").at("x"), "f.name: is no object"),
        (lambda: list(SET.at("tags").entries()), "f.tags: is no object"),
    ],
)
def test_other_shape_is_an_error_that_names_the_place(read: Callable[[], object], place: str) -> None:
    with pytest.raises(BenchError, match=place):
        read()
