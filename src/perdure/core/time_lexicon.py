"""The time words of English, German, Spanish, French and (a few) Chinese, as tables.

Kept apart from the grammar in `timewords` so that a language can be read, and added, in one place.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, TypeVar

T = TypeVar("T")
Unit: TypeAlias = Literal["day", "week", "weekend", "month", "year"]


def _each(words: str, value: T) -> dict[str, T]:
    """The same entry for every word of a blank-separated list."""
    return dict.fromkeys(words.split(), value)


# Phrases with a fixed distance from the day they are said: (unit, how many units from now).
PHRASES: dict[str, tuple[Unit, int]] = {
    # English
    "today": ("day", 0),
    "tonight": ("day", 0),
    "tonite": ("day", 0),
    "this morning": ("day", 0),
    "this afternoon": ("day", 0),
    "this evening": ("day", 0),
    "earlier today": ("day", 0),
    "yesterday": ("day", -1),
    "yesterday morning": ("day", -1),
    "yesterday afternoon": ("day", -1),
    "yesterday evening": ("day", -1),
    "last night": ("day", -1),
    "the day before yesterday": ("day", -2),
    "tomorrow": ("day", 1),
    "tomorrow morning": ("day", 1),
    "tomorrow afternoon": ("day", 1),
    "tomorrow evening": ("day", 1),
    "tomorrow night": ("day", 1),
    "the day after tomorrow": ("day", 2),
    "this week": ("week", 0),
    "last week": ("week", -1),
    "the week before last": ("week", -2),
    "next week": ("week", 1),
    "the week after next": ("week", 2),
    "this weekend": ("weekend", 0),
    "last weekend": ("weekend", -1),
    "this past weekend": ("weekend", -1),
    "over the weekend": ("weekend", -1),
    "the weekend before last": ("weekend", -2),
    "next weekend": ("weekend", 1),
    "this month": ("month", 0),
    "last month": ("month", -1),
    "the month before last": ("month", -2),
    "next month": ("month", 1),
    "this year": ("year", 0),
    "last year": ("year", -1),
    "the year before last": ("year", -2),
    "next year": ("year", 1),
    # German
    "heute": ("day", 0),
    "heute morgen": ("day", 0),
    "heute früh": ("day", 0),
    "heute abend": ("day", 0),
    "gestern": ("day", -1),
    "gestern abend": ("day", -1),
    "vorgestern": ("day", -2),
    "übermorgen": ("day", 2),
    "diese woche": ("week", 0),
    "letzte woche": ("week", -1),
    "vergangene woche": ("week", -1),
    "vorige woche": ("week", -1),
    "nächste woche": ("week", 1),
    "kommende woche": ("week", 1),
    "letztes wochenende": ("weekend", -1),
    "dieses wochenende": ("weekend", 0),
    "nächstes wochenende": ("weekend", 1),
    "diesen monat": ("month", 0),
    "letzten monat": ("month", -1),
    "vergangenen monat": ("month", -1),
    "nächsten monat": ("month", 1),
    "dieses jahr": ("year", 0),
    "letztes jahr": ("year", -1),
    "vergangenes jahr": ("year", -1),
    "nächstes jahr": ("year", 1),
    # Spanish
    "hoy": ("day", 0),
    "esta mañana": ("day", 0),
    "esta tarde": ("day", 0),
    "esta noche": ("day", 0),
    "ayer": ("day", -1),
    "anoche": ("day", -1),
    "anteayer": ("day", -2),
    "antes de ayer": ("day", -2),
    "pasado mañana": ("day", 2),
    "esta semana": ("week", 0),
    "la semana pasada": ("week", -1),
    "la próxima semana": ("week", 1),
    "la semana que viene": ("week", 1),
    "el fin de semana pasado": ("weekend", -1),
    "este mes": ("month", 0),
    "el mes pasado": ("month", -1),
    "el próximo mes": ("month", 1),
    "el mes que viene": ("month", 1),
    "este año": ("year", 0),
    "el año pasado": ("year", -1),
    "el próximo año": ("year", 1),
    "el año que viene": ("year", 1),
    # French
    "aujourd'hui": ("day", 0),
    "aujourd’hui": ("day", 0),
    "ce matin": ("day", 0),
    "ce soir": ("day", 0),
    "cet après-midi": ("day", 0),
    "hier soir": ("day", -1),
    "avant-hier": ("day", -2),
    "demain": ("day", 1),
    "après-demain": ("day", 2),
    "cette semaine": ("week", 0),
    "la semaine dernière": ("week", -1),
    "la semaine prochaine": ("week", 1),
    "le week-end dernier": ("weekend", -1),
    "ce mois-ci": ("month", 0),
    "le mois dernier": ("month", -1),
    "le mois prochain": ("month", 1),
    "cette année": ("year", 0),
    "l'année dernière": ("year", -1),
    "l’année dernière": ("year", -1),
    "l'an dernier": ("year", -1),
    "l’an dernier": ("year", -1),
    "l'année prochaine": ("year", 1),
    "l’année prochaine": ("year", 1),
}

# Chinese has no blanks, so these are looked for without word edges.
DENSE_PHRASES: dict[str, tuple[Unit, int]] = {
    "今天": ("day", 0),
    "今早": ("day", 0),
    "今晚": ("day", 0),
    "昨天": ("day", -1),
    "昨晚": ("day", -1),
    "前天": ("day", -2),
    "明天": ("day", 1),
    "后天": ("day", 2),
    "这周": ("week", 0),
    "上周": ("week", -1),
    "上个星期": ("week", -1),
    "下周": ("week", 1),
    "下个星期": ("week", 1),
    "这个月": ("month", 0),
    "上个月": ("month", -1),
    "下个月": ("month", 1),
    "今年": ("year", 0),
    "去年": ("year", -1),
    "明年": ("year", 1),
}

# Words that mean one thing in one language and another elsewhere: kept only where its neighbours agree.
GERMAN_MORGEN = r"(?<!heute )(?<!gestern )(?<!guten )(?<!am )(?<!jeden )(?<!eines )(?<!\w)morgen(?!s)"
SPANISH_MANANA = r"(?<!la )(?<!esta )(?<!una )(?<!pasado )(?<!de )(?<!cada )(?<!\w)mañana"
GERMAN_CUES = frozenset(
    _each("ich ist und der die das wohne wohnen wir nicht ein eine arbeite bin habe seit gibt mein hat", 1)
)

VAGUE = (
    r"(?:(?:a|some|quite a)\s+)?few\s+(?:days?|weeks?|months?|years?|nights?)\s+(?:ago|back)",
    r"several\s+(?:days|weeks|months|years)\s+ago",
    r"(?:some|a long|a short)\s+time\s+ago|a\s+while\s+(?:ago|back)|the\s+other\s+(?:day|week|night)",
    r"(?:last|next|this(?:\s+past)?)\s+(?:spring|summer|autumn|fall|winter)",
    r"vor\s+(?:ein\s+paar|einigen)\s+(?:Tagen|Wochen|Monaten|Jahren)|vor\s+kurzem|neulich",
    r"hace\s+(?:unos|unas|algunos|algunas|varios|varias)\s+(?:días|semanas|meses|años)|hace\s+poco",
    r"il\s+y\s+a\s+quelques\s+(?:jours|semaines|mois|années|ans)|récemment",
)

MONTHS: dict[str, int] = {}
for _number, _names in enumerate(
    (
        "january jan januar jänner enero janvier",
        "february feb februar febrero février fevrier",
        "march mar märz maerz marzo mars",
        "april apr abril avril",
        "may mai mayo",
        "june jun juni junio juin",
        "july jul juli julio juillet",
        "august aug agosto août aout",
        "september sep sept septiembre setiembre septembre",
        "october oct oktober okt octubre octobre",
        "november nov noviembre novembre",
        "december dec dezember dez diciembre décembre decembre",
    ),
    start=1,
):
    MONTHS |= dict.fromkeys(_names.split(), _number)

# Month words that are ordinary words too: only with a capital, or where a number or "in" settles it.
AMBIGUOUS_MONTHS = frozenset({"may", "march", "mar", "mars", "mai", "jan", "dec", "sept", "jun", "nov"})

WEEKDAYS: dict[str, int] = {}
for _number, _names in enumerate(
    (
        "monday mon montag lunes lundi",
        "tuesday tue tues dienstag martes mardi",
        "wednesday wed mittwoch miércoles miercoles mercredi",
        "thursday thu thur thurs donnerstag jueves jeudi",
        "friday fri freitag viernes vendredi",
        "saturday sat samstag sonnabend sábado sabado samedi",
        "sunday sun sonntag domingo dimanche",
    )
):
    WEEKDAYS |= dict.fromkeys(_names.split(), _number)

# Short forms of weekdays that are words too ("sat", "sun", "wed"): read only with a capital.
SHORT_WEEKDAYS = frozenset(_each("mon tue tues wed thu thur thurs fri sat sun", 1))

NUMBERS: dict[str, int] = {
    **_each("a an one ein eine einem einer einen un una uno une", 1),
    **dict.fromkeys(("two", "a couple of", "a couple", "zwei", "dos", "deux"), 2),
    **_each("three drei tres trois", 3),
    **_each("four vier cuatro quatre", 4),
    **_each("five fünf cinco cinq", 5),
    **_each("six sechs seis", 6),
    **_each("seven sieben siete sept", 7),
    **_each("eight acht ocho huit", 8),
    **_each("nine neun nueve neuf", 9),
    **_each("ten zehn diez dix", 10),
    **_each("eleven elf once onze", 11),
    **_each("twelve zwölf doce douze", 12),
    "fifteen": 15,
    "twenty": 20,
    "thirty": 30,
    "fifty": 50,
}

_DAY: Unit = "day"
_WEEK: Unit = "week"
_MONTH: Unit = "month"
_YEAR: Unit = "year"
UNITS: dict[str, Unit] = {
    **_each("day days tag tage tagen día días dia dias jour jours night nights", _DAY),
    **_each("week weeks woche wochen semana semanas semaine semaines", _WEEK),
    **_each("month months monat monate monaten mes meses mois", _MONTH),
    **_each("year years jahr jahre jahren año años an ans année années", _YEAR),
}

FUTURE_CUES = (
    r"\b(?:will|going\s+to|gonna|plan|plans|planning|hope|hoping|upcoming|shall|intend|scheduled"
    r"|booked\s+for|"
    r"looking\s+forward|werde|wird|werden|vorhabe|voy\s+a|vamos\s+a|va\s+a|je\s+vais|on\s+va)\b|[’']ll\b"
)
_OCCASION = (
    r"(?:appointment|interview|exam|meeting|flight|trip|wedding|deadline|party|surgery|operation|concert|test|race"
    r"|marathon|conference|reservation|delivery|check-?up|presentation|recital|match|ceremony|graduation|train"
    r"|ferry|viewing|call|date|class|lesson|session|holiday|vacation|gig|hearing|visit)"
)
# A present that a date turns into a plan: "I'm getting", "my exam is", "I have an interview", "I start".
PLANNED_CUES = (
    r"(?:\b(?:am|is|are)|['’](?:m|s|re))\s+(?:not\s+|also\s+|finally\s+)?\w{2,}ing\b"
    r"|\b(?:let['’]s|don['’]t\s+forget|remind\s+me|due(?!\s+to))\b"
    rf"|\b(?:have|has|['’]ve\s+got)\s+(?:an?|my|the|his|her|their|our|another|some)\s+(?:[\w-]+\s+){{0,3}}?"
    rf"{_OCCASION}\b|\b{_OCCASION}\s+(?:\w+\s+){{0,4}}?(?:is|are|starts?|begins?|takes\s+place)\b"
    r"|\b(?:I|we|they)\s+(?:start|begin|fly|leave|depart|arrive|return|marry|move|graduate|retire)\b"
    r"|\b(?:starts|begins|flies|leaves|departs|arrives|returns|marries|moves|graduates|retires)\b"
)
# "Exam on Friday": ahead, unless something else in the sentence is told as past.
OCCASION_CUES = rf"\b{_OCCASION}\s+(?:\w+\s+){{0,4}}?(?:on|at)\b"
PAST_CUES = (
    r"\b(?:(?<!is\s)(?<!are\s)(?<!am\s)(?<!ing\s)(?<!get\s)(?<!be\s)\w{2,}(?<!e)ed|agreed|was|were|wasn['’]t"
    r"|weren['’]t|did|didn['’]t|had|hadn['’]t|(?<!ve\s)(?<!has\s)got|went|came|saw|met|took|gave|made|wrote|built"
    r"|ran|read|learnt|lost|been|done|gone|left|bought|sold|ate|drank|told|said|thought|found|began|broke|fell|felt"
    r"|flew|drove|rode|won|sent|spent|slept|woke|swam|sang|heard|held|kept|paid|put|quit|cut|hit|hurt|became|brought"
    r"|caught|chose|forgot|grew|knew|led|lent|spoke|stood|taught|threw|understood|wore|born|ge\w{2,}(?:t|en)"
    r"|\w+gezogen|war|hatte|ging|kam|wurde|fui|fue|tuve|hice|\w{2,}(?:aron|ieron|ió|é|ée|ées|és))\b"
)
# A verb in the present beside a date: neither a plan nor a report is plain.
PRESENT_CUES = (
    r"\b(?:is|are|have|has|I|we|they|ich|wir|mein\w*|yo|tengo|mi|je|nous|mon|ma)\b|['’](?:m|s|re|ve)\b|\bj['’]"
    r"|(?-i:^(?!Wh|How)[A-Z][\w'-]*(?:\s[A-Z][\w'-]*)?)\s[a-z]+s\b"
)
# Foreign names of months: no months behind an English "in".
ENGLISH_MONTHS = frozenset(
    _each(
        "january jan february feb march mar april apr may june jun july jul august aug september sep sept",
        1,
    )
) | frozenset(_each("october oct november nov december dec", 1))
ENGLISH_IN = frozenset(
    _each("in during since until till through last next this from early mid late back end beginning start", 1)
)
PLACE_VERBS = (
    r"\b(?:live|lives|living|lived|based|located|reside|resides|residing|born|stay|staying|stayed)\s+$"
)
PLACE_NOUNS = (
    r"\s+(?:street|st|road|rd|avenue|ave|lane|drive|square|park|town|village|city|county|hill|island)\b"
)
IN_WORDS = (
    r"(?:back\s+in|in|during|since|until|till|through|last|next|this(?:\s+past)?|from|early|mid|late|"
    r"(?:the\s+)?(?:end|beginning|start|middle)\s+of|im|ende|anfang|mitte|seit|bis|ab|letzten|nächsten|"
    r"en|desde|hasta|depuis|jusqu['’]en|début|fin)"
)
YEAR_WORDS = (
    r"(?:back\s+in|in|by|before|after|during|of|from|around|circa|about|early|late|mid|through"
    r"|since|until|till|"
    r"ever\s+since|spring|summer|autumn|fall|winter|im\s+jahr|seit|bis|ab|vor|nach|en|desde|hasta"
    r"|de|depuis|"
    r"jusqu['’]en)"
)
SINCE_WORDS = r"(?:ever\s+since|since|starting(?:\s+in|\s+on)?|as\s+of|seit|ab|desde|depuis|à\s+partir\s+de?)"
UNTIL_WORDS = (
    r"(?:up\s+until|until|till|'til|up\s+to|before|by|bis(?:\s+zum)?|vor(?=\s+(?:dem|\d{4}))|hasta"
    r"|antes\s+de|jusqu['’](?:à|en|au)|"
    r"avant)"
)
AFTER_WORDS = r"(?:after|nach|después\s+de|après)"
