"""Whose fact it is, and how it reads when it stands alone."""

from __future__ import annotations

import pytest

from perdure.core.values import DraftRelation, Role
from perdure.write.rules import extract_by_rules
from tests.write.rules_gear import drafts, slots, texts, the_draft, turn


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I moved to Porto.", "Ana moved to Porto"),
        ("I'm a nurse!", "Ana is a nurse"),
        ("I've adopted a cat.", "Ana has adopted a cat"),
        ("I have two cats and live in Oslo.", "Ana has two cats and lives in Oslo"),
        ("I don't eat meat.", "Ana doesn't eat meat"),
        ("I never eat pork.", "Ana never eats pork"),
        ("I'd like to move to Rome.", "Ana would like to move to Rome"),
        ("We moved to Porto.", "Ana and others moved to Porto"),
        ("My friend and I moved to Porto.", "Ana and their friend moved to Porto"),
        ("My coworker Dana has a PhD.", "Ana's coworker Dana has a PhD"),
        ("Sam Okafor is my dentist.", "Sam Okafor is Ana's dentist"),
        ("Sam Lindqvist climbs with me on Tuesdays.", "Sam Lindqvist climbs with Ana on Tuesdays"),
        ("Mum takes 50 mg of Valpren.", "Ana's mum takes 50 mg of Valpren"),
        (
            "I took my son to the dentist because I had time.",
            "Ana took their son to the dentist because Ana had time",
        ),
        ("Well, actually, I bought a red bike.", "Ana bought a red bike"),
        ("I carry a pen and study law.", "Ana carries a pen and studies law"),
        ("I'd been to Oslo twice.", "Ana had been to Oslo twice"),
        ("When I lived in Rome, I had a cat.", "When Ana lived in Rome, Ana had a cat"),
        (
            "I bought a bike after I'd moved and I'm glad of it.",
            "Ana bought a bike after Ana had moved",
        ),
        ("My wife's a nurse.", "Ana's wife is a nurse"),
        ("My hard work is paying off.", "Ana's hard work is paying off"),
        ("In March, Dev moved to Oslo.", "In March (2024-03), Dev moved to Oslo"),
        ("Finished the marathon yesterday.", "Ana finished the marathon yesterday (2024-05-14)"),
        ("Had the interview at Birch.", "Ana had the interview at Birch"),
    ],
)
def test_first_person_becomes_the_name_of_the_speaker(said: str, told: str) -> None:
    assert texts(said, speaker="Ana")[0] == told


def test_a_speaker_without_a_name_is_the_user() -> None:
    draft = the_draft("I moved to Porto.")
    assert (draft.text, draft.subject, draft.mentions[0].name) == ("User moved to Porto", "user", "Porto")


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("My coworker Dana has a PhD.", "Ana's coworker Dana"),
        ("My wife, Eva, lives in Lima.", "Ana's wife Eva"),
        ("My son isn't allergic to nuts.", "Ana's son"),
        ("My car broke down last week.", "Ana's car"),
        ("Sam Okafor is my dentist.", "Sam Okafor"),
        ("Hedda called.", "Hedda"),
        ("Dev's wife is vegan.", "Dev's wife"),
        ("I cycle to work.", "Ana"),
    ],
)
def test_the_subject_is_whom_it_is_about(text: str, subject: str) -> None:
    assert the_draft(text, speaker="Ana").subject == subject


def test_a_pronoun_means_the_last_named_other() -> None:
    found = drafts("My brother Dev hates flying, and his wife is vegan.", speaker="Priya")
    assert [(d.text, d.subject) for d in found] == [
        ("Priya's brother Dev hates flying", "Priya's brother Dev"),
        ("Dev's wife is vegan", "Priya's brother Dev's wife"),
    ]
    assert found[0].relations == (DraftRelation(source="Priya", label="brother", target="Dev"),)
    assert found[1].relations == (DraftRelation(source="Dev", label="wife", target="Dev's wife"),)


@pytest.mark.parametrize(
    "text",
    [
        "He lives in Rome.",
        "She said 'I live in Rome'.",
        "She said ‘I live in Rome’.",
        'My sister said: "I live in Rome."',
        "They love tea.",
        "My sister called. He lives in Rome.",
    ],
)
def test_a_pronoun_without_a_fitting_name_is_left_alone(text: str) -> None:
    assert slots(text) == []


