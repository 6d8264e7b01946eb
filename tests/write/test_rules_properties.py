"""What holds for the rules whatever is said."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.core.interval import EARLIEST, LATEST
from perdure.core.values import Cardinality, Episode, Role
from perdure.write.rules import MAX_MESSAGE_CHARACTERS, extract_by_rules
from tests.write.rules_gear import slots, turn

_PIECES = [
    *["I", "I'm", "my", "brother", "Dev", "and", ",", "but", "live in", "Rome", "moved to", "not", "don't"],
    *[
        "work at",
        "Acme",
        "yesterday",
        "since 2020",
        "allergic to",
        "nuts",
        "is",
        "his",
        "wife",
        "?",
        ".",
        '"',
        "'",
    ],
    *[
        "no longer",
        "love",
        "hate",
        "14",
        "May",
        "ich wohne in",
        "vivo en",
        "我住在",
        "上海",
        "。",
        "used to",
        "be",
    ],
    *[
        "called",
        "\n",
        ";",
        "My name is",
        "when",
        "if",
        "we",
        "'s",
        "a nurse",
        "…",
        "quit",
        "left",
        "born on",
        "3.5",
    ],
    *["INV-2041", "user"],
]
messages = st.text(max_size=120) | st.lists(st.sampled_from(_PIECES), max_size=16).map(" ".join)
_FIRST, _LAST = datetime(1, 1, 3), datetime(9998, 12, 30)  # noqa: DTZ001
moments = st.none() | st.datetimes(_FIRST, _LAST, timezones=st.just(UTC))


@given(
    messages,
    moments,
    st.integers(-840, 840),
    st.none() | st.sampled_from(["Ana", "Jürgen", "王伟", "", "a\\1 {s} (", "I"]),
)
def test_any_text_gives_sound_drafts_or_a_reason(
    text: str, said_at: datetime | None, offset: int, speaker: str | None
) -> None:
    outcome = extract_by_rules([turn(text, said_at=said_at, offset=offset, speaker=speaker)])
    assert bool(outcome.drafts) != bool(outcome.skipped)
    assert len({d.text for d in outcome.drafts}) == len(outcome.drafts)
    for draft in outcome.drafts:
        draft.text.encode("utf-8")
        assert draft.text.strip() == draft.text != ""
        assert draft.subject.strip()
        assert (draft.attribute is None) == (draft.value is None) == (draft.cardinality is None)
        assert draft.value is None or draft.value.strip()
        assert draft.claim.said_at == said_at
        assert 0 < draft.confidence <= 1
        assert draft.episode_ids == ("e1",)
        for bound in (draft.claim.interval.start, draft.claim.interval.end):
            assert bound is None or EARLIEST <= bound < LATEST


@given(messages)
def test_every_value_stands_in_what_was_said(text: str) -> None:
    fixed = {
        "love",
        "like",
        "hate",
        "dislike",
        "married",
        "divorced",
        "engaged",
        "single",
        "widowed",
        "eats meat",
    }
    said = re.sub(r"\s+", " ", text.translate(str.maketrans("‘’`´", "'" * 4))).casefold()
    for draft in extract_by_rules([turn(text)]).drafts:
        if draft.value is not None and draft.value not in fixed:
            assert re.sub(r"\s+", " ", draft.value).casefold() in said


@given(
    st.sampled_from(
        ["I bought {} bikes", "Mum takes {} mg of Valpren", "My flat costs {} a month", "I paid {} for it"]
    ),
    st.integers(0, 10**7).map(str) | st.sampled_from(["1,250.50", "3.5", "INV-2041", "4471", "75%"]),
)
def test_numbers_and_codes_survive(frame: str, number: str) -> None:
    (draft,) = extract_by_rules([turn(frame.format(number))]).drafts
    assert number in draft.text


TRANSCRIPT = [
    turn("My brother Dev hates flying, and his wife is vegan.", name="e1", speaker="Priya"),
    turn("I moved to Porto last month.", name="e2", speaker="Priya"),
    turn("I left Acme; I now work at Birch.", name="e3", speaker="Tomas"),
    turn("ok", name="e4", speaker="Priya"),
    turn("I have booked flight LX 38.", name="e5", role=Role.ASSISTANT),
]


def by_episode(episodes: list[Episode]) -> tuple[set[str], set[str]]:
    outcome = extract_by_rules(episodes)
    return {repr(d) for d in outcome.drafts}, {repr(s) for s in outcome.skipped}


def test_the_order_of_messages_changes_nothing() -> None:
    expected = by_episode(TRANSCRIPT)
    assert all(by_episode(list(order)) == expected for order in permutations(TRANSCRIPT))


def test_drafts_come_in_the_order_of_messages() -> None:
    found = [d.episode_ids[0] for d in extract_by_rules(TRANSCRIPT).drafts]
    assert found == ["e1", "e1", "e2", "e3", "e3"]


def test_nothing_gives_nothing() -> None:
    outcome = extract_by_rules([])
    assert (outcome.drafts, outcome.skipped) == ((), ())


@pytest.mark.parametrize(
    "text", ["(" * 5000, "and " * 5000, "I live in " * 2000, "'" * 4000, "My " * 5000, "a, " * 5000]
)
def test_hostile_repetition_is_read_without_harm(text: str) -> None:
    assert len(extract_by_rules([turn(text)]).drafts) <= 1


def test_only_the_beginning_of_a_very_long_message_is_read() -> None:
    late = "Nice. " * (MAX_MESSAGE_CHARACTERS // 6 + 1) + "I live in Rome."
    assert slots(late) == []


def test_a_person_in_a_slot_has_one_cardinality_for_one_attribute() -> None:
    kinds: dict[str, set[Cardinality | None]] = {}
    for text in (
        "I'm vegan.",
        "I went vegan.",
        "I speak Dutch.",
        "I'm fluent in Dutch.",
        "I have a dog named Rex.",
    ):
        for draft in extract_by_rules([turn(text)]).drafts:
            kinds.setdefault(draft.attribute or "", set()).add(draft.cardinality)
    assert {attribute: len(found) for attribute, found in kinds.items()} == {"diet": 1, "speaks": 1, "pet": 1}
