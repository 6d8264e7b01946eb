"""English word lists: verbs, relatives, professions, and what chat fills its lines with."""

from __future__ import annotations

from perdure.write.lexicon.shape import words_of

AUXILIARIES = words_of(
    "am is are was were be been do does did have has had can could will would shall should may might must",
    "cannot isn't aren't wasn't weren't don't doesn't didn't haven't hasn't hadn't can't couldn't won't",
    "wouldn't shouldn't mustn't ain't",
)
# Past forms that do not end in -ed.
IRREGULAR_PAST = words_of(
    "was were had did went got made took saw came gave found told said thought knew became began bought",
    "brought built caught chose cut drew drank drove ate fell felt fought flew forgot froze grew heard",
    "held hurt kept led left lent lost meant met paid put quit read rode rang ran sang sat sold sent",
    "shook shot showed shut slept spoke spent stood stole swam taught threw understood woke wore won",
    "wrote broke hit let set cost beat bit blew hid hung laid lay lit rose sank sewed sought shed spun",
    "split spread stuck struck swore swept swung tore upset wept wound bent bled bred dealt dug fed fled",
    "learnt dreamt burnt smelt spelt knelt leapt withdrew overcame",
)
# Base forms that open a predicate; used to find the verb and to turn "I" into a name.
VERBS = words_of(
    "accept act add admire adopt adore agree aim allow answer apply appreciate argue arrive ask attend",
    "avoid bake be become begin believe belong bike bite borrow box break bring build buy call camp",
    "cancel care carry catch celebrate change chat check choose clean climb close coach code collect come",
    "commute compete complain complete consider contact continue cook cost count cover create cry cycle",
    "dance date deal decide deliver depend design despise detest develop die dislike dive do donate draw",
    "dream dress drink drive earn eat encourage end enjoy enter exercise expect experience explore face",
    "fall feed feel fight film find finish fish fit fix fly focus follow forget garden get give go grow",
    "guide hang happen hate have head heal hear help hike hit hold hope host hunt hurt identify include",
    "inspire invest invite join jog jump keep kick knit know laugh launch lead learn leave lend let lift",
    "like listen live loathe look lose love make manage march marry mean meditate meet mentor miss mix",
    "move name need notice offer open organise organize own paint participate pass pay perform pick plan",
    "plant play practice practise prefer prepare present pray produce program promise protect prove",
    "publish pull push put quit race raise reach read realise realize recall receive recommend record",
    "recover relax remember remind rent repair report research resent rest retire return ride rock run",
    "sail save saw say scan see seem sell send serve set sew share shop show sing sit ski sleep smoke",
    "solve speak spend stand start stay stop stream stress struggle study succeed suffer suggest support",
    "surf swim take talk teach tell tend think throw tour train travel treat trust try turn understand",
    "update use value view visit volunteer wait wake walk want wash watch wear win wish wonder work worry",
    "write",
)
ADVERBS = words_of(
    "actually already also always basically currently definitely even finally generally just",
    "lately mainly mostly now occasionally often only originally personally previously probably",
    "rarely really recently simply sometimes soon still then totally truly usually absolutely both once",
)

# Relatives and friends: noun → (what it is of the speaker, single or several, he, she or either).
KIN: dict[str, tuple[str | None, bool, str]] = {
    "brother": ("sibling", True, "he"),
    "sister": ("sibling", True, "she"),
    "sibling": ("sibling", True, "they"),
    "twin": ("sibling", True, "any"),
    "son": ("child", True, "he"),
    "daughter": ("child", True, "she"),
    "kid": ("child", True, "any"),
    "child": ("child", True, "any"),
    "baby": ("child", True, "any"),
    "wife": ("partner", False, "she"),
    "husband": ("partner", False, "he"),
    "partner": ("partner", False, "any"),
    "girlfriend": ("partner", False, "she"),
    "boyfriend": ("partner", False, "he"),
    "spouse": ("partner", False, "any"),
    "fiancé": ("partner", False, "he"),
    "fiancée": ("partner", False, "she"),
    "fiance": ("partner", False, "any"),
    "dog": ("pet", True, "any"),
    "cat": ("pet", True, "any"),
    "puppy": ("pet", True, "any"),
    "kitten": ("pet", True, "any"),
    "parrot": ("pet", True, "any"),
    "rabbit": ("pet", True, "any"),
    "hamster": ("pet", True, "any"),
    "horse": ("pet", True, "any"),
    "pony": ("pet", True, "any"),
    "turtle": ("pet", True, "any"),
    "tortoise": ("pet", True, "any"),
    "goldfish": ("pet", True, "any"),
    "snake": ("pet", True, "any"),
    "lizard": ("pet", True, "any"),
    "bird": ("pet", True, "any"),
    "pet": ("pet", True, "any"),
    "mother": ("mother", False, "she"),
    "mum": ("mother", False, "she"),
    "mom": ("mother", False, "she"),
    "mama": ("mother", False, "she"),
    "papa": ("father", False, "he"),
    "father": ("father", False, "he"),
    "dad": ("father", False, "he"),
    "boss": ("boss", False, "any"),
    "manager": ("manager", False, "any"),
    "dentist": ("dentist", False, "any"),
    "doctor": ("doctor", False, "any"),
    "therapist": ("therapist", False, "any"),
    "landlord": ("landlord", False, "he"),
    "landlady": ("landlord", False, "she"),
    **dict.fromkeys(words_of("grandmother grandma granny aunt niece stepmother"), (None, True, "she")),
    **dict.fromkeys(words_of("grandfather grandpa grandad uncle nephew stepfather"), (None, True, "he")),
    **dict.fromkeys(
        words_of(
            "cousin friend coworker co-worker colleague neighbour neighbor roommate flatmate housemate",
            "teacher coach trainer mentor client student classmate teammate buddy bestie ex godson",
            "goddaughter stepson stepdaughter son-in-law daughter-in-law brother-in-law sister-in-law",
            "mother-in-law father-in-law assistant lawyer accountant",
        ),
        (None, True, "any"),
    ),
}

