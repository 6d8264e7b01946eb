"""Extract: from what was said to drafts of facts, by a model, by rules, or verbatim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from perdure.core.interval import Interval
from perdure.core.names import find_mentions
from perdure.core.values import Claim, Draft, Episode, FactKind, Role
from perdure.ports import Model, Usage
from perdure.write.extract_model import read_proposals, speaker_name
from perdure.write.rules import Skipped, extract_by_rules

if TYPE_CHECKING:
    from perdure.prompts.replies import ExtractReply

Extractor: TypeAlias = Literal["model", "rules", "verbatim"]
_SILENT_ROLES = (Role.SYSTEM, Role.TOOL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """drafts in the order they were said; skipped says why an episode gave nothing; by: who extracted.

    dropped: members of the model's reply that could not be read, or were cut off.
    """

    drafts: tuple[Draft, ...]
    skipped: tuple[Skipped, ...]
    by: Extractor
    usage: Usage = field(default_factory=Usage)
    dropped: int = 0


async def extract(
    episodes: Sequence[Episode], *, infer: bool, model: Model | None, instructions: str | None = None
) -> Extraction:
    """Drafts from episodes: verbatim if not `infer`, else by the model, else by rules.

    Errors of the model pass through; the episodes are safe by then.
    """
    if not infer:
        return _verbatim(episodes)
    if model is None:
        by_rules = extract_by_rules(episodes)
        return Extraction(drafts=by_rules.drafts, skipped=by_rules.skipped, by="rules")
    return await _by_model(episodes, model, instructions)


def _verbatim(episodes: Sequence[Episode]) -> Extraction:
    drafts = tuple(
        Draft(
            text=e.text,
            subject=speaker_name(e),
            kind=FactKind.VERBATIM,
            claim=Claim(interval=Interval(e.said_at), said_at=e.said_at),
            episode_ids=(e.id,),
            speaker=e.speaker,
            role=e.role,
            mentions=find_mentions(e.text, speaker=e.speaker),
            metadata=e.metadata,
        )
        for e in episodes
        if e.role not in _SILENT_ROLES
    )
    return Extraction(drafts=drafts, skipped=_skip_silent(episodes), by="verbatim")


async def _by_model(episodes: Sequence[Episode], model: Model, instructions: str | None) -> Extraction:
    from perdure.prompts import load_prompt, show_wish

    said = [e for e in episodes if e.role not in _SILENT_ROLES]
    silent = _skip_silent(episodes)
    if not said:
        return Extraction(drafts=(), skipped=silent, by="model")
    question = load_prompt("extract").question(turns=turn_lines(said), instructions=show_wish(instructions))
    answer = await model.ask(question)
    found = read_proposals(cast("ExtractReply", answer.value), said, instructions=instructions)
    return Extraction(
        drafts=found.drafts,
        skipped=(*silent, *found.skipped),
        by="model",
        usage=answer.usage,
        dropped=answer.dropped,
    )


def _skip_silent(episodes: Sequence[Episode]) -> tuple[Skipped, ...]:
    return tuple(
        Skipped(episode_id=e.id, reason=f"{e.role.value} turn") for e in episodes if e.role in _SILENT_ROLES
    )


def turn_lines(episodes: Sequence[Episode]) -> str:
    """The turns as the prompt shows them: each line owned, dated and fenced."""
    from perdure.prompts import show_turn

    return "\n".join(
        show_turn(
            number,
            role=e.role.value,
            speaker=e.speaker,
            said_at=e.said_at,
            utc_offset_minutes=e.utc_offset_minutes,
            text=e.text,
        )
        for number, e in enumerate(episodes, start=1)
    )
