"""The one true removal: rows in one transaction, then the file is rewritten and searched for remains."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from perdure.core.values import Scope
from perdure.ports import Clock, Receipt
from perdure.store.sqlite.changes import stamp
from perdure.store.sqlite.connection import MEMORY, Db, SqlValue, is_busy, json_list
from perdure.store.sqlite.params import moment, scope_params

# In this order, so that no row ever points to one that is gone.
_STEPS = (
    ("journal", "forget_journal"),
    ("decision_facts", "erase_decision_facts"),
    ("decisions", "erase_decisions"),
    ("decisions blanked", "blank_decisions"),
    ("relations", "erase_relations"),
    ("links", "erase_links"),
    ("sources", "erase_sources"),
    ("versions", "erase_versions"),
    ("episode_spans", "erase_episode_spans"),
    ("episodes", "erase_episodes"),
    ("postings", "erase_postings"),
    ("vectors", "erase_vectors"),
    ("units", "erase_units"),
    ("facts", "erase_facts"),
    ("entities", "erase_entities"),
    ("operations blanked", "blank_operations"),
)
# An owner of whom nothing is left leaves no id behind either.
_EMPTIED = (
    ("journal", "forget_journal_of_empty_scopes"),
    ("operations", "erase_operations_of_empty_scopes"),
    ("scopes", "erase_empty_scopes"),
)
_UNLINK = ("unlink_replacements", "unlink_decisions", "unlink_source_decisions", "unlink_disputes")


def erase(
    db: Db,
    scope: Scope,
    *,
    fact_ids: Sequence[str],
    episode_ids: Sequence[str],
    clock: Clock,
    path: str,
) -> Receipt:
    """Outside any transaction. Ids that are not in scope are passed over; the receipt counts what went.

    StoreBusy after the rows are gone means that the file could not be rewritten yet; erasing again,
    or opening the store, does it.
    """
    from perdure.store.sqlite.scrub import count_remains  # numpy comes with it

    with db.transaction("IMMEDIATE"):
        now = stamp(db, clock)
        params = _find(db, scope, fact_ids=fact_ids, episode_ids=episode_ids)
        texts = [row[0] for row in db.rows("erased_texts", params)]
        rows = {table: db.run(query, params) for table, query in _STEPS}
        for query in _UNLINK:
            db.run(query, params)
        rows |= {f"{table} of empty scopes": db.run(query, params) for table, query in _EMPTIED}
        db.run("bump_generation", {})
        db.run("set_meta", {"name": "scrub_due", "value": 1})
    finish_scrub(db)
    return Receipt(
        erased_at=moment(now),
        facts=rows["facts"],
        episodes=rows["episodes"],
        rows=rows,
        remains=0 if path == MEMORY else count_remains(db, path, texts),
    )


def finish_scrub(db: Db) -> None:
    """Rewrite the file without free pages and empty the log, if an erase asked for it."""
    if not db.number("get_meta", {"name": "scrub_due"}):
        return
    db.script("PRAGMA wal_checkpoint(TRUNCATE)")
    db.script("VACUUM")
    db.run("set_meta", {"name": "scrub_due", "value": 0})
    db.script("PRAGMA wal_checkpoint(TRUNCATE)")


def resume_scrub(db: Db) -> None:
    """Finish what an erase left when its process died; not now if another process holds the file."""
    try:
        finish_scrub(db)
    except sqlite3.OperationalError as exc:
        if not is_busy(exc):  # busy: that process is erasing, or the next open does it
            raise


def _find(
    db: Db, scope: Scope, *, fact_ids: Sequence[str], episode_ids: Sequence[str]
) -> dict[str, SqlValue]:
    """What goes, as parameters; each list needs those before it."""
    params: dict[str, SqlValue] = {**scope_params(scope), "episodes": json_list(episode_ids)}
    params["episodes"] = _ids(db, "episodes_to_erase", params)
    params["facts"] = json_list(fact_ids)
    params["facts"] = _ids(db, "facts_to_erase", params)
    params["units"] = _ids(db, "units_to_erase", params)
    params["sources"] = _ids(db, "sources_to_erase", params)
    params["decisions"] = _ids(db, "decisions_to_erase", params)
    params["blanked"] = _ids(db, "decisions_to_blank", params)
    params["operations"] = _ids(db, "operations_to_blank", params)
    params["entities"] = _ids(db, "entities_to_try", params)
    return params


def _ids(db: Db, query: str, params: dict[str, SqlValue]) -> str:
    return json_list([row["id"] for row in db.rows(query, params)])
