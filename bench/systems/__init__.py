"""Every system by name; `describe` says in a line what each one is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from bench.embedding import CachedEmbedder
from bench.errors import SystemMissing
from bench.systems.base import System
from bench.systems.baselines import Bm25, Dense, Fused, LastTurns, Transcript
from bench.systems.ours import Options, Ours
from bench.systems.rivals.catalogue import LIMITS, RIVALS, make_rival
from perdure.core.values import Layer
from perdure.recall.pipeline import SIGNALS

ABLATED_LAYERS = (Layer.EXACT, Layer.SLOT, Layer.NEAR)

CONFIGURATIONS: Mapping[str, tuple[str, Options]] = {
    "perdure": ("facts by rules and messages, four signals", Options()),
    "perdure-messages": ("messages alone, four signals", Options(kinds=("episode",))),
    "perdure-facts": ("facts by rules alone, four signals", Options(kinds=("fact",))),
    "perdure-verbatim": ("each message a fact", Options(kinds=("fact",), extraction="verbatim")),
    "perdure-given": ("the dataset's own statements as extraction, facts alone",
                      Options(kinds=("fact",), extraction="given")),
    **{
        f"perdure-no-{signal}": (f"without the {signal} signal", Options(signals=SIGNALS - {signal}))
        for signal in sorted(SIGNALS)
    },
    **{
        f"perdure-only-{signal}": (f"the {signal} signal alone", Options(signals=frozenset({signal})))
        for signal in sorted(SIGNALS)
    },
    **{
        f"perdure-no-{layer.value}": (
            f"without the {layer.value} layer of the write path",
            Options(layers=frozenset(Layer) - {layer}),
        )
        for layer in ABLATED_LAYERS
    },
}  # fmt: skip

BASELINES: Mapping[str, tuple[str, Callable[[CachedEmbedder], System]]] = {
    "bm25": ("BM25 over stems", lambda embedder: Bm25()),
    "dense": ("exact cosine", Dense),
    "rrf": ("BM25 and cosine by reciprocal rank", Fused),
    "last-turns": ("the newest turns, whatever is asked", lambda embedder: LastTurns()),
    "transcript": ("everything that was said, in order", lambda embedder: Transcript()),
}

ABLATION = ("perdure", *(name for name in CONFIGURATIONS if name.startswith("perdure-no-")))


def describe() -> dict[str, str]:
    """What every system is, in one line."""
    known = {name: text for name, (text, _) in CONFIGURATIONS.items()}
    known |= {name: text for name, (text, _) in BASELINES.items()}
    return known | {name: rival.about for name, rival in RIVALS.items()}


def make_system(name: str, embedder: CachedEmbedder, *, rivals: Path | None = None) -> System:
    """The system of that name; SystemMissing lists those there are, and says how to set up a rival.

    rivals: the folder of the rivals' environments.
    """
    if name in CONFIGURATIONS:
        return Ours(name, embedder, CONFIGURATIONS[name][1])
    if name in BASELINES:
        return BASELINES[name][1](embedder)
    unable = {known.casefold(): known for known in LIMITS}
    if name in RIVALS or name.casefold() in unable:
        return make_rival(unable.get(name.casefold(), name), embedder, folder=rivals)
    raise SystemMissing(f"no system is called {name!r}. There are: {', '.join(describe())}")
