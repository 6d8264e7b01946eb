"""Which values of a slot are one and the same."""

from __future__ import annotations

from perdure.write.slots import value_keys


def test_a_city_typed_without_its_accents_is_the_same_city() -> None:
    keys = value_keys(["São Paulo", "Sao Paulo", "Santos"])
    assert keys["São Paulo"] == keys["Sao Paulo"] != keys["Santos"]


def test_marks_of_other_scripts_tell_values_apart() -> None:
    keys = value_keys(["が", "か"])
    assert keys["が"] != keys["か"]
