"""Write tests/house/benchmark_hashes.bin: hashes of every run of eight words in benchmark files.

    python scripts/hash_benchmarks.py FILE...

The house test uses them to prove that no prompt, test or page repeats a benchmark, without a copy of it.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

RUN = 8
BYTES = 5
TARGET = Path(__file__).parent.parent / "tests" / "house" / "benchmark_hashes.bin"


def run_hashes(text: str) -> set[bytes]:
    """The hash of every run of eight words."""
    words = re.findall(r"[a-z0-9']+", text.lower())
    runs = (" ".join(words[n : n + RUN]) for n in range(len(words) - RUN + 1))
    return {blake2b(run.encode(), digest_size=BYTES).digest() for run in runs}


def texts_in(value: object) -> Iterator[str]:
    """Every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for below in value.values():
            yield from texts_in(below)
    elif isinstance(value, list):
        for below in value:
            yield from texts_in(below)


def main(files: list[str]) -> None:
    hashes: set[bytes] = set()
    for name in files:
        for text in texts_in(json.loads(Path(name).read_text(encoding="utf-8"))):
            hashes |= run_hashes(text)
    TARGET.write_bytes(b"".join(sorted(hashes)))
    sys.stdout.write(f"{len(hashes)} runs\n")


if __name__ == "__main__":
    main(sys.argv[1:])
