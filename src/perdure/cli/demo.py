"""`perdure demo`: a short story in two languages, remembered without a key, and what can be asked of it."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.panel import Panel
from rich.table import Table

from perdure.api.results import AddResult
from perdure.cli.show import (
    EVENT_STYLES,
    STATE_STYLES,
    Screen,
    short,
    signals_table,
    span,
    styled,
)

if TYPE_CHECKING:
    from perdure.compose import Memory

USER = "ana"
QUESTION = "Where does Ana live?"
EARLIER = "2024-05-20"
TIMED = "What happened to Ana's job in June 2024?"
PEOPLE = "What does Sam Okafor do?"


def run_demo(screen: Screen) -> None:
    """Feed the story to a memory that is not kept, and show what it makes of it."""
    from perdure.compose import RULES, Memory

    story = json.loads(files("perdure.cli").joinpath("demo_story.json").read_text(encoding="utf-8"))
    with Memory(":memory:", embedder="local", model=RULES) as memory:
        results = [_feed(memory, session) for session in story["sessions"]]
        if screen.as_json:
            screen.json(_as_json(memory, results))
            return
        _show_intro(screen, story["sessions"])
        for session, result in zip(story["sessions"], results, strict=True):
            _show_session(screen, session, result)
        _show_facts(screen, memory)
        _show_superseded(screen, memory)
        _show_questions(screen, memory)


def _feed(memory: Memory, session: dict[str, object]) -> AddResult:
    messages = session["messages"]
    assert isinstance(messages, list)
    return memory.add(messages, user_id=USER)


def _show_intro(screen: Screen, sessions: list[dict[str, object]]) -> None:
    screen.out.print(
        Panel(
            "A conversation goes in; facts come out, each with the time it was true and the time it "
            "was known.\nNothing is overwritten: what is no longer true is kept and marked.\n"
            f"{len(sessions)} sessions, two languages, no key, no network: facts by rules, vectors by a "
            "packaged model.",
            title="perdure demo",
            title_align="left",
        )
    )


def _show_session(screen: Screen, session: dict[str, object], result: AddResult) -> None:
    table = Table(title=escape(str(session["title"])), title_justify="left", show_header=False)
    table.add_column("who", style="bold", no_wrap=True)
    table.add_column("said", overflow="fold")
    messages = session["messages"]
    assert isinstance(messages, list)
    for message in messages:
        table.add_row(f"{short(message['timestamp'])} {message['name']}", escape(message["content"]))
    screen.table(table)
    for item in result["results"]:
        event = styled(item["event"], EVENT_STYLES)
        why = f"[dim]({item['layer']}: {escape(item['reason'])})[/dim]"
        screen.say(f"  {event:>10} {escape(item['memory'])}  {why}")
    reasons = sorted({s["reason"] for s in result["skipped"]})
    if reasons:
        screen.say(f"  [dim]left out: {escape(', '.join(reasons))}[/dim]")
    screen.say("")


def _show_facts(screen: Screen, memory: Memory) -> None:
    table = Table(title="What is remembered now", title_justify="left")
    for name in ("fact", "slot", "valid", "state", "sources"):
        table.add_column(name, overflow="fold")
    for item in reversed(memory.get_all(user_id=USER)["results"]):
        slot = f"{item['subject']}.{item['attribute']}" if item["attribute"] else "—"
        table.add_row(
            escape(item["memory"]),
            escape(slot),
            span(item),
            styled(item["state"], STATE_STYLES),
            str(len(item["sources"])),
        )
    screen.table(table)


def _show_superseded(screen: Screen, memory: Memory) -> None:
    """What holds no longer, what took its place, and why."""
    everything = {m["id"]: m for m in memory.get_all(user_id=USER, validity="all")["results"]}
    table = Table(title="What was superseded, by what, and why", title_justify="left")
    for name in ("no longer", "it was true", "replaced by", "why"):
        table.add_column(name, overflow="fold")
    for item in reversed(everything.values()):
        if item["state"] == "closed":
            successor = everything.get(item["replaced_by"] or "")
            table.add_row(
                escape(item["memory"]),
                span(item),
                escape(successor["memory"]) if successor else "—",
                escape(item["reason"] or "—"),
            )
    screen.table(table)


def _show_questions(screen: Screen, memory: Memory) -> None:
    now = memory.search(QUESTION, user_id=USER, limit=4, explain=True)
    screen.table(
        signals_table(now["results"], title=f"{QUESTION}  (each hit with the signals that found it)")
    )
    then = memory.search(QUESTION, user_id=USER, limit=4, explain=True, as_of=EARLIER)
    screen.table(signals_table(then["results"], title=f"{QUESTION}  as of {EARLIER}"))
    timed = memory.search(TIMED, user_id=USER, limit=3, explain=True)
    screen.table(signals_table(timed["results"], title=f"{TIMED}  (meaning, words, time and graph)"))
    people = memory.search(PEOPLE, user_id=USER, limit=3, explain=True)
    screen.table(signals_table(people["results"], title=f"{PEOPLE}  (there are two Sams)"))
    screen.say(
        '\nNext: [bold]perdure add "I moved to Porto last week."[/bold], then '
        '[bold]perdure search "Where do I live?"[/bold]'
    )


def _as_json(memory: Memory, results: list[AddResult]) -> dict[str, object]:
    return {
        "added": results,
        "facts": memory.get_all(user_id=USER, validity="all")["results"],
        "now": memory.search(QUESTION, user_id=USER, limit=4, explain=True),
        "timed": memory.search(TIMED, user_id=USER, limit=4, explain=True),
        "as_of": memory.search(QUESTION, user_id=USER, limit=4, explain=True, as_of=EARLIER),
    }
