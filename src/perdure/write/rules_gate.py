"""What the rules must not turn into facts: refusals, small talk, wishes, orders, reactions."""

from __future__ import annotations

import re

from perdure.core.timewords import find_times
from perdure.core.values import Episode, Role
from perdure.write.lexicon.english import ADVERBS, AUXILIARIES, KIN
from perdure.write.lexicon.shape import words_of
from perdure.write.rules_subjects import Clause
from perdure.write.rules_verbs import is_past
from perdure.write.sentences import QUOTATIONS

# metadata key: an assistant's turns are read too, as those of a speaker of their own
READ_AS_PERSON = "is_person"

_ROLE_REASONS = {
    Role.SYSTEM: "system turn",
    Role.TOOL: "tool turn",
    Role.ASSISTANT: "assistant turn",
}
_OFF_RECORD = re.compile(
    r"(?<!\bI )(?<!\bwe )(?:\b(?:don't|do not|dont|never|not to)\s+(?:you\s+)?"
    r"(?:keep|save|store|remember|record|memori[sz]e|log|note|write)\s+(?:down\s+)?"
    r"(?:this|that|it|any of (?:this|that)|the following|what i)\b)"
    r"|\boff the record\b|\bforget (?:that )?i (?:said|told|mentioned)\b|\bnot for (?:your"
    r"|the) (?:memory|records?)\b"
    r"|\b(?:das|dies|es)\s+(?:bitte\s+)?nicht\s+(?:speichern|merken|aufschreiben)|\bmerk(?:e)?\s+dir\s+das\s+(?:bitte\s+)?nicht"
    r"|\bno\s+(?:guardes|recuerdes|anotes|registres)\s+(?:esto|eso|nada)"
    r"|\bne\s+(?:garde|retiens|sauvegarde|note|enregistre)\w*\s+pas\s+(?:ça|cela|ceci)|不要(?:记住|保存|记录)|别(?:记住|保存|记)",
    re.IGNORECASE,
)
# Stricter: such a message is not stored at all, so the words must be addressed to the memory itself.
_WITHHELD = re.compile(
    r"(?:^|[.!?]\s+|\n\s*)(?:please,?\s+|but\s+|hey,?\s+|just\s+|and\s+)*"
    r"(?:(?:don't|do not|dont|never)\s+(?:you\s+)?(?:ever\s+)?"
    r"(?:keep|save|store|remember|record|memori[sz]e|log)\s+"
    r"(?:this|that|it|any of (?:this|that)|the following)"
    r"(?:\s+(?:please|anywhere|for later|in (?:your )?memory|to (?:your )?memory))?\s*(?:[:;,.!—–-]|$)"
    r"|(?:this is\s+)?(?:strictly\s+)?off the record\s*(?:[:;,.!—–-]|$)"
    r"|(?:bitte\s+)?(?:speichere?|merke? dir)\s+das\s+(?:bitte\s+)?nicht\s*(?:[:;,.!—–-]|$)"
    r"|(?:por favor,?\s+)?no\s+(?:guardes|recuerdes|anotes|registres)\s+(?:esto|eso|nada)\s*(?:[:;,.!—–-]|$)"
    r"|(?:s'il te plaît,?\s+)?ne\s+(?:garde|retiens|sauvegarde|note|enregistre)\s+pas\s+(?:ça|cela|ceci)"
    r"\s*(?:[:;,.!—–-]|$)|(?:请)?(?:不要|别)(?:记住|保存|记录)(?:这个|这些)?\s*[:：,，。!！]?)",
    re.IGNORECASE,
)
_ORDERS = re.compile(
    r"^\s*(?:[\[<(#*]*\s*)(?:system|assistant|developer|tool|instructions?|prompt)\s*[\]>)*]*\s*:"
    r"|^\s*[\[<]\s*/?\s*(?:system|assistant|instructions?|inst)\b|\bfrom now on,?\s+"
    r"(?:you|always|never|answer|respond|reply|use|call|speak|act|please|do|only)\b"
    r"|\bignore (?:all|any|the|your|previous)\b"
    r"|\byou are (?:now )?(?:an? |the )?\w+ (?:assistant|helper|bot|ai)\b|\bdisregard (?:all|any"
    r"|previous|the above)\b"
    r"|\buser memories\s*:",
    re.IGNORECASE | re.MULTILINE,
)
_SMALL_TALK = re.compile(
    r"(?:(?:hi|hello|hey|hiya|thanks?|thank you|thx|ok|okay|sure|yes|yeah|yep|no|nope|bye"
    r"|goodbye|cheers|great|cool|nice"
    r"|perfect|awesome|wow|lol|haha+|good (?:morning|evening|night|afternoon)|welcome|congrats"
    r"|congratulations|done|right"
    r"|got it|sounds good|see you|take care|no problem|you too|same here|of course|absolutely"
    r"|exactly|hallo|danke|hola"
    r"|gracias|bonjour|merci|salut|guten (?:morgen|tag|abend)|buenos días|buenas|你好|谢谢|好的|there"
    r"|so much|very much|a lot"
    r"|again|everyone|all|guys|then|later|soon|tomorrow)[\s,!.;…~👋😊🙂]*)+",
    re.IGNORECASE,
)
_QUESTION_OPENER = re.compile(
    r"(?:(?:what|who|when|where|why|which|how|whose)(?:'s|\s+(?:[\w-]+\s+){0,2}?(?:is|are|was|were|do|does|did|can|could"
    r"|should|would|will|have|has|am|about|come|else|kind|time|many|much|long|old))\b"
    r"|(?:do|did|are|have|can|could|would|will|should|were|don't|won't|aren't|haven't|didn't)\s+(?:you|we|they|i|he|she)\b"
    r"|(?:is|isn't|was|does|did|has)\s+(?:it|that|this|there|he|she|my|your|the)\b|any (?:idea"
    r"|tips|advice|plans)\b"
    r"|am i\b|may i\b|what\?|why\?|how\?)",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"\b(?:can|could|would|will) you\b|\bplease\b|\blet's\b|\bship it\b|\bfix (?:it|this|that)\b",
    re.IGNORECASE,
)
# Said of what is not (yet) so: no slot may be filled from it.
_UNREAL = re.compile(
    r"\b(?:might|(?-i:may)|could|would|should|will|shall|must|can't wait|almost|nearly|planning|plan"
    r"|plans|planned|going to|gonna"
    r"|hope|hopes|hoping|want|wants|wanted|thinking|considering|consider|wish|wishes|if|unless|maybe|perhaps|probably"
    r"|possibly|about to|dream|dreaming|pretend|imagine|suppose|supposed|trying|try|tried|intend"
    r"|wonder|looking to"
    r"|was going|were going|decided against|won't|wouldn't|as if|as though|say|said|says|tell"
    r"|told|think|thought|guess)\b",
    re.IGNORECASE,
)
_HYPOTHETICAL = re.compile(
    r"\b(?:if|as if|suppose|supposing|imagine|what if|unless|wish|pretend|in theory|hypothetically)\b",
    re.IGNORECASE,
)
_NEGATION = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|neither|nor|hardly|rarely|barely|without|seldom|cannot)\b|n't\b",
    re.IGNORECASE,
)
# Reactions and fillers of chat: true perhaps, but nothing to keep.
_REACTION = re.compile(
    r"(?:(?:really|so|just|totally|also|definitely|absolutely|completely|truly|do|always)\s+)*"
    r"(?:think|thought|guess|guessed|hope|suppose|bet|mean|meant|agree|see|hear|understand|know"
    r"|knew|wonder|imagine|get it"
    r"|feel|felt like|appreciate|appreciated|believe|remember|forgot|figured|figure|promise"
    r"|swear|wish|notice|noticed"
    r"|heard|trust|admire|respect|relate|totally|doubt|assume|reckon|recommend|suggest|say|said"
    r"|told you|asked"
    r"|(?:can|could|can not|could not|cannot|can't|couldn't)\s+(?:\w+ )?(?:wait|relate|imagine"
    r"|believe|see|tell|agree|help|understand"
    r"|do|say|hear|feel|complain|remember|resist|stop|thank)"
    r"|(?:am|are|was|were|is) (?:so |really |very |super |just |also |always |totally |such "
    r"|pretty |feeling |definitely |truly |not )*"
    r"(?:glad|happy|sorry|sure|proud|here|excited|impressed|curious|good|fine|great|ok|okay|doing|grateful|thankful"
    r"|interested|thrilled|amazed|honou?red|touched|ready|looking forward|in|down|up|game|lucky"
    r"|blessed|stoked|pumped"
    r"|rooting|all ears|all about|with|on it|jealous|inspired|psyched|eager|happier|delighted"
    r"|confident|certain|afraid"
    r"|well|alright|all right|better|busy|tired|exhausted|back|done|kidding|joking|serious|right"
    r"|wrong|positive|hopeful|late)\b"
    r"|would|will|'ll|could|should|might|may|let|have to (?:say|admit|agree)|"
    r"(?:got to|gotta|must) (?:say|admit)|need to know"
    r"|(?:love|like|loved|liked|enjoy|enjoyed|hate|hated) (?:it|that|this|those|these|them|how"
    r"|your|what|when|the way|to hear|hearing|seeing))\b",
    re.IGNORECASE,
)
_PLAN = re.compile(
    r"(?:will|would like to|would love to|am planning|are planning|plan to|am going to"
    r"|are going to|is going to|might move|hope to|want to"
    r"|am thinking (?:of|about)|are thinking (?:of|about)|will be|might|may)\b",
    re.IGNORECASE,
)


