from __future__ import annotations

import asyncio
import math

import pytest

from perdure.errors import ModelRefused, ModelUnavailable
from perdure.remote.failures import EndpointFailure, FailureKind, from_status, retry_after_s
from perdure.remote.limits import RetryPolicy
from perdure.testing import ScriptedTime

NOW = "Sat, 01 Mar 2025 12:00:00 GMT"
HALF_A_MINUTE_LATER = "Sat, 01 Mar 2025 12:00:30 GMT"


def unavailable(status: int = 503, wait: float | None = None) -> EndpointFailure:
    return EndpointFailure(FailureKind.UNAVAILABLE, "busy", status=status, retry_after_s=wait)


class Script:
    """Fails as told, then answers 1; notes when it was called."""

    def __init__(self, time: ScriptedTime, *failures: EndpointFailure) -> None:
        self._time = time
        self._failures = list(failures)
        self.called_at: list[float] = []

    async def __call__(self) -> int:
        self.called_at.append(self._time.now_s)
        if self._failures:
            raise self._failures.pop(0)
        return 1


async def test_waits_double_between_failures() -> None:
    time = ScriptedTime()
    gate = time.gate()
    assert await gate.call(gate.open_budget(), Script(time, *[unavailable()] * 3)) == 1
    assert time.waits_s == [0.5, 1.0, 2.0]


async def test_chance_shortens_a_wait_by_up_to_half() -> None:
    assert RetryPolicy().wait_s(1, None, 0.5) == 0.375


async def test_retry_after_is_waited_for() -> None:
    time = ScriptedTime()
    gate = time.gate()
    script = Script(time, unavailable(429, 7.0))
    await gate.call(gate.open_budget(), script)
    assert script.called_at == [0.0, 7.0]


async def test_retry_after_holds_up_every_caller_of_the_key() -> None:
    time = ScriptedTime()
    gate = time.gate(RetryPolicy(attempts=1))
    with pytest.raises(ModelUnavailable):
        await gate.call(gate.open_budget(), Script(time, unavailable(429, 7.0)))
    other = Script(time)
    await gate.call(gate.open_budget(), other)
    assert other.called_at == [7.0]


async def test_retry_after_has_a_cap() -> None:
    time = ScriptedTime()
    gate = time.gate(RetryPolicy(retry_after_cap_s=5.0))
    script = Script(time, unavailable(429, 900.0))
    await gate.call(gate.open_budget(), script)
    assert script.called_at == [0.0, 5.0]


async def test_attempts_are_bounded_by_one_number() -> None:
    time = ScriptedTime()
    gate = time.gate(RetryPolicy(attempts=3))
    script = Script(time, *[unavailable()] * 9)
    with pytest.raises(ModelUnavailable, match="3 calls"):
        await gate.call(gate.open_budget(), script)
    assert len(script.called_at) == 3


async def test_no_wait_goes_past_the_deadline() -> None:
    time = ScriptedTime()
    gate = time.gate(RetryPolicy(deadline_s=2.0))
    with pytest.raises(ModelUnavailable, match="deadline"):
        await gate.call(gate.open_budget(), Script(time, *[unavailable()] * 9))
    assert time.now_s <= 2.0


async def test_empty_account_is_not_tried_again() -> None:
    time = ScriptedTime()
    gate = time.gate()
    script = Script(time, EndpointFailure(FailureKind.QUOTA, "no money", status=429))
    with pytest.raises(ModelRefused, match="no money"):
        await gate.call(gate.open_budget(), script)
    assert (len(script.called_at), gate.state) == (1, "quota")


async def test_gate_is_ok_again_after_a_success() -> None:
    time = ScriptedTime()
    gate = time.gate()
    with pytest.raises(ModelRefused):
        await gate.call(gate.open_budget(), Script(time, EndpointFailure(FailureKind.QUOTA, "no money")))
    await gate.call(gate.open_budget(), Script(time))
    assert gate.state == "ok"


async def test_no_more_calls_than_allowed_run_at_a_time() -> None:
    gate = ScriptedTime().gate(concurrency=2)
    release, running = asyncio.Event(), 0

    async def call() -> int:
        nonlocal running
        running += 1
        await release.wait()
        return running

    calls = [asyncio.create_task(gate.call(gate.open_budget(), call)) for _ in range(5)]
    for _ in range(20):
        await asyncio.sleep(0)
    held = running
    release.set()
    await asyncio.gather(*calls)
    assert (held, running) == (2, 5)


async def test_refused_parameter_is_left_out_at_once() -> None:
    time = ScriptedTime()
    gate = time.gate()
    await gate.call(gate.open_budget(), Script(time, EndpointFailure(FailureKind.ADJUSTED, "x")))
    assert time.waits_s == []


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": HALF_A_MINUTE_LATER, "date": NOW}, 30.0),
        ({"retry-after": NOW, "date": HALF_A_MINUTE_LATER}, 0.0),
        ({"retry-after": NOW}, math.inf),
        ({"retry-after-ms": "1500"}, 1.5),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
def test_retry_after_is_read_in_all_its_forms(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after_s(headers) == seconds


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (429, '{"error": {"code": "insufficient_quota"}}', FailureKind.QUOTA),
        (429, "slow down", FailureKind.UNAVAILABLE),
        (402, "", FailureKind.QUOTA),
        (503, "", FailureKind.UNAVAILABLE),
        (500, "failed to parse grammar", FailureKind.FORMAT),
        (400, "unknown field response_format", FailureKind.FORMAT),
        (400, "unknown model", FailureKind.REFUSED),
        (401, "bad key", FailureKind.REFUSED),
    ],
)
def test_status_and_body_tell_what_helps(status: int, body: str, kind: FailureKind) -> None:
    failure = from_status(status, body, {}, url="http://h/v1", secret=None)
    assert failure.kind is kind


def test_reason_shows_the_message_and_not_the_request_that_came_back() -> None:
    body = '{"detail": [{"loc": ["body"], "msg": "field required", "input": "private words"}]}'
    failure = from_status(422, body, {}, url="http://h/v1", secret=None)
    assert str(failure) == "http://h/v1 answered 422: field required"


def test_reason_hides_keys() -> None:
    failure = from_status(401, "bad key sk-abcdefgh123 or my-own", {}, url="http://h/v1", secret="my-own")
    assert str(failure) == "http://h/v1 answered 401: bad key *** or ***"
