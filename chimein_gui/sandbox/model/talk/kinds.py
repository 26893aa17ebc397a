"""What kind of thing somebody has said."""

# ruff: noqa: RUF001 - full-width marks end sentences in Japanese and Chinese

import re
from dataclasses import dataclass
from itertools import islice

from chimein_gui.sandbox.model.languages.detection import LEXICONS, detect, language_of
from chimein_gui.sandbox.model.languages.lexicon import Lexicon
from chimein_gui.sandbox.model.languages.wording import bare, tidy
from chimein_gui.sandbox.model.talk.conversation import NOTHING_NEW, Conversation, Said
from chimein_gui.sandbox.model.talk.cue_tables import QUESTIONS, TELLINGS, WANTS, How, Kind
from chimein_gui.sandbox.model.talk.recall import sentences, stems

URL = re.compile(r"https?://[^\s<>«»⟦⟧\"]+[^\s<>«»⟦⟧\".,;:!?)]")
_LETTERS = re.compile(r"\w", re.UNICODE)
_NUMBERS = re.compile(r"[\d\s.,:/+\-–hHuhr年月日時时点點]+")
_SUM = re.compile(r"(-?\d+(?:[.,]\d+)?)\s*(\S{1,3}|\D{2,24}?)\s*(-?\d+(?:[.,]\d+)?)")
_MENTION = re.compile(r"@\w+[,:]?\s*")
_LONG_WORDS, _LONG_LETTERS = 22, 110
_SHORT_WORDS = 7
_FEW_WORDS = 4
_LOOK_BACK = 12
_LONGEST = 4_096
_MOST_GREETINGS = 3
_LEFT_OVER = {"confused": 0, "murmur": 2}
_SIGNS = {
    "+": "plus",
    "-": "minus",
    "−": "minus",
    "*": "times",
    "x": "times",
    "×": "times",
    "/": "divided",
    "÷": "divided",
}


@dataclass(frozen=True, slots=True)
class Understanding:
    """What has been said, as far as the responder understands it.

    Attributes:
        text: Without greeting, and without the agent's own name.
        about: The sentence that matters.
        wants: Of a question, what it asks for.
        value: Of a sum, its result; of a link, the link; of an order to remember, what.
    """

    kind: Kind
    lexicon: Lexicon
    text: str
    about: str
    wants: Kind | None = None
    value: str = ""


def understand(conversation: Conversation) -> Understanding:
    """Look at the target message."""
    said = conversation.target
    lexicon = LEXICONS[_language(conversation, said)]
    text = _without_address(lexicon.spelled_out(tidy(said.text[:_LONGEST])), conversation.agent)
    kind, value = _wordless(conversation, said)
    if kind is not None:
        return Understanding(kind, lexicon, text, text, value=value)
    rest = _without_greeting(text, conversation.agent, lexicon)
    if not rest:
        return Understanding(Kind.GREETING, lexicon, text, text)
    if lexicon.says("inject", rest):
        return Understanding(Kind.DEFLECT, lexicon, rest, rest)
    question = _question(rest, lexicon)
    if order := _order(rest, lexicon):
        return Understanding(Kind.REMEMBER, lexicon, rest, rest, value=order)
    if question and (stems(question, lexicon) or not _is_long(rest, lexicon)):
        return _asked(question, rest, lexicon)
    return _told(rest, lexicon)


def _language(conversation: Conversation, said: Said) -> str:
    """Return the language of the target; where it does not tell, that of what its sender wrote before, or others."""
    if own := detect(said.text):
        return own
    earlier = list(islice(conversation.from_last(), _LOOK_BACK))
    same = [one.text for one in earlier if one.name == said.name]
    return language_of([*same, *(one.text for one in earlier)])


