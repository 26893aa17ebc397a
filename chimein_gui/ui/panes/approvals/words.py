"""Why a planned send asks, and what becomes of it: icon, word and colour."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.approvals import Approval, AskReason
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.ui.widgets import foreign_text
from chimein_gui.ui.widgets.marks import Sign


def _tr(text: str) -> str:
    return QCoreApplication.translate("Approvals", text)


def fate_sign(approval: Approval, fate: str) -> Sign:
    """Return what will become of it as a sign."""
    looks = {
        TaskStatus.APPROVED: ("send", "accent_text"),
        TaskStatus.SENDING: ("send", "info"),
        TaskStatus.UNKNOWN: ("question", "attention"),
        TaskStatus.DONE: ("ticks", "ok"),
        TaskStatus.FAILED: ("x-circle", "danger"),
    }
    icon, token = looks.get(approval.task_status, ("hand", "attention"))
    return Sign(icon, fate, token)


def signs_of(approval: Approval, fate: str) -> tuple[Sign, ...]:
    """Return the signs of a card, the strongest first."""
    if approval.task_status is not TaskStatus.AWAITING_DECISION:
        return (fate_sign(approval, fate),)
    signs = []
    if AskReason.NOT_DELIVERED in approval.reasons:
        signs.append(Sign("question", _tr("Perhaps not delivered"), "attention"))
    if AskReason.CHANGED in approval.reasons:
        signs.append(Sign("warning", _tr("Conversation changed"), "attention"))
    if AskReason.FIRST_MESSAGE in approval.reasons:
        who = foreign_text.name(approval.chat_title)
        signs.append(Sign("person-plus", _tr("First message to {who}").format(who=who), "info"))
    if not signs:
        signs.append(Sign("hand", fate, "attention"))
    if AskReason.REVIEW in approval.reasons:
        signs.append(Sign("shield", _tr("Review"), "text3"))
    return tuple(signs)