def test_a_pronoun_takes_over_who_was_spoken_of() -> None:
    told = texts(
        "My sister Ines moved to Oslo. She'll start at Birch in June. Her flat is tiny.", speaker="Ana"
    )
    assert told == [
        "Ana's sister Ines moved to Oslo",
        "Ines will start at Birch in June (2024-06)",
        "Ines's flat is tiny",
    ]


def test_an_ellipsis_takes_its_words_from_the_clause_before() -> None:
    assert texts("My son likes nuts, my daughter doesn't.")[1:] == ["User's daughter doesn't like nuts"]
    assert texts("My daughter is.") == []


def test_two_clauses_with_their_own_subjects_are_two_facts() -> None:
    found = drafts("My son isn't allergic to nuts, my daughter is.")
    assert [(d.text, d.attribute, d.value) for d in found] == [
        ("User's son isn't allergic to nuts", None, None),
        ("User's daughter is allergic to nuts", "allergy", "nuts"),
    ]


@pytest.mark.parametrize(
    ("text", "owner"),
    [
        ("My brother's name is Bob.", "sibling"),
        ("My dog is called Rex.", "pet"),
        ("Dev's name is long.", None),
        ("My brother Bob works at Birch.", "employer"),
    ],
)
def test_somebody_elses_name_does_not_fill_the_users_name(text: str, owner: str | None) -> None:
    assert "name" not in [attribute for subject, attribute, _ in slots(text) if subject == "user"]
    assert owner is None or owner in [attribute for _, attribute, _ in slots(text)]


def test_a_coworkers_degree_is_not_the_users() -> None:
    assert "User has" not in the_draft("My coworker Dana has a PhD.").text


def test_quoted_words_are_not_the_speakers() -> None:
    draft = the_draft('Dev said "I live in Rome".', speaker="Ana")
    assert (draft.text, draft.subject, draft.attribute) == ('Dev said "I live in Rome"', "Dev", None)


def test_each_speaker_of_a_transcript_keeps_their_own() -> None:
    """Two named people, an assistant with paragraphs, a tool and a system turn."""
    outcome = extract_by_rules(
        [
            turn("My brother Dev hates flying, and his wife is vegan.", name="e1", speaker="Priya"),
            turn(
                "Here is how I would do it.\n\nI prefer recursion here.\n\nAlso, I love Lisbon.",
                name="e2",
                role=Role.ASSISTANT,
            ),
            turn("I am allergic to penicillin.", name="e3", speaker="Tomas"),
            turn('{"weather":"rain"}', name="e4", role=Role.TOOL),
            turn("You are Kit, a cheerful helper born in 2020.", name="e5", role=Role.SYSTEM),
        ]
    )
    assert [(d.subject, d.text) for d in outcome.drafts] == [
        ("Priya's brother Dev", "Priya's brother Dev hates flying"),
        ("Priya's brother Dev's wife", "Dev's wife is vegan"),
        ("Tomas", "Tomas is allergic to penicillin"),
    ]
    assert [(s.episode_id, s.reason) for s in outcome.skipped] == [
        ("e2", "assistant turn"),
        ("e4", "tool turn"),
        ("e5", "system turn"),
    ]


def test_an_assistants_turn_is_read_where_it_is_marked_as_a_persons() -> None:
    marked = turn("I live in Lisbon.", role=Role.ASSISTANT, speaker="Rui", metadata={"is_person": True})
    (draft,) = extract_by_rules([marked]).drafts
    assert (draft.subject, draft.value, draft.role) == ("Rui", "Lisbon", Role.ASSISTANT)


def test_a_draft_names_its_message_and_speaker() -> None:
    (draft,) = extract_by_rules([turn("I live in Lisbon.", name="e9", speaker="Rui")]).drafts
    assert (draft.episode_ids, draft.speaker, draft.metadata) == (("e9",), "Rui", {})


def test_subject_and_value_are_mentioned() -> None:
    draft = the_draft("My wife Eva works at Kestrel Labs.", speaker="Ana")
    assert [m.name for m in draft.mentions] == ["Eva", "Kestrel Labs", "Ana"]
