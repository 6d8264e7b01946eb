"""Kinds about a slot of one value: where someone lives (settled by code), keeps a boat (left to a judge).

Each function gives the plain story and its twin: nearly the same sentences, the opposite outcome.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from bench.testbed.cast import Cast
from bench.testbed.sketching import (
    Domain,
    Pair,
    ask,
    by,
    in_month,
    period,
    relation,
    remark,
    slot,
    step,
    told,
)
from bench.testbed.story import Ask, Sketch, State, Step, Told

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


def _now(d: Domain, me: str, right: str, wrong: str | tuple[str, ...], at: int = 0) -> Ask:
    return ask("current", f"{d}.current", right, wrong, slot=at, me=me)


def _kin_now(d: Domain, x: str, right: str | tuple[str, ...], wrong: str | tuple[str, ...], at: int) -> Ask:
    return ask("current", f"{d}.kin", right, wrong, slot=at, x=x)


def _premise(d: Domain, me: str, right: str, wrong: str) -> Ask:
    return ask("premise", f"{d}.premise", right, wrong, me=me, v=wrong)


def _has(d: Domain, c: Cast, *, is_over: bool) -> Step:
    """The first step of most stories: the owner has the first place."""
    state = told(d, "s1", c.me, c.places[0], "past" if is_over else "holds")
    return step(f"{d}.has", c.times[0], state, me=c.me, a=c.places[0])


def _moved_sketch(d: Domain, c: Cast, phrase: str) -> Sketch:
    """The owner had the first place and then, in the words of the phrase, has the second."""
    a, b = c.places[:2]
    t0, t1 = c.times[:2]
    return Sketch(
        me=c.me,
        steps=(
            _has(d, c, is_over=True),
            step(phrase, t1, told(d, "s2", c.me, b, "holds"), me=c.me, a=a, b=b, x=c.firm),
        ),
        slots=(slot(d, c.me, "s1 s2", period(a, by(t0), by(t1)), period(b, by(t1))),),
        relations=(relation("s2", "supersedes", "s1"),),
        asks=(
            _now(d, c.me, b, a),
            _premise(d, c.me, b, a),
            ask("as_of", f"{d}.as_of", a, b, as_of=c.between[0], me=c.me),
            ask("known_at", f"{d}.current", a, b, known_after=1, me=c.me),
            ask("when", f"{d}.when", b, start=by(t1), me=c.me, v=b),
            ask("history", f"{d}.history", (a, b), me=c.me),
        ),
    )


def update(d: Domain, c: Cast) -> Pair:
    """The owner's own move retires the old place; a sister's move says nothing of the owner's place."""
    a, b = c.places[:2]
    t0, t1 = c.times[:2]
    twin = Sketch(
        me=c.me,
        steps=(
            _has(d, c, is_over=False),
            step(f"{d}.kin_moved", t1, told(d, "s2", c.x, b, "holds"), me=c.me, x=c.x, b=b),
        ),
        slots=(slot(d, c.me, "s1", period(a, by(t0))), slot(d, c.x, "s2", period(b, by(t1)))),
        relations=(relation("s2", "unrelated", "s1"),),
        asks=(_now(d, c.me, a, b), _premise(d, c.me, a, b), _kin_now(d, c.x, b, a, 1)),
    )
    return _moved_sketch(d, c, f"{d}.moved"), twin


