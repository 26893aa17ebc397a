"""What can be done with a card now: which verbs, in which words, and why one of them is not possible."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.approvals import Approval, AskReason, may_be_taken_up
from chimein_gui.domain.tasks import Origin, TaskKind, TaskStatus
from chimein_gui.ui.widgets.controls.verb_button import Kind
from chimein_gui.viewmodels.approvals.card_words import deed_word, has_text, is_message
from chimein_gui.viewmodels.approvals.send_status import HoldReason
from chimein_gui.viewmodels.approvals.store import OPERATOR, waits_for_operator

if TYPE_CHECKING:
    from chimein_gui.viewmodels.window import WindowModels


class Action(StrEnum):
    """What a press does; single letters are keys too."""

    APPROVE = "A"
    EDIT = "E"
    REGENERATE = "G"
    REJECT = "R"
    UNDO = "Z"
    STOP = "stop"
    DELETE = "delete"
    SHOW = "show"
    ASK_AGAIN = "S"
    PUT_AWAY = "X"
    LATER = "later"
    PLAN = "plan"
    MORE = "more"


@dataclass(frozen=True, slots=True)
class Offer:
    """One verb of a card.

    Attributes:
        verb: What it does.
        words: On the button.
        icon: Name of an icon; may be empty.
        kind: How loud.
        why_not: Why it cannot be pressed now; empty if it can.
    """

    verb: Action
    words: str
    icon: str = ""
    kind: Kind = Kind.PLAIN
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class AvailableActions:
    """Everything a card offers.

    Attributes:
        verbs: In the order of their buttons.
        menus: At the other end: what opens a menu.
        remark: A few words beside the buttons.
    """

    verbs: tuple[Offer, ...]
    menus: tuple[Offer, ...] = ()
    remark: str = ""


translate = QCoreApplication.translate


def must_tick(approval: Approval, models: WindowModels) -> bool:
    """Tell whether the operator must first say that he has read what changed."""
    return waits_for_operator(approval) and approval.is_stale and not models.actions.is_acknowledged(approval)


def offers_of(approval: Approval, models: WindowModels, *, looked_away: bool = False) -> AvailableActions:
    """Return what a card offers in its present state.

    Args:
        approval: The card.
        models: What else is known.
        looked_away: Its last key press only brought it into sight.
    """
    status = approval.task_status
    if status is TaskStatus.AWAITING_DECISION:
        return _open(approval, models, looked_away=looked_away)
    show = Offer(Action.SHOW, translate("Approvals", "Show in chat"), kind=Kind.QUIET)
    if status is TaskStatus.APPROVED:
        return _approved(approval, models)
    if status is TaskStatus.DONE:
        delete = Offer(Action.DELETE, translate("Approvals", "Delete for everyone…"), "trash", Kind.PLAIN)
        sent = is_message(approval) and approval.message_id is not None
        return AvailableActions((delete, show) if sent else (show,), remark=_by_whom(approval))
    if status is TaskStatus.FAILED:
        again = (
            (Offer(Action.ASK_AGAIN, translate("Approvals", "Ask again"), "undo"),) if may_be_taken_up(approval) else ()
        )
        return AvailableActions((*again, Offer(Action.PUT_AWAY, translate("Approvals", "Put away"), "check"), show))
    if status is TaskStatus.UNKNOWN:
        return AvailableActions(
            (show,), remark=translate("Approvals", "Being looked up in Telegram; nothing is sent twice")
        )
    return AvailableActions((show,))


def beside_version(offers: AvailableActions) -> AvailableActions:
    """Return what is offered while another version is looked at: nothing that would send the draft unseen."""
    why_not = translate("Approvals", "Another version is shown: use it, or go back to the draft")
    unseen = (Action.APPROVE, Action.EDIT)
    verbs = tuple(replace(one, why_not=why_not) if one.verb in unseen else one for one in offers.verbs)
    return replace(offers, verbs=verbs)


def _open(approval: Approval, models: WindowModels, *, looked_away: bool) -> AvailableActions:
    busy = (
        translate("Approvals", "Your last press is being stored")
        if models.actions.is_in_flight(approval.approval_id)
        else ""
    )
    making = models.regenerations.making_of(approval.graph_id)
    tick = must_tick(approval, models)
    approve = _approve(approval, models, looked_away=looked_away, busy=busy, tick=tick)
    edit = (Offer(Action.EDIT, translate("Approvals", "Edit"), "pencil", why_not=busy),) if has_text(approval) else ()
    reject = Offer(Action.REJECT, translate("Approvals", "Reject"), "x", why_not=busy)
    again = Offer(
        Action.REGENERATE, translate("Approvals", "Regenerate"), "refresh", Kind.PRIMARY if tick else Kind.PLAIN
    )
    if making is not None:
        verbs: tuple[Offer, ...] = (Offer(Action.STOP, translate("Approvals", "Stop asking"), "stop"), approve, reject)
    elif not _can_regenerate(approval):
        verbs = (approve, *edit, reject)
    elif tick:
        verbs = (again, approve, *edit, reject)
    else:
        verbs = (approve, *edit, again, reject)
    menus = (
        Offer(Action.LATER, translate("Approvals", "Later"), "clock"),
        Offer(Action.PLAN, translate("Approvals", "Whole plan"), "layers"),
    )
    return AvailableActions(verbs, menus, _remark(approval, models, looked_away=looked_away, tick=tick))


def _approve(approval: Approval, models: WindowModels, *, looked_away: bool, busy: str, tick: bool) -> Offer:
    deed = deed_word(approval)
    words = f"{deed}…" if deed else translate("Approvals", "Approve")
    held = models.approvals.send_status.is_held(approval)
    kind = Kind.DANGER if deed else Kind.PLAIN if held else Kind.PRIMARY  # under a hold a press sends nothing
    icon = "alert" if deed else "check"
    if tick:
        why_not = busy or translate("Approvals", "Tick the box first: you have read what changed")
        return Offer(Action.APPROVE, words, icon, Kind.DANGER if deed else Kind.PLAIN, why_not)
    if looked_away:
        words, icon = translate("Approvals", "Press A again"), "eye"
    elif deed and models.actions.is_acknowledged(approval):
        words, icon = translate("Approvals", "Press again: {deed}").format(deed=deed), "warning"
    elif AskReason.NOT_DELIVERED in approval.reasons:
        words = translate("Approvals", "Send again")
    elif models.actions.explanation_of(approval.approval_id) and not deed:
        words = translate("Approvals", "Approve version {n}").format(n=approval.version)
    return Offer(Action.APPROVE, words, icon, kind, busy)


def _can_regenerate(approval: Approval) -> bool:
    return approval.origin is Origin.PLAN and AskReason.SENT_ANYWAY not in approval.reasons


def _approved(approval: Approval, models: WindowModels) -> AvailableActions:
    brake = models.approvals.send_status.brake_of(approval)
    if brake is HoldReason.WAIT:
        words = translate("Approvals", "Sends automatically")
        if approval.decided_at is not None:
            at = models.clock.clock(approval.decided_at)
            words = translate("Approvals", "Approved {time}, sends automatically").format(time=at)
        return AvailableActions((Offer(Action.UNDO, translate("Approvals", "Cancel the send"), "x"),), remark=words)
    remark = (
        translate("Approvals", "Reviewed when the hold is released")
        if models.approvals.send_status.is_held(approval)
        else ""
    )
    return AvailableActions((Offer(Action.UNDO, translate("Approvals", "Undo"), "undo"),), remark=remark)


def _by_whom(approval: Approval) -> str:
    if approval.decided_by != OPERATOR:
        return approval.decided_by
    return translate("Approvals", "by you, edited") if approval.is_edited else translate("Approvals", "by you")


def _remark(approval: Approval, models: WindowModels, *, looked_away: bool, tick: bool) -> str:
    if tick or looked_away:
        return (
            translate("Approvals", "Tick the box to approve")
            if tick
            else translate("Approvals", "It was not all in view")
        )
    if models.regenerations.making_of(approval.graph_id) is not None:
        return translate("Approvals", "The draft stays usable")
    if approval.kind not in {TaskKind.SEND, TaskKind.STICKER}:
        return translate("Approvals", "Always asks, on any trust level")
    if AskReason.FIRST_MESSAGE in approval.reasons:
        return translate("Approvals", "Allows this one only")
    if AskReason.NOT_DELIVERED in approval.reasons:
        return translate("Approvals", "Look in Telegram first: it may be there")
    return (
        translate("Approvals", "Held: stays until the release")
        if models.approvals.send_status.is_held(approval)
        else ""
    )
