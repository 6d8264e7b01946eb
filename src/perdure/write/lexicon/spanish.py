"""Spanish: statements are kept as said; slots are read from whole sentences."""

from __future__ import annotations

import re

from perdure.core.values import Cardinality
from perdure.write.lexicon.shape import Form, Language, Shape, SlotPattern, words_of

_I = re.IGNORECASE


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


SPANISH = Language(
    code="es",
    cues=words_of(
        "el los las una que de en y mi mis yo soy estoy tengo vivo como nunca pero muy con para del",
        "trabajo llamo mudé gusta por es hoy ayer ya años odio encanta cerdo hablo",
    ),
    first_person=re.compile(
        r"\b(?:yo|me|mi|mis|mí|nos|nuestr\w+|soy|estoy|tengo|vivo|trabajo|como|bebo|hablo|odio|prefiero|juego|estudio|quiero"
        r"|puedo|voy|hago|fui|tuve|hice|\w{3,}é|\w{2,}amos|\w{2,}emos|he)\b",
        _I,
    ),
    owned=re.compile(r"mis?\s+(\w+)", _I),
    question=re.compile(r"(?:qué|quién|cuándo|dónde|por qué|cómo|cuál|puedes|podrías)\b", _I),
    unsure=re.compile(
        r"\b(?:no|nunca|jamás|si|quizás?|tal vez|quisiera|querría|gustaría|quiero|voy a|casi"
        r"|ojalá|podría|sería|espero|pienso"
        r"|planeo|él|ella|dijo|dice)\b",
        _I,
    ),
    over=re.compile(r"\bya no\b|\bdejé de\b", _I),
    conditional=re.compile(r"\b(?:si yo|ojalá|si viviera|si fuera)\b", _I),
    past=re.compile(
        r"\b(?:\w{2,}(?<!caf)é|fui|fue|tuve|hice|estuve|vine|dije|compré|\w{2,}aron|\w{2,}ieron"
        r"|he \w+[ai]do)\b",
        _I,
    ),
    slots=(
        _slot("name", r"\bme llamo\s+(?P<v>.+)|\bmi nombre es\s+(?P<w>.+)", "name", "Me llamo {v}"),
        _slot(
            "home_city", r"\bvivo\s+(?:ahora\s+)?en\s+(?P<v>.+)", "place", "Vivo en {v}", relation="lives in"
        ),
        _slot(
            "home_city",
            r"\bme (?:he mudado|mudé)\s+(?:\S+\s+)?a\s+(?P<v>.+)",
            "place",
            "Me mudé a {v}",
            "begins",
            relation="lives in",
        ),
        _slot(
            "employer",
            r"\btrabajo\s+(?:ahora\s+)?(?:para|en)\s+(?P<v>.+)",
            "name",
            "Trabajo en {v}",
            relation="works at",
        ),
        _slot("job_title", r"\btrabajo (?:como|de)\s+(?P<v>.+)", "title", "Trabajo como {v}"),
        _slot(
            "allergy",
            r"\bsoy alérgic[oa] (?:al?|a los|a las)\s+(?P<v>.+)",
            "thing",
            "Tengo alergia: {v}",
            many=True,
        ),
        _slot("diet", r"\bsoy\s+(?P<v>vegan[oa]|vegetarian[oa])\b", "exact", "Soy {v}"),
        _slot("marital_status", r"\bestoy casad[oa]\b", "exact", "Estoy casado", value="married"),
        _slot("marital_status", r"\bme casé\b", "exact", "Me casé", "begins", value="married"),
        _slot("age", r"\btengo\s+(?P<v>\d{1,3})\s+años\b", "exact", "Tengo {v} años"),
        _slot("hometown", r"\bsoy de\s+(?P<v>.+)", "place", "Soy de {v}", "timeless", relation="from"),
        _slot("opinion_of:{}", r"\bme encantan?\s+(?P<v>.+)", "thing", "Me encanta {v}", value="love"),
        _slot("opinion_of:{}", r"(?<!no )\bme gustan?\s+(?P<v>.+)", "thing", "Me gusta {v}", value="like"),
        _slot("opinion_of:{}", r"\bno me gustan?\s+(?P<v>.+)", "thing", "No me gusta {v}", value="dislike"),
        _slot("opinion_of:{}", r"\bodio\s+(?P<v>.+)", "thing", "Odio {v}", value="hate"),
    ),
)