# The last word of a profession; "I'm a ..." is a job only with one of these.
PROFESSIONS = words_of(
    "accountant actor actress analyst animator architect artist assistant astronaut athlete author baker",
    "banker barber barista bartender biologist bookkeeper builder butcher captain caregiver carpenter",
    "cashier chef chemist cleaner clerk coach comedian composer consultant contractor cook counselor",
    "counsellor dancer dentist designer detective developer dietitian director doctor driver economist",
    "editor electrician engineer entrepreneur farmer filmmaker firefighter fisherman florist freelancer",
    "gardener geologist goldsmith hairdresser historian illustrator inspector instructor interpreter",
    "investor janitor jeweller journalist judge lawyer lecturer librarian lifeguard manager masseuse",
    "mechanic midwife miner model musician novelist nurse nutritionist officer operator optician painter",
    "paralegal paramedic pharmacist photographer physicist physiotherapist pianist pilot plumber poet",
    "policeman policewoman politician postman potter principal producer professor programmer psychiatrist",
    "psychologist radiologist realtor receptionist recruiter reporter researcher sailor salesman",
    "salesperson saleswoman scientist screenwriter sculptor seamstress secretary singer soldier",
    "songwriter specialist statistician steward stewardess streamer superintendent supervisor",
    "surgeon surveyor tailor teacher technician therapist trader trainer translator tutor vet",
    "veterinarian waiter waitress weaver welder writer zookeeper",
)
NATIONALITIES = words_of(
    "afghan albanian algerian american argentinian armenian australian austrian bangladeshi belgian",
    "bolivian brazilian british bulgarian cambodian canadian chilean chinese colombian croatian cuban",
    "czech danish dutch egyptian english estonian ethiopian filipino finnish french georgian german",
    "ghanaian greek hungarian icelandic indian indonesian iranian iraqi irish israeli italian jamaican",
    "japanese jordanian kenyan korean latvian lebanese lithuanian malaysian mexican moroccan nepali",
    "nigerian norwegian pakistani palestinian peruvian polish portuguese romanian russian saudi scottish",
    "senegalese serbian singaporean slovak slovenian somali spanish swedish swiss syrian taiwanese thai",
    "tunisian turkish ugandan ukrainian uruguayan venezuelan vietnamese welsh",
)
# Heads of names that people join for other reasons than work.
NOT_EMPLOYERS = words_of(
    "band book choir church class club community course discord facebook forum group gym instagram league",
    "linkedin party reddit slack society team telegram tiktok tinder twitter whatsapp youtube zoom",
    "netflix spotify strava army navy",
)
# Words that a value never begins with: they point back instead of naming.
POINTING = words_of(
    "this that these those it its them him her he she they you your yours me my us our mine his their how",
    "when what why where who the seeing hearing every all both some any something everything anything",
    "nothing someone being having knowing doing when if there here one so very really just more less most",
    "not no to",
)
# What "love" and "like" take without naming a thing: light verbs, prepositions, adverbs.
NO_THINGS = words_of(
    "going coming talking getting being spending escaping looking making taking trying doing having",
    "seeing hearing sinking curling finding knowing feeling giving bringing putting letting and but or",
    "through with from at in on of everywhere anywhere always never also too about for by only even",
    "already as into onto out up down back",
)

# Things that keep their article and are still lasting tastes.
THE_THINGS = words_of(
    "sea ocean beach outdoors mountains countryside piano violin guitar cello drums rain sun snow heat",
    "cold wilderness opera theatre theater cinema ballet city forest desert",
)
