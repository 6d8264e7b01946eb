"""What a statement says besides its value is kept as a fact of its own."""

from __future__ import annotations

import pytest

from tests.write.rules_gear import slots, texts


@pytest.mark.parametrize(
    ("text", "companion"),
    [
        ("I live in Lima with my girlfriend Ida.", ("user", "partner", "Ida")),
        ("I live with my brother Rui in Lima.", ("user", "sibling", "Rui")),
        ("I live in Lima with my friend Ida.", ("user", "friend", "Ida")),
    ],
)
def test_whom_somebody_lives_with_is_kept_besides(text: str, companion: tuple[str, str, str]) -> None:
    assert slots(text) == [("user", "home_city", "Lima"), companion]


def test_a_companion_of_the_past_is_not_a_present_one() -> None:
    found = slots("I moved to Lima with my husband Rui in May 2023.")
    assert found == [("user", "home_city", "Lima")]


def test_a_second_job_leaves_the_whole_statement_as_it_is() -> None:
    assert texts("I work at Birch and also part-time at Beta Labs.") == [
        "User works at Birch and also part-time at Beta Labs"
    ]
    assert slots("I work at Birch and also part-time at Beta Labs.") == []


def test_a_lost_job_is_kept_though_it_names_no_employer() -> None:
    assert texts("I got fired.") == ["User got fired"]


@pytest.mark.parametrize("text", ["Vivo en España.", "J'habite à Lyon en semaine."])
def test_other_languages_know_doubt_too(text: str) -> None:
    assert slots(text) == []
