"""How a planned send stands in its chat: what it is, what becomes of it, and which verbs it has."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.approvals import AskReason, may_be_taken_up
from chimein_gui.domain.tasks import Origin, TaskStatus
from chimein_gui.viewmodels.approvals.card_words import deed_word, has_text
from chimein_gui.viewmodels.approvals.send_status import HoldReason

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.viewmodels.window import WindowModels


class DraftVerb(StrEnum):
    """What the operator can do with a draft in its place."""

    APPROVE = "A"
    EDIT = "E"
    REJECT = "R"
    HOLD = "hold"
    UNDO = "Z"
    AGAIN = "again"
    PLAN = "plan"
    PUT_AWAY = "put away"


@dataclass(frozen=True, slots=True)
class DraftFate:
    """One draft, in words.

    Attributes:
        state: What it is.
        fate: What becomes of it.
        icon: Name of the sign before both.
        token: Colour of both.
        verbs: In the order of its buttons.
        share: How much of the countdown is left, 0 to 1; None where none runs or ran.
        deed: What a press does that cannot be taken back; empty for a message.
        approve: What stands on the button that lets it leave, where that says more than "Approve".
        stale: The conversation has changed: that must be read before it can be approved.
    """

    state: str
    fate: str
    icon: str
    token: str
    verbs: tuple[DraftVerb, ...]
    share: float | None = None
    deed: str = ""
    stale: bool = False
    approve: str = ""


translate = QCoreApplication.translate


def draft_fate(models: WindowModels, draft: Approval) -> DraftFate:
    """Return how a planned send stands."""
    match draft.task_status:
        case TaskStatus.APPROVED:
            return _approved(models, draft)
        case TaskStatus.SENDING:
            return DraftFate(
                translate("DraftFates", "Approved"), translate("DraftFates", "Sending…"), "send", "info", ()
            )
        case TaskStatus.UNKNOWN:
            fate = translate("DraftFates", "Being looked up in Telegram")
            return DraftFate(translate("DraftFates", "Delivery unknown"), fate, "question", "attention", ())
        case TaskStatus.FAILED:
            return _failed(models, draft)
        case _:
            return _waiting(models, draft)


def _waiting(models: WindowModels, draft: Approval) -> DraftFate:
    held, deed = models.approvals.send_status.is_held(draft), deed_word(draft)
    fate = models.approvals.fate_of(draft)
    verbs = [DraftVerb.APPROVE, DraftVerb.REJECT]
    if has_text(draft):
        verbs.insert(1, DraftVerb.EDIT)
    state = translate("DraftFates", "Planned, not sent") if not deed else translate("DraftFates", "Planned, not done")
    again = ""
    if AskReason.NOT_DELIVERED in draft.reasons:
        state, fate, again = (
            translate("DraftFates", "Delivery unknown"),
            translate("DraftFates", "Look in Telegram first"),
            translate("DraftFates", "Send again"),
        )
    elif AskReason.PARTLY_SENT in draft.reasons:
        state = translate("DraftFates", "Partly sent")
    if held:
        fate = translate("DraftFates", "Held, asks again on release")
    icon = "hand" if held else "block" if deed else "planned"
    if draft.is_stale:
        icon = "warning"
        state = (
            translate("DraftFates", "{state}, conversation changed").format(state=state)
            if again
            else translate("DraftFates", "Conversation changed")
        )
    share = 0.0 if held else None
    return DraftFate(state, fate, icon, "attention", tuple(verbs), share, deed, draft.is_stale, again)


def _approved(models: WindowModels, draft: Approval) -> DraftFate:
    send_status = models.approvals.send_status
    brake, fate = send_status.brake_of(draft), send_status.words(draft)
    if send_status.is_held(draft) and draft.by_rule:
        words = translate("DraftFates", "Held, asks again on release")
        return DraftFate(
            translate("DraftFates", "Planned, not sent"), words, "hand", "attention", (DraftVerb.UNDO,), 0.0
        )
    if send_status.is_held(draft):
        return DraftFate(
            translate("DraftFates", "Approved, not sent"),
            translate("DraftFates", "Held"),
            "hand",
            "attention",
            (DraftVerb.UNDO,),
            0.0,
        )
    if brake is HoldReason.WAIT:
        return DraftFate(translate("DraftFates", "Approved, not sent"), fate, "hourglass", "info", (DraftVerb.UNDO,))
    share = send_status.share_left(draft)
    if draft.by_rule:
        words = translate("DraftFates", "{fate} unless stopped").format(fate=fate) if share is not None else fate
        verbs = (DraftVerb.APPROVE, DraftVerb.EDIT, DraftVerb.REJECT, DraftVerb.HOLD)
        offered = tuple(verb for verb in verbs if verb is not DraftVerb.EDIT or has_text(draft))
        return DraftFate(translate("DraftFates", "Planned, not sent"), words, "planned", "attention", offered, share)
    state = (
        translate("DraftFates", "Your message")
        if draft.origin is Origin.OPERATOR
        else translate("DraftFates", "Approved")
    )
    return DraftFate(state, fate, "send", "attention", (DraftVerb.UNDO,), share)


def _failed(models: WindowModels, draft: Approval) -> DraftFate:
    verbs = [DraftVerb.PUT_AWAY]
    if may_be_taken_up(draft):
        verbs.insert(0, DraftVerb.AGAIN)
    chat = models.chats.chat(draft.chat_id)
    if draft.origin is Origin.PLAN and chat is not None and chat.newest_in_id > chat.planned_up_to:
        verbs.insert(0, DraftVerb.PLAN)
    return DraftFate(
        translate("DraftFates", "Not sent"),
        translate("DraftFates", "Failed, will not retry"),
        "alert",
        "danger",
        tuple(verbs),
    )
