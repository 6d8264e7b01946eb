"""Kinds about slots of several values, other subjects, and what no slot says."""

from __future__ import annotations

from typing import Literal

from bench.testbed.cast import Cast, Four
from bench.testbed.sketching import Pair, ask, by, period, relation, remark, slot, step, told
from bench.testbed.story import Ask, Period, ProbeKind, Sketch, SlotGold, State, Told

CLUB, STAGING, TEST = "rowing club", "staging database", "test database"


def _told(key: str, subject: str, attribute: str, value: str, state: State) -> Told:
    return Told(key=key, subject=subject, attribute=attribute, value=value, cardinality="single", state=state)


def _slot(subject: str, attribute: str, tells: str, *periods: Period) -> SlotGold:
    return SlotGold(
        subject=subject,
        attribute=attribute,
        cardinality="single",
        periods=periods,
        tells=tuple(tells.split()),
    )


def coexist_dogs(c: Cast) -> Pair:
    """Another dog joins the first; another dog after the first was given away takes its place."""
    return _coexist(c, "pet", "pet", c.dogs)


def coexist_courses(c: Cast) -> Pair:
    """Another course is taken beside the first; another one after the first was dropped takes its place."""
    return _coexist(c, "course", "takes_course", c.courses)


def _coexist(c: Cast, domain: Literal["pet", "course"], attribute: str, values: Four) -> Pair:
    a, b = values[:2]
    t0, t1 = c.times[:2]

    def one(key: str, value: str, state: State, *, ended: bool = False) -> Told:
        return Told(
            key=key,
            subject=c.me,
            attribute=attribute,
            value=value,
            cardinality="multi",
            state=state,
            ended=ended,
            says="says2" if ended else "says",
        )

    def all_of(tells: str, *periods: Period) -> SlotGold:
        return SlotGold(
            subject=c.me,
            attribute=attribute,
            cardinality="multi",
            periods=periods,
            tells=tuple(tells.split()),
        )

    plain = Sketch(
        me=c.me,
        steps=(
            step(f"{domain}.has", t0, one("s1", a, "holds"), me=c.me, a=a),
            step(f"{domain}.also", t1, one("s2", b, "holds"), me=c.me, b=b),
        ),
        slots=(all_of("s1 s2", period(a, by(t0)), period(b, by(t1))),),
        relations=(relation("s2", "coexists", "s1"),),
        asks=(
            ask("current", f"{domain}.current", (a, b), me=c.me),
            ask("count", f"{domain}.count", (a, b), count=2, me=c.me),
        ),
    )
    gone = one("s3", a, "unscored", ended=True)
    twin = Sketch(
        me=c.me,
        steps=(
            step(f"{domain}.has", t0, one("s1", a, "past"), me=c.me, a=a),
            step(f"{domain}.swapped", t1, one("s2", b, "holds"), gone, me=c.me, a=a, b=b),
        ),
        slots=(all_of("s1 s2 s3", period(a, by(t0), by(t1)), period(b, by(t1))),),
        relations=(relation("s2", "coexists", "s1"), relation("s3", "ends", "s1")),
        asks=(
            ask("current", f"{domain}.current", b, a, me=c.me),
            ask("count", f"{domain}.count", (b,), count=1, me=c.me),
        ),
    )
    return plain, twin


def handover(c: Cast) -> Pair:
    """Who hands the club over leads it no longer; who hands over its spare keys goes on leading it."""
    a, b = c.people[:2]
    t0, t1 = c.times[:2]
    attribute = "led_by"
    plain = Sketch(
        me=c.me,
        steps=(
            step("club.led", t0, _told("s1", CLUB, attribute, a, "past"), a=a),
            step("club.handed", t1, _told("s2", CLUB, attribute, b, "holds"), a=a, b=b),
        ),
        slots=(_slot(CLUB, attribute, "s1 s2", period(a, by(t0), by(t1)), period(b, by(t1))),),
        relations=(relation("s2", "supersedes", "s1"),),
        asks=(ask("current", "club.current", b, a), ask("history", "club.history", (a, b))),
    )
    twin = Sketch(
        me=c.me,
        steps=(
            step("club.led", t0, _told("s1", CLUB, attribute, a, "holds"), a=a),
            step("club.keys", t1, _told("s2", CLUB, "spare_keys_with", b, "holds"), a=a, b=b),
        ),
        slots=(
            _slot(CLUB, attribute, "s1", period(a, by(t0))),
            _slot(CLUB, "spare_keys_with", "s2", period(b, by(t1))),
        ),
        relations=(relation("s2", "unrelated", "s1"),),
        asks=(ask("current", "club.current", a, b),),
    )
    return plain, twin


