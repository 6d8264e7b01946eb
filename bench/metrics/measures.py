"""The measures of one question, by name. None where a measure does not apply to the question."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from bench.datasets.fact_reader import FoundFact, answer
from bench.metrics.ranking import (
    all_at,
    any_at,
    first_places,
    ndcg_at,
    places,
    recall_at,
    reciprocal_rank,
)
from bench.metrics.record import Answered

SHOWN = 10
_FRAME = re.compile(r"\A(?:\d{4}-\d{2}-\d{2}|\d{1,2} [A-Z][a-z]+ \d{4}) | \[[a-z]+(?: until [\d-]+)?\]\Z")
OfQuestion = Callable[[Answered], "float | None"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """what: for the table's legend. is_share: shown as percent. is_better_low: less is better."""

    name: str
    what: str
    of: OfQuestion
    is_share: bool = True
    is_better_low: bool = False


def turn_ranks(question: Answered) -> list[int | None]:
    """The places of the evidence among the turns that came back."""
    return first_places(places(item.turns for item in question.items), question.gold.evidence)


def session_ranks(question: Answered) -> list[int | None]:
    """The places of the gold sessions among the sessions that came back, each where it first appears."""
    wanted = [frozenset({session}) for session in sorted(question.gold.sessions)]
    return first_places(places(item.sessions for item in question.items), wanted)


def shown_text(question: Answered, count: int = SHOWN) -> str:
    """The words of the first items, as a reader gets them."""
    return "\n".join(item.text or "" for item in question.items[:count])


def holds(text: str, phrase: str) -> bool:
    """True if the phrase stands in the text as whole words, in any case and spacing."""
    words = r"\s+".join(re.escape(word) for word in phrase.casefold().split())
    return re.search(rf"(?<!\w){words}(?!\w)", text.casefold()) is not None


def _on_turns(of: Callable[[Sequence[int | None]], float], question: Answered) -> float | None:
    return of(turn_ranks(question)) if question.gold.evidence else None


def _on_sessions(of: Callable[[Sequence[int | None]], float], question: Answered) -> float | None:
    return of(session_ranks(question)) if question.gold.sessions else None


def shows(question: Answered) -> float | None:
    """1.0 if everything that must be shown is."""
    if not question.gold.must_show:
        return None
    text = shown_text(question)
    return float(all(holds(text, phrase) for phrase in question.gold.must_show))


def leaks(question: Answered) -> float | None:
    """1.0 if anything that must not be shown is."""
    if not question.gold.must_not_show:
        return None
    text = shown_text(question)
    return float(any(holds(text, phrase) for phrase in question.gold.must_not_show))


def clean(question: Answered) -> float | None:
    """1.0 if all that must be shown is, and nothing that must not."""
    shown, leaked = shows(question), leaks(question)
    if shown is None and leaked is None:
        return None
    return float(shown != 0.0 and leaked != 1.0)


def exposes_stale(question: Answered) -> float | None:
    """1.0 if a superseded turn is in the first 10 places, marked as such or not."""
    if not question.gold.stale:
        return None
    first = places(item.turns for item in question.items)[:SHOWN]
    return float(any(turn in question.gold.stale for turn in first))


def newest_first(question: Answered) -> float | None:
    """1.0 if a turn that replaced a superseded one stands above every superseded one.

    Of questions that what replaced them answers: where it is evidence.
    """
    gold = question.gold
    evidence = frozenset[str]().union(*gold.evidence)
    if not gold.stale or not gold.fresh & evidence:
        return None
    listed = places(item.turns for item in question.items)
    fresh, stale = first_places(listed, [gold.fresh, gold.stale])
    return float(fresh is not None and (stale is None or fresh < stale))


def tokens(question: Answered) -> float | None:
    """WordPiece tokens of the first 10 items."""
    return float(sum(item.tokens or 0 for item in question.items[:SHOWN]))


def reader_right(question: Answered) -> float | None:
    """1.0 if the reader in code (`datasets.fact_reader`) draws an accepted answer from the first 20 items."""
    if not question.dataset.startswith("factconsolidation"):
        return None
    found = [
        FoundFact(id=item.turns[0], text=_FRAME.sub("", item.text or ""))
        for item in question.items
        if item.turns and item.text is not None
    ]
    return float(answer(question.text, found) in question.gold.answers)


def _ranked(
    level: str, on: Callable[[Callable[[Sequence[int | None]], float], Answered], float | None]
) -> list[Measure]:
    """any, all and share of the evidence at several depths, MRR and nDCG, for turns or sessions."""
    measures = []
    for k in (1, 3, 5, 10, 20):
        for short, of, what in (
            ("any", any_at, "any evidence in"),
            ("all", all_at, "all evidence in"),
            ("R", recall_at, "share of the evidence in"),
        ):
            rank = partial(of, k=k)
            name = f"{level} {short}@{k}"
            measures.append(Measure(name=name, what=f"{what} the first {k} {level}", of=partial(on, rank)))
    reciprocal = partial(on, reciprocal_rank)
    gain = partial(on, partial(ndcg_at, k=10))
    measures.append(Measure(name=f"{level} MRR", what="1 / place of the first evidence", of=reciprocal))
    measures.append(Measure(name=f"{level} nDCG@10", what="normalised discounted gain", of=gain))
    return measures


_ALL = [
    *_ranked("turns", _on_turns),
    *_ranked("sessions", _on_sessions),
    Measure(name="shows@10", what="all that must be shown is", of=shows),
    Measure(name="leaks@10", what="something that must not be shown is", of=leaks, is_better_low=True),
    Measure(name="clean@10", what="shows all it must and nothing it must not", of=clean),
    Measure(name="stale@10", what="a superseded turn is shown", of=exposes_stale, is_better_low=True),
    Measure(name="newest first", what="the newest stands above every superseded one", of=newest_first),
    Measure(name="reader right", what="the reader in code finds the answer", of=reader_right),
    Measure(name="tokens@10", what="tokens shown", of=tokens, is_share=False, is_better_low=True),
]
MEASURES: Mapping[str, Measure] = {measure.name: measure for measure in _ALL}
