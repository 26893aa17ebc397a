"""Looking things up: in the conversation, in what is remembered, with tools, and in pages that were read."""

import re
from dataclasses import dataclass

from chimein_gui.sandbox.model.languages.lexicon import Lexicon
from chimein_gui.sandbox.model.languages.wording import bare
from chimein_gui.sandbox.model.script import FunctionCall
from chimein_gui.sandbox.model.talk.conversation import Conversation
from chimein_gui.sandbox.model.talk.cue_tables import WANTS, Kind
from chimein_gui.sandbox.model.talk.kinds import Understanding
from chimein_gui.sandbox.model.talk.recall import Found, Line, corrected, find, sentences, stems

_ENOUGH = {Kind.RECALL: 0.3, Kind.WHAT: 0.65, Kind.HOW: 0.85, Kind.WHY: 0.85, Kind.YES_NO: 0.85, Kind.CHOICE: 0.9}
_ENOUGH_OF_A_QUESTION = 0.54
_LOOKED_UP = (Kind.WHEN, Kind.WHERE, Kind.WHO, Kind.COUNT)
_MOST_BIT = 32
_NUMBER = re.compile(r"\d[\d.,:]*(?: ?[^\W\d]+)?|[€$£]\d[\d.,]*")
_SEARCHES = ("search_memories", "search_messages")
_MOST_QUERY = 80


@dataclass(frozen=True, slots=True)
class Reminder:
    """What the look-up has brought.

    Attributes:
        kind: What the answer is to be about, if not what was understood: ``recall``, ``recall_other``,
            ``recall_own``, ``remembered`` or ``unknown``.
        found: The sentence.
        bit: The time or number in it that was asked for.
        who: First name of who said it.
        call: A tool to ask first.
    """

    kind: str = ""
    found: str = ""
    who: str = ""
    bit: str = ""
    call: FunctionCall | None = None


def remind(conversation: Conversation, understood: Understanding) -> Reminder:
    """Look up what a question asks for."""
    kind = understood.kind
    if kind is Kind.PAGE:
        return Reminder(found=_from_page(conversation, understood))
    if kind is Kind.SUMMARY:
        return _summary(conversation)
    if kind is not Kind.RECALL and kind not in WANTS and kind not in (Kind.YES_NO, Kind.CHOICE):
        return Reminder()
    lexicon = understood.lexicon
    wants = understood.wants.value if understood.wants in WANTS[:3] or understood.wants is Kind.COUNT else ""
    is_recall = kind is Kind.RECALL
    asks_for_own = is_recall and lexicon.says("you_said", understood.about) is not None
    enough = _ENOUGH.get(kind, _ENOUGH_OF_A_QUESTION)
    lines = _lines(conversation, own=asks_for_own)
    found = find(understood.about, lines, lexicon, wants=wants)
    if found is None and is_recall and (asks_for_own or not stems(understood.about, lexicon)):
        found = _last(lines)
    if found is not None and found.score >= enough:
        found = corrected(found, lines, lexicon)
        return _reminder(found, conversation, _bit(found.sentence, wants, lexicon))
    return _searching(conversation, understood)


def _searching(conversation: Conversation, understood: Understanding) -> Reminder:
    """Ask a tool for what was not found here; without one, admit not to know what only they can have told."""
    is_recall = understood.kind is Kind.RECALL
    if not is_recall and (understood.kind not in _LOOKED_UP or not stems(understood.about, understood.lexicon)):
        return Reminder()
    call = _next_search(conversation, understood)
    return Reminder("" if call is not None or not is_recall else Kind.UNKNOWN, call=call)


def _bit(sentence: str, wants: str, lexicon: Lexicon) -> str:
    """Return the time or the number that a sentence tells, if that was asked for."""
    if wants == "when":
        times = list(lexicon.cue("time").finditer(bare(sentence)))
        if not times:
            return ""
        end = times[-1].end()
        end += len(sentence[end:]) - len(sentence[end:].lstrip("0123456789:.hHuU")) if lexicon.has_blanks else 0
        bit = sentence[times[0].start() : end]
    else:
        number = _NUMBER.search(sentence) if wants == "count" else None
        bit = number[0] if number else ""
    bit = bit.strip(" .,!?")
    return bit if len(bit) <= _MOST_BIT else ""


def _lines(conversation: Conversation, *, own: bool) -> list[Line]:
    told = [Line(text) for texts in conversation.tool_answers.values() for text in texts if not text.isdigit()]
    said = [Line(one.text, one.name, one.own) for one in conversation.history if one.text and one.own == own]
    return [*map(Line, conversation.memories), *said, *told]


def _last(lines: list[Line]) -> Found | None:
    """What was said last, for “what did I just say?”."""
    line = next((one for one in reversed(lines) if one.name), None)
    return Found(sentences(line.text)[-1], line, 1.0) if line is not None else None


def _reminder(found: Found, conversation: Conversation, bit: str) -> Reminder:
    asker, who, sentence = conversation.target.name, found.line.name, found.sentence
    if not who and asker and sentence.startswith(f"{asker}: "):
        who, sentence = asker, sentence.removeprefix(f"{asker}: ")  # as remembered from what they said
    if found.line.own:
        return Reminder("recall_own", sentence, bit=bit)
    if not who:
        return Reminder("remembered", sentence, bit=bit)
    if asker and who != asker:
        return Reminder("recall_other", sentence, who.split(" ")[0], bit)
    return Reminder(Kind.RECALL, sentence, who.split(" ")[0], bit)


def _summary(conversation: Conversation) -> Reminder:
    if "get_smart_context" in conversation.tools and "get_smart_context" not in conversation.tool_answers:
        number = conversation.target.number
        return Reminder(call=FunctionCall("get_smart_context", {"anchor_id": number} if number else {}))
    told = [text for text in conversation.tool_answers.get("get_smart_context", ()) if " " in text]
    said = [one.text for one in conversation.history if one.text and not one.own]
    last = (told or said)[-1:]
    return Reminder(found=sentences(last[0])[-1] if last else "")


def _next_search(conversation: Conversation, understood: Understanding) -> FunctionCall | None:
    """Ask the memories first, then the messages, each once; a message that is replied to and not there comes first."""
    reply_to, known = conversation.target.reply_to, conversation.tools
    asked = conversation.tool_answers
    if reply_to and "get_message" in known and "get_message" not in asked:
        return FunctionCall("get_message", {"message_id": reply_to})
    name = next((one for one in _SEARCHES if one in known and one not in asked), None)
    return FunctionCall(name, {"query": understood.about[:_MOST_QUERY]}) if name else None


def _from_page(conversation: Conversation, understood: Understanding) -> str:
    """Return what a page says to a question, or how it begins."""
    pages = conversation.pages
    wanted = understood.value.rstrip("/")
    text = next((text for url, text in pages.items() if url.rstrip("/:") == wanted), "")
    question = understood.text.replace(understood.value, " ")
    lines = [Line(sentence) for sentence in sentences(text)]
    found = find(question, lines, understood.lexicon) if lines else None
    if found is not None:
        return found.sentence
    return next((line.text[:140] for line in lines if len(line.text) > 3), "")
