"""How every system is shown a turn: the day, the speaker, the words. The same for ours and for rivals."""

from __future__ import annotations

from bench.model import Turn

_MONTHS = "January February March April May June July August September October November December".split()


def indexed_text(turn: Turn) -> str:
    """`8 May 2023 Ana: what she said`."""
    day = f"{turn.at.day} {_MONTHS[turn.at.month - 1]} {turn.at.year}"
    who = f" {turn.speaker}:" if turn.speaker else ""
    return f"{day}{who} {turn.text}"