def revert(d: Domain, c: Cast) -> Pair:
    """Back in A for good, A holds again in a second period; back in A for a weekend, B goes on holding."""
    a, b = c.places[:2]
    t0, t1, t2 = c.times[:3]
    second = step(f"{d}.moved", t1, told(d, "s2", c.me, b, "past"), me=c.me, b=b)
    first_two = (relation("s2", "supersedes", "s1"),)
    plain = Sketch(
        me=c.me,
        steps=(
            _has(d, c, is_over=True),
            second,
            step(f"{d}.back", t2, told(d, "s3", c.me, a, "holds"), me=c.me, a=a),
        ),
        slots=(
            slot(
                d, c.me, "s1 s2 s3", period(a, by(t0), by(t1)), period(b, by(t1), by(t2)), period(a, by(t2))
            ),
        ),
        relations=(*first_two, relation("s3", "supersedes", "s2")),
        asks=(
            _now(d, c.me, a, b),
            _premise(d, c.me, a, b),
            ask("as_of", f"{d}.as_of", b, a, as_of=c.between[1], me=c.me),
            ask("as_of", f"{d}.as_of", a, b, as_of=c.between[0], me=c.me),
            ask("history", f"{d}.history", (a, b, a), me=c.me),
        ),
    )
    twin = Sketch(
        me=c.me,
        steps=(
            _has(d, c, is_over=True),
            step(f"{d}.moved", t1, told(d, "s2", c.me, b, "holds"), me=c.me, b=b),
            step(f"{d}.visit", t2, remark("s3", c.me, kind="event"), me=c.me, a=a),
        ),
        slots=(slot(d, c.me, "s1 s2", period(a, by(t0), by(t1)), period(b, by(t1))),),
        relations=first_two,
        asks=(_now(d, c.me, b, a), _premise(d, c.me, b, a), ask("history", f"{d}.history", (a, b), me=c.me)),
    )
    return plain, twin


def correction(d: Domain, c: Cast) -> Pair:
    """A slip was never true, at no date; a place that was left was true until then."""
    a, b = c.places[:2]
    t0, t1 = c.times[:2]
    since, later = c.past[0], c.between[0]

    def first(*, is_slip: bool) -> Step:
        state = told(d, "s1", c.me, a, "never" if is_slip else "past", since=since)
        return step(f"{d}.has_since", t0, state, since=since, me=c.me, a=a)

    plain = Sketch(
        me=c.me,
        steps=(
            first(is_slip=True),
            step(
                f"{d}.fix", t1, told(d, "s2", c.me, b, "holds", since=since), since=since, me=c.me, a=a, b=b
            ),
        ),
        slots=(slot(d, c.me, "s1 s2", period(b, in_month(since))),),
        relations=(relation("s2", "corrects", "s1"),),
        asks=(
            _now(d, c.me, b, a),
            _premise(d, c.me, b, a),
            ask("as_of", f"{d}.as_of", b, a, as_of=t0, me=c.me),
            ask("when", f"{d}.when", b, start=in_month(since), me=c.me, v=b),
        ),
    )
    twin = Sketch(
        me=c.me,
        steps=(
            first(is_slip=False),
            step(
                f"{d}.since_now",
                t1,
                told(d, "s2", c.me, b, "holds", since=later),
                since=later,
                me=c.me,
                a=a,
                b=b,
            ),
        ),
        slots=(
            slot(d, c.me, "s1 s2", period(a, in_month(since), in_month(later)), period(b, in_month(later))),
        ),
        relations=(relation("s2", "supersedes", "s1"),),
        asks=(
            _now(d, c.me, b, a),
            ask("as_of", f"{d}.as_of", a, b, as_of=t0, me=c.me),
            ask("when", f"{d}.when", b, start=in_month(later), me=c.me, v=b),
            ask("history", f"{d}.history", (a, b), me=c.me),
        ),
    )
    return plain, twin


