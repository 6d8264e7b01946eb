"""The command line: `perdure demo`, add, search, list, history, import, stats, doctor and more."""

from __future__ import annotations


def main() -> None:
    """Entry point of the `perdure` command."""
    from perdure.cli.app import run

    run()
