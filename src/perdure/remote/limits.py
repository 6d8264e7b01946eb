"""One retry budget for a piece of work, and one gate for all that use a key.

The SDKs' own retries are off. All calls of a piece of work count against one number and one deadline,
whatever they were for; a pause that an endpoint asked for holds up every caller of that key.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, TypeVar

from perdure.errors import ModelRefused, ModelUnavailable
from perdure.remote.failures import EndpointFailure, FailureKind

T = TypeVar("T")
Monotonic: TypeAlias = Callable[[], float]
Sleep: TypeAlias = Callable[[float], Awaitable[None]]
Chance: TypeAlias = Callable[[], float]
GateState: TypeAlias = Literal["ok", "throttled", "quota"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How often and how long. attempts: requests in all for one piece of work (from 1).

    deadline_s: from the first request to the last byte. Waits grow by 2 from first_wait_s to longest_wait_s,
    each shortened by up to half at random. An endpoint's own Retry-After is kept, up to retry_after_cap_s.
    """

    attempts: int = 6
    deadline_s: float = 180.0
    first_wait_s: float = 0.5
    longest_wait_s: float = 20.0
    retry_after_cap_s: float = 60.0

    def wait_s(self, failures: int, asked_s: float | None, chance: float) -> float:
        """Seconds before the next try after so many failures. chance in [0, 1)."""
        if asked_s is not None:
            return min(asked_s, self.retry_after_cap_s) + chance * self.first_wait_s
        return min(self.first_wait_s * 2.0 ** (failures - 1), self.longest_wait_s) * (1 - chance / 2)


@dataclass(slots=True)
class Budget:
    """What is left of one piece of work: calls made and when it must end."""

    policy: RetryPolicy
    ends_at: float
    calls: int = 0
    failures: int = 0
    last_failure: EndpointFailure | None = None

    @property
    def is_spent(self) -> bool:
        return self.calls >= self.policy.attempts


@dataclass(slots=True, kw_only=True)
class Gate:
    """Lets callers of one key through: so many at a time, none during a pause.

    monotonic, sleep and chance are the world's; tests give their own.
    """

    policy: RetryPolicy = field(default_factory=RetryPolicy)
    concurrency: int = 8
    monotonic: Monotonic
    sleep: Sleep = asyncio.sleep
    chance: Chance
    _paused_until: float = 0.0
    _is_out_of_quota: bool = False
    _places: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self._places = asyncio.Semaphore(self.concurrency)

    @property
    def state(self) -> GateState:
        """For a status page: `quota` until a call succeeds, `throttled` during a pause."""
        if self._is_out_of_quota:
            return "quota"
        return "throttled" if self._pause_left_s() > 0 else "ok"

    def open_budget(self) -> Budget:
        """A budget for one piece of work, which begins now."""
        return Budget(self.policy, self.monotonic() + self.policy.deadline_s)

    async def call(self, budget: Budget, request: Callable[[], Awaitable[T]]) -> T:
        """The answer of the first request that succeeds.

        ModelUnavailable when the budget is spent, ModelRefused when another try would not help. A failure of
        kind FORMAT goes on to the caller, who knows what to ask for instead.
        """
        while True:
            await self._wait_for_pause(budget)
            budget.calls += 1
            try:
                answer = await self._through(budget, request)
            except EndpointFailure as failure:
                await self._after(failure, budget)
            else:
                self._is_out_of_quota = False
                return answer

    async def _through(self, budget: Budget, request: Callable[[], Awaitable[T]]) -> T:
        try:
            async with asyncio.timeout(max(0.0, budget.ends_at - self.monotonic())), self._places:
                return await request()
        except TimeoutError as exc:
            raise ModelUnavailable(
                f"no full answer within {self.policy.deadline_s:g} s. Allow more time or use a faster model."
            ) from exc

    async def _after(self, failure: EndpointFailure, budget: Budget) -> None:
        """Wait as the failure demands, or raise what it comes to."""
        if failure.kind is FailureKind.FORMAT and not budget.is_spent:
            raise failure
        if failure.kind is FailureKind.QUOTA:
            self._is_out_of_quota = True
        if failure.kind in {FailureKind.REFUSED, FailureKind.QUOTA, FailureKind.FORMAT}:
            raise ModelRefused(str(failure)) from failure
        wait = self._note(failure, budget) if failure.kind is FailureKind.UNAVAILABLE else 0.0
        if budget.is_spent:
            raise ModelUnavailable(f"{failure} (gave up after {budget.calls} calls)") from failure
        if wait > 0:
            await self._rest(wait, budget)

    def _note(self, failure: EndpointFailure, budget: Budget) -> float:
        """Seconds that this caller alone must wait; a pause that all must keep is set instead."""
        budget.failures += 1
        budget.last_failure = failure
        wait = self.policy.wait_s(budget.failures, failure.retry_after_s, self.chance())
        if failure.retry_after_s is None and failure.status != 429:
            return wait
        self._paused_until = max(self._paused_until, self.monotonic() + wait)
        return 0.0

    async def _wait_for_pause(self, budget: Budget) -> None:
        while (left := self._pause_left_s()) > 0:
            await self._rest(left, budget)

    async def _rest(self, wait: float, budget: Budget) -> None:
        if self.monotonic() + wait > budget.ends_at:
            cause = budget.last_failure
            why = str(cause) if cause else "the endpoint asked all callers of this key to wait"
            raise ModelUnavailable(f"{why} (the deadline would pass before the next call)") from cause
        await self.sleep(wait)

    def _pause_left_s(self) -> float:
        return self._paused_until - self.monotonic()
