"""What an English predicate may say of its subject, as one table.

Patterns are matched at the start of a predicate in its plain form (see `rules_verbs.plain_predicate`):
contractions written out, light adverbs dropped, "used to be" read as past. They never see a negation.
"""

from __future__ import annotations

import re

from perdure.core.values import Cardinality
from perdure.write.lexicon.english import NATIONALITIES, PROFESSIONS
from perdure.write.lexicon.shape import Form, Shape, SlotPattern

_BE = r"(?:am|is|are|be)"
_WAS = r"(?:was|were|am|is|are|have been|has been|had been)"
_HAVE = r"(?:have|has|have got|has got)"
_V = r"(?P<v>.+)"
_IN_A = r"(?:(?:an?|the) [\w' -]{2,30}? in )?"
_MANY = Cardinality.MULTI


def _slot(
    attribute: str,
    pattern: str,
    shape: Shape,
    says: str,
    *,
    form: Form = "holds",
    cardinality: Cardinality = Cardinality.SINGLE,
    value: str | None = None,
    relation: str | None = None,
    confidence: float = 0.9,
) -> SlotPattern:
    return SlotPattern(
        attribute=attribute,
        pattern=re.compile(rf"(?:{pattern})", re.IGNORECASE),
        shape=shape,
        says=says,
        form=form,
        cardinality=cardinality,
        value=value,
        relation=relation,
        confidence=confidence,
    )


_PROFESSION = "|".join(sorted(PROFESSIONS))
_NATIONALITY = "|".join(sorted(NATIONALITIES))


def _home(pattern: str, form: Form) -> SlotPattern:
    return _slot("home_city", pattern, "place", "{s} lives in {v}", form=form, relation="lives in")


def _employer(pattern: str, form: Form, shape: Shape = "work", confidence: float = 0.9) -> SlotPattern:
    says = "{s} no longer works at {v}" if form == "ends" else "{s} works at {v}"
    return _slot("employer", pattern, shape, says, form=form, relation="works at", confidence=confidence)


def _job(pattern: str, form: Form = "holds") -> SlotPattern:
    return _slot("job_title", pattern, "title", "{s} works as {v}", form=form, confidence=0.85)


def _opinion(pattern: str, value: str) -> SlotPattern:
    verb = {"like": "likes", "love": "loves", "dislike": "dislikes", "hate": "hates"}[value]
    return _slot(
        "opinion_of:{}", pattern + rf"\s+{_V}", "thing", f"{{s}} {verb} {{v}}", value=value, confidence=0.8
    )


def _marital(pattern: str, value: str, form: Form = "holds") -> SlotPattern:
    return _slot("marital_status", pattern, "exact", f"{{s}} is {value}", value=value, form=form)


