"""`perdure import`: conversations into memory, with a progress bar, resumable and idempotent."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from perdure.cli.show import Screen, pairs_table
from perdure.errors import InvalidInput

if TYPE_CHECKING:
    from perdure.compose import Memory
    from perdure.interop.conversations import Conversation

BATCH = 40


def run_import(
    memory: Memory, screen: Screen, file: Path, *, user: str | None, skip_bad: bool, only: str | None
) -> None:
    """Import a file and say what was new. A conversation becomes the memory of `user`, or of its own name."""
    from perdure.interop.files import read_file

    read = read_file(file, skip_bad=skip_bad)
    conversations = [c for c in read.conversations if only in (None, c.name)]
    if not conversations:
        raise InvalidInput("only", "no conversation of that name in the file", "Leave it out to see all.")
    began = time.perf_counter()
    counts = {"messages": 0, "new_messages": 0, "new_facts": 0, "known_facts": 0}
    try:
        _feed(memory, screen, conversations, counts, user=user)
    except KeyboardInterrupt:
        screen.err.print(f"interrupted after {counts['messages']} messages. Run it again to go on.")
        raise typer.Exit(130) from None
    report = _report(read.format, conversations, counts, time.perf_counter() - began)
    report["owners"] = [user] if user else [c.name for c in conversations]
    report["left_out"] = list(read.problems)
    if screen.as_json:
        screen.json(report)
    else:
        owners = ", ".join(str(o) for o in ([user] if user else [c.name for c in conversations]))
        shown = {**report, "owners": owners, "left_out": "\n".join(read.problems) or "nothing"}
        screen.table(pairs_table(shown, title=f"Imported {file.name}"))


def _feed(
    memory: Memory,
    screen: Screen,
    conversations: list[Conversation],
    counts: dict[str, int],
    *,
    user: str | None,
) -> None:
    with progress_bar(screen) as bar:
        task = bar.add_task("importing", total=sum(len(c.messages) for c in conversations))
        for conversation in conversations:
            for batch in conversation.batches(BATCH):
                result = memory.add(batch, user_id=user or conversation.name)
                events = [item["event"] for item in result["results"]]
                counts["messages"] += len(batch)
                counts["new_messages"] += len(result["episodes"])
                counts["new_facts"] += events.count("ADD")
                counts["known_facts"] += events.count("NOOP")
                bar.advance(task, len(batch))


def _report(
    file_format: str, conversations: list[Conversation], counts: dict[str, int], seconds: float
) -> dict[str, object]:
    return {
        "format": file_format,
        "conversations": len(conversations),
        **counts,
        "seconds": round(seconds, 2),
        "messages_per_second": round(counts["messages"] / seconds, 1) if seconds else 0.0,
    }


def progress_bar(screen: Screen) -> Progress:
    """A progress bar on stderr; none where that is no terminal, and none with --json."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=screen.err,
        transient=True,
        disable=screen.as_json or not screen.err.is_terminal,
    )