def _wordless(conversation: Conversation, said: Said) -> tuple[Kind | None, str]:
    """Recognise what has no words, or a link."""
    text = said.text
    if found := URL.search(text):
        return _linked(conversation, found[0]), found[0]
    if said.images and len(text) < 200:
        return Kind.IMAGE, said.images[-1][0]
    if said.media and not text:
        return Kind.MEDIA, said.media
    if not text or text == NOTHING_NEW:
        return Kind.NOTHING, ""
    if _LETTERS.search(text):
        return None, ""
    return (Kind.CONFUSED if "?" in text or "？" in text else Kind.EMOJI), text


def _linked(conversation: Conversation, url: str) -> Kind:
    if any(url.rstrip("/") == page.rstrip("/:") for page in conversation.pages):
        return Kind.PAGE
    return Kind.RETRIEVE if conversation.may_retrieve else Kind.LINK


def _without_address(text: str, agent: str) -> str:
    """Take the agent's name off both ends."""
    text = _MENTION.sub("", text).strip()
    if agent:
        name = re.escape(agent)
        text = re.sub(rf"^{name}(?:\s+\w+)?(?:さん|ちゃん)?\s*[,:!、，-]+\s*", "", text, flags=re.IGNORECASE)
        text = re.sub(rf"[,、，]\s*{name}(?=\s*[!?.…！？。]*$)", "", text, flags=re.IGNORECASE)
    return text.strip()


def _without_greeting(text: str, agent: str, lexicon: Lexicon) -> str:
    """Take a greeting off the beginning, if something follows that is no part of it."""
    for _ in range(_MOST_GREETINGS):
        plain = bare(text)
        found = lexicon.cue("greeting").match(plain)
        if found is None or lexicon.cue("how_are_you").match(plain) or lexicon.cue("night").match(plain):
            return text
        rest = text[found.end() :]
        if agent:
            rest = re.sub(rf"^\s*{re.escape(agent)}(?:さん|ちゃん)?\b", "", rest, flags=re.IGNORECASE)
        rest = re.sub(r"^(?:\s*[,!.~…！。、，～:)👋😊🙂\-–]+)+", "", rest).strip()
        is_word = lexicon.has_blanks and len(rest.split()) == 1 and rest[-1:] not in "?？"
        if is_word and (rest[:1].isupper() or _told(rest, lexicon).kind is Kind.STATEMENT):
            rest = ""  # “Hello Nora”, “hi sunshine”, whoever that is
        if not _LETTERS.search(rest):
            return ""
        if rest == text:
            return text
        text = rest
    return text


def _order(text: str, lexicon: Lexicon) -> str:
    """Return what somebody wants to be remembered."""
    found = lexicon.says("remember", text)
    if found is None or text.rstrip().endswith(("?", "？")) or (lexicon.has_blanks and found.start() > 0):
        return ""
    return (text[: found.start()] + " " + text[found.end() :]).strip(" ,:;，、") or text


def _question(text: str, lexicon: Lexicon) -> str:
    """Return the last sentence that asks something, question mark or not."""
    asked = [one for one in sentences(text) if _asks(one, lexicon)]
    return asked[-1] if asked else ""


def _asks(sentence: str, lexicon: Lexicon) -> bool:
    if sentence.rstrip(" )😊🙂😅").endswith(("?", "？")):
        return True
    if not lexicon.has_blanks:
        if lexicon.says("fact", sentence) or sentence.endswith(("！", "!")):
            return False
        wants = any(lexicon.says(kind, sentence) for kind in WANTS[:5])
        return (
            wants
            or re.search(r"(?:ですか|ますか|ましたか|っけ|ไหม|มั้ย|หรือเปล่า|อะไร|吗|嗎)[。.]?\s*$", sentence) is not None
        )
    words = sentence.split()
    starts = next((kind for kind in WANTS if (found := lexicon.says(kind, sentence)) and found.start() == 0), None)
    inverted = lexicon.code in {"en"} and lexicon.says("yes_no", sentence) is not None
    return len(words) > 2 and (starts is not None or inverted) and not sentence.endswith("!")


