"""Slots: the canonical attributes, how many values each holds, and which values are the same.

Only attributes listed here are settled by code as single-valued. An attribute that a model invents is
kept as multi-valued, so that a weak model's "single" cannot retire a second dog.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from perdure.core.text import entity_key
from perdure.core.values import Cardinality, Draft, Slot

_SINGLE: dict[str, tuple[str, ...]] = {
    "name": ("full_name", "first_name"),
    "home_city": ("lives_in", "city", "home", "residence", "location", "current_city", "home_town_now"),
    "address": ("home_address", "street_address"),
    "employer": ("works_at", "works_for", "company", "workplace", "current_employer"),
    "job_title": ("works_as", "occupation", "profession", "job", "role", "position"),
    "age": (),
    "birthday": ("date_of_birth", "birth_date", "born_on"),
    "birthplace": ("hometown", "born_in"),
    "nationality": ("citizenship",),
    "marital_status": ("relationship_status",),
    "partner": ("spouse", "wife", "husband", "girlfriend", "boyfriend", "married_to"),
    "phone": ("phone_number", "mobile"),
    "email": ("email_address", "e_mail"),
    "diet": (),
    "blood_type": (),
    "native_language": ("mother_tongue",),
}
_MULTI: dict[str, tuple[str, ...]] = {
    "allergy": ("allergic_to", "allergies"),
    "speaks": ("language", "languages"),
    "pet": ("pets", "dog", "cat"),
    "child": ("children", "son", "daughter"),
    "sibling": ("brother", "sister", "siblings"),
    "hobby": ("hobbies", "interest", "interests"),
    "friend": ("friends",),
    "owns": ("possession",),
}
_CANONICAL = {
    entity_key(name): canonical
    for table in (_SINGLE, _MULTI)
    for canonical, names in table.items()
    for name in (canonical, *names)
}
_ACCENTS = re.compile(r"(?<=[a-z])[\u0300-\u036f]+")
_SINGLE_PREFIXES = ("favourite_", "opinion_of:")


def canonical_attribute(attribute: str) -> str:
    """The one name of an attribute; an unknown one keeps its own, in lower case with underscores."""
    plain = "_".join(attribute.strip().casefold().replace("-", " ").split())
    plain = plain.replace("favorite_", "favourite_", 1)
    return _CANONICAL.get(entity_key(plain), plain)


def cardinality_of(attribute: str) -> Cardinality:
    """By schema: single only where the table says so."""
    is_single = attribute in _SINGLE or attribute.startswith(_SINGLE_PREFIXES)
    return Cardinality.SINGLE if is_single else Cardinality.MULTI


def is_settled_by_code(attribute: str) -> bool:
    """True for the attributes listed here; how values of others relate is for the guard and the judge."""
    return attribute in _SINGLE or attribute in _MULTI or attribute.startswith(_SINGLE_PREFIXES)


def slot_of(draft: Draft) -> Slot | None:
    """The slot a draft fills, or None if it names no attribute or no value."""
    if not draft.attribute or not draft.value or not entity_key(draft.value):
        return None
    attribute = canonical_attribute(draft.attribute)
    return Slot(
        subject=entity_key(draft.subject) or "user",
        attribute=attribute,
        cardinality=cardinality_of(attribute),
    )


def _without_accents(key: str) -> str:
    """São Paulo is Sao Paulo: the accents of Latin letters are often left out in typing."""
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", key)))


def value_keys(values: Iterable[str]) -> dict[str, str]:
    """A key for each value. "Porto" and "Porto, Portugal" share one; two Portlands with states do not."""
    distinct = sorted(set(values))
    keys = {value: _without_accents(entity_key(value)) or value for value in distinct}
    fuller: dict[str, set[str]] = {}
    for value in distinct:
        head, comma, tail = value.partition(",")
        if comma and tail.strip():
            fuller.setdefault(_without_accents(entity_key(head)), set()).add(keys[value])
    return {
        value: next(iter(fuller[key])) if len(fuller.get(key, ())) == 1 else key
        for value, key in keys.items()
    }
