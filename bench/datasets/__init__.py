"""The data sets by name. Their files are public and not ours: none of their lines is in this repository."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType

from bench.datasets import beam, factconsolidation, halumem, locomo, longmemeval, realmem, statebench
from bench.errors import BenchError
from bench.model import Dataset

DATASETS: Mapping[str, Callable[[Path], Dataset]] = MappingProxyType(
    {
        "locomo": locomo.load,
        "locomo-short": locomo.load_short,
        "factconsolidation-sh-6k": partial(factconsolidation.load, hops="sh", size="6k"),
        "factconsolidation-mh-6k": partial(factconsolidation.load, hops="mh", size="6k"),
        "factconsolidation-sh-32k": partial(factconsolidation.load, hops="sh", size="32k"),
        "factconsolidation-mh-32k": partial(factconsolidation.load, hops="mh", size="32k"),
        "statebench": partial(statebench.load, part="dev"),
        "statebench-train": partial(statebench.load, part="train"),
        "halumem": halumem.load,
        "halumem-points": halumem.load_points,
        "beam100k": beam.load,
        "realmem": realmem.load,
        "longmemeval": longmemeval.load,
        "longmemeval-dev": partial(longmemeval.load, split="dev"),
        "longmemeval-held": partial(longmemeval.load, split="held"),
    }
)


def load_dataset(name: str, root: Path) -> Dataset:
    """root: the folder that holds the benchmark files."""
    if name not in DATASETS:
        raise BenchError(f"There is no data set {name!r}. There are: {', '.join(DATASETS)}.")
    return DATASETS[name](root)
