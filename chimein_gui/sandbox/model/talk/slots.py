"""What the slots of a reply are filled with."""

# ruff: noqa: RUF001 - full-width marks end sentences in Japanese and Chinese

import re
from urllib.parse import urlsplit
from zlib import crc32

from chimein_gui.sandbox.model.languages.lexicon import Lexicon
from chimein_gui.sandbox.model.languages.wording import bare
from chimein_gui.sandbox.model.talk.conversation import Conversation, Sticker
from chimein_gui.sandbox.model.talk.cue_tables import Kind
from chimein_gui.sandbox.model.talk.kinds import Understanding
from chimein_gui.sandbox.model.talk.memory import Reminder
from chimein_gui.sandbox.model.talk.recall import stems

_MAX_QUOTE = 60
_MAX_FACT = 300
_MAX_TOPIC, _MOST_TOPIC_WORDS = 40, 5
_ABOUT = frozenset({Kind.LENGTHY, Kind.SEVERAL, Kind.STORY, Kind.JOKE})
_HARMLESS = str.maketrans({"«": "‹", "»": "›", "⟦": "(", "⟧": ")", "{": "(", "}": ")", "`": "'"})
_ENDS = " .!?…,;:。！？、，¿¡"
_QUESTION_WORDS = re.compile(
    r"^((so|and|but|well|hey|oh)[, ]+)?"
    r"(are|is|do|does|did|can|could|will|would|should|have|has|what|when|where|why|who|how|which)\b"
    r"(\s+(about|is|are|do|does|did|was|were|much|many|you|we|i|it|there|a|an|the))*\s*",
    re.IGNORECASE,
)
_CHOICE_LEAD = {
    "en": r".*\b(?:prefer|like|want|take|have|rather|about|is it|be|go|get|watch|eat|drink)\b\s*|.*[:,]\s*",
    "de": r".*\b(?:lieber|oder nehmen wir|magst du|willst du|möchtest du|wollen wir|trinkst du|isst du)\b\s*|.*[:,]\s*",
    "pt": r".*\b(?:preferes|prefere|queres|quer|gostas mais de|gosta mais de|vamos)\b\s*|.*[:,]\s*",
    "es": r".*\b(?:prefieres|quieres|te gusta más|vamos)\b\s*|.*[:,]\s*",
    "fr": r".*\b(?:préfères|veux|aimes mieux|prends)\b\s*|.*[:,]\s*",
    "ru": r".*\b(?:любишь|хочешь|предпочитаешь|лучше|больше нравится|будешь)\b\s*|.*[:,]\s*",
}
_MORE_SENTENCE = re.compile(r"[.!?…。！？]\s*")


def slots_for(conversation: Conversation, understood: Understanding, reminder: Reminder) -> dict[str, str]:
    """Return the slots; empty where there is nothing to offer."""
    said = conversation.target
    day, date, time = conversation.clock
    url = understood.value if understood.kind in (Kind.LINK, Kind.RETRIEVE, Kind.PAGE) else ""
    sticker = chosen_sticker(conversation)
    quote = quoted(understood)
    found = harmless(reminder.found).rstrip(" .。")
    return {
        "name": harmless(said.name.split(" ")[0]) if said.name else "",
        "agent": harmless(conversation.agent),
        "quote": quote,
        "about": quote,
        "said": harmless(said.text)[:_MAX_FACT],
        "found": found,
        "bit": harmless(reminder.bit),
        "topic": topic(understood),
        "page": found if understood.kind is Kind.PAGE else "",
        "who": harmless(reminder.who),
        "fact": _fact(said.name, understood),
        "value": harmless(understood.value),
        "url": url,
        "host": harmless(urlsplit(url).hostname or "") if url else "",
        "day": day,
        "date": date,
        "time": time,
        "choice": _choice(understood.about, understood.lexicon) if understood.kind is Kind.CHOICE else "",
        "media": harmless(said.media),
        "number": str(said.number or ""),
        "sticker_set": sticker.set_name if sticker is not None else "",
        "sticker_name": sticker.name if sticker is not None else "",
    }


def chosen_sticker(conversation: Conversation) -> Sticker | None:
    """Return the sticker for an answer, always the same one for the same words."""
    stickers = conversation.stickers
    return stickers[crc32(conversation.target.text.encode()) % len(stickers)] if stickers else None


def harmless(text: str) -> str:
    """Return foreign text on one line and without our own marks."""
    return " ".join(text.translate(_HARMLESS).split())


def quoted(understood: Understanding) -> str:
    """Return the words that an answer refers to, short."""
    text = harmless(understood.about)
    if understood.kind not in (Kind.LONG, Kind.TIME):
        bare = _QUESTION_WORDS.sub("", text)
        text = bare if any(letter.isalnum() for letter in bare) else text
    if understood.kind is Kind.LONG:
        text = max(_MORE_SENTENCE.split(text), key=len)
    bare = text.strip(_ENDS) or text.strip()
    if len(bare) <= _MAX_QUOTE:
        return bare
    cut = bare[: _MAX_QUOTE - 1]
    return (cut.rsplit(" ", 1)[0] if understood.lexicon.has_blanks else cut) + "…"


def topic(understood: Understanding) -> str:
    """Return what somebody wants to hear about, as the agent would name it; nothing if that takes many words."""
    lexicon, text = understood.lexicon, harmless(understood.about).strip(_ENDS)
    about = list(lexicon.cue("about").finditer(bare(text)))
    if not lexicon.has_blanks:
        text = lexicon.cue("lead").sub("", text)
    elif understood.kind in _ABOUT:
        text = text[about[-1].end() :] if about else ""
    elif about and understood.kind in (Kind.EXPLAIN, Kind.OPINION):
        text = text[about[-1].end() :]
    else:
        while found := lexicon.cue("lead").match(bare(text)):
            text = text[found.end() :].lstrip(_ENDS)
    text = lexicon.turned(text.strip(_ENDS))
    while lexicon.has_blanks and (found := lexicon.cue("tail").search(bare(text))) and found.end() == len(text):
        text = text[: found.start()].strip(_ENDS)
    short = len(text.split()) <= _MOST_TOPIC_WORDS and 1 < len(text) <= _MAX_TOPIC
    return text if short and stems(text, lexicon) else ""


def _fact(name: str, understood: Understanding) -> str:
    if understood.kind not in (Kind.REMEMBER, Kind.FACT):
        return ""
    fact = harmless(understood.value or understood.text)[:_MAX_FACT]
    return f"{harmless(name)}: {fact}" if name else fact


def _choice(question: str, lexicon: Lexicon) -> str:
    """Return one of two things that are offered: “tea or coffee?”."""
    text = harmless(question).strip(_ENDS)
    parts = [part.strip(_ENDS) for part in lexicon.cue("or").split(text) if part and part.strip(_ENDS)]
    if len(parts) < 2:
        return ""
    lead = _CHOICE_LEAD.get(lexicon.code)
    first = (re.sub(rf"^(?:{lead})", "", parts[0], flags=re.IGNORECASE) if lead else parts[0]) or parts[0]
    options = [first, parts[-1]]
    return options[crc32(text.encode()) % 2].strip(_ENDS)[:_MAX_QUOTE]
