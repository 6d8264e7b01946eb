"""Rules of the house that a machine can check (CONTRIBUTING.md lists them)."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src" / "perdure").rglob("*.py"))
BENCH = sorted((ROOT / "bench").rglob("*.py"))
MAX_FILE_LINES = 500
MAX_FUNCTION_LINES = 60
HEAVY = (
    "numpy",
    "onnxruntime",
    "tokenizers",
    "openai",
    "anthropic",
    "pydantic",
    "typer",
    "rich",
    "json_repair",
)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def trees(paths: Sequence[Path] = SOURCES) -> Iterator[tuple[str, ast.Module]]:
    for path in paths:
        yield name_of(path), ast.parse(path.read_text(encoding="utf-8"))


def test_no_file_is_longer_than_500_lines() -> None:
    tests = sorted((ROOT / "tests").rglob("*.py"))
    lengths = {
        name_of(p): len(p.read_text(encoding="utf-8").splitlines()) for p in (*SOURCES, *BENCH, *tests)
    }
    assert {n: length for n, length in lengths.items() if length > MAX_FILE_LINES} == {}


def test_no_function_is_longer_than_60_lines() -> None:
    long = [
        f"{name}:{node.name}"
        for name, tree in trees([*SOURCES, *BENCH])
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= MAX_FUNCTION_LINES
        and not _is_a_signature(node)
    ]
    assert long == []


def _is_a_signature(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """A verb with many named options: its statements, not its parameters and docstring, count."""
    statements = node.body[1:] if ast.get_docstring(node) else node.body
    return not statements or (node.end_lineno or 0) - statements[0].lineno < MAX_FUNCTION_LINES // 2


def test_no_exception_is_swallowed() -> None:
    swallowed = [
        f"{name}:{handler.lineno}"
        for name, tree in trees([*SOURCES, *BENCH])
        for handler in ast.walk(tree)
        if isinstance(handler, ast.ExceptHandler)
        and (handler.type is None or _is_broad(handler.type))
        and not any(isinstance(n, ast.Raise) for n in ast.walk(handler))
    ]
    assert swallowed == []


def _is_broad(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in ("Exception", "BaseException")


def test_the_environment_is_read_in_one_file() -> None:
    readers = [
        name
        for name, tree in trees([*SOURCES, *BENCH])
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in ("environ", "getenv", "environb")
    ]
    # a rival's worker sets what the rival reads, in a process of its own
    assert {r for r in readers if "/rivals/workers/" not in r} <= {"src/perdure/config.py"}


CHANCE = {("datetime", "now"), ("datetime", "utcnow"), ("date", "today"), ("time", "time"), ("uuid", "uuid4")}
CHANCE |= {("os", "urandom"), ("random", "random")}


def test_time_and_chance_enter_in_one_file() -> None:
    found = {
        name
        for name, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and (node.value.id, node.attr) in CHANCE
    }
    assert {n for n in found if not n.startswith("src/perdure/testing/")} <= {
        "src/perdure/compose.py",
        "src/perdure/remote/clients.py",  # for the HTTP dates of Retry-After
    }


def test_importing_loads_nothing_heavy_and_starts_nothing() -> None:
    script = (
        "import sys, threading, os; import perdure; "
        f"heavy = [m for m in {HEAVY!r} if m in sys.modules]; "
        "print(heavy, threading.active_count())"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[] 1"


def test_importing_opens_no_file_and_no_socket() -> None:
    script = (
        "import sys\n"
        "seen = []\n"
        "def hook(event, args):\n"
        "    writes = event == 'open' and args[1] and set(args[1]) & set('wax+')\n"
        "    if event.startswith('socket.') or writes:\n"
        "        seen.append((event, str(args)))\n"
        "sys.dont_write_bytecode = True\n"
        "sys.addaudithook(hook)\n"
        "import perdure\n"
        "print(seen)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def _run_hashes(text: str) -> set[bytes]:
    spec = importlib.util.spec_from_file_location("hash_benchmarks", ROOT / "scripts" / "hash_benchmarks.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    hashes: set[bytes] = module.run_hashes(text)
    return hashes


def _known() -> set[bytes]:
    raw = (ROOT / "tests" / "house" / "benchmark_hashes.bin").read_bytes()
    return {raw[n : n + 5] for n in range(0, len(raw), 5)}


@pytest.mark.parametrize("folder", ["src", "tests", "docs", "bench"])
def test_no_run_of_eight_words_is_shared_with_a_benchmark(folder: str) -> None:
    known = _known()
    assert len(known) > 300_000
    kinds = ("*.py", "*.md", "*.json", "*.sql")
    paths = [p for kind in kinds for p in (ROOT / folder).rglob(kind) if p.name != "tokenizer.json"]
    shared = [name_of(p) for p in paths if _run_hashes(p.read_text(encoding="utf-8")) & known]
    assert paths
    assert shared == []
