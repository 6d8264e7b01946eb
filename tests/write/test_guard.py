"""Look-alikes are told apart; paraphrases may be one."""

from __future__ import annotations

import pytest

from perdure.core.values import Cardinality, Slot
from perdure.write.guard import Side, failed_for_change, failed_for_same, marks_of


def side(text: str, *, subject: str = "user", slot: Slot | None = None, value: str | None = None) -> Side:
    return Side(text=text, subject=subject, slot=slot, value=value)


def failed(old: str, new: str) -> tuple[str, ...]:
    return failed_for_same(side(old), side(new))


LOOK_ALIKES = [
    ("User reviewed PR 260", "User reviewed PR 480", "numbers"),
    ("The prod DB is on host A", "The prod DB is on host B", "codes"),
    ("User met the CEO", "User met the CTO", "codes"),
    ("Flat A's deposit is due", "Flat B's deposit is due", "codes"),
    ("Uses v1.2 of the tool", "Uses v12 of the tool", "codes"),
    ("User writes C", "User writes C++", "codes"),
    ("User writes C++", "User writes C#", "codes"),
    ("User hurt the left knee", "User hurt the right knee", "opposites"),
    ("User has a dog named Rex", "User has a dog named Max", "names"),
    ("User keeps two beehives", "User keeps three beehives", "numbers"),
    ("User's brother is a nurse", "User's sister is a nurse", "words"),
    ("User swims on Monday", "User swims on Tuesday", "words"),
    ("User swims in the morning", "User swims in the evening", "words"),
    ("User pays rent monthly", "User pays rent weekly", "words"),
    ("User has a red bike", "User has a blue bike", "words"),
    ("User drinks tea at breakfast", "User drinks coffee at breakfast", "words"),
    ("User takes 50 mg", "User takes 50 ml", "words"),
    ("User works at Acme", "User no longer works at Acme", "ending"),
    ("User will move to Porto", "User might move to Porto", "modality"),
    ("User may move to Porto", "User will move to Porto", "modality"),
    ("User said “I quit”", "User said “I stay”", "quotation"),
    ("The database listens on 5432", "The database listens on 5433", "numbers"),
    ("User is allergic to nuts", "User is not allergic to nuts", "negation"),
    ("User eats pork", "User never eats pork", "negation"),
    ("Je mange du porc", "Je ne mange pas de porc", "negation"),
    ("Eu como carne", "Eu não como carne", "negation"),
    ("User likes jazz", "User dislikes jazz", "opposites"),
    ("User is happy at work", "User is unhappy at work", "opposites"),
    ("User bought the boat", "User sold the boat", "opposites"),
    ("Flat A's deposit is 1,200", "Flat B's deposit is 1,250", "numbers"),
    ("Badge 4471 opens the lab", "Badge 4417 opens the lab", "numbers"),
    ("User was born in May", "User was born in June", "words"),
    ("User lives in Lyon", "User lives in Lille", "names"),
    ("Ines plays the position of goalkeeper", "Ines plays the position of striker", "substitution"),
    ("User keeps a hive behind the mill", "User keeps a hive behind the barn", "substitution"),
    (
        "The type of stone that the quarry sells is slate",
        "The type of stone that the quarry sells is granite",
        "substitution",
    ),
    ("Ines trinkt morgens gern Kakao", "Ines trinkt morgens gern Limonade", "substitution"),
]


@pytest.mark.parametrize(("old", "new", "check"), LOOK_ALIKES)
def test_look_alikes_are_not_the_same(old: str, new: str, check: str) -> None:
    assert check in failed(old, new)


@pytest.mark.parametrize(("old", "new", "check"), LOOK_ALIKES)
def test_order_of_two_look_alikes_does_not_matter(old: str, new: str, check: str) -> None:
    assert sorted(failed(old, new)) == sorted(failed(new, old))


