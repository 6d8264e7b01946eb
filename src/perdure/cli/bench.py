"""`perdure bench`: the measuring harness of the checkout, which is not part of the installed package."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

from perdure.errors import ConfigError


def run_bench(arguments: list[str]) -> None:
    """Hand the arguments to the harness; ConfigError outside a checkout."""
    root = next(_checkouts(), None)
    if root is None:
        raise ConfigError("bench: this is no checkout of perdure. `cd` to one; bench/ is not installed.")
    sys.path.insert(0, str(root))
    importlib.import_module("bench.cli").main(arguments)


def _checkouts() -> Iterator[Path]:
    """The folder this runs in and those above it, then the one that this package was installed from."""
    here = Path.cwd()
    for folder in (here, *here.parents, Path(__file__).parents[3]):
        if (folder / "bench" / "cli.py").is_file() and (folder / "src" / "perdure").is_dir():
            yield folder
