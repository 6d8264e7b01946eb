"""German: statements are kept as said; slots are read from whole sentences."""

from __future__ import annotations

import re

from perdure.core.values import Cardinality
from perdure.write.lexicon.shape import Form, Language, Shape, SlotPattern, words_of

_I = re.IGNORECASE
# "Wohne" and "arbeite" can only be first person, so the pronoun may be away ("... und wohne in Köln").
_WHEN = (
    r"(?:\s+(?:ich|jetzt|nun|seit\s+\S+(?:\s+Jahr\w*|\s+Monat\w*)?|derzeit|aktuell|gerade"
    r"|auch|nicht\s+mehr))*"
)


def _slot(
    attribute: str,
    pattern: str,
    shape: Shape,
    says: str,
    form: Form = "holds",
    *,
    value: str | None = None,
    relation: str | None = None,
    many: bool = False,
) -> SlotPattern:
    return SlotPattern(
        attribute=attribute,
        pattern=re.compile(pattern, _I),
        shape=shape,
        says=says,
        form=form,
        value=value,
        relation=relation,
        cardinality=Cardinality.MULTI if many else Cardinality.SINGLE,
        confidence=0.85,
    )


GERMAN = Language(
    code="de",
    cues=words_of(
        "ich ist und der das nicht ein eine einen mein meine habe bin wir sie auf mit für auch sehr",
        "lebe keinen kein mehr den dem wohne heiße arbeite gerne gern jetzt dass haben wird von zu",
    ),
    first_person=re.compile(r"\b(?:ich|mir|mich|mein\w*|wir|uns|unser\w*)\b", _I),
    owned=re.compile(r"mein\w*\s+(\w+)", _I),
    question=re.compile(
        r"(?:was|wer|wann|wo|warum|wie|welche\w*|kannst du|könntest du|hast du|bist du)\b", _I
    ),
    unsure=re.compile(
        r"\b(?:nicht|kein\w*|nie|niemals|würde\w*|möchte\w*|vielleicht|wenn|falls|wäre|hätte|könnte|will|wollte|plane|werde"
        r"|hoffe|fast|beinahe|er|sie|sagt|sagte)\b",
        _I,
    ),
    over=re.compile(r"\b(?:nicht|kein\w*)\b.*\bmehr\b", _I),
    conditional=re.compile(r"\b(?:wenn ich|falls|wäre|hätte|würde)\b", _I),
    past=re.compile(
        r"\b(?:habe|hatte|bin|war|wurde|haben|sind)\b.*\b(?:ge\w+|\w+iert|\w*gezogen|begonnen|bekommen)\b|\b(?:war|hatte|wurde|ging|kam)\b",
        _I,
    ),
    slots=(
        _slot("name", r"\bich hei(?:ß|ss)e\s+(?P<v>.+)|\bmein name ist\s+(?P<w>.+)", "name", "Ich heiße {v}"),
        _slot(
            "home_city",
            rf"\b(?:wohne|lebe){_WHEN}\s+in\s+(?P<v>.+)",
            "place",
            "Ich wohne in {v}",
            relation="lives in",
        ),
        _slot(
            "home_city",
            r"\bich bin\b.*?\bnach\s+(?P<v>.+?)\s+(?:um)?gezogen\b",
            "place",
            "Ich bin nach {v} gezogen",
            "begins",
            relation="lives in",
        ),
        _slot(
            "employer",
            rf"\barbeite{_WHEN}(?:\s+als\s+\S+)?{_WHEN}\s+(?:bei|für)\s+(?:der\s+|dem\s+)?(?P<v>.+)",
            "name",
            "Ich arbeite bei {v}",
            relation="works at",
        ),
        _slot(
            "job_title",
            rf"\barbeite{_WHEN}\s+als\s+(?P<v>.+)",
            "title",
            "Ich arbeite als {v}",
        ),
        _slot(
            "allergy",
            r"\bich bin\s+(?:\w+\s+)?allergisch (?:gegen|auf)\s+(?P<v>.+)",
            "thing",
            "Ich bin allergisch gegen {v}",
            many=True,
        ),
        _slot(
            "diet",
            r"\bich bin\s+(?:jetzt\s+)?(?P<v>vegan|vegetarisch|veganer(?:in)?|vegetarier(?:in)?)\b",
            "exact",
            "Ich bin {v}",
        ),
        _slot(
            "marital_status",
            r"\bich bin\s+(?:\w+\s+)?verheiratet\b",
            "exact",
            "Ich bin verheiratet",
            value="married",
        ),
        _slot(
            "marital_status",
            r"\b(?:habe ich|ich habe|wir haben|haben wir)\b.*\bgeheiratet\b",
            "exact",
            "Ich habe geheiratet",
            "begins",
            value="married",
        ),
        _slot(
            "age",
            r"\bich bin\s+(?P<v>\d{1,3})(?:\s+jahre\s+alt)?(?=[.,!]|$|\s+und\b|\s+jahre\b)",
            "exact",
            "Ich bin {v} Jahre alt",
        ),
        _slot(
            "hometown",
            r"\bich komme aus\s+(?P<v>.+)",
            "place",
            "Ich komme aus {v}",
            "timeless",
            relation="from",
        ),
        _slot(
            "speaks",
            r"\bich spreche\s+(?:fließend\s+)?(?P<v>.+)",
            "name",
            "Ich spreche {v}",
            many=True,
            relation="speaks",
        ),
        _slot("opinion_of:{}", r"\bich (?:liebe)\s+(?P<v>.+)", "thing", "Ich liebe {v}", value="love"),
        _slot("opinion_of:{}", r"\bich mag\s+(?P<v>.+)", "thing", "Ich mag {v}", value="like"),
        _slot(
            "opinion_of:{}", r"\bich mag kein\w*\s+(?P<v>.+)", "thing", "Ich mag kein {v}", value="dislike"
        ),
        _slot(
            "opinion_of:{}",
            r"\bich mag\s+(?P<v>.+?)\s+nicht\b",
            "thing",
            "Ich mag {v} nicht",
            value="dislike",
        ),
        _slot("opinion_of:{}", r"\bich hasse\s+(?P<v>.+)", "thing", "Ich hasse {v}", value="hate"),
    ),
)
