"""The status line of a planned send in its chat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.tasks import Origin, TaskStatus
from chimein_gui.viewmodels.approvals.card_words import deed_word
from chimein_gui.viewmodels.approvals.send_status import HoldReason

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.viewmodels.window import WindowModels


@dataclass(frozen=True, slots=True)
class DraftStatus:
    """The status of one draft, in words.

    Attributes:
        state: Its state.
        fate: What happens next.
        icon: Name of the icon before both.
        token: Colour name of both.
        share: Share left of the countdown, 0 to 1; 0 under a hold, None where there is no countdown.
    """

    state: str
    fate: str
    icon: str
    token: str
    share: float | None = None


translate = QCoreApplication.translate


def draft_status(models: WindowModels, draft: Approval) -> DraftStatus:
    """Return the status of a planned send."""
    match draft.task_status:
        case TaskStatus.APPROVED:
            return _approved(models, draft)
        case TaskStatus.SENDING:
            return DraftStatus(translate("DraftFates", "Approved"), translate("DraftFates", "Sending…"), "send", "info")
        case TaskStatus.UNKNOWN:
            fate = translate("DraftFates", "Checking Telegram…")
            return DraftStatus(translate("DraftFates", "Delivery unknown"), fate, "question", "attention")
        case TaskStatus.FAILED:
            fate = translate("DraftFates", "Failed, won't retry")
            return DraftStatus(translate("DraftFates", "Not sent"), fate, "alert", "danger")
        case _:
            return _waiting(models, draft)


def _waiting(models: WindowModels, draft: Approval) -> DraftStatus:
    held, deed = models.approvals.send_status.is_held(draft), deed_word(draft)
    fate = models.approvals.fate_of(draft)
    state = translate("DraftFates", "Planned, not sent") if not deed else translate("DraftFates", "Planned, not done")
    is_second = AskReason.NOT_DELIVERED in draft.reasons
    if is_second:
        state = translate("DraftFates", "Delivery unknown")
        fate = translate("DraftFates", "Check Telegram first")
    elif AskReason.PARTLY_SENT in draft.reasons:
        state = translate("DraftFates", "Partly sent")
    if held:
        fate = translate("DraftFates", "Held, asks again on release")
    icon = "hand" if held else "block" if deed else "planned"
    if draft.is_stale:
        icon = "warning"
        state = (
            translate("DraftFates", "{state}, conversation changed").format(state=state)
            if is_second
            else translate("DraftFates", "Conversation changed")
        )
    return DraftStatus(state, fate, icon, "attention", 0.0 if held else None)


def _approved(models: WindowModels, draft: Approval) -> DraftStatus:
    send_status = models.approvals.send_status
    planned, approved = translate("DraftFates", "Planned, not sent"), translate("DraftFates", "Approved, not sent")
    fate = send_status.words(draft)
    if send_status.is_held(draft) and draft.by_rule:
        words = translate("DraftFates", "Held, asks again on release")
        return DraftStatus(planned, words, "hand", "attention", 0.0)
    if send_status.is_held(draft):
        return DraftStatus(approved, translate("DraftFates", "Held"), "hand", "attention", 0.0)
    if send_status.brake_of(draft) is HoldReason.WAIT:
        return DraftStatus(approved, fate, "hourglass", "info")
    share = send_status.share_left(draft)
    if draft.by_rule:
        words = translate("DraftFates", "{fate} unless stopped").format(fate=fate) if share is not None else fate
        return DraftStatus(planned, words, "planned", "attention", share)
    mine = draft.origin is Origin.OPERATOR
    state = translate("DraftFates", "Your message") if mine else translate("DraftFates", "Approved")
    return DraftStatus(state, fate, "send", "attention", share)
