"""What makes a job and an employer: an occupation plainly said, and a name."""

from __future__ import annotations

import pytest

from tests.write.rules_gear import slots


def _jobs(text: str) -> list[str]:
    return [value for _, attribute, value in slots(text) if attribute == "job_title"]


def _employers(text: str) -> list[str]:
    return [value for _, attribute, value in slots(text) if attribute == "employer"]


@pytest.mark.parametrize(
    "text",
    [
        "I'm a terrible driver.",
        "I'm a bad cook.",
        "I am a really good baker.",
        "I'm a great dancer.",
        "I'm a slow writer.",
        "I'm a terrible teacher.",
        "I'm a forgetful manager.",
        "I'm a singer in a choir.",
        "I'm a singer.",
        "I'm a teacher at heart.",
        "My brother is a good cook.",
        "I became a better driver.",
    ],
)
def test_a_judgement_or_a_pleasure_makes_no_job(text: str) -> None:
    assert _jobs(text) == []


@pytest.mark.parametrize(
    ("text", "job"),
    [
        ("I'm a nurse.", "nurse"),
        ("I'm a family doctor.", "family doctor"),
        ("I'm a creative director.", "creative director"),
        ("I'm a software engineer.", "software engineer"),
        ("I'm a truck driver.", "truck driver"),
        ("I'm a professional dancer.", "professional dancer"),
        ("I work as a cook.", "cook"),
        ("I work as a driver.", "driver"),
        ("I'm a primary school teacher.", "primary school teacher"),
    ],
)
def test_an_occupation_plainly_said_makes_a_job(text: str, job: str) -> None:
    assert _jobs(text) == [job]


@pytest.mark.parametrize(
    "text",
    [
        "I work at a startup.",
        "I work at a hospital.",
        "I work for a big bank.",
        "I'm working at an agency now.",
        "I work for a big company.",
        "I joined a startup.",
        "I quit the bakery.",
        "My employer is a small law firm.",
        "I am a student at KU Ghent.",
    ],
)
def test_an_employer_without_a_name_fills_no_slot(text: str) -> None:
    assert _employers(text) == []


def test_a_student_has_no_job() -> None:
    assert _jobs("I am a student at KU Ghent.") == []


def test_an_employer_with_a_name_fills_the_slot() -> None:
    assert _employers("I work for a big company called Acme. Before noon I work at Brill.") == ["Brill"]
