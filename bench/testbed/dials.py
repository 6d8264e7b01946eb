"""What a test-bed run may be turned to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from bench.testbed.kinds import KINDS

Wording: TypeAlias = Literal["plain", "varied", "implied"]
Language: TypeAlias = Literal["en", "de", "es", "fr"]
LANGUAGES: tuple[Language, ...] = ("en", "de", "es", "fr")


@dataclass(frozen=True, slots=True, kw_only=True)
class Dials:
    """stories: pairs of each kind; the languages take turns. filler: unrelated turns before each step.

    namesakes: somebody else bears the owner's name. users: stories that share one memory, fed in turns.
    permute: turns are fed in an order by chance; late: the first step is fed last. Both keep the times at
    which things were said, and leave alone the kinds whose outcome depends on the order.
    batch: turns of one `add`. shuffles: further orders in which the steps alone are fed, to be compared.
    abstain_below: a best score under it counts as "I do not know".
    """

    seed: int = 1
    kinds: tuple[str, ...] = tuple(KINDS)
    stories: int = 1
    languages: tuple[Language, ...] = LANGUAGES
    filler: int = 6
    wording: Wording = "plain"
    namesakes: bool = False
    users: int = 1
    permute: bool = False
    late: bool = False
    batch: int = 1
    shuffles: int = 2
    abstain_below: float = 0.3

    def __post_init__(self) -> None:
        unknown = [k for k in self.kinds if k not in KINDS]
        if unknown:
            raise ValueError(f"kinds: unknown {', '.join(unknown)}. Use names of bench.testbed.kinds.KINDS.")
        if min(self.stories, self.users, self.batch) < 1 or min(self.filler, self.shuffles) < 0:
            raise ValueError("stories, users and batch count from 1, filler and shuffles from 0")


FIXED = Dials(seed=7, stories=1, filler=1, users=6, shuffles=1)
FULL = Dials(seed=11, stories=8, filler=6, wording="varied", namesakes=True, users=4, shuffles=3)