PARAPHRASES = [
    ("User lives in Lyon", "User's home is in Lyon"),
    ("User has two dogs", "User owns two dogs"),
    ("User has 2 dogs", "User has two dogs"),
    ("User's mother is a nurse", "User's mum works as a nurse"),
    ("The deposit is 1,200 euros", "The deposit comes to 1200 euros"),
    ("User can't stand aubergine", "User can not stand aubergine"),
    ("User swims on Mondays", "User goes swimming every Monday"),
    ("User plays the oboe", "User is an oboe player"),
    ("User keeps two hives", "User keeps two heavy hives"),
    ("User collects brass telescopes", "User collects telescopes of brass"),
    ("User walked to the mill", "User walks to the mill"),
]


@pytest.mark.parametrize(("old", "new"), PARAPHRASES)
def test_paraphrases_may_be_the_same(old: str, new: str) -> None:
    assert failed(old, new) == ()


UNSURE = [
    ("Ilse wohnt in Trest", "Ilse überlegt, nach Olmen zu ziehen"),
    ("Ilse wohnt in Trest", "Ilse möchte in Olmen wohnen"),
    ("Ilse vive en Trest", "Ilse piensa en mudarse a Olmen"),
    ("Ilse vive en Trest", "Tal vez Ilse se mude a Olmen"),
    ("Ilse habite à Trest", "Ilse envisage de déménager à Olmen"),
    ("Ilse habite à Trest", "Ilse pourrait déménager à Olmen"),
    ("Ilse lives in Trest", "Ilse is thinking of moving to Olmen"),
]


@pytest.mark.parametrize(
    "new", ["User waters the plant in the hall", "User works at the plant", "User falls asleep early"]
)
def test_a_word_that_is_a_plan_in_another_language_is_none_in_english(new: str) -> None:
    assert failed_for_change(side("User sleeps late"), side(new)) == ()


@pytest.mark.parametrize(("old", "new"), UNSURE)
def test_a_plan_in_any_of_four_languages_changes_no_fact(old: str, new: str) -> None:
    assert failed_for_change(side(old), side(new)) == ("modality",)


def test_other_subject_is_never_the_same() -> None:
    old, new = side("Likes jazz", subject="ana"), side("Likes jazz", subject="bo")
    assert failed_for_same(old, new) == ("subject",)


def test_user_and_no_subject_are_one_person() -> None:
    assert failed_for_change(side("Likes jazz", subject=""), side("Likes jazz")) == ()


def test_two_attributes_are_never_one_change() -> None:
    home = Slot(subject="user", attribute="home_city", cardinality=Cardinality.SINGLE)
    birth = Slot(subject="user", attribute="birthplace", cardinality=Cardinality.SINGLE)
    assert failed_for_change(side("x", slot=home), side("x", slot=birth)) == ("slot",)


def test_two_invented_names_of_an_attribute_may_be_one_change() -> None:
    bay = Slot(subject="user", attribute="parking_bay", cardinality=Cardinality.MULTI)
    spot = Slot(subject="user", attribute="parks_in", cardinality=Cardinality.MULTI)
    assert failed_for_change(side("x", slot=bay), side("x", slot=spot)) == ()


def test_two_values_of_a_slot_are_not_the_same() -> None:
    pet = Slot(subject="user", attribute="pet", cardinality=Cardinality.MULTI)
    old, new = side("x", slot=pet, value="a dog"), side("x", slot=pet, value="a cat")
    assert failed_for_same(old, new) == ("value",)


def test_month_of_may_is_no_doubt() -> None:
    assert failed_for_change(side("User moved in May"), side("User moved in spring")) == ()


def test_marks_are_the_numbers_codes_names_and_telling_words() -> None:
    kept = marks_of("User pays 1,200 for INV-2041 to Rosa on Monday")
    assert {"1200", "inv-2041", "rosa"} <= kept
    assert any(m.endswith(":monday") for m in kept)