def turn_reason(episode: Episode) -> str | None:
    """Why the whole turn is left alone, or None."""
    if episode.role in _ROLE_REASONS and not (
        episode.role is Role.ASSISTANT and episode.metadata.get(READ_AS_PERSON) is True
    ):
        return _ROLE_REASONS[episode.role]
    text = episode.text.replace("’", "'")
    if _OFF_RECORD.search(text):
        return "asked not to keep"
    if _ORDERS.search(text):
        return "instruction"
    if not text.strip():
        return "nothing stated"
    return "small talk" if _SMALL_TALK.fullmatch(text.strip()) else None


def is_off_record(text: str) -> bool:
    """True if the speaker asks the memory not to keep this message; then it is not stored at all."""
    return bool(_WITHHELD.search(text.replace("’", "'")))


def is_small_talk(sentence: str) -> bool:
    return bool(_SMALL_TALK.fullmatch(sentence))


def opens_question(text: str) -> bool:
    """True if the words open a question, whatever mark closes it."""
    return bool(_QUESTION_OPENER.match(text.strip().lstrip("¿")))


def is_request(text: str) -> bool:
    return bool(_REQUEST.search(text))


def is_unreal(plain: str) -> bool:
    """True if a plain predicate speaks of what is wished, planned, possible or reported."""
    return bool(_UNREAL.search(plain))


