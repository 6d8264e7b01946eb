"""Write tests/house/benchmark_hashes.bin: hashes of every run of eight words in benchmark files.

    python scripts/hash_benchmarks.py FILE...      (.json, .jsonl, either with .gz)

The house test uses them to prove that no prompt, test or page repeats a benchmark, without a copy of it.
Questions, answers, memories and what people say are hashed; the long replies of assistants are not, which
would make the file ten times as large.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

RUN = 8
BYTES = 5
TARGET = Path(__file__).parent.parent / "tests" / "house" / "benchmark_hashes.bin"
OF_ASSISTANTS = frozenset({"source_content_snapshot"})


def run_hashes(text: str) -> set[bytes]:
    """The hash of every run of eight words."""
    words = re.findall(r"[a-z0-9']+", text.lower())
    runs = (" ".join(words[n : n + RUN]) for n in range(len(words) - RUN + 1))
    return {blake2b(run.encode(), digest_size=BYTES).digest() for run in runs}


def texts_in(value: object) -> Iterator[str]:
    """Every text in a JSON value but what an assistant said."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        if "assistant" in (str(value.get("role")).lower(), str(value.get("speaker")).lower()):
            return
        for name, below in value.items():
            if name not in OF_ASSISTANTS:
                yield from texts_in(below)
    elif isinstance(value, list):
        for below in value:
            yield from texts_in(below)


def read_values(path: Path) -> list[object]:
    """The JSON value of a file, or those of its lines."""
    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    text = raw.decode("utf-8")
    if ".jsonl" in path.suffixes:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    return [json.loads(text)]


def main(files: list[str]) -> None:
    hashes: set[bytes] = set()
    for name in files:
        for text in texts_in(read_values(Path(name))):
            hashes |= run_hashes(text)
    TARGET.write_bytes(b"".join(sorted(hashes)))
    sys.stdout.write(f"{len(hashes)} runs\n")


if __name__ == "__main__":
    main(sys.argv[1:])