def _asked(question: str, text: str, lexicon: Lexicon) -> Understanding:
    """Tell questions apart."""
    wants = next((kind for kind in WANTS if lexicon.says(kind, question)), None)
    if (result := _sum(question, lexicon)) is not None:
        return Understanding(Kind.SUM, lexicon, text, question, wants, result)
    kind = _kind_of_question(question, wants, lexicon)
    if kind in WANTS and lexicon.says("mine", question) and not lexicon.says("why", question):
        kind = Kind.RECALL  # about their own life: they must have told it
    return Understanding(kind, lexicon, text, question if stems(question, lexicon) else text, wants)


def _kind_of_question(question: str, wants: Kind | None, lexicon: Lexicon) -> Kind:
    if _is_only("confused", question, lexicon):
        return Kind.CONFUSED
    if (rude := lexicon.says("insult", question)) and rude.start() == 0:
        return Kind.INSULT
    cued = next((kind for cue, kind in QUESTIONS if lexicon.says(cue, question)), None)
    if cued is not None:
        return cued
    inverted = lexicon.code == "en" and lexicon.says("yes_no", question) is not None
    if wants is not None and not inverted and _leads(question, wants, lexicon):
        return wants
    return Kind.INVITATION if lexicon.says("invite", question) else Kind.YES_NO


def _leads(question: str, wants: Kind, lexicon: Lexicon) -> bool:
    """A word that asks stands near the beginning; “I know where it is, do you?” asks for yes or no."""
    if not lexicon.has_blanks:
        return True
    found = lexicon.says(wants, question)
    return found is not None and (found.start() <= 12 or question[: found.start()].rstrip().endswith((",", ":", "…")))


def _told(text: str, lexicon: Lexicon) -> Understanding:
    """Tell what is no question apart."""
    if _NUMBERS.fullmatch(text):
        return Understanding(Kind.TIME, lexicon, text, text)
    words = _words(text, lexicon)
    kind = next((kind for cue, how, kind in TELLINGS if _fits(cue, how, text, words, lexicon)), Kind.STATEMENT)
    return Understanding(kind, lexicon, text, text, value=text if kind is Kind.FACT else "")


def _words(text: str, lexicon: Lexicon) -> int:
    return len(text.split()) if lexicon.has_blanks else len(text) // 3


def _is_long(text: str, lexicon: Lexicon) -> bool:
    return _words(text, lexicon) >= _LONG_WORDS or len(text) >= _LONG_LETTERS


def _fits(cue: str, how: How, text: str, words: int, lexicon: Lexicon) -> bool:
    """Tell whether a cue counts in a text of so many words."""
    if how is How.LONG:
        return _is_long(text, lexicon)
    if how is How.ONLY:
        return _is_only(cue, text, lexicon)
    found = lexicon.says(cue, text)
    if found is None:
        return False
    counts = {
        How.ANYWHERE: True,
        How.FIRST: words <= _SHORT_WORDS or found.start() == 0,
        How.SHORT: words <= _SHORT_WORDS,
        How.FEW: words <= _FEW_WORDS,
        How.PHRASE: words <= _SHORT_WORDS and " " in found[0],
    }
    return counts[how]


def _is_only(cue: str, text: str, lexicon: Lexicon) -> bool:
    """Tell whether a text is hardly more than a cue: “yes, sure!”."""
    plain = bare(text)
    if lexicon.cue(cue).match(plain) is None:
        return False
    rest = lexicon.cue(cue).sub("", plain)
    return len(_LETTERS.findall(rest)) <= _LEFT_OVER.get(cue, 8)


def _sum(question: str, lexicon: Lexicon) -> str | None:
    """Work out “12 times 7”; None if it is no sum."""
    found = _SUM.search(question)
    if found is None:
        return None
    sign = found[2].strip().casefold()
    name = _SIGNS.get(sign) or next(
        (name for name in ("plus", "minus", "times", "divided") if lexicon.cue(name).fullmatch(sign)), ""
    )
    one, other = (float(found[group].replace(",", ".")) for group in (1, 3))
    if not name or (name == "divided" and not other):
        return None
    result = {"plus": one + other, "minus": one - other, "times": one * other, "divided": one / (other or 1)}[name]
    return f"{result:.10g}"