SLOTS: tuple[SlotPattern, ...] = (
    # where somebody lives
    _home(
        rf"(?:live|lives|reside|resides|{_BE} (?:living|based|located"
        rf"|residing))\s+(?:[\w' -]{{0,30}}?\s)??in\s+{_IN_A}{_V}",
        "holds",
    ),
    _home(
        rf"(?:have|has) (?:lived|been living|been based)\s+(?:[\w' -]{{0,30}}?\s)??in\s+{_IN_A}{_V}", "holds"
    ),
    _home(
        rf"(?:lived|resided|was living|were living|was based)\s+(?:[\w' -]{{0,30}}?\s)??in\s+{_IN_A}{_V}",
        "past",
    ),
    _home(
        r"(?:(?:have|has|had) )?(?:moved|relocated)(?: back| over| out| away| house| home| down| up)?"
        rf"(?: from [^,]{{2,40}}?)? to (?:a [\w -]{{1,20}} in )?{_V}",
        "begins",
    ),
    _home(rf"(?:(?:have|has) )?settled(?: down)? in {_V}", "begins"),
    _home(rf"(?:have |has )?(?:moved (?:away from|out of) |left (?=.+\bfor good\b)){_V}", "ends"),
    # whom somebody works for
    _employer(
        rf"(?:work|works|{_BE} working|{_BE} employed)\s+(?:[\w -]{{0,30}}?\s)??(?:at|for)\s+{_V}", "holds"
    ),
    _employer(rf"(?:have|has) (?:worked|been working)\s+(?:[\w -]{{0,30}}?\s)??at\s+{_V}", "holds", "name"),
    _employer(rf"(?:have|has) (?:worked|been working)\s+(?:[\w -]{{0,30}}?\s)??for\s+{_V}", "holds", "name"),
    _employer(rf"(?:worked|was working|were working)\s+(?:[\w -]{{0,30}}?\s)??(?:at|for)\s+{_V}", "past"),
    _employer(rf"(?:have |has )?(?:joined)\s+{_V}", "begins", "work", 0.75),
    _employer(
        rf"(?:{_BE}|work|works) an? (?:[\w/-]+ ){{0,3}}?(?:{_PROFESSION}) (?:at|for) {_V}",
        "holds",
        "name",
        0.85,
    ),
    _employer(
        r"(?:have |has )?(?:started(?: working| work| (?:my|a|his|her) new job)?|got hired|was hired|"
        rf"got (?:a|the|my|his|her) (?:[\w -]{{0,24}} )?job|accepted (?:a"
        rf"|the) (?:[\w -]{{0,24}} )?(?:job|offer))"
        rf"(?: as an? [\w -]{{2,30}}?)? (?:at|with|by|from) {_V}",
        "begins",
        "name",
    ),
    _employer(
        rf"(?:have |has )?(?:(?:quit|left) (?:my|his|her|their) (?:\w+ )?job (?:at|with)"
        rf"|quit|resigned from"
        rf"|{_WAS} laid off (?:from|by)|(?:got|{_WAS}) fired (?:from|by))\s+{_V}",
        "ends",
    ),
    _employer(rf"(?:have |has )?left\s+{_V}", "ends", "name", 0.75),
    # what somebody does
    _job(rf"{_BE} (?P<v>an? (?:[\w/-]+ ){{0,3}}?(?:{_PROFESSION}))\b(?! (?:of|at heart|fan|lover))"),
    _job(rf"(?:work|works|{_BE} working|{_BE} employed)\s+(?:[\w -]{{0,20}}?\s)??as\s+{_V}"),
    _job(rf"(?:have|has) (?:worked|been working)\s+as\s+{_V}"),
    _job(rf"(?:(?:have|has) been|got|was|am|is) promoted to {_V}", "begins"),
    _job(
        rf"(?:(?:have|has) )?(?:became|become) (?P<v>an? (?:[\w/-]+ ){{0,3}}?(?:{_PROFESSION}))\b", "begins"
    ),
    _job(rf"(?:worked|was working)\s+as\s+{_V}", "past"),
    # what somebody eats
    _slot(
        "diet",
        rf"{_BE} (?:an? |a strict |strictly )?(?P<v>vegan|vegetarian|pescatarian)\b",
        "exact",
        "{s} is {v}",
    ),
    _slot(
        "diet",
        r"(?:have |has )?(?:went|gone|became|become|turned) (?:an? |fully )?(?P<v>vegan"
        r"|vegetarian|pescatarian)\b",
        "exact",
        "{s} is {v}",
        form="begins",
    ),
    _slot(
        "diet",
        r"(?:eat|eats|(?:have |has )?started eating|(?:am|is) eating|went back to eating) meat again",
        "exact",
        "{s} eats meat",
        form="begins",
        value="eats meat",
    ),
    # marriage
    _marital(rf"{_BE} (?:happily )?married\b", "married"),
    _marital(
        r"(?:have |has )?(?:got|gotten) married\b|married (?=my|his|her)|tied the knot", "married", "begins"
    ),
    _marital(rf"{_BE} (?:\w+ )?divorced\b", "divorced"),
    _marital(r"(?:have |has )?(?:got|gotten) (?:a )?divorced?\b", "divorced", "begins"),
    _marital(rf"{_BE} engaged(?! in| with)\b", "engaged"),
    _marital(r"(?:have |has )?(?:got|gotten) engaged\b", "engaged", "begins"),
    _marital(rf"{_BE} (?:newly )?single(?: again)?(?=$|[,.;!]| and\b| now\b| at\b)", "single"),
    _marital(rf"{_BE} (?:a )?widow(?:ed|er)?\b", "widowed"),
    _slot(
        "partner",
        rf"{_BE} (?:married to|dating|engaged to|seeing|in a relationship with) {_V}",
        "name",
        "{s}'s partner is {v}",
        relation="partner",
    ),
    # body and origin
    _slot(
        "age",
        rf"(?:{_BE}|turned|(?:have|has) turned) (?P<v>\d{{1,3}})(?= years? old\b|-years?-old|$"
        rf"|[,.;!]| and\b| now\b| today\b| last\b| this\b| yesterday\b| in\b| on\b)(?! (?:in"
        rf"|on) (?:the|a|my))",
        "exact",
        "{s} is {v} years old",
    ),
    _slot(
        "birthday",
        r"(?:was|were) born on (?P<v>[^,.;]{3,30})",
        "exact",
        "{s} was born on {v}",
        form="timeless",
    ),
    _slot(
        "birth_year",
        r"(?:was|were) born in (?P<v>(?:18|19|20)\d\d)\b",
        "exact",
        "{s} was born in {v}",
        form="timeless",
    ),
    _slot(
        "birthplace",
        rf"(?:was|were) born(?: and raised)? in {_V}",
        "place",
        "{s} was born in {v}",
        form="timeless",
        relation="born in",
    ),
    _slot(
        "hometown",
        rf"(?:(?:{_BE}|come|comes)(?: originally)? from|grew up in|was raised in) {_V}",
        "place",
        "{s} is from {v}",
        form="timeless",
        relation="from",
    ),
    _slot(
        "nationality",
        rf"{_BE} (?:an? )?(?P<v>{_NATIONALITY})(?=$|[,.;!]| and\b| but\b| citizen| by birth)",
        "exact",
        "{s} is {v}",
    ),
    _slot(
        "allergy", rf"{_BE} (?:\w+ly )?allergic to {_V}", "thing", "{s} is allergic to {v}", cardinality=_MANY
    ),
    _slot(
        "allergy",
        rf"{_HAVE} an? (?:\w+ )?allergy to {_V}",
        "thing",
        "{s} is allergic to {v}",
        cardinality=_MANY,
    ),
    _slot(
        "allergy",
        rf"{_HAVE} an? (?:severe |serious |bad |mild )?(?P<v>[\w-]+) allergy",
        "thing",
        "{s} is allergic to {v}",
        cardinality=_MANY,
    ),
    _slot(
        "speaks",
        rf"(?:speak|speaks|can speak) (?:fluent |some |a little |good |basic )?{_V}",
        "name",
        "{s} speaks {v}",
        cardinality=_MANY,
        relation="speaks",
    ),
    _slot("speaks", rf"{_BE} fluent in {_V}", "name", "{s} speaks {v}", cardinality=_MANY, relation="speaks"),
    _slot(
        "native_language",
        rf"{_BE} an? native (?P<v>\w+) speaker",
        "exact",
        "{s} is a native {v} speaker",
        form="timeless",
    ),
    # company
    _slot(
        "pet",
        rf"(?:{_HAVE}|own|owns|adopted|(?:have|has) adopted|got|bought) (?:an? |my |two |three "
        rf"|\d )?(?:[\w-]+ ){{0,3}}?(?:dogs?|cats?|puppy|kitten|parrot|rabbit|hamster|horse"
        rf"|turtle|tortoise|snake|lizard|bird)(?:,)?(?: (?:named|called))? "
        r"(?P<v>(?-i:[A-ZÀ-Ý])[\w'-]+(?:(?:, (?:and )?| and )(?-i:[A-ZÀ-Ý])[\w'-]+)*)",
        "name",
        "{s} has a pet called {v}",
        cardinality=_MANY,
        relation="pet",
    ),
    _slot(
        "pet",
        rf"(?:{_HAVE}|own|owns|adopted|(?:have|has) adopted|got) (?P<v>(?:an? |two |three |four "
        rf"|\d )(?:[\w-]+ ){{0,2}}?(?:dogs?|cats?|puppy|puppies|kittens?|parrots?|rabbits?"
        rf"|hamsters?|horses?|turtles?|tortoises?|snakes?|lizards?|birds?))"
        r"(?=$|[,.;!]| and\b| at\b| now\b| as\b| last\b)",
        "thing",
        "{s} has {v}",
        cardinality=_MANY,
    ),
    _slot(
        "child",
        rf"{_HAVE} an? (?:[\w-]+ ){{0,2}}?(?:son|daughter|boy|girl|baby|kid"
        rf"|child)(?:,)?(?: (?:named|called))? (?P<v>(?-i:[A-ZÀ-Ý])[\w'-]+)",
        "name",
        "{s} has a child called {v}",
        cardinality=_MANY,
        relation="child",
    ),
    _slot(
        "sibling",
        rf"{_HAVE} an? (?:[\w-]+ ){{0,2}}?(?:brother|sister|twin)(?:,)?(?: (?:named"
        rf"|called))? (?P<v>(?-i:[A-ZÀ-Ý])[\w'-]+)",
        "name",
        "{s} has a sibling called {v}",
        cardinality=_MANY,
        relation="sibling",
    ),
    # names and ways to reach somebody
    _slot(
        "email",
        r"can be reached at (?P<v>[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4})",
        "exact",
        "{s} can be reached at {v}",
    ),
    _slot(
        "phone", r"can be reached at (?P<v>\+?\d[\d\s()./-]{4,20}\d)", "exact", "{s} can be reached at {v}"
    ),
    _slot("name", rf"{_BE} (?:called|named) {_V}", "name", "{s}'s name is {v}", confidence=0.95),
    _slot("nickname", rf"go(?:es)? by (?:the name )?{_V}", "name", "{s} goes by {v}"),
    _slot(
        "name",
        rf"(?:(?:have|has) )?changed (?:my|his|her|their) name to {_V}",
        "name",
        "{s}'s name is {v}",
        form="begins",
    ),
    # taste: one slot for each thing, so that a change of mind replaces and does not pile up
    _opinion(r"(?:absolutely )?(?:love|loves|adore|adores|am crazy about|is crazy about)", "love"),
    _opinion(
        rf"(?:like|likes|enjoy|enjoys|{_BE} into|{_BE} fond of|{_BE} keen on|{_BE} a (?:big |huge )?fan of)",
        "like",
    ),
    _opinion(
        r"(?:hate|hates|detest|detests|loathe|loathes|despise|despises|(?:can not|cannot) stand"
        r"|(?:can not|cannot) bear)",
        "hate",
    ),
    _opinion(
        rf"(?:dislike|dislikes|(?:do|does) not (?:like|enjoy)|{_BE} not (?:into|keen on|fond of"
        rf"|a (?:big |huge )?fan of))",
        "dislike",
    ),
)

