"""Which readings of a clause must not fill a slot, because the words around the value qualify it.

A false or wrongly closed fact is worse than a missed one: in doubt a statement stays a plain fact.
"""

from __future__ import annotations

import re

from perdure.core.values import Cardinality
from perdure.write.lexicon import doubts
from perdure.write.lexicon.english import KIN
from perdure.write.lexicon.shape import OVER, Form
from perdure.write.rules_subjects import Clause
from perdure.write.slots import cardinality_of

_OF_ONE_TIME = frozenset({"home_city", "employer", "job_title"})
_FIRST_WORD = re.compile(r"\s+([\w'-]+)")


def is_doubted(attribute: str, value: str, form: Form, *, clause: Clause) -> bool:
    """True if the value is not plainly, fully and presently that of the slot."""
    if is_unmeant(clause):
        return True
    said = f"{clause.lead}{clause.predicate}"
    named = attribute.partition(":")[2].replace("_", " ") or value
    before, after = _around(named, clause.predicate)
    if doubts.SECOND_THOUGHT.search(after):
        return True
    if (named != value or attribute == "allergy") and doubts.NARROWED.match(after):
        return True
    is_many = cardinality_of(attribute) is Cardinality.MULTI
    if not is_one_person(clause) and (form in OVER or not is_many):
        return True
    if is_many:
        return False
    if form not in OVER and attribute in _OF_ONE_TIME and doubts.UNTIL.search(said):
        return True
    if attribute in _OF_ONE_TIME and (
        doubts.PARTLY.search(said) or doubts.BACK_THEN.search(said) or doubts.ALSO.search(before)
    ):
        return True
    if attribute == "home_city":
        return is_no_city(value, after)
    return attribute == "job_title" and is_no_job(value, before, after)


def closes_the_facts(sentence: str) -> bool:
    """True if nothing after the sentence is told by anybody: text to work on, or a part to play."""
    return bool(doubts.WORK_ON.match(sentence) or doubts.ROLE_PLAY.search(sentence))


def is_left_again(value: str, message: str, *, is_english: bool = True) -> bool:
    """True if the message tells, after a move to `value`, of a further move or of the way back."""
    pattern = doubts.MOVED_ON if is_english else doubts.MOVED_ON_ABROAD
    return bool(pattern.search(_around(value, message)[1]))


def is_unmeant(clause: Clause) -> bool:
    """True for what is invented, said in jest or reported of others."""
    said = f"{clause.lead}{clause.shown} {clause.predicate}"
    return bool(
        doubts.INVENTED.search(said) or doubts.JOKING.search(said) or doubts.REPORTED.search(clause.lead)
    )


def is_no_city(value: str, after: str) -> bool:
    """True for countries, regions, streets and parts of a town; after: what follows the value."""
    name = value.casefold()
    following = _FIRST_WORD.match(after)
    if name in doubts.CITIES_WITH_ARTICLE:
        return False
    return (
        name.removeprefix("the ") in doubts.NOT_CITIES
        or name.startswith("the ")
        or name.split()[-1] in doubts.PART_OF_PLACE
        or (following is not None and following[1].casefold() in doubts.PART_OF_PLACE)
    )


def is_no_job(value: str, before: str, after: str) -> bool:
    """True for what somebody once was, is good or bad at, or does for pleasure.

    before, after: what stands around the value; after "work as" even "cook" is a job.
    """
    if doubts.NOT_A_JOB_NOW.search(f"{before} {value}"):
        return True
    if re.search(r"\b(?:as|to)\b", before):
        return False
    is_pleasure = value.casefold().split()[-1] in doubts.PLEASURES and not doubts.TRADED.search(value)
    return is_pleasure or bool(doubts.JUDGED.search(value) or doubts.AT_LEISURE.search(after))


def is_one_person(clause: Clause) -> bool:
    """False for "my friend", "my cousin", "my tenant": who that is may change from one day to the next."""
    if clause.is_speaker or clause.noun is None:
        return True
    last = clause.noun.split()[-1]
    return last in KIN and KIN[last][0] is not None and KIN[last][0] != "pet"


def is_of_the_past(clause: Clause) -> bool:
    """True for what is told of a time long gone ("as a child", "when I was 20")."""
    is_before = re.match(r"had (?:been|never|\w+ed)\b", clause.predicate) is not None
    return is_before or bool(doubts.BACK_THEN.search(f"{clause.lead}{clause.predicate}"))


def _around(value: str, said: str) -> tuple[str, str]:
    at = said.casefold().find(value.casefold())
    return ("", "") if at < 0 else (said[:at], said[at + len(value) :])
