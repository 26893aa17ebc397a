"""The kinds of things that are said, and the cues by which each is recognised, in order."""

from enum import StrEnum


class Kind(StrEnum):
    """What is said; playbooks name these in `when: {kind: …}`."""

    NOTHING = "nothing"  # no new message
    MEDIA = "media"  # a sticker, photo, voice … without words
    IMAGE = "image"  # a picture that came along as data
    EMOJI = "emoji"
    LINK = "link"  # a link that can't be, or need not be, read
    RETRIEVE = "retrieve"  # a link that can be read
    PAGE = "page"  # a link that has been read
    DEFLECT = "deflect"  # tries to change how the agent works
    REMEMBER = "remember"  # asks to remember something
    FACT = "fact"  # tells something about themselves
    GREETING = "greeting"
    HOW_ARE_YOU = "how_are_you"
    FAREWELL = "farewell"
    NIGHT = "night"
    THANKS = "thanks"
    APOLOGY = "apology"
    LAUGHTER = "laughter"
    CONGRATULATION = "congratulation"
    AGREEMENT = "agreement"
    DISAGREEMENT = "disagreement"
    SAD = "sad"
    GLAD = "glad"
    COMPLIMENT = "compliment"
    INSULT = "insult"
    STICKER = "sticker"
    STORY = "story"  # wants to be told something
    JOKE = "joke"
    EXPLAIN = "explain"  # how something works, or all about it
    SEVERAL = "several"  # wants several messages
    LENGTHY = "lengthy"  # wants a long message
    OPINION = "opinion"  # do you like, what do you think of
    FAVOURITE = "favourite"
    MURMUR = "murmur"  # hm, well, whatever
    HELP = "help"
    NAME = "name"  # who are you
    DOING = "doing"  # what are you doing, where are you
    CLOCK = "clock"
    SUM = "sum"  # a little arithmetic
    SUMMARY = "summary"  # what were we talking about
    RECALL = "recall"  # what was said before
    UNKNOWN = "unknown"  # asks for something said that nobody said
    CHOICE = "choice"  # this or that
    INVITATION = "invitation"
    YES_NO = "yes_no"
    WHEN = "when"
    WHERE = "where"
    WHO = "who"
    WHY = "why"
    COUNT = "count"
    HOW = "how"
    WHAT = "what"
    CONFUSED = "confused"
    TIME = "time"  # a date or a time, nothing else
    LONG = "long"  # a story of theirs
    STATEMENT = "statement"


WANTS = (Kind.WHEN, Kind.WHERE, Kind.WHO, Kind.WHY, Kind.COUNT, Kind.HOW, Kind.WHAT)
"""What a question can ask for, in the order in which it is recognised."""


class How(StrEnum):
    """Where a cue has to stand to count."""

    ANYWHERE = "anywhere"
    FIRST = "first"  # at the beginning, or in a short text
    SHORT = "short"  # in a short text
    FEW = "few"  # in a text of four words
    ONLY = "only"  # with hardly anything else
    PHRASE = "phrase"  # several words, in a short text
    LONG = "long"  # no cue: the text is long


QUESTIONS = (
    ("how_are_you", Kind.HOW_ARE_YOU),
    ("clock", Kind.CLOCK),
    ("your_name", Kind.NAME),
    ("summary", Kind.SUMMARY),
    ("sticker", Kind.STICKER),
    ("joke", Kind.JOKE),
    ("several", Kind.SEVERAL),
    ("lengthy", Kind.LENGTHY),
    ("explain", Kind.EXPLAIN),
    ("or", Kind.CHOICE),
    ("recall", Kind.RECALL),
    ("your_doing", Kind.DOING),
    ("favourite", Kind.FAVOURITE),
    ("like", Kind.OPINION),
    ("help", Kind.HELP),
    ("story", Kind.STORY),
)
"""What a question is recognised by, in this order; the rest are questions for something, and for yes or no."""

TELLINGS = (
    ("night", How.ANYWHERE, Kind.NIGHT),
    ("thanks", How.ANYWHERE, Kind.THANKS),
    ("apology", How.FIRST, Kind.APOLOGY),
    ("farewell", How.FIRST, Kind.FAREWELL),
    ("sticker", How.ANYWHERE, Kind.STICKER),
    ("summary", How.ANYWHERE, Kind.SUMMARY),
    ("joke", How.SHORT, Kind.JOKE),
    ("several", How.ANYWHERE, Kind.SEVERAL),
    ("lengthy", How.ANYWHERE, Kind.LENGTHY),
    ("explain", How.SHORT, Kind.EXPLAIN),
    ("explain", How.FIRST, Kind.EXPLAIN),
    ("story", How.ANYWHERE, Kind.STORY),
    ("help", How.ANYWHERE, Kind.HELP),
    ("confused", How.PHRASE, Kind.CONFUSED),
    ("disagree", How.ONLY, Kind.DISAGREEMENT),
    ("agree", How.ONLY, Kind.AGREEMENT),
    ("confused", How.ONLY, Kind.CONFUSED),
    ("murmur", How.ONLY, Kind.MURMUR),
    ("laugh", How.FEW, Kind.LAUGHTER),
    ("sad", How.ANYWHERE, Kind.SAD),
    ("fact", How.ANYWHERE, Kind.FACT),
    ("", How.LONG, Kind.LONG),
    ("congrats", How.ANYWHERE, Kind.CONGRATULATION),
    ("compliment", How.ANYWHERE, Kind.COMPLIMENT),
    ("insult", How.ANYWHERE, Kind.INSULT),
    ("glad", How.ANYWHERE, Kind.GLAD),
    ("how_are_you", How.SHORT, Kind.HOW_ARE_YOU),
    ("invite", How.ANYWHERE, Kind.INVITATION),
    ("time", How.FEW, Kind.TIME),
    ("laugh", How.ANYWHERE, Kind.LAUGHTER),
)
"""What is no question, in the order in which it is recognised; the rest is a statement."""
