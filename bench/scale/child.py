"""A fresh process: import, open, search once; says what it took. Arguments: file, user, query.

Nothing is imported before the clock runs but the standard library, so numpy counts as perdure's; making the
table of the bench's own embedder does not.
"""

from __future__ import annotations

import json
import sys
import time

from bench.memory import resident_mb


def main() -> None:
    path, owner, query = sys.argv[1:]
    began = time.perf_counter()
    from perdure import Memory

    imported = time.perf_counter()
    from bench.scale.vectors import SumEmbedder

    loaded = time.perf_counter()
    embedder = SumEmbedder()
    made = time.perf_counter()
    with Memory(path, embedder=embedder, model="rules") as memory:
        opened = time.perf_counter()
        idle = resident_mb()
        memory.search(query, user_id=owner, limit=10)
        searched = time.perf_counter()
        found = {
            "import_s": imported - began,
            "open_s": opened - made + loaded - imported,
            "first_search_s": searched - opened,
            "idle_mb": idle,
            "searched_mb": resident_mb(),
        }
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
