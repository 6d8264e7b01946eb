"""The filter language: every operator on every kind of value, the null rule, shapes that are refused."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.core.filters import (
    MAX_CONDITIONS,
    MAX_DEPTH,
    OPERATORS,
    entity_ids,
    episode_record,
    fact_record,
    names_an_owner,
    parse_filter,
)
from perdure.core.interval import Interval
from perdure.core.values import (
    Body,
    Cardinality,
    Claim,
    Episode,
    EpisodeId,
    Fact,
    FactId,
    Json,
    Role,
    Scope,
    Slot,
    Source,
    SourceId,
    Version,
)
from perdure.errors import InvalidFilter

SCOPE = Scope(workspace="w", user_id="ana", agent_id="kit")
MORNING = datetime(2024, 2, 3, 9, 30, tzinfo=UTC)


def matches(raw: dict[str, Json], record: dict[str, object]) -> bool:
    return parse_filter(raw).matches(record)


def holds(condition: Json, value: object) -> bool:
    """Whether a metadata key with that value meets the condition."""
    return matches({"k": condition}, {"metadata": {"k": value}})


@pytest.mark.parametrize(
    ("operator", "operand", "yes", "no"),
    [
        ("eq", "Porto", ["Porto"], ["porto", 1, True, [], ["Lima"]]),
        ("eq", 3, [3, 3.0], [4, "3", True]),
        ("eq", 1, [1, 1.0], [True, "1"]),
        ("eq", True, [True], [1, "true", False]),
        ("eq", 0, [0], [False, ""]),
        ("eq", "red", [["red", "blue"]], [["blue"], []]),
        ("eq", ["a", "b"], [["a", "b"]], [["b", "a"], "a"]),
        ("ne", "Porto", ["Lima", 3, False, ["Lima"]], ["Porto", ["Porto"]]),
        ("ne", 1, [2, True], [1, 1.0]),
        ("in", ["a", 2, True], ["a", 2, True, ["x", "a"]], ["b", 3, False, "2", []]),
        ("nin", ["a", 2], ["b", 3, "2", True], ["a", 2, ["a"]]),
        ("gt", 5, [6, 5.5], [5, 4, "6", True, [6]]),
        ("gte", 5, [5, 6.5], [4, "5"]),
        ("lt", 5, [4, -1.5], [5, "4", False]),
        ("lte", 5, [5, 4], [6, "5"]),
        ("gt", "b", ["c"], ["b", "a", 3]),
        ("gte", "2025-01-01", ["2025-01-01", "2025-01-01T00:30:00Z"], ["2024-12-31T23:59:00Z"]),
        ("lt", "2025-01-01T00:00:00+02:00", ["2024-12-31T21:59:00Z"], ["2024-12-31T22:00:00Z"]),
        ("lt", "2024-9", ["2024-8"], ["2024-9"]),
        ("contains", "ort", ["Porto"], ["PORTO", "Lima", 5]),
        ("contains", "red", [["red", "blue"]], [["RED"], ["redder"]]),
        ("contains", 5, [[5], "a5"], [[6], 5]),
        ("icontains", "PORT", ["Porto"], ["Lima"]),
        ("icontains", "straSSe", ["Straße 5"], ["Gasse"]),
        ("icontains", "RED", [["red"]], [["redder"]]),
        ("exists", True, ["", 0, False, []], []),
        ("exists", False, [], ["", 0]),
    ],
)
def test_operators(operator: str, operand: Json, yes: list[object], no: list[object]) -> None:
    assert [value for value in yes if not holds({operator: operand}, value)] == []
    assert [value for value in no if holds({operator: operand}, value)] == []


@pytest.mark.parametrize(
    ("operator", "operand", "null_matches"),
    [
        ("eq", "x", False),
        ("eq", None, True),
        ("ne", "x", True),
        ("ne", None, False),
        ("in", ["x"], False),
        ("in", ["x", None], True),
        ("nin", ["x"], True),
        ("nin", ["x", None], False),
        ("gt", 0, False),
        ("gte", 0, False),
        ("lt", 9, False),
        ("lte", 9, False),
        ("contains", "", False),
        ("icontains", "", False),
        ("exists", True, False),
        ("exists", False, True),
    ],
)
@pytest.mark.parametrize("record", [{"metadata": {"k": None}}, {"metadata": {}}, {}])
def test_a_missing_or_null_field_meets_only_the_conditions_of_the_null_rule(
    operator: str, operand: Json, null_matches: bool, record: dict[str, object]
) -> None:
    assert matches({"k": {operator: operand}}, record) is null_matches


def test_the_tables_above_cover_every_operator() -> None:
    assert set(OPERATORS) == {
        "eq", "ne", "in", "nin", "gt", "gte", "lt", "lte", "contains", "icontains", "exists",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ({"created_at": "2024-02-03"}, True),
        ({"created_at": "2024-02"}, True),
        ({"created_at": "2024"}, True),
        ({"created_at": "2024-02-04"}, False),
        ({"created_at": "2024-02-03T09:30:00Z"}, True),
        ({"created_at": "2024-02-03T10:30:00+01:00"}, True),
        ({"created_at": {"gte": "2024-02-03", "lt": "2024-02-04"}}, True),
        ({"created_at": {"gt": "2024-02-03"}}, True),
        ({"created_at": {"lte": "2024-02-03"}}, False),
        ({"created_at": {"gte": 1706952600}}, True),
        ({"created_at": {"ne": "2024-02-03"}}, False),
        ({"created_at": ["2023-01-01", "2024-02-03"]}, True),
        ({"created_at": {"nin": ["2024-02-03"]}}, False),
        ({"created_at": "*"}, True),
        ({"valid_to": None}, True),
        ({"valid_to": {"gt": "2020"}}, False),
        ({"expiration_date": "2024-03-01"}, True),
        ({"expires_on": {"lt": "2024-03-02"}}, True),
    ],
)
def test_date_fields_are_read_as_times(raw: dict[str, Json], expected: bool) -> None:
    record: dict[str, object] = {
        "created_at": MORNING,
        "valid_to": None,
        "expiration_date": date(2024, 3, 1),
    }
    assert matches(raw, record) is expected


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ({"AND": [{"OR": [{"a": 1}, {"a": 2}]}, {"OR": [{"b": 5}, {"b": 9}]}]}, True),
        ({"AND": [{"OR": [{"a": 1}, {"a": 2}]}, {"OR": [{"b": 6}, {"b": 9}]}]}, False),
        ({"AND": [{"a": {"gte": 1}}, {"a": {"lt": 9}}, {"a": {"ne": 5}}]}, True),
        ({"a": {"gt": 0, "lt": 1}}, False),
        ({"OR": [{"a": 9}, {"b": 5}]}, True),
        ({"OR": [{"a": 9}], "b": 5}, False),
        ({"NOT": {"a": 1}}, False),
        ({"NOT": {"a": 2}}, True),
        ({"NOT": [{"a": 2}, {"b": 5}]}, False),
        ({"NOT": [{"a": 2}, {"b": 6}]}, True),
        ({"NOT": {"c": 1}}, True),
        ({"AND": [{"NOT": {"a": 2}}, {"b": 5}]}, True),
        ({}, True),
    ],
)
def test_logic(raw: dict[str, Json], expected: bool) -> None:
    assert matches(raw, {"metadata": {"a": 1, "b": 5}}) is expected


@pytest.mark.parametrize(
    "raw",
    [
        {"metadata": {"city": "Porto"}},
        {"metadata.city": "Porto"},
        {"city": "Porto"},
        {"metadata": {"address": {"exists": True}}},
        {"metadata.address.zip": "4000"},
        {"address.zip": "4000"},
        {"metadata.a.b": 1},
        {"a.b": 1},
        {"metadata": "*"},
    ],
)
def test_metadata_is_reached_by_object_by_path_and_by_bare_name(raw: dict[str, Json]) -> None:
    record: dict[str, object] = {"metadata": {"city": "Porto", "address": {"zip": "4000"}, "a.b": 1}}
    assert matches(raw, record)


@pytest.mark.parametrize(
    "raw",
    [
        {"k": {"like": "x"}},
        {"k": {}},
        {"k": {"in": "x"}},
        {"k": {"nin": 3}},
        {"k": {"exists": 1}},
        {"k": {"contains": None}},
        {"k": {"icontains": ["x"]}},
        {"k": {"gt": None}},
        {"k": {"lte": [1]}},
        {"AND": []},
        {"OR": {}},
        {"AND": "x"},
        {"NOT": []},
        {"AND": ["x"]},
        {"metadata": {"a": {"gt": None}}},
        {"created_at": "soon"},
        {"created_at": "2023-02-30"},
        {"created_at": True},
        {"created_at": {"gte": "10000-01-01"}},
        {"created_at": {"contains": "2024"}},
        {"created_at": ["2024-01-01", "never"]},
    ],
)
def test_what_cannot_be_meant_is_refused_by_place(raw: dict[str, Json]) -> None:
    with pytest.raises(InvalidFilter) as caught:
        parse_filter(raw)
    assert caught.value.field.startswith("filters")


def test_a_filter_that_is_no_object_is_refused() -> None:
    with pytest.raises(InvalidFilter):
        parse_filter([{"a": 1}])  # type: ignore[arg-type]  # what an untyped caller may pass


def test_a_key_that_is_no_text_is_refused() -> None:
    with pytest.raises(InvalidFilter, match="not text"):
        parse_filter({1: "a"})  # type: ignore[dict-item]  # what an untyped caller may pass


def test_the_users_words_stay_out_of_the_message() -> None:
    with pytest.raises(InvalidFilter) as caught:
        parse_filter({"created_at": "Ana's birthday"})
    assert "Ana" not in str(caught.value)


def test_depth_and_number_of_conditions_are_bounded() -> None:
    deep: dict[str, Json] = {"a": 1}
    for _ in range(MAX_DEPTH + 1):
        deep = {"NOT": deep}
    with pytest.raises(InvalidFilter, match="deeper"):
        parse_filter(deep)
    with pytest.raises(InvalidFilter, match=str(MAX_CONDITIONS)):
        parse_filter({f"k{n}": n for n in range(MAX_CONDITIONS + 1)})


def test_numbers_are_ids_as_text() -> None:
    assert matches({"user_id": 7}, {"user_id": "7"})


def test_camel_case_ids_are_the_same_fields() -> None:
    assert matches({"userId": "ana", "memory": {"contains": "tea"}}, {"user_id": "ana", "text": "likes tea"})


@pytest.mark.parametrize(
    ("raw", "ids", "owned"),
    [
        ({"user_id": "a"}, {"user_id": "a"}, True),
        ({"AND": [{"user_id": "a"}, {"k": 1}]}, {"user_id": "a"}, True),
        ({"user_id": "a", "agent_id": "b"}, {"user_id": "a", "agent_id": "b"}, True),
        ({"OR": [{"user_id": "a"}, {"user_id": "b"}]}, {}, True),
        ({"OR": [{"user_id": "a"}, {"k": 1}]}, {}, False),
        ({"user_id": ["a", "b"]}, {}, True),
        ({"user_id": {"ne": "a"}}, {}, False),
        ({"user_id": "*"}, {}, False),
        ({"NOT": {"user_id": "a"}}, {}, False),
        ({"k": 1}, {}, False),
        ({}, {}, False),
    ],
)
def test_the_ids_a_filter_demands(raw: dict[str, Json], ids: dict[str, str], owned: bool) -> None:
    where = parse_filter(raw)
    assert (entity_ids(where), names_an_owner(where)) == (ids, owned)


def test_a_fact_shows_its_fields_to_filters() -> None:
    body = Body(
        text="Ana lives in Porto",
        fingerprint="f",
        slot=Slot(subject="ana", attribute="home_city", cardinality=Cardinality.SINGLE),
        value="Porto",
        valid=Interval(MORNING, None),
        metadata={"categories": ["home"], "k": 1},
    )
    source = Source(id=SourceId("s"), fact_id=FactId("f1"), text="", claim=Claim(said_at=MORNING))
    fact = Fact(
        id=FactId("f1"),
        scope=SCOPE,
        created_at=MORNING,
        version=Version(fact_id=FactId("f1"), number=1, body=body, recorded=Interval(MORNING, None)),
        sources=(source,),
    )
    raw: dict[str, Json] = {
        "user_id": "ana",
        "subject": "ana",
        "attribute": "home_city",
        "value": "Porto",
        "valid_from": "2024-02-03",
        "timestamp": "2024-02-03",
        "updated_at": "2024-02-03",
        "categories": {"contains": "home"},
        "kind": "state",
        "status": "active",
        "role": "user",
        "confidence": {"gte": 1},
        "k": 1,
        "run_id": None,
    }
    assert parse_filter(raw).matches(fact_record(fact))


def test_an_episode_shows_its_fields_to_filters() -> None:
    episode = Episode(
        id=EpisodeId("e1"),
        scope=SCOPE,
        role=Role.USER,
        text="hello",
        fingerprint="f",
        speaker="Ana",
        session="s1",
        said_at=MORNING,
    )
    raw: dict[str, Json] = {"kind": "episode", "speaker": "Ana", "session": "s1", "timestamp": "2024-02"}
    assert parse_filter(raw).matches(episode_record(episode))


scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
values = scalars | st.lists(scalars, max_size=3)


@given(values, st.sampled_from(["eq", "gt", "gte", "lt", "lte", "contains", "icontains"]), scalars)
def test_a_condition_on_any_value_is_answered_and_not_inverts_it(
    value: Json, operator: str, operand: Json
) -> None:
    raw: dict[str, Json] = {"k": {operator: operand}}
    try:
        plain = parse_filter(raw)
    except InvalidFilter:
        return
    record: dict[str, object] = {"metadata": {"k": value}}
    assert parse_filter({"NOT": raw}).matches(record) is not plain.matches(record)


@given(values, scalars)
def test_ne_and_nin_are_the_opposites_of_eq_and_in(value: Json, operand: Json) -> None:
    assert holds({"ne": operand}, value) is not holds({"eq": operand}, value)
    assert holds({"nin": [operand]}, value) is not holds({"in": [operand]}, value)
