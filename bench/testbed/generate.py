"""From dials to stories: the same seed gives the same bytes on every machine."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256

from bench.model import Case, Dataset, Gold, Question, Role, Statement, Turn, TurnId
from bench.testbed.cast import OTHERS, PLACES, choose, draw_cast, shuffled
from bench.testbed.dials import Dials, Language
from bench.testbed.kinds import KINDS
from bench.testbed.story import (
    HALVES,
    Ask,
    GoldStatement,
    Half,
    Probe,
    Sketch,
    Step,
    Story,
    Told,
)
from bench.testbed.wording import Lexicon, load_lexicon

ASKED_AT = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
FILLER_GAP = timedelta(minutes=1)


def generate(dials: Dials) -> list[Story]:
    """All stories of the dials, plain half before twin, kind by kind."""
    stories: list[Story] = []
    for number, name in enumerate(dials.kinds):
        for n in range(dials.stories):
            language = dials.languages[(number + n) % len(dials.languages)]
            stories += _pair(dials, name, n, language)
    return stories


def _pair(dials: Dials, name: str, n: int, language: Language) -> Iterator[Story]:
    """Both halves, of one cast and told with the same luck."""
    pair = f"{name}-{language}-{n}"
    cast = draw_cast(random.Random(f"{dials.seed}|{pair}|cast"))
    for half, sketch in zip(HALVES, KINDS[name].build(cast), strict=True):
        teller = Teller(dials, sketch, load_lexicon(language), random.Random(f"{dials.seed}|{pair}|words"))
        yield teller.story(name, pair, half)


@dataclass(frozen=True, slots=True)
class Draft:
    """A turn before it has its id, with what it tells."""

    turn: Turn
    told: tuple[tuple[Told, Statement], ...] = ()
    is_filler: bool = True


class Teller:
    """Tells one sketch in one language."""

    def __init__(self, dials: Dials, sketch: Sketch, lexicon: Lexicon, rng: random.Random) -> None:
        self._dials = dials
        self._sketch = sketch
        self._lexicon = lexicon
        self._rng = rng

    def story(self, kind: str, pair: str, half: Half) -> Story:
        """The whole story; its turns are in the order in which they are fed."""
        sketch, story_id = self._sketch, f"{pair}-{half}"
        drafts = self._fed_order([self._numbered(n, d) for n, d in enumerate(self._all_turns())])
        turns = tuple(d.turn for d in drafts)
        gold = [_gold(d, told, said) for d in drafts if not d.is_filler for told, said in d.told]
        filler = [_gold(d, told, said) for d in drafts if d.is_filler for told, said in d.told]
        statements = tuple(sorted(gold, key=lambda g: g.key))
        steps = sorted((d for d in drafts if not d.is_filler), key=lambda d: d.told[0][0].key)
        probes = tuple(self._probe(ask, [d.turn.id for d in steps]) for ask in self._asked())
        questions = tuple(
            _question(f"q{n}", p, statements, after=len(turns))
            for n, p in enumerate(probes)
            if p.kind != "known_at"
        )
        return Story(
            id=story_id,
            pair=pair,
            kind=kind,
            half=half,
            language=self._lexicon.language,
            case=Case(id=story_id, owner=story_id, turns=turns, questions=questions),
            statements=statements,
            slots=sketch.slots,
            relations=sketch.relations,
            probes=probes,
            must=sketch.must,
            is_ordered=sketch.is_ordered,
            filler={g.key: g for g in filler},
        )

    def _asked(self) -> Sequence[Ask]:
        """What may be asked. What was known when is fixed only if things are told in their order."""
        is_moved = (self._dials.permute or self._dials.late) and not self._sketch.is_ordered
        return [a for a in self._sketch.asks if a.kind != "known_at" or not is_moved]

    def _all_turns(self) -> Iterator[Draft]:
        if self._dials.namesakes:
            yield self._namesake()
        for n, step in enumerate(self._sketch.steps):
            yield from self._filler(n, step.at)
            yield self._step(n, step)

    def _numbered(self, n: int, draft: Draft) -> Draft:
        turn = draft.turn
        numbered = Turn(
            id=f"t{n}",
            session=turn.session,
            speaker=turn.speaker,
            role=turn.role,
            text=turn.text,
            at=turn.at,
            statements=tuple(said for _, said in draft.told),
        )
        told = draft.told
        if draft.is_filler:
            told = tuple((_filler_told(f"f{n}", said), said) for _, said in draft.told)
        return Draft(numbered, told, draft.is_filler)

    def _fed_order(self, drafts: list[Draft]) -> list[Draft]:
        if self._sketch.is_ordered:
            return drafts
        if self._dials.permute:
            return shuffled(self._rng, drafts)
        if self._dials.late:
            first = next(d for d in drafts if not d.is_filler)
            return [d for d in drafts if d is not first] + [first]
        return drafts

    def _step(self, n: int, step: Step) -> Draft:
        phrase = self._lexicon.phrases[step.phrase]
        dates = {
            "since": self._lexicon.name_month(step.since),
            "until": self._lexicon.name_month(step.until),
        }
        fill = {**step.fill, **dates}
        text = phrase.turn(self._dials.wording, self._rng).format(**fill)
        told = tuple(
            (t, _statement(t, phrase.statement(t.says, self._dials.wording, self._rng).format(**fill)))
            for t in step.told
        )
        return Draft(self._turn(f"s{n}", step.at, text, speaker=step.speaker), told, is_filler=False)

    def _filler(self, n: int, until: datetime) -> Iterator[Draft]:
        count = self._dials.filler
        for k in range(count):
            yield self._filler_turn(f"s{n}", until - FILLER_GAP * (count - k))

    def _filler_turn(self, session: str, at: datetime) -> Draft:
        grammar, luck = self._lexicon.filler, self._rng.random()
        if luck < 0.4:
            return Draft(self._turn(session, at, choose(self._rng, grammar.talk)))
        if luck < 0.65:
            return Draft(self._turn(session, at, choose(self._rng, grammar.reply), role="assistant"))
        who = choose(self._rng, OTHERS)
        text = choose(self._rng, grammar.facts).format(
            who=who, thing=choose(self._rng, grammar.things), colour=choose(self._rng, grammar.colours)
        )
        said = Statement(text=text, subject=who, kind="event")
        return Draft(self._turn(session, at, text), ((_filler_told("f", said), said),))

    def _namesake(self) -> Draft:
        """Somebody else of the owner's name, who lives where nobody of the story does."""
        me = self._sketch.me
        phrase = self._lexicon.phrases["namesake.filler"]
        used = {v for s in self._sketch.steps for v in s.fill.values()}
        used |= {v for a in self._sketch.asks for v in a.fill.values()}
        fill = {"me": me, "c": next(place for place in PLACES if place not in used)}
        said = Statement(
            text=phrase.says[0].format(**fill),
            subject=f"{me} (neighbour)",
            attribute="lives_in",
            value=fill["c"],
            cardinality="single",
        )
        at = self._sketch.steps[0].at - timedelta(days=1)
        text = phrase.turn(self._dials.wording, self._rng).format(**fill)
        return Draft(self._turn("s0", at, text), ((_filler_told("f", said), said),))

    def _turn(
        self, session: str, at: datetime, text: str, *, role: Role = "user", speaker: str | None = None
    ) -> Turn:
        name = None if role == "assistant" else speaker or self._sketch.me
        return Turn(id="", session=session, speaker=name, role=role, text=text, at=at)

    def _probe(self, ask: Ask, steps: Sequence[TurnId]) -> Probe:
        fill = {**ask.fill, "when": self._lexicon.name_month(ask.as_of)}
        return Probe(
            kind=ask.kind,
            text=self._lexicon.questions[ask.question].format(**fill),
            right=ask.right,
            wrong=ask.wrong,
            as_of=ask.as_of,
            known_after=None if ask.known_after is None else steps[ask.known_after - 1],
            start=ask.start,
            count=ask.count,
            slot=ask.slot,
        )


