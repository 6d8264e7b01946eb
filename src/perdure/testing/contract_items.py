"""Contract: facts and episodes come back whole, in order, page by page."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from perdure.core.changes import CloseSource, PutEpisode, PutSource, PutVersion, ShowEpisode
from perdure.core.filters import parse_filter
from perdure.core.interval import Interval, Precision
from perdure.core.text import fingerprint
from perdure.core.values import (
    Body,
    Cardinality,
    Claim,
    DecisionId,
    Episode,
    EpisodeId,
    FactId,
    FactKind,
    OperationId,
    Role,
    Scope,
    Slot,
    Source,
    SourceId,
    Status,
    Validity,
)
from perdure.ports import Store
from perdure.testing.contract_base import (
    ANA,
    BEN,
    ContractBase,
    body,
    day,
    fact_ids,
    index,
    new_episode,
    new_fact,
    new_source,
    view,
    write,
)

HOME = Slot(subject="ana", attribute="home", cardinality=Cardinality.SINGLE)
FULL_BODY = Body(
    text="Ana lives in Porto 🌊",
    fingerprint="fp",
    kind=FactKind.EVENT,
    subject="ana",
    slot=HOME,
    value="Porto",
    valid=Interval(day(-90_000), day(9)),
    precision=Precision.MONTH,
    status=Status.DISPUTED,
    confidence=0.625,
    speaker="Ana",
    role=Role.ASSISTANT,
    metadata={"n": 1, "deep": {"list": [None, True, "ß"]}},
    expires_on=date(2030, 2, 28),
    immutable=True,
    raw_date="the spring after",
    reason="said so",
    replaced_by=FactId("f2"),
    disputes=(FactId("f2"), FactId("f3")),
    decision_id=DecisionId("d9"),
)


class ItemContract(ContractBase):
    """What was written is what is read."""

    async def test_every_field_of_a_fact_comes_back(self, store: Store) -> None:
        applied = await write(store, new_fact("f1", FULL_BODY))
        (fact,) = await store.facts(ANA, ["f1"], view=None)
        assert (fact.body, fact.scope, fact.created_at) == (FULL_BODY, ANA, applied.recorded_at)
        assert fact.version.recorded == Interval(applied.recorded_at, None)

    async def test_every_field_of_an_episode_comes_back(self, store: Store) -> None:
        said = Episode(
            id=EpisodeId("e1"),
            scope=ANA,
            role=Role.TOOL,
            text="line one\nline two \0 end",
            fingerprint="fp",
            speaker="Ana",
            session="s",
            position=3,
            said_at=day(-4) + timedelta(microseconds=7),
            utc_offset_minutes=-330,
            reference="m-1",
            operation_id=OperationId("o1"),
            metadata={"a": [1]},
        )
        applied = await write(store, PutEpisode(episode=said, index=index(said.text)))
        (found,) = await store.episodes(ANA, ["e1"], view=None)
        assert found == replace(said, recorded_at=applied.recorded_at)

    async def test_every_field_of_a_source_comes_back(self, store: Store) -> None:
        source = Source(
            id=SourceId("s1"),
            fact_id=FactId("f1"),
            text="I moved to Porto",
            claim=Claim(
                interval=Interval(day(1), day(2)), precision=Precision.DAY, said_at=day(3), ends=True
            ),
            episode_id=EpisodeId("e1"),
            span=(2, 9),
            decision_id=DecisionId("d1"),
        )
        await write(store, new_episode("e1", "I moved to Porto"), new_fact("f1", "Ana lives in Porto"))
        await write(store, PutSource(source=source))
        (fact,) = await store.facts(ANA, ["f1"], view=None)
        assert fact.sources == (source,)

    async def test_facts_come_in_the_order_asked_and_missing_ones_are_left_out(self, store: Store) -> None:
        await write(store, new_fact("f1", "one"), new_fact("f2", "two"))
        assert fact_ids(await store.facts(ANA, ["f2", "nope", "f1"], view=None)) == ["f2", "f1"]

    async def test_without_a_view_a_deleted_fact_is_still_read(self, store: Store) -> None:
        await write(store, new_fact("f1", Body(text="one", fingerprint="1", status=Status.DELETED)))
        assert fact_ids(await store.facts(ANA, ["f1"], view=None)) == ["f1"]
        assert await store.facts(ANA, ["f1"], view=view(Validity.ANY)) == []

    async def test_history_holds_every_version_oldest_first(self, store: Store) -> None:
        first = await write(store, new_fact("f1", "one"))
        second = await write(
            store, PutVersion(fact_id=FactId("f1"), body=body("two"), expected=1, index=index("two"))
        )
        versions = await store.history(ANA, FactId("f1"))
        assert [(v.number, v.body.text, v.recorded) for v in versions] == [
            (1, "one", Interval(first.recorded_at, second.recorded_at)),
            (2, "two", Interval(second.recorded_at, None)),
        ]

    async def test_history_of_an_unknown_fact_is_empty(self, store: Store) -> None:
        assert await store.history(ANA, FactId("nope")) == []

    async def test_facts_are_listed_newest_first_and_ties_by_id(self, store: Store) -> None:
        await write(store, new_fact("f2", "two"), new_fact("f1", "one"))
        await write(store, new_fact("f3", "three"))
        page = await store.list_facts(ANA, view=view(), where=None, limit=10, after=None)
        assert (fact_ids(page.items), page.next) == (["f3", "f1", "f2"], None)

    async def test_pages_are_complete_and_without_repeats_when_all_share_one_time(self, store: Store) -> None:
        await write(store, *(new_fact(f"f{n:03}", f"fact {n}") for n in range(25)))
        seen: list[str] = []
        after: str | None = None
        for _ in range(4):
            page = await store.list_facts(ANA, view=view(), where=None, limit=7, after=after)
            seen += fact_ids(page.items)
            after = page.next
        assert (seen, after) == ([f"f{n:03}" for n in range(25)], None)

    async def test_a_last_page_that_is_full_has_no_next(self, store: Store) -> None:
        await write(store, *(new_fact(f"f{n}", f"fact {n}") for n in range(4)))
        page = await store.list_facts(ANA, view=view(), where=None, limit=4, after=None)
        assert (len(page.items), page.next) == (4, None)

    async def test_pages_of_a_filter_are_complete(self, store: Store) -> None:
        texts = [Body(text=f"t{n}", fingerprint=f"t{n}", metadata={"odd": n % 2}) for n in range(20)]
        await write(store, *(new_fact(f"f{n:02}", text) for n, text in enumerate(texts)))
        where = parse_filter({"metadata": {"odd": 1}})
        first = await store.list_facts(ANA, view=view(), where=where, limit=6, after=None)
        rest = await store.list_facts(ANA, view=view(), where=where, limit=6, after=first.next)
        assert fact_ids([*first.items, *rest.items]) == [f"f{n:02}" for n in range(1, 20, 2)]
        assert await store.count_facts(ANA, view=view(), where=where) == 10

    async def test_episodes_are_listed_as_recorded_page_by_page(self, store: Store) -> None:
        await write(store, *(new_episode(f"e{9 - n}", f"words {n}") for n in range(5)))
        first = await store.list_episodes(ANA, view=view(), where=None, limit=3, after=None)
        rest = await store.list_episodes(ANA, view=view(), where=None, limit=3, after=first.next)
        assert [e.id for e in [*first.items, *rest.items]] == ["e9", "e8", "e7", "e6", "e5"]
        assert rest.next is None

    async def test_a_hidden_episode_is_read_without_a_view_only(self, store: Store) -> None:
        await write(store, new_episode("e1", "I like tea"))
        await write(store, ShowEpisode(episode_id=EpisodeId("e1"), is_visible=False))
        assert [e.id for e in await store.episodes(ANA, ["e1"], view=None)] == ["e1"]
        assert await store.episodes(ANA, ["e1"], view=view()) == []

    async def test_a_hidden_episode_stays_as_it_was_known_before(self, store: Store) -> None:
        said = await write(store, new_episode("e1", "I like tea"))
        hidden = await write(store, ShowEpisode(episode_id=EpisodeId("e1"), is_visible=False))
        shown = await write(store, ShowEpisode(episode_id=EpisodeId("e1"), is_visible=True))
        known = [
            [e.id for e in await store.episodes(ANA, ["e1"], view=view(known_at=a.recorded_at))]
            for a in (said, hidden, shown)
        ]
        assert known == [["e1"], [], ["e1"]]

    async def test_episode_ids_finds_hidden_ones_of_the_exact_scope(self, store: Store) -> None:
        await write(store, new_episode("e1", "I like tea"))
        await write(store, ShowEpisode(episode_id=EpisodeId("e1"), is_visible=False))
        known = fingerprint("I like tea")
        assert await store.episode_ids(ANA, [known, "other"]) == {known: "e1"}
        assert await store.episode_ids(Scope(workspace="w1"), [known]) == {}

    async def test_slot_holds_its_current_facts_save_deleted_and_merged(self, store: Store) -> None:
        states = [Status.ACTIVE, Status.RETRACTED, Status.DELETED, Status.MERGED, Status.DISPUTED]
        bodies = [Body(text=s.value, fingerprint=s.value, slot=HOME, status=s) for s in states]
        await write(store, *(new_fact(f"f{n}", made) for n, made in enumerate(bodies)))
        await write(store, new_source("s1", "f0", None, "said"))
        found = await store.slot_facts(ANA, [HOME])
        assert fact_ids(found) == ["f0", "f1", "f4"]
        assert [s.id for s in found[0].sources] == ["s1"]

    async def test_slot_of_a_wider_scope_is_another_slot(self, store: Store) -> None:
        await write(store, new_fact("f1", Body(text="t", fingerprint="t", slot=HOME)))
        assert await store.slot_facts(Scope(workspace="w1"), [HOME]) == []

    async def test_fingerprint_finds_current_visible_facts(self, store: Store) -> None:
        await write(store, new_fact("f1", "one"))
        await write(store, new_fact("f2", Body(text="two", fingerprint="two", status=Status.RETRACTED)))
        await write(store, PutVersion(fact_id=FactId("f1"), body=body("uno"), expected=1, index=index("uno")))
        asked = [fingerprint("one"), fingerprint("uno"), "two"]
        assert fact_ids(await store.facts_by_fingerprint(ANA, asked)) == ["f1"]
        assert await store.facts_by_fingerprint(ANA, [fingerprint("one")]) == []

    async def test_facts_rest_on_an_episode_until_the_source_is_closed(self, store: Store) -> None:
        await write(store, new_episode("e1", "I like tea"), new_fact("f1", "Ana likes tea"))
        before = await write(store, new_source("s1", "f1", "e1"))
        assert fact_ids(await store.facts_of_episodes(ANA, [EpisodeId("e1")])) == ["f1"]
        await write(store, CloseSource(source_id=SourceId("s1")))
        assert await store.facts_of_episodes(ANA, [EpisodeId("e1")]) == []
        (then,) = await store.facts(ANA, ["f1"], view=view(known_at=before.recorded_at))
        assert [s.id for s in then.sources] == ["s1"]
        assert [s.id for s in await store.sources(ANA, ["f1"], known_at=before.recorded_at)] == ["s1"]
        assert await store.sources(ANA, ["f1"], known_at=None) == []

    async def test_an_episode_is_stale_when_all_that_it_states_has_ended(self, store: Store) -> None:
        ended = Body(text="tea", fingerprint="tea", valid=Interval(day(1), day(3)))
        await write(
            store, new_episode("e1", "I like tea"), new_fact("f1", ended), new_source("s1", "f1", "e1")
        )
        asked = [EpisodeId("e1"), EpisodeId("e2")]
        assert await store.stale_episodes(ANA, asked, view=view(at=day(2))) == set()
        before = await write(store, new_episode("e2", "I like rye"))
        assert await store.stale_episodes(ANA, asked, view=view(at=day(3))) == {"e1"}
        await write(store, new_fact("f2", "Ana likes rye"), new_source("s2", "f2", "e1"))
        assert await store.stale_episodes(ANA, asked, view=view(at=day(3))) == set()
        then = view(at=day(3), known_at=before.recorded_at)
        assert await store.stale_episodes(ANA, asked, view=then) == {"e1"}
        assert await store.stale_episodes(BEN, asked, view=then) == set()

    async def test_scope_items_names_everything_whatever_its_status(self, store: Store) -> None:
        await write(store, new_fact("f1", Body(text="t", fingerprint="t", status=Status.DELETED)))
        await write(store, new_episode("e1", "I like tea"))
        await write(store, new_episode("e2", "I like tea", scope=BEN), scope=BEN)
        assert await store.scope_items(ANA) == (["f1"], ["e1"])
