"""The actions that a planned send offers now, their labels, and why one of them is disabled."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.approvals import Approval, AskReason, may_be_resent, may_be_returned
from chimein_gui.domain.tasks import Origin, TaskKind, TaskStatus
from chimein_gui.viewmodels.approvals.card_words import action_label, has_text, is_message
from chimein_gui.viewmodels.approvals.send_status import HoldReason
from chimein_gui.viewmodels.approvals.store import OPERATOR, waits_for_operator
from chimein_gui.viewmodels.decisions.words import by_rule_words
from chimein_gui.viewmodels.drafts.open_editor import EditorPlace
from chimein_gui.viewmodels.traces.words import TRACE_KEY

if TYPE_CHECKING:
    from chimein_gui.viewmodels.approvals.decisions import ApprovalActions
    from chimein_gui.viewmodels.drafts.open_editor import OpenEditor
    from chimein_gui.viewmodels.window import WindowModels


class Action(StrEnum):
    """What a button does; a single letter is also the key for it."""

    PLAN_AGAIN = "plan again"
    APPROVE = "A"
    EDIT = "E"
    REGENERATE = "G"
    REJECT = "R"
    UNDO = "Z"
    HOLD = "hold"
    STOP = "stop"
    DELETE = "delete"
    SHOW = "show"
    ASK_AGAIN = "again"
    DISMISS = "dismiss"
    LATER = "later"
    PLAN = "plan"
    MORE = "more"
    GO_TO_EDITOR = "go to editor"
    TRACE = TRACE_KEY


KEYS = {
    Action.APPROVE: "A",
    Action.EDIT: "E",
    Action.REGENERATE: "G",
    Action.REJECT: "R",
    Action.UNDO: "Z",
    Action.HOLD: "Z",
    Action.TRACE: TRACE_KEY,
}
"""The single key for each action that has one."""


class Weight(StrEnum):
    """How prominent a button is."""

    PRIMARY = "primary"
    PLAIN = "plain"
    QUIET = "quiet"
    DANGER = "danger"


@dataclass(frozen=True, slots=True)
class AvailableAction:
    """One action on a planned send.

    Attributes:
        action: What it does.
        words: The label of its button.
        why_not: Why it is disabled now; empty if it is enabled.
        icon: Name of an icon; may be empty.
        weight: How prominent its button is.
        opens_menu: It needs a further choice, which a menu offers.
    """

    action: Action
    words: str
    why_not: str = ""
    icon: str = ""
    weight: Weight = Weight.PLAIN
    opens_menu: bool = False

    @property
    def key(self) -> str:
        """The single key for it; empty if it has none."""
        return KEYS.get(self.action, "")

    @property
    def allowed(self) -> bool:
        """Whether it is enabled now."""
        return not self.why_not


@dataclass(frozen=True, slots=True)
class ActionState:
    """What the actions depend on besides the planned send itself.

    Attributes:
        in_chat: It is shown in its chat: without a check box, and without a link to the chat.
        acknowledged: The operator has confirmed the changes, or that the action cannot be undone.
        looked_away: The last key press only scrolled it into view.
        reading: The changes in the conversation are still being loaded.
        busy: A decision is being saved.
        explained: The last press was refused, and the reason is shown.
        held: A hold covers it.
        hold_reason: What else delays it.
        making: Another version of its plan is being generated.
        other_version: Another version is shown instead of the draft.
        newer: Messages arrived after those that the plan answers.
        edited_elsewhere: Its text is open in another editor.
        decided: Clock time of the decision; empty before it.
    """

    in_chat: bool = False
    acknowledged: bool = False
    looked_away: bool = False
    reading: bool = False
    busy: bool = False
    explained: bool = False
    held: bool = False
    hold_reason: HoldReason = HoldReason.NONE
    making: bool = False
    other_version: bool = False
    newer: bool = False
    edited_elsewhere: bool = False
    decided: str = ""


translate = QCoreApplication.translate

_ALWAYS = frozenset({Action.UNDO, Action.REGENERATE, Action.STOP, Action.SHOW, Action.LATER, Action.PLAN})
"""Stay enabled while a decision is being saved."""


def has_trace(approval: Approval) -> bool:
    """Tell whether a planned send came from a plan of the model's, which has a trace."""
    return approval.origin is Origin.PLAN


def must_tick(approval: Approval, actions: ApprovalActions) -> bool:
    """Tell whether the operator must first confirm having read the changes."""
    return waits_for_operator(approval) and approval.is_stale and not actions.is_acknowledged(approval)


def offers_tick(approval: Approval, editor: OpenEditor) -> bool:
    """Tell whether Approvals offers to confirm the changes: not while the text is being edited in the chat."""
    elsewhere = editor.is_elsewhere(approval.approval_id, EditorPlace.APPROVALS)
    return waits_for_operator(approval) and approval.is_stale and not elsewhere


