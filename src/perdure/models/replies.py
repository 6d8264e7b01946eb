"""The one parser of model replies: text in, a validated value out, or a clear failure.

Every provider's reply goes through `read_reply`. Thoughts are taken off first, JSON is read strictly,
then repaired, then fitted to the schema. "Nothing to remember" is a value; "cannot be read" is an error.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from pydantic import BaseModel

from perdure.core.values import Json
from perdure.errors import UnreadableReply
from perdure.models.json_text import (
    MAX_REPLY_CHARACTERS,
    Found,
    find_values,
    groups,
    is_end,
    read_strictly,
)
from perdure.models.shapes import Fit, Misfit, fit
from perdure.models.thinking import answers_without_thoughts

MAX_STARTS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A reply that was read. dropped: members skipped. was_cut: the reply ended early; there was more."""

    value: BaseModel
    dropped: int = 0
    was_cut: bool = False


def read_reply(
    text: str | None, reasoning: str | None, finish_reason: str | None, schema: type[BaseModel]
) -> Read:
    """The answer in a reply, as an instance of `schema`.

    text: the content; reasoning: what the server put aside as thought. The answer is looked for there
    only if the content is empty, the reply was not cut, and the thought ends with it.
    finish_reason: "length" if the model ran out of tokens.
    UnreadableReply names what is wrong, never the words of the reply.
    """
    content, thought = (text or "").strip(), (reasoning or "").strip()
    is_length = finish_reason in {"length", "max_tokens"}
    if max(len(content), len(thought)) > MAX_REPLY_CHARACTERS:
        raise UnreadableReply(f"the reply is longer than {MAX_REPLY_CHARACTERS} characters")
    if content:
        return _read(content, schema, is_length=is_length, only_at_end=False)
    if thought and not is_length:
        return _read(thought, schema, is_length=False, only_at_end=True)
    is_cut = is_length or thought
    raise UnreadableReply("the reply was cut before the answer began" if is_cut else "the reply is empty")


def _read(reply: str, schema: type[BaseModel], *, is_length: bool, only_at_end: bool) -> Read:
    whole = read_strictly(reply)
    if whole is not None:
        return _fit_whole(whole, schema)
    candidates = answers_without_thoughts(reply)
    if not candidates:
        raise UnreadableReply("the reply holds only thoughts: a thinking block never closed")
    try:
        return _read_answer(candidates[0], schema, is_length=is_length, only_at_end=only_at_end)
    except UnreadableReply:
        for candidate in candidates[1:]:
            whole = read_strictly(candidate)
            if whole is not None:
                return _fit_whole(whole, schema)
        raise


def _fit_whole(value: Json, schema: type[BaseModel]) -> Read:
    try:
        return _as_read(fit(value, schema))
    except Misfit as misfit:
        raise UnreadableReply(str(misfit)) from None


def _read_answer(answer: str, schema: type[BaseModel], *, is_length: bool, only_at_end: bool) -> Read:
    """The last group of values that fits, looking again behind a bracket that only looked like JSON."""
    problem = "the reply holds no JSON"
    start = 0
    for _ in range(MAX_STARTS):
        scan = find_values(answer, start)
        if scan.is_lost:
            raise UnreadableReply("the reply is broken or cut, and nothing in it is complete")
        for group in _by_likelihood(groups(answer, scan.found)):
            rest_follows = not is_end(answer, group[-1].end)
            if only_at_end and rest_follows:
                continue
            try:
                fitted = _fit_group(group, schema)
            except Misfit as misfit:
                problem = str(misfit)
                continue
            return _judge_cut(fitted, is_length=is_length and (rest_follows or group[-1].is_open))
        if scan.broken_at is None:
            break
        start = scan.broken_at + 1
    raise UnreadableReply(problem)


def _by_likelihood(parted: list[list[Found]]) -> list[list[Found]]:
    """Last first, since drafts come before answers; objects before bare lists, which prose has too."""
    return sorted(parted, key=_likelihood)[::-1]


def _likelihood(group: list[Found]) -> bool:
    return not isinstance(group[-1].value, list)


def _fit_group(group: list[Found], schema: type[BaseModel]) -> Read:
    """Values side by side as one answer: their members together, each once."""
    fits: list[Fit] = []
    problem = "nothing fits"
    for found in group:
        try:
            fits.append(_fit_found(found, schema))
        except Misfit as misfit:
            problem = str(misfit)
    if not fits:
        raise Misfit(problem)
    return replace(_merge(fits, schema), was_cut=group[-1].was_cut)


def _fit_found(found: Found, schema: type[BaseModel]) -> Fit:
    fitted = fit(found.value, schema)
    if found.was_repaired and not any(_members(fitted.value)) and not _is_plain(fitted.value):
        raise Misfit("the answer is broken and nothing in it is complete")
    return fitted


def _merge(fits: list[Fit], schema: type[BaseModel]) -> Read:
    members = [member for fitted in fits for member in _members(fitted.value)]
    if len(fits) == 1 or not members:
        return _as_read(fits[-1])
    name = next(iter(schema.model_fields))
    unique = {member.model_dump_json(): member for member in members}
    return Read(
        value=schema.model_validate({name: list(unique.values())}), dropped=sum(each.dropped for each in fits)
    )


def _members(value: BaseModel) -> list[BaseModel]:
    return [item for _, field in value if isinstance(field, list) for item in field]


def _is_plain(value: BaseModel) -> bool:
    return not any(isinstance(field, list) for _, field in value)


def _judge_cut(read: Read, *, is_length: bool) -> Read:
    was_cut = read.was_cut or is_length
    if was_cut and not _members(read.value):
        raise UnreadableReply("the reply was cut and nothing in it is complete")
    return replace(read, was_cut=was_cut)


def _as_read(fitted: Fit) -> Read:
    return Read(value=fitted.value, dropped=fitted.dropped)
