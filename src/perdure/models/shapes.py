"""Fit a JSON value that means the right thing into the shape that was asked for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import get_args, get_origin

from pydantic import BaseModel, ValidationError

from perdure.core.values import Json
from perdure.prompts.replies import Reply

_MAX_WRAPPERS = 3
_NOT_A_LETTER = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """The reply, and how many members of its list were skipped."""

    value: BaseModel
    dropped: int = 0


class Misfit(Exception):
    """A value does not fit; the text names fields and kinds, never values. Does not leave the parser."""


def fit(value: Json, schema: type[BaseModel]) -> Fit:
    """The value as `schema`; Misfit says what is wrong with it.

    A schema with one list of models takes its members from a bare list, a single member, a wrapper
    object, an echo of the schema, and from keys in other cases or of other names. Members that cannot be
    read are skipped and counted; if none can be read and there were some, that is a Misfit.
    """
    member_field = _member_field(schema)
    if member_field is None:
        if not isinstance(value, dict):
            raise Misfit("the answer is not an object")
        return Fit(value=_validate(_rename(value, schema), schema))
    name, member = member_field
    members = _find_members(value, schema, name, member, _MAX_WRAPPERS)
    if members is None:
        raise Misfit(f"the answer has no list {name!r}")
    good = [read for read in (_read_member(item, member) for item in members) if read is not None]
    if members and not good:
        raise Misfit(f"no member of {name!r} could be read: {_complaint(members[0], member)}")
    return Fit(value=schema.model_validate({name: good}), dropped=len(members) - len(good))


def complaint(error: ValidationError) -> str:
    """Which fields are wrong, and in what way, without their values."""
    return "; ".join(
        f"{'.'.join(str(part) for part in wrong['loc']) or 'answer'}: {wrong['type']}"
        for wrong in error.errors(include_url=False, include_context=False, include_input=False)[:5]
    )


def _member_field(schema: type[BaseModel]) -> tuple[str, type[BaseModel]] | None:
    """The one field that is a list of models, and its model; None if the schema is another kind of object."""
    for name, field in schema.model_fields.items():
        arguments = get_args(field.annotation)
        if get_origin(field.annotation) is list and issubclass(arguments[0], BaseModel):
            return (name, arguments[0]) if field.is_required() else None
    return None


def _find_members(
    value: Json, schema: type[BaseModel], name: str, member: type[BaseModel], wrappers: int
) -> list[Json] | None:
    if isinstance(value, list):
        return _members_of_list(value, schema, name, member)
    if not isinstance(value, dict):
        return None
    if "properties" in value and isinstance(value["properties"], dict):
        return _find_members(value["properties"], schema, name, member, wrappers)
    renamed = _rename(value, schema)
    if name in renamed and not _is_member(value, member):
        return _as_members(renamed[name], member)
    if _is_member(value, member):
        return [value]
    wrapped = _wrapped(value, member)
    return _find_members(wrapped, schema, name, member, wrappers - 1) if wrappers and wrapped else None


def _wrapped(value: Mapping[str, Json], member: type[BaseModel]) -> Json:
    """What an object of another kind holds: its one object, or its one list of members."""
    inner = [_unwrapped(item) for item in value.values()]
    containers = [item for item in inner if isinstance(item, dict | list)]
    if len(containers) != 1:
        return None
    only = containers[0]
    if isinstance(only, list) and not all(isinstance(i, dict) and _is_member(i, member) for i in only):
        return None
    return only


def _members_of_list(
    items: list[Json], schema: type[BaseModel], name: str, member: type[BaseModel]
) -> list[Json]:
    """A bare list of members; members that are whole replies ([{"facts": […]}]) are opened."""
    opened: list[Json] = []
    for item in items:
        renamed = _rename(item, schema) if isinstance(item, dict) and not _is_member(item, member) else {}
        opened += (_as_members(renamed[name], member) or []) if name in renamed else [item]
    return opened


def _as_members(value: Json, member: type[BaseModel]) -> list[Json] | None:
    """The content of the list field, whatever it came as. A description of a list is not one."""
    if value is None:
        return []
    if isinstance(value, list):
        return value
    if isinstance(value, str):
        inner = _unwrapped(value)
        return inner if isinstance(inner, list) else [inner]
    if not isinstance(value, dict) or ("items" in value and "type" in value):
        return None
    if _is_member(value, member) or not all(isinstance(item, dict | str) for item in value.values()):
        return [value]
    return list(value.values())


def _unwrapped(value: Json) -> Json:
    """A string that is JSON, as its value; anything else as it is."""
    if not isinstance(value, str) or not value.lstrip().startswith(("{", "[")):
        return value
    try:
        inner: Json = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return inner


def _is_member(value: Mapping[str, Json], member: type[BaseModel]) -> bool:
    """True if the object has every field that a member must have, as a plain value."""
    renamed = _rename(value, member)
    needed = [name for name, field in member.model_fields.items() if field.is_required()]
    return all(isinstance(renamed.get(name), str | int) for name in needed)


def _read_member(item: Json, member: type[BaseModel]) -> BaseModel | None:
    try:
        return _validate(_member_fields(item, member), member)
    except Misfit:
        return None


def _complaint(item: Json, member: type[BaseModel]) -> str:
    try:
        _validate(_member_fields(item, member), member)
    except Misfit as misfit:
        return str(misfit)
    return "it is readable"


def _member_fields(item: Json, member: type[BaseModel]) -> dict[str, Json]:
    if isinstance(item, dict):
        return _rename(item, member)
    bare = member.bare_text if issubclass(member, Reply) else None
    if isinstance(item, str) and bare and item.strip():
        return {bare: item}
    raise Misfit(f"a member is {_kind(item)}")


def _validate(fields: Mapping[str, Json], schema: type[BaseModel]) -> BaseModel:
    try:
        return schema.model_validate(fields)
    except ValidationError as error:
        raise Misfit(complaint(error)) from None


def _rename(value: Mapping[str, Json], schema: type[BaseModel]) -> dict[str, Json]:
    """The object with its keys as the schema spells them: any case, any joints, other names."""
    spelled: dict[str, Json] = {}
    for key, item in value.items():
        spelled.setdefault(_fold(key), item)
    renamed: dict[str, Json] = {}
    taken: set[str] = set()
    for name, names in _names(schema):
        found = next((n for n in names if n in spelled and n not in taken), None)
        if found is not None:
            taken.add(found)
            renamed[name] = spelled[found]
    return renamed


def _names(schema: type[BaseModel]) -> Iterator[tuple[str, list[str]]]:
    """Each field with its spellings, own name first. Own names of other fields are never borrowed."""
    own = {_fold(name) for name in schema.model_fields}
    others = schema.other_names if issubclass(schema, Reply) else {}
    for name in schema.model_fields:
        borrowed = (_fold(other) for other in others.get(name, ()))
        yield name, [_fold(name), *(other for other in borrowed if other not in own)]


def _fold(key: str) -> str:
    return _NOT_A_LETTER.sub("", key).casefold()


def _kind(value: Json) -> str:
    if value is None:
        return "null"
    return {str: "empty text", list: "a list", bool: "a truth value"}.get(type(value), "a number")
