"""Which rivals there are, what each cannot do without a network, and who cannot run at all."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from bench.errors import SystemMissing
from bench.systems.rivals.rival import CALL_TIMEOUT_S, Rival, RivalSystem
from bench.systems.rivals.setup import default_folder, python_of
from perdure.ports import Embedder

_OFFLINE = {"HF_HUB_OFFLINE": "1", "ANONYMIZED_TELEMETRY": "False", "DO_NOT_TRACK": "1"}
_MEM0_VARIABLES = {
    **_OFFLINE,
    "MEM0_TELEMETRY": "False",
    "MEM0_DIR": "{folder}/mem0",
    "OPENAI_API_KEY": "none",
}
_NO_EXTRACTION = "no model extracts or rewrites: every turn is added verbatim (infer=False)"


def _mem0(name: str, about: str, *, store: str, is_full: bool, limits: tuple[str, ...]) -> Rival:
    return Rival(
        name=name,
        about=about,
        environment="mem0",
        worker="mem0_worker.py",
        options={"store": store, "keywords": is_full, "entities": is_full},
        variables=_MEM0_VARIABLES,
        limits=(_NO_EXTRACTION, *limits),
    )


RIVALS: Mapping[str, Rival] = {
    rival.name: rival
    for rival in (
        _mem0(
            "mem0",
            "mem0 2.2.1, embedded Qdrant, with BM25 and entities: its strongest setting offline",
            store="qdrant",
            is_full=True,
            limits=(
                "BM25's stop words are spaCy's, since fastembed's own list lies on a model hub",
                "entities are linked by mem0's own function after each add, which infer=False leaves out",
                "the hosted platform's temporal reasoning and rerankers are not in the package",
            ),
        ),
        _mem0(
            "mem0-plain",
            "mem0 2.2.1, embedded Qdrant, as `pip install mem0ai` leaves it: cosine alone",
            store="qdrant",
            is_full=False,
            limits=("no BM25 and no entities: without extra packages it has neither",),
        ),
        _mem0(
            "mem0-faiss",
            "mem0 2.2.1 on FAISS: cosine alone",
            store="faiss",
            is_full=False,
            limits=(
                "no BM25: this store has no keyword search",
                "FAISS filters after a short search, so small users beside large ones can get nothing",
            ),
        ),
        Rival(
            name="mcp-memory-service",
            about="mcp-memory-service 12.4.0 on sqlite-vec, hybrid of BM25 (trigrams) and cosine",
            environment="mcp-memory-service",
            worker="mcp_memory_service_worker.py",
            options={},
            variables={
                **_OFFLINE,
                "MCP_MEMORY_STORAGE_BACKEND": "sqlite_vec",
                "MCP_MEMORY_BASE_DIR": "{folder}/base",
                "MCP_EXTERNAL_EMBEDDING_URL": "{embedding_url}",
                "MCP_EXTERNAL_EMBEDDING_MODEL": "local",
            },
            limits=(
                "every turn is stored verbatim; its semantic deduplication is off, which would drop turns",
                "its quality scores and consolidation, which need a model or time to pass, do not run",
            ),
        ),
        Rival(
            name="langgraph-store",
            about="LangGraph's SqliteStore 3.1.2, to which LangMem writes: exact cosine by sqlite-vec",
            environment="langgraph-store",
            worker="langgraph_store_worker.py",
            options={},
            variables=_OFFLINE,
            limits=("LangMem's extraction and consolidation need a model; this is its store alone",),
        ),
    )
}

LIMITS: Mapping[str, str] = {
    "Graphiti": "graphiti-core 0.31.2 with kuzu 0.11.3 installs, but its entities and edges come from a chat "
    "model; without one there are raw episodes alone, for which its only search method is BM25.",
    "LangMem": "langmem 0.0.30 extracts and consolidates by a chat model (not tried); its store is run, as "
    "langgraph-store.",
    "A-MEM": "each note needs a chat model for its keywords, links and evolution (not tried): a stub in its "
    "place would measure the stub. The paper's own code is in no package index.",
    "Cognee": "cognee 1.6.5 makes its graph by a chat model (not tried); without it, it has chunks and "
    "cosine, which the dense baseline shows.",
}


def make_rival(
    name: str,
    embedder: Embedder,
    *,
    folder: Path | None = None,
    call_timeout_s: float = CALL_TIMEOUT_S,
) -> RivalSystem:
    """The rival of that name, started. folder: where `set_up` put the environments."""
    rival = RIVALS.get(name)
    if rival is None:
        why = f" {name} cannot run here: {LIMITS[name]}" if name in LIMITS else ""
        raise SystemMissing(f"no rival is called {name!r}.{why} There are: {', '.join(RIVALS)}.")
    python = python_of(rival.environment, folder or default_folder())
    return RivalSystem(rival, embedder, python=python, call_timeout_s=call_timeout_s)