def state_of(
    approval: Approval,
    models: WindowModels,
    *,
    in_chat: bool = False,
    looked_away: bool = False,
    other_version: bool = False,
) -> ActionState:
    """Return what the actions of a planned send depend on now; the keyword arguments are as in `ActionState`."""
    chat = models.chats.chat(approval.chat_id)
    return ActionState(
        in_chat=in_chat,
        acknowledged=models.actions.is_acknowledged(approval),
        looked_away=looked_away,
        reading=in_chat and models.draft_changes.of(approval) is None,
        busy=models.actions.is_in_flight(approval.approval_id),
        explained=bool(models.actions.explanation_of(approval.approval_id)),
        held=models.approvals.send_status.is_held(approval),
        hold_reason=models.approvals.send_status.hold_reason_of(approval),
        making=models.regenerations.making_of(approval.graph_id) is not None,
        other_version=other_version,
        newer=chat is not None and chat.newest_in_id > chat.planned_up_to,
        edited_elsewhere=models.open_editor.is_elsewhere(
            approval.approval_id, EditorPlace.CHAT if in_chat else EditorPlace.APPROVALS
        ),
        decided=models.clock.clock(approval.decided_at) if approval.decided_at is not None else "",
    )


def available_actions(approval: Approval, state: ActionState) -> tuple[AvailableAction, ...]:
    """Return the actions of a planned send in the order of their buttons."""
    match approval.task_status:
        case TaskStatus.AWAITING_DECISION:
            found = _waiting(approval, state)
        case TaskStatus.APPROVED:
            found = _approved(approval, state)
        case TaskStatus.DONE if is_message(approval) and approval.message_id is not None:
            found = (
                AvailableAction(Action.DELETE, translate("Approvals", "Delete for everyone…"), icon="trash"),
                *_show(state),
            )
        case TaskStatus.FAILED:
            found = _failed(approval, state)
        case TaskStatus.SKIPPED if may_be_returned(approval):
            undo = AvailableAction(Action.UNDO, translate("Approvals", "Undo"), icon="undo")
            found = (undo, *_show(state))
        case _:
            found = _show(state)
    return tuple(_hindered(one, state) for one in found)


def remark_of(approval: Approval, state: ActionState) -> str:
    """Return the remark beside the actions; may be empty."""
    words = ""
    match approval.task_status:
        case TaskStatus.AWAITING_DECISION:
            words = _remark_of_waiting(approval, state)
        case TaskStatus.APPROVED if state.hold_reason is HoldReason.WAIT and state.decided:
            words = translate("Approvals", "Approved {time}, sends automatically").format(time=state.decided)
        case TaskStatus.APPROVED if state.hold_reason is HoldReason.WAIT:
            words = translate("Approvals", "Sends automatically")
        case TaskStatus.APPROVED if state.held:
            words = translate("Approvals", "Reviewed when the hold is released")
        case TaskStatus.APPROVED if approval.by_rule:
            words = by_rule_words(approval.decided_by)
        case TaskStatus.DONE if approval.decided_by != OPERATOR:
            words = by_rule_words(approval.decided_by)
        case TaskStatus.DONE:
            edited = approval.is_edited
            words = translate("Approvals", "by you, edited") if edited else translate("Approvals", "by you")
        case TaskStatus.UNKNOWN:
            words = translate("Approvals", "Checking Telegram. Nothing is sent twice")
    return words


def _hindered(available: AvailableAction, state: ActionState) -> AvailableAction:
    """Disable an action that a running decision or another shown version blocks."""
    if state.busy and available.action not in _ALWAYS:
        return replace(available, why_not=translate("Approvals", "Saving your decision…"))
    if state.other_version and available.action in (Action.APPROVE, Action.EDIT):  # the draft is not in view
        return replace(available, why_not=other_version_words())
    return available


def other_version_words() -> str:
    """Return why the draft cannot be approved while another version is shown."""
    return translate("Approvals", "Another version is shown. Use it, or go back to the draft")


def _show(state: ActionState) -> tuple[AvailableAction, ...]:
    words = translate("Approvals", "Show in chat")
    return () if state.in_chat else (AvailableAction(Action.SHOW, words, weight=Weight.QUIET),)


def _edit(approval: Approval) -> tuple[AvailableAction, ...]:
    words = translate("Approvals", "Edit")
    return (AvailableAction(Action.EDIT, words, icon="pencil"),) if has_text(approval) else ()


def _reject() -> AvailableAction:
    return AvailableAction(Action.REJECT, translate("Approvals", "Reject"), icon="x")


