"""Where runs, the cache of vectors and rivals' environments are kept, and where data is looked for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from bench.run import ROOT

DEFAULT_DATA = ROOT.parent / "shared" / "data"
DEFAULT_WORK = ROOT / ".bench"


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """data: the folder of the datasets. work: everything that the bench writes."""

    data: Path
    work: Path

    @property
    def runs(self) -> Path:
        return self.work / "runs"

    @property
    def cache(self) -> Path:
        return self.work / "embeddings.db"

    @property
    def rivals(self) -> Path:
        return self.work / "rivals"

    def run_file(self, dataset: str, system: str) -> Path:
        """One file a system on a dataset."""
        return self.runs / dataset / f"{system}.jsonl"

    def answers_file(self, dataset: str, system: str, reader: str) -> Path:
        """One file a reader model on a run."""
        plain = re.sub(r"[^\w.+-]+", "_", reader)
        return self.work / "answers" / dataset / system / f"{plain}.jsonl"
