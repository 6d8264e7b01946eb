"""All kinds by name. A kind that is told of a slot settled by code and of one left to a judge is two."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from bench.testbed import kinds_more as more
from bench.testbed import kinds_slot as of_slot
from bench.testbed.cast import Cast
from bench.testbed.sketching import Domain, Kind, Pair, kind

_DOMAINS: tuple[Domain, Domain] = ("city", "boat")
_OF_SLOT: tuple[Callable[[Domain, Cast], Pair], ...] = (
    of_slot.update,
    of_slot.revert,
    of_slot.correction,
    of_slot.someone_else,
    of_slot.implied,
    of_slot.hypothetical,
    of_slot.temporary,
    of_slot.out_of_order,
    of_slot.conflict,
    of_slot.conflict_later,
    of_slot.chain,
    of_slot.ended,
    of_slot.repeat,
)
_MORE: Mapping[str, Callable[[Cast], Pair]] = {
    "coexist.dogs": more.coexist_dogs,
    "coexist.courses": more.coexist_courses,
    "handover": more.handover,
    "propagated": more.propagated,
    "forget": more.forget,
    "abstain": more.abstain,
    "look_alike": more.look_alike,
    "refine": more.refine,
    "namesake": more.namesake,
    "cross_slot": more.cross_slot,
}


def _all() -> dict[str, Kind]:
    found = {
        f"{build.__name__}.{domain}": kind(
            f"{build.__name__}.{domain}", partial(build, domain), build.__doc__
        )
        for build in _OF_SLOT
        for domain in _DOMAINS
    }
    return found | {name: kind(name, build, build.__doc__) for name, build in _MORE.items()}


KINDS: Mapping[str, Kind] = _all()
