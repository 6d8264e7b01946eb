"""Any server that speaks OpenAI's embeddings API.

Limits of such servers are rarely documented and never machine-readable: they are found by being refused, and
remembered. A text that is refused alone is cut in half, again and again; its vector is the mean of its
parts' unit vectors, so no part of it is lost.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from perdure.core.text import replace_lone_surrogates
from perdure.core.values import Json
from perdure.embed.batches import Limits, Part
from perdure.embed.windows import mean_direction
from perdure.errors import EmbedderError, ModelError
from perdure.ports import EmbedderIdentity
from perdure.remote.addresses import read_address
from perdure.remote.bodies import JsonObject, as_list, as_object
from perdure.remote.clients import Endpoint, openai_endpoint
from perdure.remote.failures import EndpointFailure, FailureKind
from perdure.remote.limits import Gate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from perdure.ports import Matrix, Vector

OPENAI_BASE_URL = "https://api.openai.com/v1"

# Endpoints refuse an empty input; a text without words needs a vector all the same.
_FOR_EMPTY = "."
_NOT_SIZE = re.compile(
    r"api.?key|unauthori[sz]ed|authenticat|permission"
    r"|model[^.]{0,60}(?:not found|not exist|unknown|invalid)|(?:unknown|invalid|no such) model",
    re.IGNORECASE,
)
_SIZE = re.compile(r"too (?:large|long|many)|exceed|context|batch size", re.IGNORECASE)

# Dimensions of well-known models, so that a store can be bound before the first answer.
KNOWN_DIMENSIONS = {
    "text-embedding-3-small": 1536,
    "text-embedding-3-large": 3072,
    "text-embedding-ada-002": 1536,
}


class OpenAIEmbedder:
    """One embedding model at one endpoint. Vectors are brought to unit length."""

    def __init__(
        self,
        model: str = "text-embedding-3-small",
        *,
        gate: Gate,
        base_url: str = OPENAI_BASE_URL,
        api_key: str | None = None,
        dimension: int | None = None,
        batch_size: int = 128,
        timeout_s: float = 60.0,
        setting: str = "embedding_base_url",
    ) -> None:
        """dimension: of the answers, if known; asked of the endpoint only for models that can be shortened.

        batch_size: inputs in one request at first; it is halved when the endpoint refuses, and stays so.
        """
        self._model = model
        self._name = f"openai/{model}"
        self._gate = gate
        self._address = read_address(base_url, setting=setting)
        self._api_key = api_key
        self._timeout_s = timeout_s
        self._dimension = dimension or KNOWN_DIMENSIONS.get(model)
        self._asked_dimension = dimension if model.startswith("text-embedding-3") else None
        self._limits = Limits(max(1, batch_size))
        self._answering_model: str | None = None
        self._endpoint: Endpoint | None = None

    @property
    def identity(self) -> EmbedderIdentity:
        """EmbedderError as long as the dimension is neither given nor known nor found by a first answer."""
        if self._dimension is None:
            raise EmbedderError(
                f"{self._name}: the dimension is not known yet. Give it, or embed a text first."
            )
        return EmbedderIdentity(name=self._name, dimension=self._dimension)

    async def embed_documents(self, texts: Sequence[str]) -> Matrix:
        import numpy as np

        if not texts:
            return np.zeros((0, self._dimension or 0), dtype=np.float32)
        parts_of = [self._limits.parts(_sendable(text)) for text in texts]
        return np.stack([mean_direction(vectors) for vectors in await self._embed_parts(parts_of)])

    async def embed_query(self, text: str) -> Vector:
        vector: Vector = (await self.embed_documents([text]))[0]
        return vector

    async def close(self) -> None:
        if self._endpoint is not None:
            await self._endpoint.close()

    async def _embed_parts(self, parts_of: list[list[str]]) -> list[Matrix]:
        """The unit vectors of the parts of each text."""
        import numpy as np

        waiting: deque[Part] = deque((row, part) for row, parts in enumerate(parts_of) for part in parts)
        found: list[list[Vector]] = [[] for _ in parts_of]
        while waiting:
            batch = self._limits.take(waiting)
            answer = await self._request([text for _, text in batch])
            if isinstance(answer, EndpointFailure):
                waiting.extendleft(reversed(self._smaller(batch, answer, len(parts_of))))
                continue
            self._limits.accept(batch)
            for (row, _), vector in zip(batch, answer, strict=True):
                found[row].append(vector)
        return [np.stack(own) for own in found]

    def _smaller(self, batch: list[Part], refusal: EndpointFailure, count: int) -> list[Part]:
        smaller = self._limits.refuse(batch)
        if smaller is None:
            raise EmbedderError(f"{self._name}: text {batch[0][0] + 1} of {count} was refused: {refusal}")
        return smaller

    async def _request(self, texts: list[str]) -> Matrix | EndpointFailure:
        """Unit vectors of one request, or its failure if that may be due to its size; else EmbedderError."""
        try:
            return await self._gate.call(self._gate.open_budget(), lambda: self._post(texts))
        except ModelError as exc:
            raise EmbedderError(f"{self._name}: {exc}") from exc

    async def _post(self, texts: list[str]) -> Matrix | EndpointFailure:
        payload: JsonObject = {"model": self._model, "input": list(texts)}
        if self._asked_dimension is not None:
            payload["dimensions"] = self._asked_dimension
        try:
            objects = await self._reach().post("/embeddings", payload)
        except EndpointFailure as failure:
            if _may_be_size(failure):
                return failure
            raise
        return self._read(objects[0], len(texts))

    def _reach(self) -> Endpoint:
        if self._endpoint is None:
            self._endpoint = openai_endpoint(self._address, api_key=self._api_key, timeout_s=self._timeout_s)
        return self._endpoint

    def _read(self, answer: JsonObject, count: int) -> Matrix:
        """The checked vectors of an answer, in the order of the inputs."""
        items = [as_object(item) for item in as_list(answer.get("data"))]
        if len(items) != count:
            raise EmbedderError(f"{self._name}: {len(items)} vectors came back for {count} texts")
        rows = [_numbers(item.get("embedding"), self._name) for item in _in_order(items, self._name)]
        self._check_model(answer.get("model"))
        self._check_dimensions({row.shape[0] for row in rows})
        return _stack(rows, self._name)

    def _check_model(self, named: Json) -> None:
        """An endpoint that falls back to another model in mid-run would mix vectors that do not compare."""
        if not isinstance(named, str) or not named:
            return
        if self._answering_model not in {None, named}:
            raise EmbedderError(f"{self._name}: the endpoint answered with another model than before")
        self._answering_model = named

    def _check_dimensions(self, found: set[int]) -> None:
        expected = self._dimension or min(found)
        if found != {expected} or expected == 0:
            shown = ", ".join(str(each) for each in sorted(found))
            raise EmbedderError(f"{self._name}: vectors of {shown} numbers came back, {expected} expected")
        self._dimension = expected


def _sendable(text: str) -> str:
    return replace_lone_surrogates(text) if text.strip() else _FOR_EMPTY


def _may_be_size(failure: EndpointFailure) -> bool:
    if failure.status == 413:
        return True
    if failure.status in {400, 422}:
        return failure.kind is not FailureKind.QUOTA and not _NOT_SIZE.search(failure.body)
    return failure.status == 500 and bool(_SIZE.search(failure.body))


def _in_order(items: list[Mapping[str, Json]], name: str) -> list[Mapping[str, Json]]:
    """The items by `index`; as they came if none has one."""
    indexes = [item.get("index") for item in items]
    if all(index is None for index in indexes):
        return items
    placed = {index: item for index, item in zip(indexes, items, strict=True) if isinstance(index, int)}
    if set(placed) != set(range(len(items))):
        raise EmbedderError(f"{name}: the indexes of the vectors do not match the texts")
    return [placed[at] for at in range(len(items))]


def _numbers(embedding: Json, name: str) -> NDArray[np.float64]:
    import numpy as np

    values = [each for each in as_list(embedding) if isinstance(each, int | float)]
    if not values or len(values) != len(as_list(embedding)):
        raise EmbedderError(f"{name}: a vector is missing or holds something else than numbers")
    return np.array(values, dtype=np.float64)


def _stack(rows: list[NDArray[np.float64]], name: str) -> Matrix:
    """The rows as float32 at unit length; EmbedderError if one is not finite or has no direction."""
    import numpy as np

    stacked = np.stack(rows)
    lengths = np.linalg.norm(stacked, axis=1)
    if not np.isfinite(lengths).all() or not (lengths > 0).all():
        raise EmbedderError(f"{name}: a vector is not finite or has no length")
    units: Matrix = (stacked / lengths[:, None]).astype(np.float32)
    return units
