"""How much memory this process holds."""

from __future__ import annotations

import resource
import sys
from pathlib import Path


def resident_mb() -> float:
    """Resident memory now, in MB (10⁶ bytes); where the system tells only the peak, the peak."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * resource.getpagesize() / 1e6
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak / 1e3
