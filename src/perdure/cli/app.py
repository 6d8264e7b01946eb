"""The commands. Exit codes: 0 done, 1 not found or not healthy, 2 wrong input, 3 store or model failed."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypedDict

import typer

from perdure import __version__
from perdure.errors import ConfigError, InvalidInput, NotFound, PerdureError

if TYPE_CHECKING:
    from perdure.cli.show import Screen
    from perdure.compose import Memory

app = typer.Typer(
    name="perdure",
    help="Memory for AI agents that stays true.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

User = Annotated[str | None, typer.Option("--user", "-u", help="Whose memory: user id.")]
Agent = Annotated[str | None, typer.Option("--agent", help="Agent id.")]
App = Annotated[str | None, typer.Option("--app", help="App id.")]
Run = Annotated[str | None, typer.Option("--run", help="Run (session) id.")]
Limit = Annotated[int, typer.Option("--limit", "-n", help="How many, 1 to 1000.")]
AsOf = Annotated[str | None, typer.Option("--as-of", help="What was true then: 2024-05-01.")]
KnownAt = Annotated[str | None, typer.Option("--known-at", help="What was known then.")]
DEFAULT_USER = "me"


@dataclass(frozen=True, slots=True, kw_only=True)
class Common:
    """The options before the command."""

    path: str | None
    workspace: str | None
    embedder: str | None
    model: str | None
    screen: Screen


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def common(
    context: typer.Context,
    path: Annotated[str | None, typer.Option(help="The memory file; by default the per-user place.")] = None,
    workspace: Annotated[str | None, typer.Option(help="The workspace in it.")] = None,
    embedder: Annotated[str | None, typer.Option(help="local, openai or hashing.")] = None,
    model: Annotated[str | None, typer.Option(help="A chat model to extract with; `rules` for none.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on stdout, nothing else.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="The version.")
    ] = False,
) -> None:
    from perdure.cli.show import Screen

    context.obj = Common(
        path=path,
        workspace=workspace,
        embedder=embedder,
        model=model,
        screen=Screen(as_json=as_json),
    )


def open_memory(common: Common, *, for_reembedding: bool = False, must_exist: bool = False) -> Memory:
    """The memory of this call; a command that only reads does not make one."""
    from perdure.compose import Memory
    from perdure.config import load_settings

    if must_exist and common.path != ":memory:":
        path = Path(common.path) if common.path is not None else load_settings().path
        if not path.exists():
            raise NotFound("memory file", str(path), "`perdure add` makes one.")
    return Memory(
        common.path,
        workspace=common.workspace,
        embedder=common.embedder,
        model=common.model,
        for_reembedding=for_reembedding,
    )


class OwnerIds(TypedDict):
    """The ids of a scope, as the verbs take them."""

    user_id: str | None
    agent_id: str | None
    app_id: str | None
    run_id: str | None


def _owner(user: str | None, agent: str | None, app_id: str | None, run: str | None) -> OwnerIds:
    """The ids given, or the one person who uses this file by hand."""
    if not any((user, agent, app_id, run)):
        user = DEFAULT_USER
    return {"user_id": user, "agent_id": agent, "app_id": app_id, "run_id": run}


@app.command()
def demo(context: typer.Context) -> None:
    """A short story, remembered: no key, no network, nothing kept."""
    from perdure.cli.demo import run_demo

    run_demo(context.obj.screen)


@app.command()
def add(
    context: typer.Context,
    text: Annotated[str, typer.Argument(help="What was said; - reads it from stdin.")],
    user: User = None,
    agent: Agent = None,
    app_id: App = None,
    run: Run = None,
    at: Annotated[str | None, typer.Option("--at", help="When it was said (default: now).")] = None,
    infer: Annotated[bool, typer.Option(help="Extract facts, or store it verbatim.")] = True,
) -> None:
    """Remember something."""
    from perdure.cli.show import added_table

    common: Common = context.obj
    words = sys.stdin.read() if text == "-" else text
    with open_memory(common) as memory:
        result = memory.add(words, **_owner(user, agent, app_id, run), timestamp=at, infer=infer)
    if common.screen.as_json:
        common.screen.json(result)
        return
    if result["results"]:
        common.screen.table(added_table(result))
    for skipped in result["skipped"]:
        common.screen.say(f"[dim]no fact: {skipped['reason']}[/dim]")


@app.command()
def search(
    context: typer.Context,
    query: Annotated[str, typer.Argument(help="What to look for.")],
    user: User = None,
    agent: Agent = None,
    app_id: App = None,
    run: Run = None,
    limit: Limit = 10,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    validity: Annotated[str | None, typer.Option(help="current or all.")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show which signals found it.")] = False,
) -> None:
    """Find what answers a question."""
    from perdure.cli.show import memories_table, signals_table

    common: Common = context.obj
    with open_memory(common, must_exist=True) as memory:
        began = time.perf_counter()
        result = memory.search(
            query,
            **_owner(user, agent, app_id, run),
            limit=limit,
            as_of=as_of,
            known_at=known_at,
            validity=validity,
            explain=explain,
        )
        took = time.perf_counter() - began
    if common.screen.as_json:
        common.screen.json(result)
    elif not result["results"]:
        common.screen.say("Nothing found.")
    elif explain:
        common.screen.table(signals_table(result["results"], title=query))
    else:
        common.screen.table(memories_table(result["results"], title=query, with_score=True))
    common.screen.took(took)


@app.command("list")
def list_facts(
    context: typer.Context,
    user: User = None,
    agent: Agent = None,
    app_id: App = None,
    run: Run = None,
    limit: Limit = 100,
    cursor: Annotated[str | None, typer.Option(help="The page after this one.")] = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    validity: Annotated[str | None, typer.Option(help="current or all.")] = None,
) -> None:
    """List facts, newest first."""
    from perdure.cli.show import memories_table

    common: Common = context.obj
    with open_memory(common, must_exist=True) as memory:
        page = memory.get_all(
            **_owner(user, agent, app_id, run),
            limit=limit,
            cursor=cursor,
            as_of=as_of,
            known_at=known_at,
            validity=validity,
        )
    if common.screen.as_json:
        common.screen.json(page)
        return
    common.screen.table(memories_table(page["results"], title="Facts, newest first"))
    if page["next"]:
        common.screen.say(f"More: --cursor {page['next']}")


@app.command()
def history(
    context: typer.Context, memory_id: Annotated[str, typer.Argument(help="The id of a fact.")]
) -> None:
    """Every version of a fact, and why it changed."""
    from perdure.cli.show import history_table

    common: Common = context.obj
    with open_memory(common, must_exist=True) as memory:
        began = time.perf_counter()
        items = memory.history(memory_id)
        took = time.perf_counter() - began
    if common.screen.as_json:
        common.screen.json(items)
    else:
        common.screen.table(history_table(items))
    common.screen.took(took)


@app.command()
def undo(
    context: typer.Context,
    decision_id: Annotated[str, typer.Argument(help="A decision or operation id.")],
) -> None:
    """Take back a decision, or all of an operation."""
    from perdure.cli.show import memories_table

    common: Common = context.obj
    with open_memory(common, must_exist=True) as memory:
        result = memory.undo(decision_id)
    if common.screen.as_json:
        common.screen.json(result)
    else:
        common.screen.table(memories_table(result["results"], title=result["message"]))


@app.command("import")
def import_file(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="LoCoMo, JSON, JSONL or plain transcript; gzip too.")],
    user: User = None,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Leave out bad parts and list them.")] = False,
    only: Annotated[str | None, typer.Option(help="Only the conversation of this name.")] = None,
) -> None:
    """Import conversations. A second run adds nothing; a broken-off one goes on."""
    from perdure.cli.importing import run_import

    common: Common = context.obj
    with open_memory(common) as memory:
        run_import(memory, common.screen, file, user=user, skip_bad=skip_bad, only=only)


@app.command()
def stats(
    context: typer.Context, user: User = None, agent: Agent = None, app_id: App = None, run: Run = None
) -> None:
    """Counts of the store, or of one owner."""
    from perdure.cli.show import pairs_table

    common: Common = context.obj
    with open_memory(common, must_exist=True) as memory:
        counts = memory.stats(user_id=user, agent_id=agent, app_id=app_id, run_id=run)
    if common.screen.as_json:
        common.screen.json(counts)
    else:
        common.screen.table(pairs_table(counts, title="The store"))


@app.command()
def doctor(
    context: typer.Context,
    resume: Annotated[bool, typer.Option("--resume", help="Finish what failed or waits.")] = False,
) -> None:
    """Check every invariant of the store; exit code 1 if one is broken."""
    from perdure.cli.show import pairs_table

    common: Common = context.obj
    with open_memory(common, must_exist=True) as memory:
        resumed = memory.resume() if resume else None
        problems = memory.check()
        counts = memory.stats()
    report = {"healthy": not problems, "problems": problems, **counts}
    if resumed is not None:
        report["resumed"] = resumed
    if common.screen.as_json:
        common.screen.json(report)
    else:
        shown = {**report, "problems": "none" if not problems else "\n".join(problems)}
        common.screen.table(pairs_table(shown, title="Doctor"))
    if problems:
        raise typer.Exit(1)


@app.command()
def reembed(context: typer.Context) -> None:
    """Make all vectors anew with the configured embedder; broken off, it goes on where it stopped."""
    from perdure.cli.importing import progress_bar

    common: Common = context.obj
    with open_memory(common, for_reembedding=True) as memory, progress_bar(common.screen) as bar:
        task = bar.add_task("re-embedding", total=None)

        async def advance(count: int) -> None:
            await asyncio.sleep(0)
            bar.advance(task, count)

        made = memory.reembed(on_progress=advance)
    if common.screen.as_json:
        common.screen.json({"vectors": made})
    else:
        common.screen.say(f"{made} vectors made; the store now uses this embedder.")


@app.command(
    add_help_option=False, context_settings={"allow_extra_args": True, "ignore_unknown_options": True}
)
def bench(context: typer.Context) -> None:
    """Measure this and other systems, in a checkout: `perdure bench --help`."""
    from perdure.cli.bench import run_bench

    run_bench(context.args)


def run() -> None:
    """Run the command line; errors become one line on stderr and an exit code.

    `--json` may stand anywhere before a bare `--`.
    """
    own, bare, rest = _split(sys.argv[1:])
    if "--json" in own:
        own = ["--json", *(a for a in own if a != "--json")]
    try:
        app([*own, *bare, *rest])
    except PerdureError as error:
        _complain(error)
        sys.exit(_exit_code(error))


def _split(arguments: list[str]) -> tuple[list[str], list[str], list[str]]:
    if "--" not in arguments:
        return arguments, [], []
    at = arguments.index("--")
    return arguments[:at], ["--"], arguments[at + 1 :]


def _complain(error: PerdureError) -> None:
    if "--json" in sys.argv:
        kind = type(error).__name__
        sys.stderr.write(json.dumps({"error": kind, "detail": str(error)}, ensure_ascii=False) + "\n")
    else:
        sys.stderr.write(f"perdure: {error}\n")


def _exit_code(error: PerdureError) -> int:
    if isinstance(error, NotFound):
        return 1
    return 2 if isinstance(error, InvalidInput | ConfigError) else 3
