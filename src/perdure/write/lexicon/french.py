"""French: statements are kept as said; slots are read from whole sentences."""

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


FRENCH = Language(
    code="fr",
    cues=words_of(
        "je j le les une des et est dans mon ma mes suis pas ne que qui pour avec sur très mais nous vous",
        "de viens vis du au ai plus habite travaille appelle depuis aime déteste jamais chez",
    ),
    first_person=re.compile(r"\b(?:je|j'|me|m'|moi|mon|ma|mes|nous|notre|nos)", _I),
    owned=re.compile(r"(?:mon|ma|mes)\s+(\w+)", _I),
    question=re.compile(
        r"(?:qu'est-ce|est-ce|qui|quand|où|pourquoi|comment|quel\w*|peux-tu|pouvez-vous|pourrais-tu)\b", _I
    ),
    unsure=re.compile(
        r"\b(?:ne|n'|jamais|si|peut-être|voudrais|aimerais|pourrais|serais|veux|vais|presque|espère|pense|il|elle|dit)(?:\b|(?<='))",
        _I,
    ),
    over=re.compile(r"\b(?:ne|n')\s*\S+\s+plus\b|\bj'ai arrêté de\b", _I),
    conditional=re.compile(r"\b(?:si je|si j'|voudrais|aimerais)", _I),
    past=re.compile(
        r"\bj'ai\s+\w+(?:é|i|u|is|it)\b|\bje (?:me )?suis\s+\w+(?:é|ée|u|ue|i|ie)\b|\bj'étais\b", _I
    ),
    slots=(
        _slot(
            "name",
            r"\bje m'appelle\s+(?P<v>.+)|\bmon (?:nom|prénom) est\s+(?P<w>.+)",
            "name",
            "Je m'appelle {v}",
        ),
        _slot(
            "home_city",
            r"\b(?:j'habite|je n'habite|je (?:ne )?vis)\s+(?:maintenant\s+|plus\s+)?(?:à|au|en)\s+(?P<v>.+)",
            "place",
            "J'habite à {v}",
            relation="lives in",
        ),
        _slot(
            "home_city",
            r"\bj'ai déménagé\s+(?:à|au|en)\s+(?P<v>.+)",
            "place",
            "J'ai déménagé à {v}",
            "begins",
            relation="lives in",
        ),
        _slot(
            "employer",
            r"\bje (?:ne )?travaille\s+(?:maintenant\s+|plus\s+)?(?:chez|pour|à)\s+(?P<v>.+)",
            "name",
            "Je travaille chez {v}",
            relation="works at",
        ),
        _slot("job_title", r"\bje travaille comme\s+(?P<v>.+)", "title", "Je travaille comme {v}"),
        _slot(
            "allergy",
            r"\bje suis allergique (?:à la|à l'|aux|au|à)\s*(?P<v>.+)",
            "thing",
            "Je suis allergique : {v}",
            many=True,
        ),
        _slot("diet", r"\bje suis\s+(?P<v>végane?|végétarien(?:ne)?)\b", "exact", "Je suis {v}"),
        _slot(
            "marital_status",
            r"\bje suis\s+mariée?\b",
            "exact",
            "Je suis marié",
            value="married",
        ),
        _slot("age", r"\bj'ai\s+(?P<v>\d{1,3})\s+ans\b", "exact", "J'ai {v} ans"),
        _slot(
            "hometown", r"\bje viens de\s+(?P<v>.+)", "place", "Je viens de {v}", "timeless", relation="from"
        ),
        _slot("opinion_of:{}", r"\bj'adore\s+(?P<v>.+)", "thing", "J'adore {v}", value="love"),
        _slot(
            "opinion_of:{}",
            r"\bj'aime\s+(?:bien\s+|beaucoup\s+)?(?P<v>.+)",
            "thing",
            "J'aime {v}",
            value="like",
        ),
        _slot("opinion_of:{}", r"\bje n'aime pas\s+(?P<v>.+)", "thing", "Je n'aime pas {v}", value="dislike"),
        _slot("opinion_of:{}", r"\bje déteste\s+(?P<v>.+)", "thing", "Je déteste {v}", value="hate"),
    ),
)
