"""Slots read from English clauses."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from perdure.core.values import Cardinality
from perdure.write.lexicon.doubts import CITY_NAMES, SECOND_THOUGHT
from perdure.write.lexicon.english import KIN, NATIONALITIES, POINTING
from perdure.write.lexicon.english_slots import MULTI_ATTRIBUTES, POSSESSED, SLOTS
from perdure.write.lexicon.shape import Form, Shape, SlotPattern
from perdure.write.rules_doubts import is_doubted, is_left_again, is_one_person, is_unmeant
from perdure.write.rules_gate import is_hypothetical, is_unreal
from perdure.write.rules_subjects import Clause
from perdure.write.rules_values import clean_value, snake, split_values
from perdure.write.rules_verbs import is_finite, is_past, plain_predicate, undenied, unended

_JOINTS = re.compile(r"(?:,\s+(?:and |but |then )?|;\s+|\s(?:and|but|then)\s)(?=\w+)", re.IGNORECASE)
_RATHER = re.compile(r"not [^,;]{2,40}(?:, (?:it is|it's)|,? but) (?P<v>.+)", re.IGNORECASE)
_WITH_KIN = re.compile(
    r"\bwith (?:my|our) (?:[a-z][\w-]* )?(?P<kin>[a-zé-]+),? "
    r"(?P<name>[A-ZÀ-ÖØ-Þ][\w'-]*(?: [A-ZÀ-ÖØ-Þ][\w'-]*)?)"
)
_LEFT = re.compile(r"(?:have |has )?left (?!(?:my|his|her|their)\b)")
_WORK_TALK = re.compile(
    r"\b(?:work\w*|jobs?|join\w*|hired|employ\w*|career|boss|salary|position|offer|resign\w*|quit)\b", re.I
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotReading:
    """A slot that a statement fills. says: the statement written anew, without subject and value.

    subject: only where it is not the clause's own. form: how the value holds.
    """

    attribute: str
    value: str
    form: Form
    says: str
    cardinality: Cardinality = Cardinality.SINGLE
    relation: str | None = None
    confidence: float = 0.9
    subject: str | None = None
    kind: str = "other"


def read_slots(clause: Clause, *, message: str) -> list[SlotReading]:
    """The slots a clause states, in order; empty for wishes, plans, conditions and denials.

    message: all that was said, for context words.
    """
    plain = plain_predicate(clause.predicate)
    if is_hypothetical(f"{clause.lead} {plain}"):
        return []
    if clause.noun is not None:
        owned = _owned_slot(clause, plain)
        if owned is not None:
            return [] if _is_unsure_of_owned(clause, plain) else [owned]
    if clause.is_plural and not clause.is_speaker:
        return []
    base = unended(plain)
    if base is None and (held := undenied(clause.predicate)) is not None:
        return _denied_slots(held, clause, message=message)
    over: Form | None = None if base is None else "lapsed" if plain.startswith("used to") else "ends"
    readings: list[SlotReading] = []
    for part, whole, may_judge in _parts(base or plain):
        if is_unreal(part):
            continue
        for pattern in SLOTS:
            if pattern.attribute.startswith("opinion_of") and not may_judge:
                continue
            found = _match(pattern, whole, message=message)
            if found and not any(f.attribute == r.attribute for f in found for r in readings):
                readings += [_ended(reading, over) for reading in found]
    sure = [
        r
        for r in readings
        if not is_doubted(r.attribute, r.value, r.form, clause=clause) and not _is_left(r, message)
    ]
    sure = [_by_full_name(r) for r in sure]
    return sure + _companion(clause, plain) if sure and over is None else sure


def _by_full_name(reading: SlotReading) -> SlotReading:
    """A city by the one of its names that all of them are kept under."""
    city = CITY_NAMES.get(reading.value.casefold()) if reading.attribute == "home_city" else None
    return reading if city is None else replace(reading, value=city)


def _is_unsure_of_owned(clause: Clause, plain: str) -> bool:
    is_wished = is_unreal(plain.split(" ", 1)[0])
    return is_wished or is_unmeant(clause) or bool(SECOND_THOUGHT.search(plain))


def _is_left(reading: SlotReading, message: str) -> bool:
    is_move = reading.attribute == "home_city" and reading.form == "begins"
    return is_move and is_left_again(reading.value, message)


def _companion(clause: Clause, plain: str) -> list[SlotReading]:
    """Whom "I live in X with my girlfriend Ida" names besides: a repeat of X must not swallow her."""
    match = _WITH_KIN.search(plain)
    if match is None or not clause.is_speaker or is_past(plain) or is_unmeant(clause):
        return []
    reading = _kin_slot(match["kin"], match["name"], clause.subject)
    return [reading] if reading is not None else []


def _denied_slots(held: str, clause: Clause, *, message: str) -> list[SlotReading]:
    """What "I don't live in X" ends: only where X is all that is denied, and nobody else can be meant.

    held: the predicate without its denial.
    """
    if clause.lead.strip() or clause.noun is not None or clause.is_plural:
        return []
    plain = held.rstrip(" .!")
    found = [r for p in SLOTS if p.form == "holds" for r in _match(p, plain, message=message)]
    found = [r for r in found if r.attribute in _DENIED or r.attribute.startswith("opinion_of:")]
    is_all = len(found) == 1 and plain.casefold().endswith(_named(found[0]).casefold())
    if not is_all or is_doubted(found[0].attribute, found[0].value, "holds", clause=clause):
        return []
    return [_by_full_name(_ended(found[0], "ends"))]


def _named(reading: SlotReading) -> str:
    """The thing of an opinion, else the value."""
    return reading.attribute.partition(":")[2].replace("_", " ") or reading.value


_DENIED = frozenset({"home_city", "employer", "allergy", "diet", "marital_status"})


def _parts(base: str) -> list[tuple[str, str, bool]]:
    """Each verb phrase of the predicate: alone, from its beginning to the end, and if it may tell a taste.

    "Love" and "like" are verbs for sure only at the front, or after a present-tense phrase and "and".
    """
    starts = [0, *(m.end() for m in _JOINTS.finditer(base))]
    starts = [s for s in starts if s == 0 or is_finite(base[s:].split()[0])]
    ends = [*starts[1:], len(base)]
    is_present = not is_past(base)
    return [
        (base[s:e], base[s:], s == 0 or (is_present and base[:s].endswith((" and ", " but "))))
        for s, e in zip(starts, ends, strict=True)
    ]


def _match(pattern: SlotPattern, text: str, *, message: str) -> list[SlotReading]:
    match = pattern.pattern.match(text)
    if match is None:
        return []
    is_of_work = pattern.attribute == "employer"
    if pattern.form == "ends" and _LEFT.match(text) and bool(_WORK_TALK.search(message)) != is_of_work:
        return []  # "I left Rome" may be a journey; only talk of work makes it an employer
    is_lower = message == message.lower()
    raw = match.groupdict().get("v")
    if raw is None:
        return [_reading(pattern, pattern.value or "", None)]
    if pattern.value is not None:
        values = split_values(raw, pattern.shape, is_lower=is_lower)
        return [_reading(pattern, pattern.value, value) for value in values]
    if pattern.cardinality is Cardinality.MULTI:
        return [_reading(pattern, v, v) for v in split_values(raw, pattern.shape, is_lower=is_lower)]
    value = clean_value(raw, pattern.shape, is_lower=is_lower)
    return [] if value is None else [_reading(pattern, value, value)]


def _reading(pattern: SlotPattern, value: str, named: str | None) -> SlotReading:
    """named: what `{v}` and `{}` stand for."""
    return SlotReading(
        attribute=pattern.attribute.format(snake(named or value)),
        value=value,
        form=pattern.form,
        says=pattern.says.replace("{v}", named or value),
        cardinality=pattern.cardinality,
        relation=pattern.relation,
        confidence=pattern.confidence,
        kind=ENTITY_KINDS.get(pattern.attribute, "other"),
    )


def _ended(reading: SlotReading, over: Form | None) -> SlotReading:
    if over is None:
        return reading
    return replace(reading, form=over, says=re.sub(r"^\{s\} ", "{s} no longer ", reading.says), relation=None)


def _owned_slot(clause: Clause, plain: str) -> SlotReading | None:
    """ "My birthday is 14 May", "My brother's name is Bob", "My wife is called Eva"."""
    match = re.match(r"(?:is|are)\s+(?P<v>.+)", plain)
    noun = clause.noun or ""
    kin = re.fullmatch(r"(?:[\w-]+ ){0,2}?(?P<kin>[\w-]+?)(?P<names>'s name)?", noun)
    if match is None or not clause.subject.casefold().endswith(f"'s {noun}"):
        return None
    owner = clause.subject[: -len(noun) - 3]
    if contrast := _RATHER.fullmatch(match["v"]):
        return _owned_slot(replace(clause, predicate=f"is {contrast['v']}"), f"is {contrast['v']}")
    value_text = re.sub(r"^(?:called|named)\s+", "", match["v"])
    if kin and kin["kin"] in KIN:
        return _kin_slot(kin["kin"], value_text, owner)
    holder, _, owned = noun.rpartition("'s ")
    if holder and not is_one_person(replace(clause, noun=holder)):
        return None
    owner = clause.subject[: -len(owned) - 3]
    for pattern, attribute, form, shape in POSSESSED:
        named = pattern.match(owned)
        if named is not None and (value := _owned_value(match["v"], attribute, shape)):
            key = attribute.format(snake(named.groupdict().get("of") or ""))
            many = attribute in MULTI_ATTRIBUTES
            return SlotReading(
                attribute=key,
                value=value,
                form=form,
                says=f"{{s}}'s {noun} is {value}",
                cardinality=Cardinality.MULTI if many else Cardinality.SINGLE,
                subject=owner,
                kind="person" if attribute == "name" else "other",
            )
    return None


def _kin_slot(kin: str, value_text: str, owner: str) -> SlotReading | None:
    if kin not in KIN:
        return None
    attribute, many, _ = KIN[kin]
    attribute = attribute or ("friend" if kin == "friend" else None)
    value = clean_value(value_text, "name")
    if attribute is None or value is None or value.casefold() in NATIONALITIES:
        return None
    return SlotReading(
        attribute=attribute,
        value=value,
        form="holds",
        says=f"{{s}}'s {kin} is {value}",
        cardinality=Cardinality.MULTI if many else Cardinality.SINGLE,
        relation=kin,
        subject=owner,
        kind="other" if attribute == "pet" else "person",
    )


def _owned_value(raw: str, attribute: str, shape: str) -> str | None:
    if attribute in _EXACT:
        found = _EXACT[attribute].search(raw)
        return found.group().strip(" .,") if found else None
    shapes: dict[str, Shape] = {
        "name": "name",
        "place": "place",
        "title": "title",
        "work": "work",
        "thing": "thing",
    }
    value = clean_value(raw, shapes.get(shape, "exact"))
    is_vague = value is None or value.split()[0].casefold() in POINTING | {
        "not",
        "very",
        "really",
        "important",
    }
    return None if is_vague else value


_EXACT = {
    "phone": re.compile(r"\+?\d[\d\s()./-]{4,20}\d"),
    "email": re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}"),
    "age": re.compile(r"\d{1,3}(?!\d)"),
    "address": re.compile(r"(?=.*\d)[^.;!?]{5,80}"),
    "birthday": re.compile(r"(?:on )?(?:the )?(?=.*\d)[^.;!?,]{3,30}"),
}
ENTITY_KINDS = {
    "home_city": "place",
    "birthplace": "place",
    "hometown": "place",
    "employer": "organisation",
    "partner": "person",
    "child": "person",
    "sibling": "person",
    "name": "person",
}
