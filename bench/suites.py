"""Which systems run on which data for `quick` and `full`, and which figures stand for each dataset."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

OURS = ("perdure", "perdure-messages")
PLAIN = ("bm25", "dense", "rrf")
WINDOWS = ("last-turns", "transcript")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One dataset with the systems to run on it."""

    dataset: str
    systems: tuple[str, ...]


QUICK = (
    Part(dataset="locomo-short", systems=("perdure", *PLAIN)),
    Part(dataset="factconsolidation-sh-6k", systems=("perdure", *PLAIN)),
    Part(dataset="factconsolidation-mh-6k", systems=("perdure", *PLAIN)),
    Part(dataset="statebench", systems=("perdure", "perdure-given", "rrf", *WINDOWS)),
    Part(dataset="halumem-points", systems=("perdure", *PLAIN)),
)

FULL = (
    Part(dataset="locomo", systems=(*OURS, "perdure-facts", *PLAIN, "last-turns")),
    Part(dataset="factconsolidation-sh-6k", systems=("perdure", "perdure-verbatim", *PLAIN)),
    Part(dataset="factconsolidation-mh-6k", systems=("perdure", "perdure-verbatim", *PLAIN)),
    Part(dataset="factconsolidation-sh-32k", systems=("perdure", *PLAIN)),
    Part(dataset="factconsolidation-mh-32k", systems=("perdure", *PLAIN)),
    Part(dataset="statebench", systems=(*OURS, "perdure-given", *PLAIN, *WINDOWS)),
    Part(dataset="statebench-train", systems=("perdure", "perdure-given", *PLAIN, *WINDOWS)),
    Part(dataset="halumem", systems=(*OURS, *PLAIN)),
    Part(dataset="halumem-points", systems=(*OURS, *PLAIN)),
    Part(dataset="beam100k", systems=(*OURS, *PLAIN)),
    Part(dataset="realmem", systems=(*OURS, *PLAIN)),
    Part(dataset="longmemeval", systems=(*OURS, *PLAIN)),
)

# Rivals are slow to feed: on the sets where they say most.
RIVALS = (
    Part(dataset="locomo", systems=("mem0", "mem0-plain", "langgraph-store")),
    Part(dataset="factconsolidation-sh-6k", systems=("mem0", "mem0-plain", "langgraph-store")),
    Part(dataset="factconsolidation-mh-6k", systems=("mem0", "mem0-plain", "langgraph-store")),
    Part(dataset="halumem-points", systems=("mem0", "mem0-plain", "mcp-memory-service", "langgraph-store")),
    Part(dataset="beam100k", systems=("mem0-plain", "langgraph-store")),
)

# The figures that a table shows for a dataset, most telling first.
HEADLINES: Mapping[str, tuple[str, ...]] = {
    "locomo": ("turns all@10", "turns R@10", "turns any@10", "turns MRR", "sessions all@5", "tokens@10"),
    "factconsolidation": ("newest first", "reader right", "turns all@10", "stale@10"),
    "statebench": ("clean@10", "shows@10", "leaks@10", "tokens@10"),
    "halumem-points": ("stale@10", "newest first", "turns all@10", "turns R@10"),
    "halumem": ("sessions any@5", "sessions all@10", "sessions R@10"),
    "beam100k": ("turns R@10", "turns all@10", "newest first", "tokens@10"),
    "realmem": ("sessions R@10", "sessions any@5", "sessions all@10", "tokens@10"),
    "longmemeval": ("sessions any@1", "sessions all@5", "turns all@10"),
}


def headlines(dataset: str) -> tuple[str, ...]:
    """The measures that stand for a dataset; for one without an entry, the usual ones."""
    for name in sorted(HEADLINES, key=len, reverse=True):
        if dataset.startswith(name):
            return HEADLINES[name]
    return ("turns all@10", "turns R@10", "sessions all@5", "stale@10", "clean@10")