def _waiting(approval: Approval, state: ActionState) -> tuple[AvailableAction, ...]:
    if state.edited_elsewhere:  # approving would send the text that is being replaced
        here, there = translate("Approvals", "Edit here"), translate("Approvals", "Go there")
        return (
            AvailableAction(Action.EDIT, here, icon="pencil", weight=Weight.PRIMARY),
            AvailableAction(Action.GO_TO_EDITOR, there, icon="arrow-right"),
        )
    tick = approval.is_stale and not state.acknowledged
    approve, edit, reject = _approve(approval, state, tick=tick), _edit(approval), _reject()
    weight = Weight.PRIMARY if tick and not state.in_chat else Weight.PLAIN
    words = translate("Approvals", "Regenerate")
    again = AvailableAction(Action.REGENERATE, words, icon="refresh", weight=weight)
    if state.making:
        stop = AvailableAction(Action.STOP, translate("Approvals", "Stop asking"), icon="stop")
        actions: tuple[AvailableAction, ...] = (stop, approve, *(edit if state.in_chat else ()), reject)
    elif approval.origin is not Origin.PLAN or AskReason.SENT_ANYWAY in approval.reasons:
        actions = (approve, *edit, reject)
    elif tick:
        actions = (again, approve, *edit, reject)
    else:
        actions = (approve, *edit, again, reject)
    return (
        *actions,
        AvailableAction(Action.LATER, translate("Approvals", "Later"), icon="clock", opens_menu=True),
        AvailableAction(Action.PLAN, translate("Approvals", "Whole plan"), icon="layers", opens_menu=True),
    )


def _approve(approval: Approval, state: ActionState, *, tick: bool) -> AvailableAction:
    action, icon, why_not = action_label(approval), "check", ""
    words, weight = translate("Approvals", "Approve"), Weight.PLAIN if state.held else Weight.PRIMARY
    if action:
        words, icon, weight = action if state.in_chat else f"{action}…", "alert", Weight.DANGER
    if tick and state.in_chat:  # like the card's check box: this press approves nothing
        words, icon, weight = translate("Approvals", "I've read the changes"), "eye", Weight.PLAIN
    elif tick:
        why_not = translate("Approvals", "Confirm the changes first")
        weight = weight if action else Weight.PLAIN
    elif state.looked_away:
        words, icon = translate("Approvals", "Press A again"), "eye"
    elif action and state.acknowledged:
        words, icon = translate("Approvals", "Press again: {action}").format(action=action), "warning"
    elif state.in_chat and state.acknowledged:
        words, icon = translate("Approvals", "Press again to send"), "warning"
    elif AskReason.NOT_DELIVERED in approval.reasons:
        words = translate("Approvals", "Send again")
    elif state.explained and not action:
        words = translate("Approvals", "Approve version {n}").format(n=approval.version)
    if state.reading:
        why_not = translate("Approvals", "Loading the changes…")
    return AvailableAction(Action.APPROVE, words, why_not, icon, weight)


def _approved(approval: Approval, state: ActionState) -> tuple[AvailableAction, ...]:
    if state.hold_reason is HoldReason.WAIT:
        return (AvailableAction(Action.UNDO, translate("Approvals", "Cancel the send"), icon="x"),)
    if approval.by_rule and not state.held:
        now, stop = translate("Approvals", "Send now"), translate("Approvals", "Hold")
        return (
            AvailableAction(Action.APPROVE, now, icon="check", weight=Weight.PRIMARY),
            *_edit(approval),
            _reject(),
            AvailableAction(Action.HOLD, stop, icon="pause", weight=Weight.QUIET),
        )
    return (AvailableAction(Action.UNDO, translate("Approvals", "Undo"), icon="undo"),)


def _failed(approval: Approval, state: ActionState) -> tuple[AvailableAction, ...]:
    plan = AvailableAction(
        Action.PLAN_AGAIN, translate("Approvals", "Plan again"), icon="refresh", weight=Weight.PRIMARY
    )
    again = AvailableAction(Action.ASK_AGAIN, translate("Approvals", "Ask again"), icon="undo")
    dismiss = AvailableAction(Action.DISMISS, translate("Approvals", "Dismiss"), icon="check", weight=Weight.QUIET)
    return (
        *((plan,) if approval.origin is Origin.PLAN and state.newer else ()),
        *((again,) if may_be_resent(approval) else ()),
        dismiss,
        *_show(state),
    )


def _remark_of_waiting(approval: Approval, state: ActionState) -> str:
    if approval.is_stale and not state.acknowledged:
        words = translate("Approvals", "Confirm the changes above to approve")
    elif state.looked_away:
        words = translate("Approvals", "It was not fully in view")
    elif state.making:
        words = translate("Approvals", "You can still use the draft")
    elif approval.kind not in {TaskKind.SEND, TaskKind.STICKER, TaskKind.FILE}:
        words = translate("Approvals", "Always asks, whatever the trust level")
    elif AskReason.FIRST_MESSAGE in approval.reasons:
        words = translate("Approvals", "Allows only this message")
    elif AskReason.NOT_DELIVERED in approval.reasons:
        words = translate("Approvals", "Check Telegram first. It may have arrived")
    else:
        words = translate("Approvals", "Held until you release it") if state.held else ""
    return words
