"""The README is run: its code, its commands, its list of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer

from perdure import errors
from perdure.cli.app import app
from perdure.core.filters import FIELDS, OPERATORS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


def test_the_first_code_block_stands_before_line_30() -> None:
    assert README[: README.index("```")].count("\n") < 30


def test_the_ten_lines_print_what_their_comments_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "PERDURE_MODEL", "PERDURE_MODEL_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    (code,) = blocks("python")
    exec(compile(code, "README.md", "exec"), {})
    promised = re.findall(r"print\(.*?\)\s+# (.+)", code)
    assert capsys.readouterr().out.splitlines() == promised
    assert len(promised) == 2


def test_every_command_is_in_the_readme_and_every_one_there_exists() -> None:
    group = typer.main.get_command(app)
    commands = set(getattr(group, "commands", {}))
    named = set(re.findall(r"\bperdure ([a-z]+)\b", " ".join(blocks("bash")))) | {"demo"}
    assert named == commands


def test_filter_page_lists_every_field_and_operator() -> None:
    page = (ROOT / "docs" / "filters.md").read_text(encoding="utf-8")
    listed = page[page.index("**Fields:**") : page.index("**Scope.**")]
    operators = page[page.index("| operator") : page.index("**Null rule.**")]
    assert set(re.findall(r"`(\w+)`", listed)) - {"eq"} == set(FIELDS)
    assert set(re.findall(r"`(\w+)`", operators)) - {"true", "false"} == set(OPERATORS)


def test_error_tree_lists_every_error_under_its_parent() -> None:
    assert errors.__doc__ is not None
    lines = re.finditer(r"^([│├└─ ]*)([A-Z]\w+)(?=$|  )", errors.__doc__, re.MULTILINE)
    drawn = [(len(m[1]) // 4, m[2]) for m in lines]
    parents: dict[int, str] = {}
    tree: dict[str, str | None] = {}
    for depth, name in drawn:
        tree[name] = parents.get(depth - 1)
        parents[depth] = name
    found = [c for c in vars(errors).values() if isinstance(c, type)]
    root = errors.PerdureError
    assert tree == {c.__name__: None if c is root else c.__mro__[1].__name__ for c in found}


def test_linked_files_exist() -> None:
    links = re.findall(r"\]\(([\w./]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
