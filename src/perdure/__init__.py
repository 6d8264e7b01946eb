"""perdure: memory for AI agents that stays true.

    from perdure import Memory

    memory = Memory()
    memory.add("I moved to Porto last week.", user_id="ana")
    memory.search("Where does Ana live?", user_id="ana")

Importing starts nothing: names are loaded on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from perdure.compose import AsyncMemory as AsyncMemory
    from perdure.compose import Memory as Memory
    from perdure.errors import PerdureError as PerdureError

__version__ = "0.1.0"
__all__ = ["AsyncMemory", "Memory", "PerdureError", "__version__"]

_HOMES = {
    "AsyncMemory": "perdure.compose",
    "Memory": "perdure.compose",
    "PerdureError": "perdure.errors",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'perdure' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