def propagated(c: Cast) -> Pair:
    """A walk from the flat in A ends with the move to B; a habit that no place bears goes on."""
    a, b = c.places[:2]
    t0, t1, t2 = c.times[:3]

    def sketch(phrase: str, state: State, *more: Ask) -> Sketch:
        rest = Told(key="s2", subject=c.me, state=state)
        own = slot("city", c.me, "s1 s3", period(a, by(t0), by(t2)), period(b, by(t2)))
        return Sketch(
            me=c.me,
            steps=(
                step("city.has", t0, told("city", "s1", c.me, a, "past"), me=c.me, a=a),
                step(phrase, t1, rest, me=c.me, a=a),
                step("city.moved", t2, told("city", "s3", c.me, b, "holds"), me=c.me, b=b),
            ),
            slots=(own,),
            relations=(
                relation("s3", "supersedes", "s1"),
                relation("s3", "ends" if state == "stale" else "unrelated", "s2"),
            ),
            asks=(*more, ask("current", "city.current", b, a, me=c.me)),
        )

    stale = ask("known_at", "commute.current", a, (), known_after=2, me=c.me)
    return sketch("commute.way", "stale", stale), sketch("commute.habit", "holds")


def forget(c: Cast) -> Pair:
    """What someone asks to forget must not be shown again; what someone asks not to forget must."""
    number = c.phones[0]
    t0, t1 = c.times[:2]

    def sketch(phrase: str, state: State, question: Ask) -> Sketch:
        mine = _told("s1", c.me, "phone_number", number, state)
        must: tuple[ProbeKind, ...] = (question.kind,)
        is_kept = state == "holds"
        return Sketch(
            me=c.me,
            steps=(
                step("phone.mine", t0, mine, me=c.me, a=number),
                step(phrase, t1, remark("s2", c.me, kind="event"), me=c.me),
            ),
            slots=(_slot(c.me, "phone_number", "s1", period(number, by(t0))),) if is_kept else (),
            relations=(relation("s2", "unrelated" if is_kept else "ends", "s1"),),
            asks=(question,),
            must=must,
            is_ordered=True,
        )

    hidden = ask("unanswerable", "phone.current", (), number, me=c.me)
    shown = ask("answerable", "phone.current", number, (), me=c.me)
    return sketch("phone.forget", "hidden", hidden), sketch("phone.keep", "holds", shown)


def abstain(c: Cast) -> Pair:
    """Nobody told the number of one sister, only the other's; where it was told, it is the answer."""
    number, t0 = c.phones[0], c.times[0]

    def sketch(whose: str, question: Ask) -> Sketch:
        return Sketch(
            me=c.me,
            steps=(
                step("phone.kin", t0, _told("s1", whose, "phone_number", number, "holds"), x=whose, a=number),
            ),
            slots=(_slot(whose, "phone_number", "s1", period(number, by(t0))),),
            asks=(question,),
            must=(question.kind,),
        )

    untold = ask("unanswerable", "phone.kin", x=c.y)
    return sketch(c.x, untold), sketch(c.y, ask("answerable", "phone.kin", number, x=c.y))


def look_alike(c: Cast) -> Pair:
    """Two databases on two ports, one digit apart, are two facts; one database has one port at a time."""
    a, b = c.ports[:2]
    t0, t1 = c.times[:2]
    attribute = "listens_on_port"
    plain = Sketch(
        me=c.me,
        steps=(
            step("port.stage", t0, _told("s1", STAGING, attribute, a, "holds"), a=a),
            step("port.test", t1, _told("s2", TEST, attribute, b, "holds"), b=b),
        ),
        slots=(
            _slot(STAGING, attribute, "s1", period(a, by(t0))),
            _slot(TEST, attribute, "s2", period(b, by(t1))),
        ),
        relations=(relation("s2", "unrelated", "s1"),),
        asks=(ask("current", "port.current", a, b),),
    )
    twin = Sketch(
        me=c.me,
        steps=(
            step("port.stage", t0, _told("s1", STAGING, attribute, a, "past"), a=a),
            step("port.stage_now", t1, _told("s2", STAGING, attribute, b, "holds"), b=b),
        ),
        slots=(_slot(STAGING, attribute, "s1 s2", period(a, by(t0), by(t1)), period(b, by(t1))),),
        relations=(relation("s2", "supersedes", "s1"),),
        asks=(ask("current", "port.current", b, a),),
    )
    return plain, twin


