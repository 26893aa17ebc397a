"""Why nothing has happened in a chat yet, in words."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP

from chimein_gui.domain.notes.reasons import AnyReason
from chimein_gui.domain.notes.upcoming import UpcomingReason

UPCOMING: dict[AnyReason, object] = {
    UpcomingReason.DEBOUNCE: QT_TRANSLATE_NOOP("Reasons", "Waits whether more messages follow."),
    UpcomingReason.PLANNING: QT_TRANSLATE_NOOP("Reasons", "The answer is being planned."),
    UpcomingReason.AWAITS_SLOT: QT_TRANSLATE_NOOP("Reasons", "Waits until another plan is finished."),
    UpcomingReason.TRUST_OFF: QT_TRANSLATE_NOOP("Reasons", "Trust is off in this chat."),
    UpcomingReason.OBSERVE_ONLY: QT_TRANSLATE_NOOP("Reasons", "The chat is only observed; nothing is sent."),
    UpcomingReason.TAKEN_OVER: QT_TRANSLATE_NOOP("Reasons", "You took over; the agent waits."),
    UpcomingReason.MAY_NOT_WRITE: QT_TRANSLATE_NOOP("Reasons", "This account may not write here."),
    UpcomingReason.ACCOUNT_AWAY: QT_TRANSLATE_NOOP("Reasons", "The account is not connected."),
    UpcomingReason.LAST_PLAN_OVER: QT_TRANSLATE_NOOP("Reasons", "The last plan is over. {why}"),
    UpcomingReason.NO_PLAN: QT_TRANSLATE_NOOP("Reasons", "No plan has been made yet."),
}
