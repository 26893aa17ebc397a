"""Why a planned send waits for the operator, each reason as a sentence that says what it means for the decision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from chimein_gui.domain.approvals import AskReason
from chimein_gui.viewmodels.approvals.card_words import reason_words
from chimein_gui.viewmodels.core.sanitize import spoken
from chimein_gui.viewmodels.words.notes import sentence

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval

translate = QCoreApplication.translate

_SENTENCES: dict[AskReason, object] = {
    AskReason.NOT_DELIVERED: QT_TRANSLATE_NOOP(
        "TraceAsks", "It may have arrived already: look into the chat before you send it again."
    ),
    AskReason.CHANGED: QT_TRANSLATE_NOOP(
        "TraceAsks", "The conversation went on while this was written: check that it still fits, or reject it."
    ),
    AskReason.IRREVERSIBLE: QT_TRANSLATE_NOOP("TraceAsks", "It can't be undone."),
    AskReason.CUT_OFF: QT_TRANSLATE_NOOP("TraceAsks", "The model's reply broke off: check that the text is whole."),
    AskReason.EARLIER_STEP: QT_TRANSLATE_NOOP(
        "TraceAsks", "An earlier step of the plan was changed: check that this one still fits."
    ),
    AskReason.HELD: QT_TRANSLATE_NOOP("TraceAsks", "It was held for a while: check that it still fits."),
    AskReason.TAKEOVER: QT_TRANSLATE_NOOP("TraceAsks", "You took the chat over, so you are asked."),
    AskReason.BLOCK_UNKNOWN: QT_TRANSLATE_NOOP(
        "TraceAsks", "It is not known whether somebody is blocked here, so you are asked."
    ),
    AskReason.MUTED: QT_TRANSLATE_NOOP("TraceAsks", "The chat is muted in Telegram, so you are asked."),
    AskReason.MUTE_UNKNOWN: QT_TRANSLATE_NOOP(
        "TraceAsks", "It is not known whether the chat is muted in Telegram, so you are asked."
    ),
    AskReason.FROZEN: QT_TRANSLATE_NOOP("TraceAsks", "Telegram has frozen the account, so you are asked."),
    AskReason.LIMITED: QT_TRANSLATE_NOOP("TraceAsks", "Telegram limits what the account may send, so you are asked."),
    AskReason.OVERDUE: QT_TRANSLATE_NOOP("TraceAsks", "It is overdue: check that it still fits."),
    AskReason.CAP: QT_TRANSLATE_NOOP("TraceAsks", "Too many messages were sent automatically, so you are asked."),
    AskReason.OLD: QT_TRANSLATE_NOOP("TraceAsks", "It is older than 12 hours: check that it still fits."),
    AskReason.UNSENDABLE: QT_TRANSLATE_NOOP("TraceAsks", "It can't be sent as it is: edit it or reject it."),
    AskReason.SENT_ANYWAY: QT_TRANSLATE_NOOP("TraceAsks", "You brought it back, and it is sent once you approve it."),
}


def asks_words(card: Approval) -> str:
    """Return why a card waits for the operator, a sentence for each reason but the usual one; foreign names in it."""
    asks = [one for one in card.shown_reasons if one is not AskReason.REVIEW]
    return " ".join(_sentence(one, card) for one in asks)


def _sentence(reason: AskReason, card: Approval) -> str:
    known = _SENTENCES.get(reason)
    return sentence(reason_words(reason, card, spoken)) if known is None else translate("TraceAsks", str(known))
