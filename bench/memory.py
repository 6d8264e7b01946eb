"""How much memory a process holds."""

from __future__ import annotations

import resource
import sys
from pathlib import Path

from bench.errors import BenchError


def resident_mb(process_id: int | None = None) -> float:
    """Resident memory now, in MB of 10⁶ bytes; of this process, or of another one.

    Where the system does not tell (no /proc), the peak of this process; BenchError for another one.
    """
    status = Path(f"/proc/{process_id or 'self'}/status")
    if status.exists():
        for line in status.read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024 / 1e6
        raise BenchError(f"process {process_id} has no resident memory: it is gone.")
    if process_id is not None:
        raise BenchError("the memory of another process is read from /proc, which is not here. Use Linux.")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak / 1e3