def refine(c: Cast) -> Pair:
    """The same harbour with its berth says more of the same; another harbour with a berth is a change."""
    a, b = c.places[:2]
    t0, t1 = c.times[:2]

    def sketch(harbour: str, *, is_same: bool) -> Sketch:
        first = told("boat", "s1", c.me, a, "holds" if is_same else "past")
        change = () if is_same else (period(b, by(t1)),)
        own = slot("boat", c.me, "s1 s2", period(a, by(t0), None if is_same else by(t1)), *change)
        return Sketch(
            me=c.me,
            steps=(
                step("boat.has", t0, first, me=c.me, a=a),
                step(
                    "boat.berth",
                    t1,
                    told("boat", "s2", c.me, harbour, "holds"),
                    me=c.me,
                    a=harbour,
                    n=c.berth,
                ),
            ),
            slots=(own,),
            relations=(relation("s2", "refines" if is_same else "supersedes", "s1"),),
            asks=(ask("current", "boat.current", c.berth if is_same else b, () if is_same else a, me=c.me),),
        )

    return sketch(a, is_same=True), sketch(b, is_same=False)


def namesake(c: Cast) -> Pair:
    """A boss who bears the aunt's name moves alone; when the aunt moves, her old place is over."""
    a, b = c.places[:2]
    t0, t1 = c.times[:2]
    aunt, boss = f"{c.x} (aunt)", f"{c.x} (boss)"

    def sketch(mover: str, phrase: str) -> Sketch:
        is_aunt = mover == aunt
        change = (period(b, by(t1)),)
        of_aunt = slot(
            "city",
            aunt,
            "s1 s2" if is_aunt else "s1",
            period(a, by(t0), by(t1) if is_aunt else None),
            *(change if is_aunt else ()),
        )
        return Sketch(
            me=c.me,
            steps=(
                step(
                    "namesake.aunt_has",
                    t0,
                    told("city", "s1", aunt, a, "past" if is_aunt else "holds"),
                    me=c.me,
                    x=c.x,
                    a=a,
                ),
                step(phrase, t1, told("city", "s2", mover, b, "holds"), me=c.me, x=c.x, b=b),
            ),
            slots=(of_aunt,) if is_aunt else (of_aunt, slot("city", boss, "s2", *change)),
            relations=(relation("s2", "supersedes" if is_aunt else "unrelated", "s1"),),
        )

    return sketch(boss, "namesake.boss_moved"), sketch(aunt, "namesake.aunt_moved")


def cross_slot(c: Cast) -> Pair:
    """When the firm moves, its office is elsewhere and the owner's home is not; with the firm, it is."""
    a, b = c.places[:2]
    t0, t1 = c.times[:2]

    def sketch(moved: Told, phrase: str, *, is_own: bool) -> Sketch:
        change = period(b, by(t1))
        home = slot(
            "city",
            c.me,
            "s1 s2" if is_own else "s1",
            period(a, by(t0), by(t1) if is_own else None),
            *((change,) if is_own else ()),
        )
        return Sketch(
            me=c.me,
            steps=(
                step(
                    "city.has", t0, told("city", "s1", c.me, a, "past" if is_own else "holds"), me=c.me, a=a
                ),
                step(phrase, t1, moved, me=c.me, x=c.firm, b=b),
            ),
            slots=(home,) if is_own else (home, _slot(c.firm, "office_in", "s2", change)),
            relations=(relation("s2", "supersedes" if is_own else "unrelated", "s1"),),
            asks=(ask("current", "city.current", b if is_own else a, a if is_own else b, me=c.me),),
        )

    office = _told("s2", c.firm, "office_in", b, "holds")
    return (
        sketch(office, "firm.moved", is_own=False),
        sketch(told("city", "s2", c.me, b, "holds"), "firm.with", is_own=True),
    )
