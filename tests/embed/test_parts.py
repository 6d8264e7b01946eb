from __future__ import annotations

from collections import deque

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.embed.batches import Limits, byte_length, split_text
from perdure.embed.hashing import HashingEmbedder
from perdure.embed.windows import mean_direction, windows


def test_windows_overlap_and_reach_the_end() -> None:
    assert windows([0, 1, 2, 3, 4, 5, 6], 4, 1) == [[0, 1, 2, 3], [3, 4, 5, 6]]


def test_short_text_is_one_window() -> None:
    assert windows([0, 1], 4, 1) == [[0, 1]]


def test_nothing_is_one_empty_window() -> None:
    assert windows([], 4, 1) == [[]]


@given(st.integers(0, 300), st.integers(2, 60), st.integers(0, 59))
def test_windows_leave_nothing_out(length: int, size: int, overlap: int) -> None:
    items = list(range(length))
    cut = windows(items, size, min(overlap, size - 1))
    assert sorted({item for window in cut for item in window}) == items
    assert all(len(window) <= size for window in cut)


@given(st.text(max_size=400), st.integers(4, 90))
def test_parts_are_the_text_within_the_limit(text: str, limit: int) -> None:
    text = text.encode("utf-8", "ignore").decode()
    parts = split_text(text, limit)
    assert "".join(parts) == text
    assert all(byte_length(part) <= limit for part in parts)


def test_parts_end_at_blanks() -> None:
    assert split_text("aaaa bbbb cccc dddd", 10) == ["aaaa bbbb ", "cccc dddd"]


def test_mean_direction_has_unit_length() -> None:
    mean = mean_direction(np.array([[1, 0], [0, 1]], dtype=np.float32))
    assert mean.tolist() == pytest.approx([0.5**0.5, 0.5**0.5])


def test_vectors_that_cancel_out_give_the_first() -> None:
    assert mean_direction(np.array([[1, 0], [-1, 0]], dtype=np.float32)).tolist() == [1, 0]


def test_first_request_is_as_large_as_configured() -> None:
    waiting = deque((n, "a") for n in range(9))
    assert len(Limits(5).take(waiting)) == 5


def test_refused_number_of_inputs_is_never_sent_again() -> None:
    limits = Limits(16)
    batch = limits.take(deque((n, "a") for n in range(16)))
    again = limits.refuse(batch)
    assert again is not None
    assert len(limits.take(deque(again))) == 8


def test_long_text_is_suspected_before_the_number_of_inputs() -> None:
    limits = Limits(16)
    again = limits.refuse([(0, "a" * 20_000), (1, "b")])
    assert again is not None
    assert [(row, len(part)) for row, part in again] == [(0, 6667), (0, 6667), (0, 6666), (1, 1)]


def test_short_text_that_is_refused_alone_is_given_up() -> None:
    assert Limits(16).refuse([(0, "short")]) is None


def test_refusals_that_were_not_about_size_are_forgotten() -> None:
    limits = Limits(16)
    limits.refuse([(0, "a" * 100)])
    limits.refuse([(0, "short")])
    assert limits.parts("a" * 100) == ["a" * 100]


async def test_hashing_gives_equal_vectors_for_equal_words() -> None:
    vectors = await HashingEmbedder().embed_documents(["Plays the OBOE!", "oboe the plays", "goats"])
    assert float(vectors[0] @ vectors[1]) == pytest.approx(1.0)
    assert abs(float(vectors[0] @ vectors[2])) < 0.01


async def test_hashing_is_the_same_on_every_machine() -> None:
    vector = await HashingEmbedder(8).embed_query("oboe")
    assert vector.tolist() == [0, 0, 0, 0, 0, 0, 0, -1]


@given(st.text(max_size=40))
def test_hashing_gives_unit_length_to_any_text(text: str) -> None:
    vector = HashingEmbedder(16)._vector(text)
    assert np.linalg.norm(vector) == pytest.approx(1.0)
