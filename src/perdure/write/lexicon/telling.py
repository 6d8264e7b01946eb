"""Words that are close for an embedder and far apart for a person, and words that tell nothing."""

from __future__ import annotations

from perdure.core.text import tokenise
from perdure.write.lexicon.shape import words_of

FUNCTION_WORDS = words_of(
    "a an the and or but of to in on at for with from by as is are was were be been being has have had do",
    "does did will would can could may i you he she it we they me him us them my your his her its our their",
    "user users this that these those now then there here still also too not no very really just about",
    "into than when who which what where how named called name new old one two some any all",
)

NUMBER_WORDS = {
    word: figure
    for figure, words in {
        "0": "zero", "1": "single", "2": "two twice pair both", "3": "three thrice", "4": "four", "5": "five",
        "6": "six", "7": "seven", "8": "eight", "9": "nine", "10": "ten", "11": "eleven",
        "12": "twelve dozen", "13": "thirteen", "14": "fourteen", "15": "fifteen", "16": "sixteen",
        "17": "seventeen", "18": "eighteen", "19": "nineteen", "20": "twenty", "30": "thirty", "40": "forty",
        "50": "fifty", "60": "sixty", "70": "seventy", "80": "eighty", "90": "ninety", "100": "hundred",
        "1000": "thousand", "1000000": "million", "1/2": "half", "1/4": "quarter",
    }.items()
    for word in words.split()
}  # fmt: skip

# Each line is one class; its members exclude one another, those joined by "=" are the same.
_CLASSES = (
    "first=1st second=2nd third=3rd fourth=4th fifth=5th last next",
    "mother=mum=mom=mama father=dad=papa brother=brothers sister=sisters son=sons daughter=daughters wife "
    "husband uncle aunt nephew niece cousin=cousins grandmother=grandma=granny grandfather=grandpa boss "
    "colleague=coworker neighbour=neighbor friend=friends girlfriend boyfriend fiancé fiancée stepfather "
    "stepmother roommate=flatmate twin child=kid children=kids parents",
    "mg g kg mcg µg ml cl l litre=liter litres=liters gram=grams kilo=kilos=kilograms pound=pounds lb=lbs "
    "ounce=ounces oz cm mm m km mile=miles metre=meter metres=meters inch=inches feet=foot "
    "second=seconds minute=minutes hour=hours day=days week=weeks month=months year=years decade=decades "
    "euro=euros=€ dollar=dollars=$ pounds=£ percent=% degrees",
    "daily=everyday weekly fortnightly monthly quarterly yearly=annually hourly nightly",
    "north=northern south=southern east=eastern west=western northeast northwest southeast southwest",
    "left right upper lower top bottom front back inner outer inside outside",
    "red blue green yellow black white grey=gray brown orange purple pink silver gold golden beige",
    "breakfast lunch dinner=supper brunch dessert",
    "dog=dogs=puppy cat=cats=kitten horse=horses rabbit=rabbits bird=birds parrot fish hamster",
    "tea coffee milk water juice wine beer",
    "monday=mondays tuesday=tuesdays wednesday=wednesdays thursday=thursdays friday=fridays "
    "saturday=saturdays sunday=sundays weekday=weekdays weekend=weekends "
    "january=jan february=feb march april june july august september=sept october november december",
    "montag=montags dienstag=dienstags mittwoch=mittwochs donnerstag=donnerstags freitag=freitags "
    "samstag=samstags sonntag=sonntags lunes martes miércoles jueves viernes sábado domingo "
    "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "morning=mornings noon afternoon=afternoons evening=evenings night=nights midnight",
    "spring summer autumn=fall winter",
    "yesterday today tomorrow tonight",
    "before after during until since",
    "up down", "more less fewer", "most least", "best worst", "better worse", "high=higher low=lower",
    "big=large small=little", "young=younger old=older=elder", "early=earlier late=later",
    "always usually often sometimes rarely=seldom never", "all some",
    "single engaged married divorced widowed separated",
    "accepted=accepts declined=rejected=rejects=declines refused", "open=opened=opens closed=shut=closes",
    "won=wins lost=loses", "bought=buys=buy sold=sells=sell rents=rented leases", "increased decreased",
    "gained lost", "lent=lends borrowed=borrows", "arrives=arrived departs=departed", "enabled disabled",
    "production=prod staging testing=test development=dev", "public private", "primary secondary",
    "male female", "indoor outdoor", "import export", "credit debit", "hot cold=iced", "vegan vegetarian",
)  # fmt: skip


def _table() -> dict[str, frozenset[str]]:
    told: dict[str, set[str]] = {}
    for n, line in enumerate(_CLASSES):
        for group in line.split():
            names = group.split("=")
            for name in names:
                told.setdefault(name, set()).add(f"{n}:{names[0]}")
    return {name: frozenset(meanings) for name, meanings in told.items()}


TELLING = _table()


def content_words(text: str, *, subject: str = "") -> frozenset[str]:
    """The words that say something: no function words, possessives, lone letters or words of the subject."""
    about = set(tokenise(text)) - FUNCTION_WORDS - set(tokenise(subject))
    return frozenset(w for w in about if "'" not in w and (len(w) > 1 or not w.isascii() or w.isdigit()))
