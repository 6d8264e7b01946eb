"""Which way a date without a year or week looks: plans ahead, reports back, the rest nowhere."""

from __future__ import annotations

import pytest

from tests.write.rules_gear import the_draft


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("We're getting engaged on Sunday.", "(2024-05-19)"),
        ("My exam is on June 3rd.", "(2024-06-03)"),
        ("I have an interview at Birch on Monday.", "(2024-05-20)"),
        ("I start my new job on January 5th.", "(2025-01-05)"),
        ("I'm moving to Lima in June.", "(2024-06)"),
        ("I had an exam on Monday.", "(2024-05-13)"),
        ("I met Jo on Friday.", "(2024-05-10)"),
        ("I visited Lima in June.", "(2023-06)"),
        ("I've lived in Lima since June.", "(2023-06)"),
    ],
)
def test_a_plan_looks_ahead_and_a_report_looks_back(text: str, shown: str) -> None:
    assert shown in the_draft(text).text


@pytest.mark.parametrize(
    "text",
    [
        "I swim on Monday.",
        "My recital is on May 9.",
        "My flight is on Wednesday.",
        "Ich habe am Montag eine Prüfung.",
    ],
)
def test_a_date_that_looks_neither_way_is_left_undated(text: str) -> None:
    assert "(" not in the_draft(text).text


def test_a_plan_does_not_begin_on_a_past_day() -> None:
    assert str(the_draft("I start my new job on January 5th.").claim.interval.start)[:10] == "2024-05-15"


@pytest.mark.parametrize("text", ["I live in Mars.", "I live in March.", "I live in Agosto street."])
def test_a_place_that_sounds_like_a_month_is_no_date(text: str) -> None:
    assert "(" not in the_draft(text).text
