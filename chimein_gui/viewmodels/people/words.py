"""What is held about a person, in words."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from chimein_gui.domain.people.holdings import Effect, Held, HoldingKind
from chimein_gui.viewmodels.core.numbers import count_words, dollars_words, locale, short_day_words

translate = QCoreApplication.translate

_KINDS: dict[HoldingKind, object] = {
    HoldingKind.MESSAGES: QT_TRANSLATE_NOOP("Person", "Messages, of both sides"),
    HoldingKind.GROUP_MESSAGES: QT_TRANSLATE_NOOP("Person", "Messages in a group"),
    HoldingKind.MEDIA: QT_TRANSLATE_NOOP("Person", "Pictures and files that were shown"),
    HoldingKind.NOTES: QT_TRANSLATE_NOOP("Person", "Your notes on the chat"),
    HoldingKind.MEMORIES: QT_TRANSLATE_NOOP("Person", "Memories about the person"),
    HoldingKind.SHARED_MEMORIES: QT_TRANSLATE_NOOP("Person", "Memories for all chats, learned here"),
    HoldingKind.MEMORY_RECORDS: QT_TRANSLATE_NOOP("Person", "Records of what replies remembered"),
    HoldingKind.ORDERS: QT_TRANSLATE_NOOP("Person", "What the person asked to be remembered"),
    HoldingKind.PROPOSALS: QT_TRANSLATE_NOOP("Person", "Proposed memories"),
    HoldingKind.TRACES: QT_TRANSLATE_NOOP("Person", "Traces: how replies came about"),
    HoldingKind.DRAFTS: QT_TRANSLATE_NOOP("Person", "Plans and drafts"),
    HoldingKind.SAVED_EDITS: QT_TRANSLATE_NOOP("Person", "Saved edits"),
    HoldingKind.UNSENT: QT_TRANSLATE_NOOP("Person", "Text that you have not sent"),
    HoldingKind.PINS: QT_TRANSLATE_NOOP("Person", "Pinned messages"),
    HoldingKind.PROMPTS: QT_TRANSLATE_NOOP("Person", "Stored prompts"),
    HoldingKind.DECISIONS: QT_TRANSLATE_NOOP("Person", "Your decisions"),
    HoldingKind.SEARCH: QT_TRANSLATE_NOOP("Person", "Search index"),
    HoldingKind.LOGS: QT_TRANSLATE_NOOP("Person", "Lines of the log"),
    HoldingKind.CHAT: QT_TRANSLATE_NOOP("Person", "Name and settings of the chat"),
    HoldingKind.REQUESTS: QT_TRANSLATE_NOOP("Person", "Ledger of what was sent"),
    HoldingKind.COSTS: QT_TRANSLATE_NOOP("Person", "Calls of the model"),
}

_EFFECTS: dict[Effect, object] = {
    Effect.GOES: QT_TRANSLATE_NOOP("Person", "Goes"),
    Effect.EMPTIED: QT_TRANSLATE_NOOP("Person", "Words go, numbers stay"),
    Effect.STAYS: QT_TRANSLATE_NOOP("Person", "Stays, as sums"),
}


def kind_words(kind: HoldingKind) -> str:
    """Return a kind of data."""
    return translate("Person", str(_KINDS[kind]))


def effect_words(effect: Effect) -> str:
    """Return what forgetting does with it."""
    return translate("Person", str(_EFFECTS[effect]))


def amount_words(held: Held) -> str:
    """Return how much there is, from when to when."""
    tally, count = held.tally, held.tally.count
    parts = [count_words(count)]
    if held.kind is HoldingKind.MESSAGES:
        theirs = tally.theirs
        parts = [translate("Person", "%n message(s)", "", count), translate("Person", "%n by the person", "", theirs)]
    elif held.kind is HoldingKind.COSTS:
        parts.append(dollars_words(tally.cost_usd, 2))
    elif tally.size:
        parts.append(locale().formattedDataSize(tally.size))
    if tally.first is not None and tally.last is not None:
        first, last = (short_day_words(at.astimezone()) for at in (tally.first, tally.last))
        parts.append(
            first if first == last else translate("Person", "{first} to {last}").format(first=first, last=last)
        )
    return " · ".join(parts)


def place_words(held: Held) -> str:
    """Return where it is: agent and chat, or a file; foreign text."""
    return " · ".join(part for part in (held.agent_name, held.place) if part)


def kinds_with(rows: tuple[Held, ...], effect: Effect) -> str:
    """Return the kinds that forgetting does this to, each once."""
    return "; ".join(dict.fromkeys(kind_words(one.kind) for one in rows if one.effect is effect))