_POSSESSED: tuple[tuple[str, str, Form, Shape], ...] = (
    (r"(?:full |first )?name", "name", "holds", "name"),
    (r"nickname", "nickname", "holds", "name"),
    (r"(?:birthday|date of birth|birth date)", "birthday", "timeless", "exact"),
    (r"(?:new )?(?:(?:(?:tele)?phone|mobile|cell)(?: number)?|number)", "phone", "holds", "exact"),
    (r"(?:new )?(?:e-?mail)(?: address)?", "email", "holds", "exact"),
    (r"(?:new |home |postal )?address", "address", "holds", "exact"),
    (r"(?:native|first) (?:language|tongue)|mother tongue", "native_language", "timeless", "name"),
    (r"nationality", "nationality", "holds", "exact"),
    (r"home ?town", "hometown", "timeless", "place"),
    (r"(?:current |new )?(?:job title|job|profession|occupation|role)", "job_title", "holds", "title"),
    (r"(?:current |new )?employer", "employer", "holds", "work"),
    (r"age", "age", "holds", "exact"),
    (
        r"(?:all-time )?favou?rite (?P<of>(?!one|thing|part)[\w-]+(?: [\w-]+)?)",
        "favourite_{}",
        "holds",
        "thing",
    ),
    (r"(?:main )?hobb(?:y|ies)", "hobby", "holds", "thing"),
    (r"dietary (?:restriction|requirement)s?|diet", "diet", "holds", "thing"),
)
# "My <noun> is ..." where the noun names a slot of the speaker.
POSSESSED = tuple(
    (re.compile(rf"{noun}\Z", re.IGNORECASE), attribute, form, shape)
    for noun, attribute, form, shape in _POSSESSED
)
MULTI_ATTRIBUTES = frozenset({"hobby"})
