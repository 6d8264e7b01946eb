"""What tests of perdure, and of code that uses it, need: shipped, typed, documented."""

from perdure.models.transport import RawReply
from perdure.testing.models import (
    Call,
    ScriptedModel,
    ScriptedTime,
    ScriptedTransport,
    ScriptExhausted,
    TableEmbedder,
)
from perdure.testing.worlds import CountingIds, FixedClock

__all__ = [
    "Call",
    "CountingIds",
    "FixedClock",
    "RawReply",
    "ScriptExhausted",
    "ScriptedModel",
    "ScriptedTime",
    "ScriptedTransport",
    "TableEmbedder",
]
