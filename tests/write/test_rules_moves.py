"""Moves that go on or lead back: the first stop is not where somebody lives."""

from __future__ import annotations

import pytest

from tests.write.rules_gear import slots


@pytest.mark.parametrize(
    "text",
    [
        "I moved to Ghent, then back to Turin.",
        "We moved to Ghent but couldn't stand it and came back to Turin.",
        "I moved to Ghent for three months and I'm home again.",
        "I moved to Ghent and then to Namur.",
        "I moved to Ghent, then moved to Namur.",
        "We moved from Turin to Ghent and back again.",
        "I moved to Ghent in 2010, to Oslo in 2015 and to Turin in 2020.",
        "My wife and I moved to Ghent in 2010 and to Turin in 2015.",
        "I moved to Ghent last year. In March I came back to Turin.",
        "I moved to Ghent but I'm already back in Turin.",
        "I moved to Ghent but left after a year.",
        "I moved to Ghent and returned after a year.",
        "Ich bin nach Gent gezogen, aber wieder zurück in Köln.",
        "Ich bin nach Gent gezogen, aber bin jetzt wieder zurück in Köln.",
        "Ich bin nach Gent gezogen und dann nach Brügge.",
        "Me mudé a Gante y luego a Brujas.",
        "Me mudé a Gante, pero he vuelto a Lima.",
        "J'ai déménagé à Gand, puis à Bruges.",
        "J'ai déménagé à Gand mais je suis revenu à Lyon.",
    ],
)
def test_the_first_stop_of_a_move_that_goes_on_is_no_home(text: str) -> None:
    assert [s for s in slots(text) if s[1] == "home_city"] == []


@pytest.mark.parametrize(
    "text",
    [
        "I moved to Ghent in 2019.",
        "I moved back to Ghent last month.",
        "We moved from Turin to Ghent.",
        "I moved to Ghent and I love it.",
        "I moved to Ghent and left my job at Acme.",
        "I moved to Ghent to be closer to Anna.",
        "Ich bin zurück nach Ghent gezogen.",
    ],
)
def test_a_move_that_ends_there_makes_a_home(text: str) -> None:
    assert ("user", "home_city", "Ghent") in slots(text)
