"""JSON Schemas of replies, in the two dialects that endpoints take."""

from __future__ import annotations

from pydantic import BaseModel

from perdure.core.values import Json

# Words about the schema rather than in it: models copy them into answers, and strict modes refuse the last.
_LEFT_OUT = ("title", "description", "default", "minLength")


def plain_schema(model: type[BaseModel]) -> dict[str, Json]:
    """The schema with only types, names and what is required."""
    return _clean(model, is_strict=False)


def strict_schema(model: type[BaseModel]) -> dict[str, Json]:
    """The schema for strict modes: every property required, no others allowed."""
    return _clean(model, is_strict=True)


def _clean(model: type[BaseModel], *, is_strict: bool) -> dict[str, Json]:
    schema: Json = model.model_json_schema()
    cleaned = _cleaned(schema, is_strict=is_strict)
    if not isinstance(cleaned, dict):
        raise TypeError("the schema of a model is an object")
    return cleaned


def _cleaned(schema: Json, *, is_strict: bool) -> Json:
    if isinstance(schema, list):
        return [_cleaned(item, is_strict=is_strict) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kept: dict[str, Json] = {}
    for key, value in schema.items():
        if key in {"properties", "$defs"} and isinstance(value, dict):
            kept[key] = {name: _cleaned(part, is_strict=is_strict) for name, part in value.items()}
        elif key not in _LEFT_OUT:
            kept[key] = _cleaned(value, is_strict=is_strict)
    properties = kept.get("properties")
    if is_strict and isinstance(properties, dict):
        kept["required"] = list(properties)
        kept["additionalProperties"] = False
    return kept
