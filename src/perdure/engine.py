"""The engine: every verb over one store. Adapters come in as parts; accounts are none of its business."""

from __future__ import annotations

from perdure.verbs.adding import Adding
from perdure.verbs.care import Care
from perdure.verbs.changing import Changing
from perdure.verbs.reading import Reading


class Engine(Adding, Reading, Changing, Care):
    """A memory: add, search, get, get_all, history; update, delete, delete_all, undo, erase, reset; care.

    Scope ids are given to every verb that reads or writes by owner; verbs that take the id of a memory
    find it in the workspace. Times are ISO 8601 text, datetimes, dates or Unix seconds; text without a
    zone is UTC.
    """