def someone_else(d: Domain, c: Cast) -> Pair:
    """A sister's move retires the sister's place only; the owner's own move the owner's only."""
    a, b, old = c.places[:3]
    t0, t1, t2 = c.times[:3]

    def sketch(*, is_sisters: bool) -> Sketch:
        mover, mine = (c.x, a) if is_sisters else (c.me, b)
        phrase = f"{d}.kin_moved" if is_sisters else f"{d}.moved"
        kin_end, my_end = (by(t2), None) if is_sisters else (None, by(t2))
        moved = (period(b, by(t2)),)
        kin_periods = (period(old, by(t0), kin_end), *(moved if is_sisters else ()))
        my_periods = (period(a, by(t1), my_end), *(() if is_sisters else moved))
        return Sketch(
            me=c.me,
            steps=(
                step(
                    f"{d}.kin_has",
                    t0,
                    told(d, "s1", c.x, old, "past" if is_sisters else "holds"),
                    me=c.me,
                    x=c.x,
                    a=old,
                ),
                step(
                    f"{d}.has",
                    t1,
                    told(d, "s2", c.me, a, "holds" if is_sisters else "past"),
                    me=c.me,
                    a=a,
                ),
                step(phrase, t2, told(d, "s3", mover, b, "holds"), me=c.me, x=c.x, b=b),
            ),
            slots=(
                slot(d, c.me, "s2" if is_sisters else "s2 s3", *my_periods),
                slot(d, c.x, "s1 s3" if is_sisters else "s1", *kin_periods),
            ),
            relations=(relation("s3", "supersedes", "s1" if is_sisters else "s2"),),
            asks=(
                _now(d, c.me, mine, b if is_sisters else a),
                _kin_now(d, c.x, b if is_sisters else old, old if is_sisters else b, 1),
            ),
        )

    return sketch(is_sisters=True), sketch(is_sisters=False)


def implied(d: Domain, c: Cast) -> Pair:
    """An own door bell in B tells of a move without the word; a guest's window in B tells of none."""
    return _moved_sketch(d, c, f"{d}.look"), _untouched(d, c, f"{d}.look_guest", is_event=True)


def hypothetical(d: Domain, c: Cast) -> Pair:
    """What might be changes nothing; what was done does."""
    return _untouched(d, c, f"{d}.might", is_event=False), _moved_sketch(d, c, f"{d}.moved")


def _untouched(d: Domain, c: Cast, phrase: str, *, is_event: bool) -> Sketch:
    """The owner has the first place, and what the phrase says of the second changes nothing."""
    a, b = c.places[:2]
    return Sketch(
        me=c.me,
        steps=(
            _has(d, c, is_over=False),
            step(phrase, c.times[1], remark("s2", c.me, kind="event" if is_event else "state"), me=c.me, b=b),
        ),
        slots=(slot(d, c.me, "s1", period(a, by(c.times[0]))),),
        relations=(relation("s2", "unrelated", "s1"),),
        asks=(_now(d, c.me, a, b), _premise(d, c.me, a, b)),
    )


def temporary(d: Domain, c: Cast) -> Pair:
    """Until a month that is named, something else is so as well; for good, it takes the old one's place."""
    a, b = c.places[:2]
    t0, t1 = c.times[:2]
    until = c.between[1]
    stay = {"city": "staying_in", "boat": "boat_lent_in"}[d]
    lent = replace(told(d, "s2", c.me, b, "past", until=until), attribute=stay)
    of_stay = replace(slot(d, c.me, "s2", period(b, by(t1), in_month(until))), attribute=stay)
    plain = Sketch(
        me=c.me,
        steps=(
            _has(d, c, is_over=False),
            step(f"{d}.stay", t1, lent, until=until, me=c.me, b=b),
        ),
        slots=(slot(d, c.me, "s1", period(a, by(t0))), of_stay),
        relations=(relation("s2", "coexists", "s1"),),
        asks=(_now(d, c.me, a, b), _premise(d, c.me, a, b)),
    )
    return plain, _moved_sketch(d, c, f"{d}.for_good")


