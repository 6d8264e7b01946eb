"""What a provider's adapter does: one request, one raw reply. All else is `structured`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from perdure.core.values import Json
from perdure.ports import Usage

FormatKind: TypeAlias = Literal["strict_schema", "json_schema", "json_object", "text"]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat."""

    role: Literal["system", "user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyFormat:
    """In what form the reply is asked for. schema: the JSON Schema that goes with the two schema kinds."""

    kind: FormatKind
    name: str
    schema: dict[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class RawReply:
    """A reply as it came. text: the content; reasoning: what the server put aside as thought.

    finish_reason: "length" when the model ran out of tokens.
    """

    text: str | None
    reasoning: str | None = None
    finish_reason: str | None = "stop"
    usage: Usage = field(default_factory=lambda: Usage(calls=1))
    model: str = ""


class Transport(Protocol):
    """One endpoint and model. `formats`: the kinds it can ask for, most exact first."""

    @property
    def name(self) -> str: ...

    @property
    def formats(self) -> tuple[FormatKind, ...]: ...

    async def complete(
        self, messages: Sequence[Message], reply_format: ReplyFormat, max_tokens: int
    ) -> RawReply:
        """One request. EndpointFailure if it fails, of kind FORMAT if the form of reply was refused,

        of kind ADJUSTED if a parameter was refused that the next request will leave out.
        """
        ...

    async def close(self) -> None: ...
