"""Reasons and status of a planned send as icon, word and colour."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.approvals import Approval, AskReason
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.viewmodels.approvals.card_words import action_label, is_message, reason_words
from chimein_gui.viewmodels.approvals.send_status import HoldReason, is_counting_down
from chimein_gui.viewmodels.approvals.store import waits_for_operator

translate = QCoreApplication.translate


_REASONS = {
    AskReason.NOT_DELIVERED: ("question", "attention"),
    AskReason.PARTLY_SENT: ("ticks", "attention"),
    AskReason.CHANGED: ("warning", "attention"),
    AskReason.IRREVERSIBLE: ("alert", "danger"),
    AskReason.FIRST_MESSAGE: ("person-plus", "info"),
    AskReason.CUT_OFF: ("dots", "attention"),
    AskReason.EARLIER_STEP: ("undo", "attention"),
    AskReason.HELD: ("hand", "attention"),
    AskReason.TAKEOVER: ("pencil", "attention"),
    AskReason.BLOCK_UNKNOWN: ("question", "attention"),
    AskReason.MUTED: ("bell-off", "attention"),
    AskReason.MUTE_UNKNOWN: ("question", "attention"),
    AskReason.FROZEN: ("lock", "danger"),
    AskReason.LIMITED: ("alert", "danger"),
    AskReason.OVERDUE: ("clock", "attention"),
    AskReason.CAP: ("hourglass", "attention"),
    AskReason.OLD: ("clock", "attention"),
    AskReason.UNSENDABLE: ("x-circle", "danger"),
    AskReason.SENT_ANYWAY: ("send", "info"),
}


def status_label(approval: Approval, status_words: str, hold_reason: HoldReason = HoldReason.NONE) -> IconLabel:
    """Return the status of a send.

    Args:
        approval: The card.
        status_words: The status in words.
        hold_reason: What delays an approved send.
    """
    if approval.task_status is TaskStatus.APPROVED and hold_reason is not HoldReason.NONE:
        return (
            IconLabel("hand", status_words, "attention")
            if hold_reason is HoldReason.HOLD
            else IconLabel("hourglass", status_words, "info")
        )
    looks = {
        TaskStatus.APPROVED: ("timer" if is_counting_down(approval) else "send", "attention"),
        TaskStatus.SENDING: ("send", "info"),
        TaskStatus.UNKNOWN: ("question", "attention"),
        TaskStatus.DONE: ("ticks", "ok"),
        TaskStatus.FAILED: ("x-circle", "danger"),
        TaskStatus.SKIPPED: ("x", "text2"),
    }
    icon, token = looks.get(approval.task_status, ("hand", "attention"))
    return IconLabel(icon, status_words, token)


def labels_of(
    approval: Approval,
    status_words: str,
    hold_reason: HoldReason = HoldReason.NONE,
    *,
    kept: bool = False,
    usual: bool = False,
) -> tuple[IconLabel, ...]:
    """Return the labels of a card, the most important first.

    Args:
        approval: The card.
        status_words: The status in words.
        hold_reason: What delays an approved send.
        kept: There is a saved edit beside it.
        usual: Its chat has the agent's default trust level.
    """
    if approval.task_status is not TaskStatus.AWAITING_DECISION:
        return (status_label(approval, status_words, hold_reason),)
    reasons = approval.shown_reasons
    if reasons != (AskReason.HELD,):  # next to other reasons, HELD is not shown
        reasons = tuple(reason for reason in reasons if reason is not AskReason.HELD)
    labels = [label for reason in reasons if (label := reason_label(reason, approval)) is not None]
    if kept:
        labels.append(IconLabel("pencil", translate("Approvals", "Edit saved"), "info"))
    if not labels:
        labels.append(IconLabel("hand", status_words, "attention"))
    if approval.is_edited:
        labels.append(IconLabel("pencil", translate("Approvals", "Your text"), "info"))
    if approval.newer and AskReason.CHANGED not in approval.reasons:
        labels.append(IconLabel("chats", translate("Approvals", "{n} newer").format(n=approval.newer), "info"))
    if AskReason.REVIEW in approval.reasons and not usual:
        labels.append(IconLabel("shield", translate("Approvals", "Review"), "text3"))
    return tuple(labels)


def reason_label(reason: AskReason, approval: Approval) -> IconLabel | None:
    """Return the label of a reason, or None if it has none; `review` is the least important."""
    if reason is AskReason.REVIEW:
        return None
    icon, token = _REASONS[reason]
    return IconLabel(icon, reason_words(reason, approval, foreign_text.name), token)


def preview_title(approval: Approval, *, typed: bool) -> str:
    """Return the title of the preview; `typed`: it shows the text of the open editor."""
    if typed:
        return translate("Approvals", "Preview")
    if not is_message(approval):
        return translate("Approvals", "What it does")
    if not waits_for_operator(approval):
        return translate("Approvals", "The message")
    if approval.is_stale:
        return translate("Approvals", "Would be sent")
    return (
        translate("Approvals", "Will be sent")
        if approval.kind is TaskKind.SEND
        else translate("Approvals", "This sticker will be sent")
    )


def step_word(approval: Approval) -> str:
    """Return the kind of a step in one or two words."""
    if approval.file is not None:
        return translate("Approvals", "photo") if approval.file.as_photo else translate("Approvals", "file")
    if approval.kind is TaskKind.STICKER:
        return translate("Approvals", "sticker")
    return action_label(approval).casefold() or translate("Approvals", "text")


def follows_words(of_chat: tuple[Approval, ...], approval: Approval) -> str:
    """Return what follows a send in its plan, such as "then sticker"; empty if it is the last step."""
    later = [one for one in of_chat if one.graph_id == approval.graph_id and one.task_id > approval.task_id]
    later = [one for one in later if waits_for_operator(one)]
    if not later:
        return ""
    if len(later) > 2:
        return translate("Approvals", "then {n} more").format(n=len(later))
    return translate("Approvals", "then {steps}").format(steps=", ".join(step_word(one) for one in later))
