"""The laws of one slot's timeline (ARCHITECTURE.md, Two clocks)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from perdure.core.interval import Interval, Precision
from perdure.core.timeline import Statement, Timeline, settle
from perdure.core.values import Claim
from tests.core import reference_timeline


def day(month: int, number: int = 1, year: int = 2025) -> datetime:
    return datetime(year, month, number, tzinfo=UTC)


def holds(
    key: str,
    value: str,
    start: datetime | None,
    end: datetime | None = None,
    *,
    said_at: datetime | None = None,
    precision: Precision = Precision.INSTANT,
) -> Statement:
    claim = Claim(interval=Interval(start, end), said_at=said_at or start, precision=precision)
    return Statement(key=key, value=value, claim=claim, order=key)


def ended(key: str, value: str, end: datetime | None) -> Statement:
    return Statement(
        key=key, value=value, claim=Claim(interval=Interval(None, end), said_at=end, ends=True), order=key
    )


def shape(timeline: Timeline) -> list[tuple[str, datetime | None, datetime | None]]:
    return [(s.value, s.interval.start, s.interval.end) for s in timeline.spans]


def test_later_start_closes_the_earlier_value() -> None:
    timeline = settle([holds("1", "porto", day(1)), holds("2", "lisbon", day(3))])
    assert shape(timeline) == [("porto", day(1), day(3)), ("lisbon", day(3), None)]


def test_late_arriving_older_fact_becomes_history() -> None:
    timeline = settle([holds("1", "lisbon", day(3)), holds("2", "porto", day(1))])
    assert shape(timeline) == [("porto", day(1), day(3)), ("lisbon", day(3), None)]


def test_same_value_twice_with_a_gap_is_two_spans() -> None:
    statements = [
        holds("1", "maps", day(1), day(3)),
        holds("2", "ads", day(3), day(8)),
        holds("3", "maps", day(9)),
    ]
    assert shape(settle(statements)) == [
        ("maps", day(1), day(3)),
        ("ads", day(3), day(8)),
        ("maps", day(9), None),
    ]


def test_same_value_without_a_gap_is_one_span_with_both_statements() -> None:
    (span,) = settle([holds("1", "porto", day(1)), holds("2", "porto", day(5))]).spans
    assert (span.interval, span.statements) == (Interval(day(1), None), ("1", "2"))


def test_value_known_to_go_on_resumes_after_a_bounded_interruption() -> None:
    since = holds("1", "lisbon", day(1), said_at=day(12))
    timeline = settle([since, holds("2", "berlin", day(3), day(6), said_at=day(11))])
    assert shape(timeline) == [
        ("lisbon", day(1), day(3)),
        ("berlin", day(3), day(6)),
        ("lisbon", day(6), None),
    ]
    assert [s.statements for s in timeline.spans] == [("1",), ("2",), ("1",)]


def test_value_said_before_the_next_one_began_does_not_come_back_when_that_ends() -> None:
    timeline = settle(
        [holds("1", "lisbon", day(1)), holds("2", "porto", day(3)), ended("3", "porto", day(6))]
    )
    assert shape(timeline) == [("lisbon", day(1), day(3)), ("porto", day(3), day(6))]


def test_ending_closes_its_own_value_only() -> None:
    timeline = settle([holds("1", "acme", day(1)), ended("2", "acme", day(4)), ended("3", "birch", day(2))])
    assert shape(timeline) == [("acme", day(1), day(4))]
    assert timeline.endings == {"2": Interval(day(4), None), "3": Interval(day(2), None)}


def test_ending_is_true_until_the_value_begins_again() -> None:
    timeline = settle([ended("1", "acme", day(4)), holds("2", "acme", day(6))])
    assert timeline.endings["1"] == Interval(day(4), day(6))


def test_vague_month_yields_to_an_exact_start_inside_it() -> None:
    move = holds("1", "lisbon", day(3), precision=Precision.MONTH, said_at=day(4, 10))
    still = holds("2", "porto", day(3, 5))
    assert shape(settle([move, still])) == [("porto", day(3, 5), day(4)), ("lisbon", day(4), None)]


def test_vague_month_said_before_an_exact_start_loses_to_it() -> None:
    move = holds("1", "lisbon", day(3), precision=Precision.MONTH, said_at=day(3, 10))
    later = holds("2", "porto", day(3, 20))
    assert shape(settle([move, later])) == [("lisbon", day(3, 1), day(3, 20)), ("porto", day(3, 20), None)]


def test_vague_week_yields_to_what_was_told_inside_it() -> None:
    move = holds("1", "oslo", day(6, 3), precision=Precision.WEEK, said_at=day(6, 11))
    told = holds("2", "rome", day(6, 5))
    assert shape(settle([move, told])) == [("rome", day(6, 5), day(6, 10)), ("oslo", day(6, 10), None)]


def test_vague_week_yields_to_an_exact_start_on_its_first_day() -> None:
    move = holds("1", "rome", day(6, 2), precision=Precision.WEEK, said_at=day(6, 14))
    told = holds("2", "oslo", day(6, 2))
    assert shape(settle([move, told])) == [("oslo", day(6, 2), day(6, 9)), ("rome", day(6, 9), None)]


def test_correction_of_the_same_start_retracts_what_was_said_before() -> None:
    wrong = holds("1", "acme", day(1), said_at=day(2))
    right = holds("2", "birch", day(1), said_at=day(3))
    timeline = settle([right, wrong])
    assert shape(timeline) == [("birch", day(1), None)]
    assert timeline.never == ("1",)


def test_equally_dated_different_values_are_disputed() -> None:
    timeline = settle([holds("1", "acme", day(1)), holds("2", "birch", day(1))])
    assert [(s.value, s.is_disputed) for s in timeline.spans] == [("acme", True), ("birch", True)]


def test_undated_statements_follow_arrival() -> None:
    timeline = settle([holds("1", "acme", None), holds("2", "birch", None)])
    assert shape(timeline) == [("birch", None, None)]
    assert timeline.never == ("1",)


def test_undated_never_beats_dated() -> None:
    timeline = settle([holds("1", "acme", day(1)), holds("2", "birch", None)])
    assert shape(timeline) == [("birch", None, day(1)), ("acme", day(1), None)]


instants = st.integers(0, 400).map(lambda n: day(1) + timedelta(days=n))


@st.composite
def dated_statements(draw: st.DrawFn) -> list[Statement]:
    made = []
    for n in range(draw(st.integers(0, 7))):
        start, said_at = draw(instants), draw(instants)
        end = draw(st.none() | st.integers(1, 200).map(lambda d: timedelta(days=d)))
        precision = draw(st.sampled_from(list(Precision)))
        claim = (
            Claim(interval=Interval(None, start), said_at=said_at, ends=True)
            if draw(st.integers(0, 4)) == 0
            else Claim(
                interval=Interval(start, start + end if end else None), said_at=said_at, precision=precision
            )
        )
        made.append(Statement(key=f"k{n}", value=draw(st.sampled_from("abc")), claim=claim, order=f"k{n}"))
    return made


@given(dated_statements(), st.randoms(use_true_random=False))
def test_any_permutation_gives_one_timeline(statements: list[Statement], random: object) -> None:
    shuffled = list(statements)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # Hypothesis gives a random.Random
    assert settle(shuffled) == settle(statements)


@given(dated_statements())
def test_undisputed_spans_never_overlap(statements: list[Statement]) -> None:
    spans = [s for s in settle(statements).spans if not s.is_disputed]
    assert all(not left.interval.overlaps(right.interval) for left, right in pairwise(spans))


@given(dated_statements())
def test_one_value_never_has_two_spans_that_touch(statements: list[Statement]) -> None:
    by_value: dict[str, list[Interval]] = {}
    for span in settle(statements).spans:
        by_value.setdefault(span.value, []).append(span.interval)
    assert all(not a.touches(b) for spans in by_value.values() for a, b in pairwise(spans))


@given(dated_statements())
def test_every_statement_is_used_or_said_to_hold_never(statements: list[Statement]) -> None:
    timeline = settle(statements)
    used = {key for span in timeline.spans for key in span.statements}
    assert not used & set(timeline.never)
    assert used | set(timeline.never) | set(timeline.endings) == {s.key for s in statements}


@given(dated_statements())
def test_every_span_is_supported_by_a_statement_of_its_value(statements: list[Statement]) -> None:
    values = {s.key: s.value for s in statements}
    for span in settle(statements).spans:
        assert span.statements
        assert {values[key] for key in span.statements} == {span.value}


@given(dated_statements())
@settings(max_examples=400)
def test_the_fast_timeline_equals_the_rule_as_written(statements: list[Statement]) -> None:
    assert settle(statements) == reference_timeline.settle(statements)


@given(dated_statements(), st.lists(st.sampled_from("abc"), max_size=3))
def test_undated_statements_among_dated_ones_follow_the_rule_too(
    statements: list[Statement], undated: list[str]
) -> None:
    mixed = statements + [holds(f"u{n}", value, None) for n, value in enumerate(undated)]
    mixed += [ended(f"v{n}", value, None) for n, value in enumerate(undated[1:])]
    assert settle(mixed) == reference_timeline.settle(mixed)