def _filler_told(key: str, said: Statement) -> Told:
    return Told(key=key, subject=said.subject, state="holds", value=said.value, attribute=said.attribute)


def _statement(told: Told, text: str) -> Statement:
    return Statement(
        text=text,
        subject=told.subject,
        attribute=told.attribute,
        value=told.value,
        cardinality=told.cardinality,
        kind=told.kind,
        valid_from=_written(told.since),
        valid_to=_written(told.until),
        ended=told.ended,
    )


def _written(month: datetime | None) -> str | None:
    return None if month is None else f"{month.year:04}-{month.month:02}"


def _gold(draft: Draft, told: Told, said: Statement) -> GoldStatement:
    return GoldStatement(key=told.key, turn=draft.turn.id, at=draft.turn.at, statement=said, state=told.state)


def _question(id: str, probe: Probe, statements: Sequence[GoldStatement], *, after: int) -> Question:
    """The probe as any system is asked it: in words alone."""
    is_answerable = probe.kind != "unanswerable"
    by_value: dict[str, set[TurnId]] = {}
    for s in statements:
        by_value.setdefault(s.statement.value or "", set()).add(s.turn)
    over = {s.turn for s in statements if s.state in ("past", "never") and s.statement.value in probe.wrong}
    is_now = probe.kind in ("current", "premise")
    gold = Gold(
        evidence=tuple(frozenset(by_value[v]) for v in probe.right if v in by_value),
        answers=probe.right,
        must_show=probe.right,
        must_not_show=() if is_answerable else probe.wrong,
        stale=frozenset(over) if is_now else frozenset(),
        fresh=frozenset(t for v in probe.right for t in by_value.get(v, ())) if is_now else frozenset(),
        is_answerable=is_answerable,
    )
    return Question(id=id, text=probe.text, category=probe.kind, asked_at=ASKED_AT, after=after, gold=gold)


def as_dataset(stories: Sequence[Story]) -> Dataset:
    """The stories as any other dataset; its hash is of all that is true in them, too."""
    return Dataset(
        name="testbed",
        split="generated",
        sha256=hash_of(stories),
        licence="Apache-2.0",
        cases=[s.case for s in stories],
        notes=("generated by bench.testbed; names, places and sentences are invented",),
    )


def hash_of(stories: Sequence[Story]) -> str:
    """SHA-256 of the canonical JSON of the stories."""
    text = json.dumps([_plain(s) for s in stories], ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode("utf-8")).hexdigest()


def _plain(value: object) -> object:
    """Mappings, lists, texts and numbers only; sets in order."""
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, frozenset | set):
        return sorted(str(v) for v in value)
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return value.isoformat() if isinstance(value, datetime) else value