def out_of_order(d: Domain, c: Cast) -> Pair:
    """What is told later may have been earlier: by its months it is history, or it is the present."""
    a, b = c.places[:2]
    t0, t1 = c.times[:2]
    near, far, later = c.past[0], c.past[2], c.between[0]

    def first(*, is_over: bool) -> Step:
        state = told(d, "s1", c.me, b, "past" if is_over else "holds", since=near)
        return step(f"{d}.has_since", t0, state, since=near, me=c.me, a=b)

    before = told(d, "s2", c.me, a, "past", since=far, until=near)
    plain = Sketch(
        me=c.me,
        steps=(
            first(is_over=False),
            step(f"{d}.before", t1, before, since=far, until=near, me=c.me, a=a),
        ),
        slots=(slot(d, c.me, "s1 s2", period(a, in_month(far), in_month(near)), period(b, in_month(near))),),
        relations=(relation("s2", "coexists", "s1"),),
        asks=(
            _now(d, c.me, b, a),
            ask("as_of", f"{d}.as_of", a, b, as_of=c.past[1], me=c.me),
            ask("when", f"{d}.when", b, start=in_month(near), me=c.me, v=b),
            ask("history", f"{d}.history", (a, b), me=c.me),
        ),
    )
    now = told(d, "s2", c.me, a, "holds", since=later)
    twin = Sketch(
        me=c.me,
        steps=(first(is_over=True), step(f"{d}.since_now", t1, now, since=later, me=c.me, a=b, b=a)),
        slots=(
            slot(d, c.me, "s1 s2", period(b, in_month(near), in_month(later)), period(a, in_month(later))),
        ),
        relations=(relation("s2", "supersedes", "s1"),),
        asks=(
            _now(d, c.me, a, b),
            ask("as_of", f"{d}.as_of", b, a, as_of=t0, me=c.me),
            ask("history", f"{d}.history", (b, a), me=c.me),
        ),
    )
    return plain, twin


def conflict(d: Domain, c: Cast) -> Pair:
    """Two people of equal standing contradict each other in one minute: nobody wins; one who corrects
    herself wins over what she said before."""
    return _conflict(d, c, gap=timedelta(0))


def conflict_later(d: Domain, c: Cast) -> Pair:
    """To be contradicted by another person an hour later proves nothing either; to correct oneself does."""
    return _conflict(d, c, gap=HOUR)


def _conflict(d: Domain, c: Cast, *, gap: timedelta) -> Pair:
    a, b = c.places[:2]
    t0, since = c.times[0], c.past[0]

    def said(phrase: str, claim: Told, late: timedelta, speaker: str, place: str) -> Step:
        at = t0 + late
        return step(f"{d}.{phrase}", at, claim, since=since, speaker=speaker, x=c.x, a=place, b=b)

    def claim(key: str, value: str, state: State) -> Told:
        return told(d, key, c.x, value, state, since=since)

    at_once = timedelta(0)
    plain = Sketch(
        me=c.me,
        steps=(
            said("said_of", claim("s1", a, "disputed"), at_once, c.y, a),
            said("said_of", claim("s2", b, "disputed"), gap, c.z, b),
        ),
        slots=(slot(d, c.x, "s1 s2"),),
        relations=(relation("s2", "disputes", "s1"),),
        asks=(_kin_now(d, c.x, (a, b), (), 0),),
    )
    twin = Sketch(
        me=c.me,
        steps=(
            said("said_of", claim("s1", a, "never"), at_once, c.y, a),
            said("said_fix", claim("s2", b, "holds"), gap or MINUTE, c.y, a),
        ),
        slots=(slot(d, c.x, "s1 s2", period(b, in_month(since))),),
        relations=(relation("s2", "corrects", "s1"),),
        asks=(_kin_now(d, c.x, b, a, 0),),
    )
    return plain, twin


