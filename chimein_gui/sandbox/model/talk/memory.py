"""Looking things up: in the conversation, in what is remembered, with tools, and in pages that were read."""

from dataclasses import dataclass

from chimein_gui.sandbox.model.script import FunctionCall
from chimein_gui.sandbox.model.talk.conversation import Conversation
from chimein_gui.sandbox.model.talk.cue_tables import WANTS, Kind
from chimein_gui.sandbox.model.talk.kinds import Understanding
from chimein_gui.sandbox.model.talk.recall import Found, Line, find, sentences, stems

_ENOUGH = {Kind.RECALL: 0.3, Kind.YES_NO: 0.85, Kind.CHOICE: 0.9}
_ENOUGH_OF_A_QUESTION = 0.6
_SEARCHES = ("search_memories", "search_messages")
_MOST_QUERY = 80


@dataclass(frozen=True, slots=True)
class Reminder:
    """What the look-up has brought.

    Attributes:
        kind: What the answer is to be about, if not what was understood: ``recall``, ``recall_other``,
            ``recall_own`` or ``unknown``.
        found: The sentence.
        who: First name of who said it.
        call: A tool to ask first.
    """

    kind: str = ""
    found: str = ""
    who: str = ""
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
        return _reminder(found, conversation)
    if not is_recall:
        return Reminder()
    call = _next_search(conversation, understood)
    return Reminder(call=call) if call is not None else Reminder(Kind.UNKNOWN)


def _lines(conversation: Conversation, *, own: bool) -> list[Line]:
    told = [Line(text) for texts in conversation.tool_answers.values() for text in texts if not text.isdigit()]
    said = [Line(one.text, one.name, one.own) for one in conversation.history if one.text and one.own == own]
    return [*map(Line, conversation.memories), *said, *told]


def _last(lines: list[Line]) -> Found | None:
    """What was said last, for “what did I just say?”."""
    line = next((one for one in reversed(lines) if one.name), None)
    return Found(sentences(line.text)[-1], line, 1.0) if line is not None else None


def _reminder(found: Found, conversation: Conversation) -> Reminder:
    asker = conversation.target.name
    if found.line.own:
        return Reminder("recall_own", found.sentence)
    if found.line.name and asker and found.line.name != asker:
        return Reminder("recall_other", found.sentence, found.line.name.split(" ")[0])
    return Reminder(Kind.RECALL, found.sentence, found.line.name.split(" ")[0])


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
