from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.core.ids import id_time, make_id

NOW = datetime(2024, 5, 15, 14, 10, 0, 123456, tzinfo=UTC)
stored_moments = st.datetimes(datetime(1970, 1, 1), datetime(9998, 12, 31), timezones=st.just(UTC))  # noqa: DTZ001


def test_an_id_is_a_uuid_of_version_7() -> None:
    made = uuid.UUID(make_id(NOW, bytes(range(10))))
    assert (made.version, made.variant) == (7, uuid.RFC_4122)


def test_an_id_gives_back_its_millisecond() -> None:
    assert id_time(make_id(NOW, bytes(10))) == NOW.replace(microsecond=123000)


@pytest.mark.parametrize("length", [0, 9, 11])
def test_anything_but_ten_random_bytes_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match="ten random bytes"):
        make_id(NOW, bytes(length))


def test_a_time_before_1970_is_refused() -> None:
    with pytest.raises(ValueError, match="1970"):
        make_id(datetime(1969, 12, 31, tzinfo=UTC), bytes(10))


@given(stored_moments, st.binary(min_size=10, max_size=10), st.binary(min_size=10, max_size=10))
def test_ids_sort_by_their_millisecond(moment: datetime, left: bytes, right: bytes) -> None:
    assert make_id(moment, left) < make_id(moment + timedelta(milliseconds=1), right)


@given(st.binary(min_size=10, max_size=10), st.binary(min_size=10, max_size=10))
def test_ids_of_one_millisecond_differ_where_their_chance_does(left: bytes, right: bytes) -> None:
    kept = [int.from_bytes(b) & ~(3 << 62 | 0xF << 76) for b in (left, right)]
    same = kept[0] & ((1 << 62) - 1) == kept[1] & ((1 << 62) - 1) and kept[0] >> 68 == kept[1] >> 68
    if not same:
        assert make_id(NOW, left) != make_id(NOW, right)
