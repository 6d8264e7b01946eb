"""The commands of `perdure bench`. Exit codes: 0 done, 1 a figure is not as expected, 2 wrong input."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from bench.errors import BenchError, BrokenRun
from bench.places import DEFAULT_DATA, DEFAULT_WORK, Places
from bench.scale import __main__ as scale

app = typer.Typer(
    name="perdure bench",
    help="Measure perdure and other memory systems: offline, rerunnable, every answer kept.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
console = Console(highlight=False)

Data = Annotated[
    Path, typer.Option("--data", envvar="PERDURE_BENCH_DATA", help="The folder of the datasets.")
]
Work = Annotated[Path, typer.Option("--work", help="Where runs and caches are kept.")]
Fresh = Annotated[bool, typer.Option("--fresh", help="Replace runs that are there.")]
Audited = Annotated[bool, typer.Option("--audited", help="With the corrections of a published audit.")]
Systems = Annotated[list[str], typer.Option("--system", "-s", help="A system; may be repeated.")]


@app.command("list")
def show_names() -> None:
    """The datasets and the systems there are."""
    from rich.table import Table

    from bench.datasets import DATASETS
    from bench.systems import describe

    table = Table(title="Systems", title_justify="left", show_header=False)
    for name, what in describe().items():
        table.add_row(name, what)
    console.print(table)
    console.print("Datasets: " + ", ".join(DATASETS))


@app.command()
def run(
    dataset: Annotated[str, typer.Argument(help="A dataset (`perdure bench list`).")],
    system: Systems,
    data: Data = DEFAULT_DATA,
    work: Work = DEFAULT_WORK,
    fresh: Fresh = False,
) -> None:
    """Run systems on a dataset; a run that was stopped goes on."""
    from bench.running import run_part, show_runs
    from bench.suites import Part

    places = Places(data=data, work=work)
    run_part(Part(dataset=dataset, systems=tuple(system)), places, console, is_fresh=fresh)
    show_runs([dataset], tuple(system), places, console)


@app.command()
def quick(data: Data = DEFAULT_DATA, work: Work = DEFAULT_WORK, fresh: Fresh = False) -> None:
    """The short model-free set, in some minutes."""
    from bench.running import check_fixed, run_suite
    from bench.suites import QUICK

    run_suite(QUICK, Places(data=data, work=work), console, is_fresh=fresh)
    if not check_fixed(console):
        raise typer.Exit(1)


@app.command()
def full(
    data: Data = DEFAULT_DATA,
    work: Work = DEFAULT_WORK,
    fresh: Fresh = False,
    with_rivals: Annotated[bool, typer.Option("--rivals", help="Other memory systems too.")] = False,
) -> None:
    """Every dataset, model-free."""
    from bench.running import run_suite
    from bench.suites import FULL, RIVALS

    suite = (*FULL, *RIVALS) if with_rivals else FULL
    run_suite(suite, Places(data=data, work=work), console, is_fresh=fresh)


@app.command()
def compare(
    dataset: Annotated[str, typer.Argument(help="A dataset with runs of both.")],
    first: Annotated[str, typer.Argument(help="A system.")],
    second: Annotated[str, typer.Argument(help="The system to compare it with.")],
    work: Work = DEFAULT_WORK,
    audited: Audited = False,
) -> None:
    """Two systems on the same questions: differences with intervals and paired tests."""
    from bench.metrics.measures import MEASURES
    from bench.metrics.summary import pair
    from bench.report.tables import comparison
    from bench.running import read_named

    places = Places(data=DEFAULT_DATA, work=work)
    a, b = (read_named(places.run_file(dataset, name)) for name in (first, second))
    found = [(m, d) for m in MEASURES if (d := pair(a, b, m, is_audited=audited)) is not None]
    console.print(comparison(first, second, found))


@app.command()
def report(
    work: Work = DEFAULT_WORK,
    audited: Audited = False,
    dataset: Annotated[list[str] | None, typer.Option("--dataset", "-d", help="Only these.")] = None,
    html: Annotated[Path | None, typer.Option(help="Write one self-contained page here.")] = None,
    into: Annotated[
        Path | None, typer.Option("--into", help="Write the README's table into this page.")
    ] = None,
) -> None:
    """Every finished run: tables, or a page with plots, or the README's table."""
    from bench.report.markdown import markdown_table, write_into
    from bench.running import finished_datasets, groups, show_runs, write_page

    places = Places(data=DEFAULT_DATA, work=work)
    names = dataset or finished_datasets(places)
    if html is not None:
        write_page(html, names, places, is_audited=audited)
        console.print(f"{html} written.")
    elif into is not None:
        write_into(into, markdown_table(groups(names, places, is_audited=audited)))
        console.print(f"{into}: table written.")
    else:
        broken = False
        for name in names:
            try:
                show_runs([name], None, places, console, is_audited=audited)
            except BrokenRun as error:
                broken = True
                console.print(f"[red]{escape(str(error))}[/red]")
        if broken:
            raise typer.Exit(2)


