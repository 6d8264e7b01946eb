"""Contract: on random histories every read equals the rule `View.shows`, and what was known then stays known.

The model of the test is a list of versions in plain Python; the store must agree with it under every view.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from perdure.core.changes import Change, LinkEntity, PutEntity, PutVersion, ShowEpisode
from perdure.core.filters import Filter, fact_record, parse_filter
from perdure.core.interval import Interval
from perdure.core.values import (
    Body,
    Entity,
    EntityId,
    EpisodeId,
    Fact,
    FactId,
    Status,
    Validity,
    Version,
    View,
)
from perdure.ports import Link, Match, Ref, Store
from perdure.testing.contract_base import (
    ANA,
    BOTH,
    EPISODES,
    FACTS,
    ContractBase,
    as_recorded,
    day,
    index,
    new_episode,
    new_fact,
    unit,
    view,
    write,
)

DAYS = 6
MANY = 99
QUERY = unit(4, 3, 2, 1)
ENTITY = EntityId("n1")


@dataclass(frozen=True, slots=True)
class Step:
    """One write: which of a few items, and what it says from then on."""

    item: int
    is_episode: bool
    status: Status
    starts: int | None
    lasts: int | None
    expires: int | None
    word: str
    keeps_text: bool


@dataclass(slots=True)
class Model:
    """What the store should hold. visible: spans of record time in which an episode could be seen."""

    versions: dict[str, list[Version]] = field(default_factory=dict)
    said_at: dict[str, datetime | None] = field(default_factory=dict)
    visible: dict[str, list[Interval]] = field(default_factory=dict)

    def shown_facts(self, seen: View) -> set[str]:
        return {i for i, versions in self.versions.items() if any(map(seen.shows, versions))}

    def shown_episodes(self, seen: View) -> set[str]:
        return {i for i, spans in self.visible.items() if self._shows_episode(seen, i, spans)}

    def _shows_episode(self, seen: View, episode_id: str, spans: Sequence[Interval]) -> bool:
        said = self.said_at[episode_id]
        is_said = seen.validity is not Validity.AT or said is None or said <= seen.valid_at
        known = seen.known_at
        return is_said and any(s.end is None if known is None else s.contains(known) for s in spans)


def steps() -> st.SearchStrategy[list[Step]]:
    offset = st.none() | st.integers(0, DAYS)
    step = st.builds(
        Step,
        item=st.integers(0, 3),
        is_episode=st.booleans(),
        status=st.sampled_from(Status),
        starts=offset,
        lasts=offset,
        expires=offset,
        word=st.sampled_from(["tea", "rum", "ale"]),
        keeps_text=st.booleans(),
    )
    return st.lists(step, min_size=1, max_size=10)


def _day_or_none(offset: int | None) -> datetime | None:
    return None if offset is None else day(offset)


def _said_body(step: Step, before: Version | None) -> Body:
    start, last = _day_or_none(step.starts), step.lasts
    end = None if last is None else (start or day(0)) + timedelta(days=last)
    kept = before.body.text if before and step.keeps_text else f"all drink {step.word} {step.word}"
    return Body(
        text=kept,
        fingerprint=kept,
        status=step.status,
        valid=Interval(start, end),
        expires_on=None if step.expires is None else day(step.expires).date(),
    )


async def _take_step(store: Store, model: Model, step: Step, number: int) -> datetime:
    taken = _episode_step if step.is_episode else _fact_step
    return await taken(store, model, step, f"step {number}")


async def _fact_step(store: Store, model: Model, step: Step, key: str) -> datetime:
    fact_id = f"f{step.item}"
    versions = model.versions.setdefault(fact_id, [])
    said = _said_body(step, versions[-1] if versions else None)
    is_same = bool(versions) and versions[-1].body.text == said.text
    vector = unit(1 + step.item, 1, len(versions), 3)
    change = PutVersion(
        fact_id=FactId(fact_id),
        body=said,
        expected=len(versions),
        index=None if is_same else index(said.text, vector),
    )
    links: list[Change] = [
        PutEntity(entity=Entity(id=ENTITY, scope=ANA, name="Drink", key="drink")),
        LinkEntity(entity_key="drink", kind="fact", item_id=fact_id),
    ]
    at = (await write(store, change, *links, key=key)).recorded_at
    if versions:
        versions[-1] = replace(versions[-1], recorded=Interval(versions[-1].recorded.start, at))
    recorded = Interval(at, None)
    versions.append(Version(fact_id=FactId(fact_id), number=len(versions) + 1, body=said, recorded=recorded))
    return at


async def _episode_step(store: Store, model: Model, step: Step, key: str) -> datetime:
    episode_id = f"e{step.item}"
    spans = model.visible.setdefault(episode_id, [])
    is_open = bool(spans) and spans[-1].end is None
    change: Change = ShowEpisode(episode_id=EpisodeId(episode_id), is_visible=not is_open)
    if not spans:
        model.said_at[episode_id] = _day_or_none(step.starts)
        text = f"I drink {step.word} and {step.word}"
        vector = unit(2, step.item, 1, 1)
        change = new_episode(episode_id, text, said_at=model.said_at[episode_id], vector=vector)
    at = (await write(store, change, key=key)).recorded_at
    if is_open:
        spans[-1] = Interval(spans[-1].start, at)
    else:
        spans.append(Interval(at, None))
    return at


def _views(times: Sequence[datetime]) -> list[View]:
    known: list[datetime | None] = [None, times[0] - timedelta(microseconds=1), *times]
    dates: list[date | None] = [None, day(3).date()]
    return [
        View(valid_at=day(at), validity=validity, known_at=known_at, unexpired_on=fresh)
        for at in (0, 3)
        for validity in Validity
        for known_at in known
        for fresh in dates
    ]


@dataclass(frozen=True, slots=True)
class Answers:
    """Everything a reader can be told under one view."""

    facts: list[Fact]
    counted: int
    by_id: list[Fact]
    filtered: list[Fact]
    episodes: list[str]
    vectors: list[Match]
    words: list[Match]
    times: list[Ref]
    links: list[Link]


PLAIN = parse_filter({"status": "active"})


async def _ask(store: Store, seen: View) -> Answers:
    page = await store.list_facts(ANA, view=seen, where=None, limit=MANY, after=None)
    some = await store.list_facts(ANA, view=seen, where=PLAIN, limit=MANY, after=None)
    told = await store.list_episodes(ANA, view=seen, where=None, limit=MANY, after=None)
    by_id = await store.facts(ANA, ["f3", "f2", "f1", "f0"], view=seen)
    tokens = ["drink", "rum", "tea"]
    return Answers(
        facts=as_recorded(page.items),
        counted=await store.count_facts(ANA, view=seen, where=None),
        by_id=as_recorded(by_id),
        filtered=as_recorded(some.items),
        episodes=[e.id for e in told.items],
        vectors=await store.search_vectors(ANA, QUERY, kinds=BOTH, view=seen, where=None, limit=MANY),
        words=await store.search_keywords(ANA, tokens, kinds=BOTH, view=seen, where=None, limit=MANY),
        times=await store.search_times(
            ANA, Interval(day(0), day(MANY)), kinds=BOTH, view=seen, where=None, limit=MANY
        ),
        links=await store.links_of_entities(ANA, [ENTITY], view=seen, limit=MANY),
    )


def _matching(facts: Sequence[Fact], where: Filter) -> list[Fact]:
    return [fact for fact in facts if where.matches(fact_record(fact))]


def _assert_answers(answers: Answers, model: Model, seen: View) -> None:
    facts, episodes = model.shown_facts(seen), model.shown_episodes(seen)
    found = {*facts, *episodes}
    assert {fact.id for fact in answers.facts} == facts
    assert answers.counted == len(facts)
    assert [fact.id for fact in answers.by_id] == sorted(facts, reverse=True)
    assert answers.filtered == _matching(answers.facts, PLAIN)
    assert set(answers.episodes) == episodes
    assert sorted(match.ref.id for match in answers.vectors) == sorted(found)
    assert sorted(match.ref.id for match in answers.words) == sorted(found)
    assert sorted(link.ref.id for link in answers.links) == sorted(facts)
    assert {ref.id for ref in answers.times} <= found


# Several stores may run the one contract in one session; each gets its own histories.
_SETTINGS = settings(
    deadline=None,
    max_examples=25,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors],
)


class ClockContract(ContractBase):
    """The two clocks, on histories that no one thought of."""

    @_SETTINGS
    @given(history=steps())
    async def test_every_read_equals_the_rule_under_every_view(self, history: list[Step]) -> None:
        async with self.fresh_store() as store:
            model = Model()
            times = [await _take_step(store, model, step, n) for n, step in enumerate(history)]
            for seen in _views(times[-3:]):
                _assert_answers(await _ask(store, seen), model, seen)
            assert await store.check() == []

    @_SETTINGS
    @given(history=steps(), validity=st.sampled_from(Validity))
    async def test_what_was_answered_then_is_answered_for_ever(
        self, history: list[Step], validity: Validity
    ) -> None:
        async with self.fresh_store() as store:
            model = Model()
            told: list[tuple[datetime, Answers]] = []
            for number, step in enumerate(history):
                at = await _take_step(store, model, step, number)
                told.append((at, await _ask(store, view(validity, at=day(2)))))
            for at, answers in told:
                assert await _ask(store, view(validity, at=day(2), known_at=at)) == answers

    async def test_an_interval_ends_just_before_its_end(self, store: Store) -> None:
        said = Body(text="t", fingerprint="t", valid=Interval(day(1), day(2)))
        await write(store, new_fact("f1", said))
        just_before = day(2) - timedelta(microseconds=1)
        shown = [
            bool(await store.facts(ANA, ["f1"], view=view(Validity.AT, at=at)))
            for at in (day(1) - timedelta(microseconds=1), day(1), just_before, day(2))
        ]
        assert shown == [False, True, True, False]

    async def test_a_fact_is_fresh_on_the_day_it_expires_and_not_after(self, store: Store) -> None:
        await write(store, new_fact("f1", Body(text="t", fingerprint="t", expires_on=day(2).date())))
        shown = [
            bool(await store.facts(ANA, ["f1"], view=replace(view(), unexpired_on=on)))
            for on in (day(2).date(), day(3).date(), None)
        ]
        assert shown == [True, False, True]

    async def test_kinds_are_kept_apart_under_a_view(self, store: Store) -> None:
        await write(store, new_fact("f1", "drink"), new_episode("e1", "drink"))
        asked = [
            await store.search_keywords(ANA, ["drink"], kinds=k, view=view(), where=None, limit=9)
            for k in (FACTS, EPISODES)
        ]
        assert [[match.ref for match in matches] for matches in asked] == [
            [Ref("fact", "f1")],
            [Ref("episode", "e1")],
        ]
