"""Capitalised words that are no names: sentence openers, calendar words, exclamations, common nouns."""

from __future__ import annotations


def _words(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())


# Lower case. A capitalised word from here is not taken for a name at the start of a sentence.
ORDINARY = _words(
    "ya mi mis tengo soy vivo mondays tuesdays wednesdays thursdays fridays saturdays sundays mail invoice",
    "ticket email",
    # English function words
    "a about above absolutely according across actually after afterwards again ago ah aha all almost",
    "along already also although always am amazing among an and another any anybody anyhow anyone",
    "anything anyway anyways are around as aside at away awesome aww back basically be because been",
    "before behind being below beside besides between beyond both btw but by bye can can't cannot cause",
    "certainly check cheers clearly come congrats congratulations cool could couldn't currently damn days",
    "dear definitely despite did didn't do does doesn't doing don't done down during each earlier either",
    "else enough especially even eventually ever every everybody everyone everything exactly except",
    "excited fair few finally fine first for forever forget from fun funny further fyi generally get",
    "getting give given glad go god going gonna good goodbye goodnight gosh got gotta great guess guys ha",
    "had haha hahaha hang happy hardly has hasn't have haven't having he he'd he'll he's hello hence her",
    "here here's hers herself hey hi hiya him himself his hm hmm honestly hope hopefully how how's",
    "however i i'd i'll i'm i've if imagine in indeed instead interesting into is isn't it it'd it'll",
    "it's its itself i’m i’ve i’d i’ll it’s just keep kind kinda know last lately later least less let",
    "let's like likewise listen little lol long look looking looks lot lots love lovely luckily made make",
    "man many may maybe me meanwhile might mine more moreover morning most mostly much must my myself nah",
    "near nearly neither never nevertheless new next nice no nobody none nope nor normally not nothing",
    "now nowadays obviously of off often oh ok okay old omg on once one ones only onto or ordinary other",
    "others otherwise ouch our ours ourselves out over overall own perhaps personally please plus",
    "possibly pretty previously probably quite rather really recently remember right sadly same say see",
    "seems seriously several shall she she'd she'll she's should shouldn't since sir so some somebody",
    "somehow someone something sometimes somewhere soon sorry sounds speaking still stop such super sure",
    "surely take talk tbh tell thank thankfully thanks that that'd that'll that's that’s the their theirs",
    "them themselves then there there's therefore these they they'd they'll they're they've thing things",
    "think this those though through throughout thus time to today together tomorrow tonight too totally",
    "towards truly try trying two ugh uh um under unfortunately unless unlike until up upon us used",
    "usually very via wait wanna want was wasn't way we we'd we'll we're we've we’re we’ve welcome well",
    "went were weren't what what's whatever when whenever where wherever whether which while who who's",
    "whoever whole whom whose why will wish with within without won't wonderful woohoo work would",
    "wouldn't wow yay yeah yep yes yesterday yet yo you you'd you'll you're you've your yours yourself",
    "yup user assistant system",
    "mon tue tues wed thu thur thurs fri sat sun mondays tuesdays wednesdays thursdays fridays saturdays",
    "sundays mail email meet ask invoice ticket",
    # English words that often open a sentence in chat
    "afternoon anytime apart art bet books bought breakfast bring bringing busy call changing coffee",
    "cooking count creating dad dang dinner don’t dude eating education enjoy evening everyday exploring",
    "fantastic family fingers fitness five four found friends gaming gardening hiking home hot impressive",
    "incredible inspired journaling joining kids life lunch mental mom money month months mum music",
    "nature night number painting part peace people photography playing plenty practice reading running",
    "school seeing self sending share sharing spending staying strange studying sunday taking teaching",
    "testing thinking three traveling travelling unbelievable visiting walking watching weeks whoa",
    "winning work working writing year years yoga asked bought called cancelled finished heard learned",
    "met moved planned quit said saw signed started stayed stopped talked told took tried visited wanted",
    "watched worked booked joined cannot please send write draft summarise summarize translate explain",
    "ignore add create fix show",
    # calendar words and languages' own openers
    "monday tuesday wednesday thursday friday saturday sunday january february march april june july",
    "august september october november december christmas easter ich du er sie es wir ihr der die das ein",
    "eine mein meine unser und aber oder nicht kein keine heute gestern morgen letzte letzten nächste",
    "seit bis wenn weil dann auch ja nein hallo danke bitte vor am im in yo tú él ella nosotros el la los",
    "las un una mi mis mi y pero o no nunca hoy ayer mañana desde hasta cuando porque también sí hola",
    "gracias me se je tu il elle nous vous le la les un une mon ma mes et mais ou ne jamais hier demain",
    "depuis quand parce aussi oui non bonjour merci j'habite j'ai",
)

# Capitalised in mid-sentence by habit, and still no names.
NEVER_NAMES = _words(
    "mondays tuesdays wednesdays thursdays fridays saturdays sundays i i'm i've i'd i'll i’m i’ve i’d",
    "i’ll ok okay lol omg btw fyi tbh mr mrs ms dr prof god monday tuesday wednesday thursday friday",
    "saturday sunday january february march april may june july august september october november",
    "december am pm tv pc diy hr ceo cto phd it ai montag dienstag mittwoch donnerstag freitag samstag",
    "sonntag januar februar märz juni juli oktober dezember",
)

TITLES = _words(
    "mr mrs ms miss dr prof doctor professor aunt uncle grandma grandpa captain sir herr frau señor señora"
)
# Ordinary words that also begin the names of places: kept where another capital follows.
NAME_OPENERS = _words("new great los las la el le san santa north south east west old")
PARTICLES = (
    "van der", "van den", "van de", "von der", "de la", "de los", "van", "von", "de", "del", "della", "di",
    "da", "dos", "du", "la", "le", "bin", "ibn", "ben", "of the", "of", "am", "and the",
)  # fmt: skip
ORGANISATION_WORDS = _words(
    "inc ltd llc gmbh ag corp company co university college institute school bank hospital labs group",
    "club studio studios foundation association agency bakery café cafe restaurant",
)
PLACE_PREPOSITIONS = _words("in near nach aus en à")
# German writes every noun with a capital; after one of these it is a noun, not a name.
GERMAN_DETERMINERS = _words(
    "der die das den dem des ein eine einen einem einer kein keine keinen keinem mein meine meinen meinem",
    "meiner dein sein ihr unser zum zur vom beim jeden jede jedes diese dieser viel viele zwei drei am im",
    "guten gute",
)