def is_hypothetical(text: str) -> bool:
    return bool(_HYPOTHETICAL.search(text))


def is_negated(plain: str) -> bool:
    return bool(_NEGATION.search(plain))


def is_memorable(clause: Clause, plain: str) -> bool:
    """True if a statement without a slot says enough about somebody to be kept."""
    if _ADDRESSES.search(f"{clause.lead} {plain}"):
        return False
    if _TURNING_POINT.match(plain):
        return True
    if clause.is_speaker and not _is_own_statement(clause, plain):
        return False
    tokens = [t.casefold() for t in re.findall(r"[^\W\d_][\w'-]*", f"{clause.lead} {plain}")]
    content = [t for t in tokens if t not in _EMPTY and len(t) > 2]
    content += re.findall(r"\d+", plain) + re.findall(f"[{QUOTATIONS}]", plain)
    needed = 2 if clause.is_speaker and not is_negated(plain) else 1
    return len(content) >= needed and (is_past(plain) or len(tokens) > 1)


def _is_own_statement(clause: Clause, plain: str) -> bool:
    """False for what a speaker only feels, promises or says about the matter at hand."""
    is_grounded = bool(_GROUND.search(plain)) or bool(find_times(f"{clause.lead} {plain}", said_at=None))
    if _PLAN.match(plain):
        return is_grounded or not _PROMISE.match(plain)
    if _REACTION.match(plain) or (clause.is_plural and _GENERAL.match(plain)):
        return False
    return is_grounded or not _POINTS_AT_IT.match(plain)


