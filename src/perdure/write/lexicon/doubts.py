"""Words that keep a statement from filling a slot: partial, past, invented, reported, not meant."""

from __future__ import annotations

import re

from perdure.write.lexicon.shape import words_of

_I = re.IGNORECASE
_DAYS = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|week ?day|week ?end)s"

# True for a part of the time or for a while only: the value beside it goes on.
PARTLY = re.compile(
    rf"\b(?:(?:on|at|over) (?:the )?{_DAYS}|(?:every|each|most) (?:other )?(?:\w+day|week ?end|week|month)"
    r"|during the week|most of the (?:time|year|week)|mostly|mainly|usually|part[- ]time"
    r"|half (?:of )?the (?:time|year|week)|sometimes|occasionally|every other"
    r"|some of the time|from time to time|now and then|temporarily|for now|for a (?:few|couple)|on the side"
    r"|for (?:the|this|an?|one|another|next) (?:\w+ )?(?:summer|winter|spring|autumn|fall|season"
    r"|semester|term"
    r"|days?|weeks?|week ?end|months?|moment|time being|while|bit|holidays?|school year|conference|project)"
    r"|in (?:the )?(?:summers?|winters?)|seasonal\w*|as a volunteer|volunteer(?:ing)?"
    r"|until (?:the end|next|I|we|he|she|they)\b)\b",
    _I,
)
# Told after a move: a further stop, a way back, or a stay that is counted in weeks or months.
MOVED_ON = re.compile(
    r"(?:,|;|\b(?:and|then|but|later|before|after))\s+(?:(?:and|then|later|finally|again|now|on|moved|went"
    r"|relocated|afterwards|eventually|from there|soon|in \d{4}|after that|last \w+)[\s,]+){0,5}"
    r"(?:on |over )?to\s+(?-i:[A-Z])"
    r"|\b(?:and|then|but|now|all the way) (?:then |now |again )?back\b|\bthere and back\b|\bback again\b"
    r"|\b(?:came|come|moved|went|gone|got|am|are|is|was|were|flew|moving|going|coming|heading|headed"
    r"|\w+'(?:m|re|s|ve)) (?:(?:right|straight|now|already|all|soon|just|gone|moved|come) ){0,3}back\b"
    r"|\breturn(?:ed|ing)\b|\b(?:back )?home (?:again|now)\b"
    r"|\b(?:left(?= (?:again|after|it|there|when|because|last)\b|[,.!]|$)|moved (?:away|out|on))\b"
    r"|^[^.!?]{0,40}\bfor (?:about |only |just )?"
    r"(?:\d+|two|three|four|five|six|seven|eight|nine|ten|several|some) (?:days|weeks|months)\b",
    _I,
)
MOVED_ON_ABROAD = re.compile(
    r"\bzurück\w*|\bwieder (?:da|daheim|zu ?hause|hier)\b|\b(?:dann|später|danach|und) (?:weiter )?nach\b"
    r"|\bde vuelta\b|\b(?:volví|volvimos|vuelto|regres\w+)\b|\b(?:luego|después|y) a (?-i:[A-ZÁÉÍÓÚ])"
    r"|\bde retour\b|\b(?:revenue?s?|rentrée?s?|retournée?s?)\b"
    r"|\b(?:puis|ensuite|et) (?:à|au|en) (?-i:[A-ZÉ])",
    _I,
)
SECOND_THOUGHT = re.compile(r"[,;–—-]\s*(?:or )?(?:actually|wait|no|well|rather|scratch)\b", _I)
UNTIL = re.compile(r"\b(?:until|till)\b", _I)
ALSO = re.compile(r"\b(?:also|too|second|another|other|previously|formerly|once)\b", _I)
BACK_THEN = re.compile(
    r"\b(?:when (?:I|we|he|she|they|User) (?:was|were|lived|studied|had|went|worked)\b"
    r"|(?:as|while) (?:I was )?an? (?:\w+ )?(?:child|kid|boy|girl|teen|teenager|student|baby"
    r"|toddler|youth|undergrad"
    r"|undergraduate|young \w+)(?=$|[,.;!]|\s(?:I|we|he|she|my|in|at|and|but)\b)"
    r"|in (?:my|his|her|their) (?:\w+ )?(?:childhood|youth|teens|twenties|thirties|forties"
    r"|(?:school|student) days)"
    r"|back then|back in the day|growing up|in (?:a|my) (?:past|previous|former) life|before that)",
    _I,
)
INVENTED = re.compile(
    r"\bin (?:[\w-]+'s|my|the|an?|his|her|this|our|some|one) (?:[\w-]+ ){0,2}?(?:novel|book|story|game"
    r"|video ?game|film|movie"
    r"|dreams?|play|show|series|comic|manga|screenplay|script|campaign|simulation|sims|fantas(?:y"
    r"|ies)|nightmare"
    r"|role-?play|rpg)\b(?! (?:studio|industry|company|shop|business|store|department|sector|club|team))"
    r"|\b(?:in|on) (?:Minecraft|Skyrim|the Sims|Roblox|Second Life|Animal Crossing)\b|\bmy character\b"
    r"|\bas a joke\b|\bfor fun\b|\brole-?play(?:ing)?\b",
    _I,
)
JOKING = re.compile(
    r"(?:\b(?:(?:a?ha)+h?|lol+|lmao|rofl|(?:he){2,}|jk|just kidding|kidding|just joking"
    r"|joking)\b(?!-)|[😂🤣😜😉])",
    _I,
)
REPORTED = re.compile(
    r"\b(?:says?|said|thinks?|thought|claim(?:s|ed)?|tells?|told|believe[sd]?|insist(?:s|ed)?"
    r"|reckons?|swears?|pretends?"
    r"|jokes?|joked|assume[sd]?|suspects?|wonders?|hopes?|heard|rumou?r|according)\b",
    _I,
)
# Said after a statement, takes it back.
TAKEN_BACK = re.compile(
    r"(?:(?:haha+|lol|no|oh|well|ok|nah|and|but)[,!.]*\s+)*(?:(?:I wish|not|jk|just kidding|(?:I'm "
    r"|I am |only )?(?:just )?(?:kidding|joking)"
    r"|scratch that|never ?mind(?: that)?|forget (?:that|it)|as if|yeah,? right|in my dreams|if only"
    r"|april fools?'?|psych|that's (?:not true|a lie|wrong|a joke)|that was (?:a (?:lie|joke)"
    r"|wrong))\b)[\s!.…😂🤣😜😉]*",
    _I,
)
TAKEN_BACK_TAIL = re.compile(
    r"[,;–—-]\s*(?:I wish|as if|not|yeah,? right|in my dreams|if only)[!.…\s]*$|,?\s(?:jk"
    r"|just kidding)[!.…\s]*$",
    _I,
)
# Text to work on, not told by anybody.
WORK_ON = re.compile(
    r"\s*(?:(?:can|could|would|will) you\s+)?(?:please\s+)?(?:write|translate|rewrite|proofread"
    r"|correct|summari[sz]e"
    r"|paraphrase|compose|draft|continue|edit|rephrase|improve|complete)\b[^.!?\n:]{0,80}:",
    _I,
)
# Asks for a part to be played: what follows in the message is invented.
ROLE_PLAY = re.compile(
    r"(?:^|[,;:]\s+|\b(?:please|can you|could you|will you|would you|want you to|like you to|need you to"
    r"|let's|lets|let us|now|you(?:'ll| will| should| must| are going to)|your task is to)\s+)"
    r"(?:(?:please|just|now|to|always)\s+){0,3}"
    r"(?:act (?:as|like)\b|behave (?:as|like)\b|pretend\b"
    r"|imagine (?:you|that you|I\b|I'm|that I\b|we|that we|being|a )"
    r"|suppose (?:you|that you|I\b|that I\b|I'm|we)|role-?play\b"
    r"|play (?:the (?:role|part)|a (?:character|role)|along)\b"
    r"|take on the role|assume the role|be my (?:character|dungeon master))"
    r"|\b(?:this|here) is (?:an? )?(?:role-?play|roleplaying|improv)\b"
    r"|^(?:stell dir vor|tu (?:mal )?so,? als|spiel(?:e)? (?:die|eine) rolle|nimm an|angenommen)\b"
    r"|^(?:imagina(?:te)?|imagínate|haz como si|actúa como|finge|supón)\b"
    r"|^(?:(?:imagine|suppose)z? (?:que|qu')|supposons|fais comme si|agis comme)",
    _I,
)
NOT_A_JOB_NOW = re.compile(
    r"\b(?:former|ex|retired|aspiring|wannabe|would-be|future|failed|amateur|unemployed|hobby"
    r"|trainee|previous"
    r"|soon-to-be|frustrated|armchair|honorary|certified|trained|qualified)\b",
    _I,
)
# "A terrible driver", "a natural singer": what somebody is like, not what they do for a living.
JUDGED = re.compile(
    r"\b(?:good|great|bad|better|best|worse|worst|slow|fast|quick|poor|fine|decent|okay|ok|mediocre|keen|avid|proud"
    r"|natural|born|total|real|true|big|huge|wonderful|brilliant|superb|lousy|lame|crap|crappy|shit|shitty|awesome"
    r"|amazing|excellent|outstanding|talented|gifted|skilled|clumsy|lazy|nervous|anxious|shy|weak|strong|hard"
    r"|silent|happy|sad|angry|careful|eager|fussy|picky|messy|sloppy|secret|closet|weekend|occasional|casual"
    r"|regular|self-taught|would-?be|bit|novice|beginner|rubbish|solid|fair|very|pretty|really|so-so"
    r"|compulsive|aggressive|defensive|impulsive|patient|impatient|confident|enthusiastic|fantastic"
    r"|pathetic|horrific|chaotic|compassionate|passionate|devoted|dedicated|committed|inexperienced|experienced"
    r"|[a-z]+(?:ible|able|ful|less|ish|ous|est)|(?!family|early|elderly|assembly|weekly|daily)[a-z]+ly)\s",
    _I,
)
# What people also do for pleasure: a job only beside a word of trade, or after "work as".
PLEASURES = words_of(
    "actor actress artist athlete author baker builder captain comedian composer cook dancer driver",
    "fisherman gardener judge model musician novelist painter photographer pianist poet sailor sculptor",
    "singer songwriter streamer weaver writer",
)
TRADED = re.compile(
    r"\b(?:professional|freelance|full-?time|staff|senior|junior|head|chief|assistant|associate|lead|licensed"
    r"|truck|lorry|bus|taxi|cab|tram|train|delivery|van|ambulance|forklift|uber|crane|coach|limousine|racing"
    r"|line|pastry|prep|ship's|sous|technical|ghost|science|medical|grant|copy|ui|ux|content|speech|sports|opera"
    r"|session|ballet|backup|wedding|portrait|press|fashion|concept|tattoo|makeup|make-up|graphic|landscape|house"
    r"|ship|police|army|fire|team|airline|commercial|runway|district|county|federal|voice|stage|screen|tv)\s",
    _I,
)
AT_LEISURE = re.compile(
    r"^,?\s*(?:in|with|for|of) (?:an?|the|my|our|their|his|her|some) (?:[\w-]+ ){0,2}"
    r"(?:choir|band|club|chorus|league|theat(?:re|er) group|church|kitchen)\b"
    r"|\b(?:in (?:my|his|her|their) (?:spare|free) time|by night|at heart|for fun|as a hobby|on the side"
    r"|when it comes to|at home|at best|these days only)\b",
    _I,
)
NARROWED = re.compile(
    r"\s*,?\s(?:with|without|when|while|at|in|on|from|if|that|who|which|before|after|for|than"
    r"|unless|whose|during)\b",
    _I,
)
PART_OF_PLACE = words_of(
    "neighbourhood neighborhood district quarter area street st road rd avenue ave lane boulevard",
    "square county",
    "province region state island valley suburb borough parish building house hotel apartment",
    "mountains coast forest",
    "desert park hills heights block tower residence dorm camp prison hospital countryside",
)
# Several names of one city, so that another name is no move.
CITY_NAMES = {"nyc": "New York", "new york city": "New York", "sf": "San Francisco", "philly": "Philadelphia"}
CITIES_WITH_ARTICLE = frozenset({"the hague", "the bronx"})
# Countries, continents and wide regions: no cities. Those that name a city too are left out.
NOT_CITIES = frozenset(
    name.replace("_", " ")
    for name in words_of(
        "afghanistan albania algeria andorra angola argentina armenia australia austria azerbaijan",
        "bahamas bahrain",
        "bangladesh barbados belarus belgium belize benin bhutan bolivia bosnia botswana brazil",
        "brunei bulgaria",
        "cambodia cameroon canada chad chile china colombia congo croatia cuba cyprus czechia",
        "denmark dominica",
        "ecuador egypt england eritrea estonia eswatini ethiopia fiji finland france gabon gambia",
        "georgia germany",
        "ghana greece greenland grenada guinea guyana haiti honduras hungary iceland india",
        "indonesia iran iraq",
        "ireland israel italy jamaica japan jordan kazakhstan kenya korea kosovo kyrgyzstan laos",
        "latvia lebanon",
        "lesotho liberia libya liechtenstein lithuania madagascar malawi malaysia maldives mali",
        "malta mauritius",
        "moldova mongolia montenegro morocco mozambique myanmar namibia nepal netherlands nicaragua",
        "niger nigeria",
        "norway oman pakistan palestine paraguay peru philippines poland portugal qatar romania",
        "russia rwanda",
        "scotland senegal serbia slovakia slovenia somalia spain sudan suriname sweden switzerland",
        "syria taiwan",
        "tajikistan tanzania thailand togo tunisia turkey türkiye turkmenistan uganda ukraine",
        "uruguay uzbekistan",
        "vanuatu venezuela vietnam wales yemen zambia zimbabwe usa us uk uae eu america europe",
        "africa asia holland",
        "scandinavia bavaria tuscany catalonia andalusia provence brittany normandy siberia",
        "california texas florida",
        "oregon alaska hawaii ohio michigan illinois arizona colorado nevada utah montana virginia",
        "maine vermont",
        "queensland tasmania ontario alberta algarve alentejo sicily sardinia crete bali",
        "new_zealand south_africa south_korea north_korea saudi_arabia sri_lanka costa_rica el_salvador",
        "united_states united_kingdom great_britain northern_ireland czech_republic south_america",
        "north_america",
        "central_america latin_america middle_east new_england north_macedonia papua_new_guinea",
        "sierra_leone",
        "deutschland österreich schweiz frankreich italien spanien england europa españa francia",
        "alemania italia",
        "inglaterra allemagne espagne angleterre italie suisse belgique belgien bayern cataluña andalucía",
        "inner_mongolia british_columbia nova_scotia new_south_wales earth mars venus jupiter moon",
    )
)