def chain(d: Domain, c: Cast) -> Pair:
    """Of four places the last holds and each had its time; a fourth that came to nothing leaves the third."""
    a, b, e, f = c.places
    t0, t1, t2, t3 = c.times[:4]

    def moves(*, is_last: bool) -> tuple[Step, ...]:
        return (
            _has(d, c, is_over=True),
            step(f"{d}.moved", t1, told(d, "s2", c.me, b, "past"), me=c.me, b=b),
            step(f"{d}.moved", t2, told(d, "s3", c.me, e, "holds" if is_last else "past"), me=c.me, b=e),
        )

    early = (period(a, by(t0), by(t1)), period(b, by(t1), by(t2)))
    order = [relation(n, "supersedes", o) for o, n in (("s1", "s2"), ("s2", "s3"), ("s1", "s3"))]
    looks_back = (
        ask("as_of", f"{d}.as_of", a, (b, e, f), as_of=c.between[0], me=c.me),
        ask("as_of", f"{d}.as_of", b, (a, e, f), as_of=c.between[1], me=c.me),
        ask("known_at", f"{d}.current", b, (a, e, f), known_after=2, me=c.me),
    )
    plain = Sketch(
        me=c.me,
        steps=(
            *moves(is_last=False),
            step(f"{d}.moved", t3, told(d, "s4", c.me, f, "holds"), me=c.me, b=f),
        ),
        slots=(slot(d, c.me, "s1 s2 s3 s4", *early, period(e, by(t2), by(t3)), period(f, by(t3))),),
        relations=(*order, *(relation("s4", "supersedes", old) for old in ("s1", "s2", "s3"))),
        asks=(
            _now(d, c.me, f, (a, b, e)),
            *looks_back,
            ask("as_of", f"{d}.as_of", e, (a, b, f), as_of=c.between[2], me=c.me),
            ask("history", f"{d}.history", (a, b, e, f), me=c.me),
        ),
    )
    twin = Sketch(
        me=c.me,
        steps=(*moves(is_last=True), step(f"{d}.not_moved", t3, remark("s4", c.me), me=c.me, b=f)),
        slots=(slot(d, c.me, "s1 s2 s3", *early, period(e, by(t2))),),
        relations=tuple(order),
        asks=(
            _now(d, c.me, e, (a, b, f)),
            *looks_back,
            ask("history", f"{d}.history", (a, b, e), me=c.me),
        ),
    )
    return plain, twin


def ended(d: Domain, c: Cast) -> Pair:
    """ "No longer" ends the place though no other is named; "it is not true that no longer" confirms it."""
    a = c.places[0]
    t0, t1 = c.times[:2]
    plain = Sketch(
        me=c.me,
        steps=(
            _has(d, c, is_over=True),
            step(f"{d}.ended", t1, told(d, "s2", c.me, a, "unscored", ended=True), me=c.me, a=a),
        ),
        slots=(slot(d, c.me, "s1 s2", period(a, by(t0), by(t1))),),
        relations=(relation("s2", "ends", "s1"),),
        asks=(ask("history", f"{d}.history", (a,), me=c.me),),
    )
    twin = Sketch(
        me=c.me,
        steps=(
            _has(d, c, is_over=False),
            step(f"{d}.still", t1, told(d, "s2", c.me, a, "holds"), me=c.me, a=a),
        ),
        slots=(slot(d, c.me, "s1 s2", period(a, by(t0))),),
        relations=(relation("s2", "same", "s1"),),
        asks=(_now(d, c.me, a, ()), ask("history", f"{d}.history", (a,), me=c.me)),
    )
    return plain, twin


def repeat(d: Domain, c: Cast) -> Pair:
    """The same in other words is one fact; the same of a sister is another one."""
    a = c.places[0]
    t0, t1 = c.times[:2]
    plain = Sketch(
        me=c.me,
        steps=(
            _has(d, c, is_over=False),
            step(f"{d}.same", t1, told(d, "s2", c.me, a, "holds"), me=c.me, a=a),
        ),
        slots=(slot(d, c.me, "s1 s2", period(a, by(t0))),),
        relations=(relation("s2", "same", "s1"),),
        asks=(_now(d, c.me, a, ()), ask("history", f"{d}.history", (a,), me=c.me)),
    )
    twin = Sketch(
        me=c.me,
        steps=(
            _has(d, c, is_over=False),
            step(f"{d}.kin_same", t1, told(d, "s2", c.x, a, "holds"), me=c.me, x=c.x, a=a),
        ),
        slots=(slot(d, c.me, "s1", period(a, by(t0))), slot(d, c.x, "s2", period(a, by(t1)))),
        relations=(relation("s2", "unrelated", "s1"),),
        asks=(_now(d, c.me, a, ()), _kin_now(d, c.x, a, (), 1)),
    )
    return plain, twin
