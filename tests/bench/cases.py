"""A small invented dataset for the tests of the harness."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from bench.model import Case, Dataset, Gold, Question, Statement, Turn

START = datetime(2024, 3, 1, 9, 0, tzinfo=UTC)
SAID = (
    ("s1", "Ilse", "I keep bees behind the mill."),
    ("s1", "Ilse", "My hives are painted blue."),
    ("s1", "Marek", "I restore old clocks."),
    ("s2", "Ilse", "The hives are painted green now."),
    ("s2", "Marek", "The tower clock in Olmen runs again."),
    ("s3", "Marek", "Ilse gave me honey for the repair."),
)


def turns() -> tuple[Turn, ...]:
    """Six turns t1 to t6 in three sessions, an hour apart."""
    return tuple(
        Turn(
            id=f"t{n}",
            session=session,
            speaker=speaker,
            role="user",
            text=text,
            at=START + timedelta(hours=n),
            statements=(Statement(text=f"{speaker}: {text}", subject=speaker),),
        )
        for n, (session, speaker, text) in enumerate(SAID, start=1)
    )


def gold(*evidence: str) -> Gold:
    return Gold(evidence=tuple(frozenset({e}) for e in evidence))


def question(
    number: int,
    text: str,
    wanted: Gold,
    *,
    after: int = 6,
    category: str = "plain",
    audited: Gold | None = None,
) -> Question:
    return Question(
        id=f"q{number}",
        text=text,
        category=category,
        asked_at=START + timedelta(days=1),
        after=after,
        gold=wanted,
        audited=audited,
    )


def dataset() -> Dataset:
    """One case: four questions, one after three turns, one about what changed, one without an answer."""
    changed = Gold(
        evidence=(frozenset({"t4"}),),
        stale=frozenset({"t2"}),
        fresh=frozenset({"t4"}),
        must_show=("green",),
        must_not_show=("blue",),
    )
    questions = (
        question(1, "Where does Ilse keep bees?", gold("t1"), after=3),
        question(2, "What colour are the hives painted?", changed, category="changed"),
        question(3, "Which clocks did Marek repair in March 2024?", gold("t3", "t5"), category="several"),
        question(4, "Who owns the submarine?", Gold(is_answerable=False), category="none"),
    )
    case = Case(id="c1", owner="ilse", turns=turns(), questions=questions)
    return Dataset(name="invented", split="generated", sha256="0" * 64, licence="ours", cases=(case,))
