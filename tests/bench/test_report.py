"""Tables, page and README's table from result lines alone."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest
from rich.console import Console
from rich.table import Table

from bench.embedding import CachedEmbedder
from bench.errors import BenchError, BrokenRun
from bench.places import Places
from bench.report.markdown import BEGIN, END, markdown_table, write_into
from bench.report.tables import by_category, confidence, overview
from bench.run import run
from bench.running import ablation, finished_datasets, groups, show_runs, write_page
from bench.systems import ABLATION, make_system
from perdure.embed.hashing import HashingEmbedder
from tests.bench.cases import dataset

SYSTEMS = ("perdure", "bm25", "last-turns")


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """Three systems that have run on the invented dataset."""
    found = Places(data=tmp_path / "data", work=tmp_path / "work")
    run_all(found, SYSTEMS)
    return found


def run_all(places: Places, systems: Sequence[str]) -> None:
    for name in systems:
        system = make_system(name, CachedEmbedder(HashingEmbedder()))
        run(dataset(), system, places.run_file("invented", name))
        system.close()


def text_of(table: Table) -> str:
    out = io.StringIO()
    Console(file=out, width=200, color_system=None).print(table)
    return out.getvalue()


def test_the_overview_has_a_row_a_system_and_n_beside_each_measure(places: Places) -> None:
    (found,) = groups(["invented"], places)
    shown = text_of(overview(found))
    assert all(name in shown for name in SYSTEMS)
    assert "turns" in shown
    assert "n=3" in shown


def test_categories_and_confidence_are_tables_of_their_own(places: Places) -> None:
    (found,) = groups(["invented"], places)
    assert "several" in text_of(by_category(found, "turns all@10"))
    table = confidence(found)
    assert table is not None
    assert "AUROC" in text_of(table)


def test_the_page_stands_alone_and_is_the_same_each_time(places: Places, tmp_path: Path) -> None:
    one, two = tmp_path / "one.html", tmp_path / "two.html"
    write_page(one, ["invented"], places, is_audited=False)
    write_page(two, ["invented"], places, is_audited=False)
    html = one.read_text()
    assert html == two.read_text().replace("two.html", "one.html")
    assert "<svg" in html
    outside = re.findall(r'(?:src|href)="(?!#)[^"]*"', html)
    assert [o for o in outside if "xlink" not in o] == []
    assert "<script" not in html


def test_the_page_is_well_formed(places: Places, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    write_page(path, ["invented"], places, is_audited=False)
    parser = Balance()
    parser.feed(path.read_text())
    assert parser.open == []
    assert parser.wrong == []


class Balance(HTMLParser):
    """Notes tags that close what is not open."""

    void = frozenset({"meta", "br"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.void:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


def test_the_readme_table_has_a_row_a_measure_and_names_its_data(places: Places) -> None:
    lines = markdown_table(groups(["invented"], places)).splitlines()
    assert lines[0] == "| dataset, measure | n | perdure | bm25 |"
    assert re.fullmatch(r"\| invented, turns all@10 \| 3 \| [\d.]+ \([\d.]+–[\d.]+\) \| .*\|", lines[2])
    assert "invented (generated) `00000000` at" in lines[-1]


def test_the_table_replaces_the_one_between_the_marks(tmp_path: Path) -> None:
    page = tmp_path / "README.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")
    write_into(page, "new\n")
    write_into(page, "newer\n")
    assert page.read_text() == f"before\n{BEGIN}\nnewer\n{END}\nafter\n"


def test_a_page_without_marks_is_left_alone(tmp_path: Path) -> None:
    page = tmp_path / "README.md"
    page.write_text("no marks\n")
    with pytest.raises(BenchError, match="no place"):
        write_into(page, "new\n")
    assert page.read_text() == "no marks\n"


def test_an_ablation_compares_each_part_with_all_on(places: Places) -> None:
    run_all(places, ABLATION)
    measure, found = ablation("invented", None, places)
    assert measure == "turns all@10"
    assert set(found) == {name.removeprefix("perdure-") for name in ABLATION[1:]}
    assert {d.n for d in found.values()} == {3}


def test_a_missing_run_is_an_error(places: Places) -> None:
    with pytest.raises(BrokenRun, match="not there"):
        show_runs(["invented"], ("perdure", "dense"), places, Console(file=io.StringIO()))


def test_a_run_under_another_name_is_an_error(places: Places) -> None:
    folder = places.runs / "invented"
    (folder / "bm25.jsonl").rename(folder / "dense.jsonl")
    with pytest.raises(BrokenRun, match="holds bm25"):
        groups(["invented"], places)


def test_no_runs_at_all_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(BrokenRun, match="no run"):
        finished_datasets(Places(data=tmp_path, work=tmp_path))
