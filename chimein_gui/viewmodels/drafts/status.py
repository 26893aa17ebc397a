"""The status line of a planned send in its chat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.tasks import Origin, TaskStatus
from chimein_gui.viewmodels.approvals.card_words import action_label
from chimein_gui.viewmodels.approvals.send_status import HoldReason

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.viewmodels.approvals.store import ApprovalStore


@dataclass(frozen=True, slots=True)
class DraftStatus:
    """The status of one draft, in words.

    Attributes:
        state: Its state.
        status_words: What happens next.
        icon: Name of the icon before both.
        token: Colour name of both.
        share: Share left of the countdown, 0 to 1; 0 under a hold, None where there is no countdown.
    """

    state: str
    status_words: str
    icon: str
    token: str
    share: float | None = None


translate = QCoreApplication.translate


def draft_status(approvals: ApprovalStore, draft: Approval) -> DraftStatus:
    """Return the status of a planned send."""
    match draft.task_status:
        case TaskStatus.APPROVED:
            return _approved(approvals, draft)
        case TaskStatus.SENDING:
            return DraftStatus(
                translate("DraftStatus", "Approved"), translate("DraftStatus", "Sending…"), "send", "info"
            )
        case TaskStatus.UNKNOWN:
            status_words = translate("DraftStatus", "Checking Telegram…")
            return DraftStatus(translate("DraftStatus", "Delivery unknown"), status_words, "question", "attention")
        case TaskStatus.FAILED:
            status_words = translate("DraftStatus", "Failed, won't retry")
            return DraftStatus(translate("DraftStatus", "Not sent"), status_words, "alert", "danger")
        case _:
            return _waiting(approvals, draft)


def _waiting(approvals: ApprovalStore, draft: Approval) -> DraftStatus:
    held, action = approvals.send_status.is_held(draft), action_label(draft)
    status_words = approvals.status_words_of(draft)
    state = (
        translate("DraftStatus", "Planned, not sent") if not action else translate("DraftStatus", "Planned, not done")
    )
    is_second = AskReason.NOT_DELIVERED in draft.reasons
    if is_second:
        state = translate("DraftStatus", "Delivery unknown")
        status_words = translate("DraftStatus", "Check Telegram first")
    elif AskReason.PARTLY_SENT in draft.reasons:
        state = translate("DraftStatus", "Partly sent")
    if held:
        status_words = translate("DraftStatus", "Held, asks again on release")
    icon = "hand" if held else "block" if action else "planned"
    if draft.is_stale:
        icon = "warning"
        state = (
            translate("DraftStatus", "{state}, conversation changed").format(state=state)
            if is_second
            else translate("DraftStatus", "Conversation changed")
        )
    return DraftStatus(state, status_words, icon, "attention", 0.0 if held else None)


def _approved(approvals: ApprovalStore, draft: Approval) -> DraftStatus:
    send_status = approvals.send_status
    planned, approved = translate("DraftStatus", "Planned, not sent"), translate("DraftStatus", "Approved, not sent")
    status_words = send_status.words(draft)
    if send_status.is_held(draft) and draft.by_rule:
        words = translate("DraftStatus", "Held, asks again on release")
        return DraftStatus(planned, words, "hand", "attention", 0.0)
    if send_status.is_held(draft):
        return DraftStatus(approved, translate("DraftStatus", "Held"), "hand", "attention", 0.0)
    if send_status.hold_reason_of(draft) is HoldReason.WAIT:
        return DraftStatus(approved, status_words, "hourglass", "info")
    share = send_status.share_left(draft)
    if draft.by_rule:
        words = (
            translate("DraftStatus", "{status_words} unless stopped").format(status_words=status_words)
            if share is not None
            else status_words
        )
        return DraftStatus(planned, words, "planned", "attention", share)
    mine = draft.origin is Origin.OPERATOR
    state = translate("DraftStatus", "Your message") if mine else translate("DraftStatus", "Approved")
    return DraftStatus(state, status_words, "send", "attention", share)
