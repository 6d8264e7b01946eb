"""What the terminal shows: tables for people, JSON for programs, one place for both."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import IO

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from perdure.api.results import AddResult, HistoryItem, MemoryItem

STATE_STYLES = {
    "current": "green",
    "upcoming": "cyan",
    "closed": "yellow",
    "superseded": "yellow",
    "disputed": "magenta",
    "suspect": "magenta",
    "retracted": "dim",
    "deleted": "red",
    "merged": "dim",
}
EVENT_STYLES = {"ADD": "green", "UPDATE": "cyan", "INVALIDATE": "yellow", "NOOP": "dim"}


class Screen:
    """Where results go. As JSON nothing else is written to stdout."""

    def __init__(self, *, as_json: bool) -> None:
        self.as_json = as_json
        for stream in (sys.stdout, sys.stderr):
            _degrade(stream)
        self.out = Console(highlight=False)
        self.err = Console(stderr=True, highlight=False)

    def json(self, value: object) -> None:
        text = json.dumps(value, ensure_ascii=False, indent=2, default=str)
        sys.stdout.write(text + "\n")

    def say(self, text: str) -> None:
        if not self.as_json:
            self.out.print(text)

    def took(self, seconds: float) -> None:
        self.say(f"[dim]{seconds * 1000:.1f} ms[/dim]")

    def table(self, table: Table) -> None:
        self.out.print(table)


def _degrade(stream: IO[str]) -> None:
    """Let a console that cannot show a character show a substitute instead of ending the program."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")


def styled(text: str, styles: Mapping[str, str]) -> str:
    style = styles.get(text)
    return f"[{style}]{text}[/{style}]" if style else escape(text)


def span(item: MemoryItem | HistoryItem) -> str:
    """The valid time in short: `2024-05-14 → 2024-09-02`, `since 2024`, `until …` or `always`."""
    start, end = short(item["valid_from"]), short(item["valid_to"])
    if start and end:
        return f"{start} → {end}"
    if start:
        return f"since {start}"
    return f"until {end}" if end else "—"


def short(moment: str | None) -> str:
    """A time cut to its day."""
    return (moment or "")[:10]


def memories_table(items: Iterable[MemoryItem], *, title: str, with_score: bool = False) -> Table:
    table = Table(title=title, title_justify="left", expand=False)
    if with_score:
        table.add_column("score", justify="right")
    table.add_column("memory, id", overflow="fold", ratio=3)
    table.add_column("state")
    table.add_column("valid", overflow="fold")
    for item in items:
        row = [
            f"{escape(item['memory'])}\n[dim]{item['id']}[/dim]",
            f"{styled(item['state'], STATE_STYLES)}\n[dim]{item['kind']}[/dim]",
            span(item),
        ]
        table.add_row(*([f"{item.get('score', 0.0):.3f}", *row] if with_score else row))
    return table


def signals_table(items: Sequence[MemoryItem], *, title: str) -> Table:
    """Which signal found each hit, and at which rank."""
    table = Table(title=title, title_justify="left")
    table.add_column("score", justify="right")
    table.add_column("found", overflow="fold", ratio=3)
    table.add_column("valid", overflow="fold", ratio=1)
    table.add_column("found by", overflow="fold", ratio=1)
    for item in items:
        table.add_row(
            f"{item.get('score', 0.0):.3f}",
            escape(item["memory"]),
            f"{span(item)}\n{styled(item['state'], STATE_STYLES)}",
            "\n".join(f"{s['signal']} #{s['rank']}" for s in item.get("signals", [])),
        )
    return table


def added_table(result: AddResult) -> Table:
    table = Table(title="What became of it", title_justify="left")
    table.add_column("event")
    table.add_column("memory", overflow="fold", ratio=3)
    table.add_column("layer")
    table.add_column("why", overflow="fold", ratio=2)
    for item in result["results"]:
        table.add_row(
            styled(item["event"], EVENT_STYLES),
            escape(item["memory"]),
            item["layer"],
            escape(item["reason"]),
        )
    return table


def history_table(items: Sequence[HistoryItem]) -> Table:
    table = Table(title="History, oldest first", title_justify="left")
    for name in ("version", "event", "memory", "valid", "known from", "layer", "why, decision id"):
        table.add_column(name, overflow="fold")
    for item in items:
        table.add_row(
            str(item["version"]),
            styled(item["event"], EVENT_STYLES),
            escape(item["new_memory"] or "(deleted)"),
            span(item),
            (item["known_from"] or "")[:19],
            item["layer"] or "—",
            f"{escape(item['reason'] or '—')}\n[dim]{item['decision_id'] or ''}[/dim]",
        )
    return table


def pairs_table(pairs: Mapping[str, object], *, title: str) -> Table:
    table = Table(title=title, title_justify="left", show_header=False)
    table.add_column("what", style="bold")
    table.add_column("value", overflow="fold")
    for name, value in pairs.items():
        table.add_row(name.replace("_", " "), escape(str(value)))
    return table
