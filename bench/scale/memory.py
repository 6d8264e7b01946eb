"""How much memory a process has in use. Linux only; elsewhere it is refused rather than guessed."""

from __future__ import annotations

from pathlib import Path

from bench.errors import BenchError


def resident_megabytes(process_id: int | str = "self") -> float:
    """Resident set now, in MB of 1,000,000 bytes."""
    status = Path(f"/proc/{process_id}/status")
    if not status.exists():
        raise BenchError("resident memory is read from /proc, which is not here. Measure it on Linux.")
    for line in status.read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024 / 1e6
    raise BenchError(f"process {process_id} has no resident memory: it is gone.")