_ILLNESS = (
    r"asthma|diabetes|epilepsy|adhd|autism|anxiety|depression|cancer|migraines?|eczema|psoriasis|lupus"
    r"|insomnia|dyslexia|tinnitus|hypertension|cystic fibrosis|parkinson's|crohn's|celiac disease"
    r"|[a-z]+(?:itis|osis|emia|aemia|algia|opathy|phobia)"
)
# Short, and yet worth keeping.
_TURNING_POINT = re.compile(
    r"(?:(?:have |has )?(?:just )?(?:got|gotten|been)|was|were|am|is) (?:fired|laid off|dismissed"
    r"|made redundant"
    r"|pregnant|promoted|divorced|retired|engaged|unemployed|self-employed|jobless|out of work|homeless"
    r"|diabetic|asthmatic|epileptic|autistic|dyslexic|blind|deaf|disabled|left-handed|colou?r-?blind"
    r"|widowed|adopted|bilingual)\b"
    r"|(?:have |has )?(?:just |recently )?(?:broke|broken|split) up\b|(?:have |has )?separated\b"
    r"|got back together\b"
    r"|(?:take|takes|(?:am|is) (?:taking|on)) (?!notes|pictures|photos|turns|breaks|part|place|pride|naps"
    r"|care|time|action|charge|advantage|requests|responsibility|offence|offense|board|track|fire|vacation|holiday"
    r"|leave)"
    r"[a-z][a-z-]{5,}(?: (?:daily|every day|twice a day|at night))?[.!]*$"
    rf"|(?:have|has|suffers? from|(?:was|were) diagnosed with) (?:an? )?(?:{_ILLNESS})\b"
    rf"|(?:have|has|have got|has got) an? (?:{'|'.join(sorted(KIN))})[.!]*$"
    r"|(?:have|has|own|owns|drive|drives|bought|ride|rides) an? (?-i:[A-Z])[\w-]+[.!]*$",
    re.IGNORECASE,
)
_GROUND = re.compile(rf"[A-Z]|\d|[{QUOTATIONS}]")
_PROMISE = re.compile(
    r"(?:will|might|may|am going to|am gonna|is gonna|are gonna|are going to|going to)\b", re.I
)
_GENERAL = re.compile(r"(?:can|could|should|must|need|have to|all|got to|gotta)\b", re.I)
_POINTS_AT_IT = re.compile(
    r"(?:\S+\s+){1,3}(?:it|them|there|one|ones|that|this|around|so)(?:\s|$|[,.!])", re.I
)
_ADDRESSES = re.compile(r"\b(?:you|your|yours|you're|you've|you'll|y'all|ya)\b", re.IGNORECASE)
_EMPTY = (
    AUXILIARIES
    | ADVERBS
    | words_of(
        "a about all an and any anything being bit but came come cool done everything for from gave get",
        "give going good got great her here him his how into it its kind like little lot lots made make",
        "many me more much my never nice not off one our out over pretty really same so some something sort",
        "stuff such sure take that the their them there these thing things this those too took us very way",
        "well went what when with yet",
    )
)
