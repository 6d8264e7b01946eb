"""Small English words, for telling a language from the others."""

from perdure.write.lexicon.shape import words_of

ENGLISH_CUES = words_of(
    "i i'm the and is are was were my you your it to of in for on with that this have has had not be at a",
    "an but we they he she his her am do did don't can will so what from about just like love live",
    "work been really there when name",
)
