"""The verbs that recall: search, get, get_all, history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from perdure.api.inputs import (
    IdValue,
    check_known_at,
    read_cursor,
    read_kinds,
    read_limit,
    read_memory_id,
    read_moment,
    read_query,
    read_scope,
    read_signals,
    read_threshold,
    read_validity,
)
from perdure.api.results import HistoryItem, ListResult, MemoryItem, SearchPlan, SearchResult
from perdure.api.shapes import episode_item, fact_item, history_items, hit_item
from perdure.core.times import TimeValue, read_zoned, to_text
from perdure.core.values import FactId, Json, Validity, View
from perdure.errors import NotFound
from perdure.recall.pipeline import SIGNALS, Reader, Recalled
from perdure.recall.plan import Plan, make_plan
from perdure.verbs.base import Verbs

DEFAULT_LIMIT = 20
DEFAULT_PAGE = 100


class Reading(Verbs):
    """Find, list and look back."""

    async def search(
        self,
        query: str,
        *,
        user_id: IdValue = None,
        agent_id: IdValue = None,
        app_id: IdValue = None,
        run_id: IdValue = None,
        filters: Mapping[str, Json] | None = None,
        limit: int | None = None,
        top_k: int | None = None,
        threshold: float | None = None,
        kinds: Sequence[str] | None = None,
        signals: Sequence[str] | None = None,
        reference_date: TimeValue | None = None,
        as_of: TimeValue | None = None,
        known_at: TimeValue | None = None,
        validity: str | None = None,
        show_expired: bool = False,
        explain: bool = False,
    ) -> SearchResult:
        """Facts and messages that answer the query, best first, each with a score in [0, 1].

        limit (or top_k): 1 to 1000, 20 by default. threshold: leave out scores below. kinds: `fact`,
        `episode` or both. signals: which of vector, keyword, temporal and graph to use.
        reference_date: the asker's now, for "last week". as_of: what was true then. known_at: what was
        known then. validity: `current` (what has not ended) or `all`; by default the question decides.
        explain: each signal's rank, score and weight, and how the query was read.
        """
        parts = await self._ready()
        now = parts.clock()
        ids = {"user_id": user_id, "agent_id": agent_id, "app_id": app_id, "run_id": run_id}
        read = read_scope(self._workspace, ids, filters)
        text = read_query(query)
        count = read_limit(limit, top_k, default=DEFAULT_LIMIT)
        asked_at, offset = _reference(reference_date, now)
        plan = make_plan(
            text,
            reference_date=asked_at,
            utc_offset_minutes=offset,
            as_of=read_moment(as_of, field="as_of"),
            known_at=check_known_at(read_moment(known_at, field="known_at"), now),
            validity=read_validity(validity),
            show_expired=show_expired,
        )
        reader = Reader(store=parts.store, embedder=parts.embedder)
        recalled = await reader.read(
            read.scope,
            plan,
            kinds=read_kinds(kinds),
            where=read.where,
            limit=count,
            threshold=read_threshold(threshold),
            signals=read_signals(signals, SIGNALS),
        )
        return _search_result(recalled, plan, plan.view.valid_at, explain=explain)

    async def get(
        self,
        memory_id: str,
        *,
        as_of: TimeValue | None = None,
        known_at: TimeValue | None = None,
    ) -> MemoryItem | None:
        """One fact or message by id, or None. A closed fact is shown; a deleted one is not.

        as_of: None unless it was true then. known_at: as it was recorded then.
        """
        parts = await self._ready()
        now = parts.clock()
        moment = read_moment(as_of, field="as_of")
        view = View(
            valid_at=moment or now,
            validity=Validity.AT if moment else Validity.ANY,
            known_at=check_known_at(read_moment(known_at, field="known_at"), now),
        )
        facts = await parts.store.facts(self._everywhere, [read_memory_id(memory_id)], view=view)
        if facts:
            return fact_item(facts[0], view.valid_at)
        episodes = await parts.store.episodes(self._everywhere, [memory_id], view=view)
        return episode_item(episodes[0]) if episodes else None

    async def get_all(
        self,
        *,
        user_id: IdValue = None,
        agent_id: IdValue = None,
        app_id: IdValue = None,
        run_id: IdValue = None,
        filters: Mapping[str, Json] | None = None,
        limit: int | None = None,
        top_k: int | None = None,
        cursor: str | None = None,
        as_of: TimeValue | None = None,
        known_at: TimeValue | None = None,
        validity: str | None = None,
        show_expired: bool = False,
    ) -> ListResult:
        """Facts of a scope, newest first; `next` in the answer is the `cursor` of the following page.

        By default what has not ended; validity=`all` shows closed facts too.
        """
        parts = await self._ready()
        now = parts.clock()
        ids = {"user_id": user_id, "agent_id": agent_id, "app_id": app_id, "run_id": run_id}
        read = read_scope(self._workspace, ids, filters)
        moment = read_moment(as_of, field="as_of")
        view = View(
            valid_at=moment or now,
            validity=Validity.AT if moment else read_validity(validity) or Validity.UNENDED,
            known_at=check_known_at(read_moment(known_at, field="known_at"), now),
            unexpired_on=None if show_expired else now.date(),
        )
        page = await parts.store.list_facts(
            read.scope,
            view=view,
            where=read.where,
            limit=read_limit(limit, top_k, default=DEFAULT_PAGE),
            after=read_cursor(cursor),
        )
        return {"results": [fact_item(f, view.valid_at) for f in page.items], "next": page.next}

    async def history(self, memory_id: str) -> list[HistoryItem]:
        """Every version of a fact, oldest first, each with who decided and why. NotFound if there is none."""
        parts = await self._ready()
        fact_id = FactId(read_memory_id(memory_id))
        versions = await parts.store.history(self._everywhere, fact_id)
        if not versions:
            raise NotFound("memory", memory_id)
        ids = [v.body.decision_id for v in versions if v.body.decision_id is not None]
        decisions = await parts.store.decisions(self._everywhere, ids=ids) if ids else []
        return history_items(versions, {d.id: d for d in decisions}, parts.clock())


def _reference(reference_date: TimeValue | None, now: datetime) -> tuple[datetime, int]:
    if reference_date is None:
        return now, 0
    moment, _, offset = read_zoned(reference_date, field="reference_date")
    return moment, offset


def _search_result(recalled: Recalled, plan: Plan, now: datetime, *, explain: bool) -> SearchResult:
    result: SearchResult = {"results": [hit_item(h, now, explain=explain) for h in recalled.hits]}
    if recalled.failed:
        result["failed"] = dict(recalled.failed)
    if explain:
        window = plan.window
        result["plan"] = SearchPlan(
            intent=plan.intent.value,
            validity=plan.view.validity.value,
            tokens=list(plan.tokens),
            window=[to_text(window.start), to_text(window.end)] if window else None,
            found=dict(recalled.found),
        )
    return result