@app.command()
def truth(
    preset: Annotated[str, typer.Option(help="fixed (small) or full")] = "fixed",
    mode: Annotated[
        list[str] | None, typer.Option(help="oracle, faulty-5, faulty-10, faulty-20, rules; all by default.")
    ] = None,
    embedder: Annotated[str, typer.Option(help="hashing or local")] = "hashing",
    filler: Annotated[int | None, typer.Option(help="Unrelated turns before each step.")] = None,
    stories: Annotated[int | None, typer.Option(help="Pairs of each kind.")] = None,
    faults: Annotated[bool, typer.Option("--faults", help="List what each story got wrong.")] = False,
) -> None:
    """The generated test-bed: what the write path makes of stories whose every answer is known."""
    from bench.testbed.__main__ import main as run_truth

    run_truth(preset, mode, embedder, filler, stories, faults)


@app.command()
def fixed(
    write: Annotated[
        bool, typer.Option("--write", help="Make what is measured the expected figures.")
    ] = False,
) -> None:
    """Exact figures of a small generated set, against those expected; exit code 1 if one has moved."""
    from bench.running import check_fixed

    if not check_fixed(console, is_written=write):
        raise typer.Exit(1)


@app.command()
def rivals(
    name: Annotated[list[str] | None, typer.Argument(help="Environments; all by default.")] = None,
    work: Work = DEFAULT_WORK,
) -> None:
    """Set up the environments of other memory systems, each its own, pinned; a second time does nothing."""
    from bench.systems.rivals.setup import known_environments, set_up

    places = Places(data=DEFAULT_DATA, work=work)
    for environment in name or known_environments():
        set_up(environment, places.rivals, console=console)


@app.command()
def answer(
    dataset: Annotated[str, typer.Argument(help="A dataset with expected answers.")],
    system: Annotated[str, typer.Argument(help="A system that has run on it.")],
    model: Annotated[str, typer.Option(help="The model that answers.")],
    base_url: Annotated[str | None, typer.Option(help="Any OpenAI-compatible endpoint.")] = None,
    judge: Annotated[str | None, typer.Option(help="The model that judges; the same by default.")] = None,
    most: Annotated[int | None, typer.Option(min=1, help="Only the first so many questions.")] = None,
    price: Annotated[
        tuple[float, float] | None, typer.Option(help="Dollars a million tokens, in and out.")
    ] = None,
    work: Work = DEFAULT_WORK,
) -> None:
    """Answers by a model from what a system found, judged strictly and leniently. The key: OPENAI_API_KEY."""
    from bench.answering import answer_run

    places = Places(data=DEFAULT_DATA, work=work)
    answer_run(
        places,
        console,
        dataset=dataset,
        system=system,
        reader=model,
        judge=judge or model,
        base_url=base_url,
        most=most,
        price=price,
    )


@app.command()
def ablate(
    dataset: Annotated[str, typer.Argument(help="A dataset.")] = "locomo",
    measure: Annotated[str | None, typer.Option(help="Which measure; the leading one by default.")] = None,
    data: Data = DEFAULT_DATA,
    work: Work = DEFAULT_WORK,
    fresh: Fresh = False,
) -> None:
    """What each signal and each layer is worth: every one switched off in turn, on the same questions."""
    from bench.running import run_part, show_ablation
    from bench.suites import Part
    from bench.systems import ABLATION

    places = Places(data=data, work=work)
    run_part(Part(dataset=dataset, systems=ABLATION), places, console, is_fresh=fresh)
    show_ablation(dataset, measure, places, console)


app.add_typer(scale.app, name="scale", help="How cost grows with the number of facts.")


def main(arguments: Sequence[str]) -> None:
    """Run the command line; what goes wrong is one line on stderr and exit code 2."""
    try:
        app(list(arguments), prog_name="perdure bench")
    except BenchError as error:
        sys.stderr.write(f"perdure bench: {error}\n")
        sys.exit(2)


if __name__ == "__main__":
    main(sys.argv[1:])
