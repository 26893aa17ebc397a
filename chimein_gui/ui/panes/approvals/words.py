"""Why a planned send asks, and what becomes of it: icon, word and colour."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.approvals import Approval, AskReason
from chimein_gui.domain.tasks import LedgerState, TaskKind, TaskStatus
from chimein_gui.ui.widgets import foreign_text
from chimein_gui.ui.widgets.marks import Sign
from chimein_gui.viewmodels.approvals import waits_for_operator
from chimein_gui.viewmodels.card_words import deed_word, is_message
from chimein_gui.viewmodels.fates import Brake, is_counting_down


def _tr(text: str) -> str:
    return QCoreApplication.translate("Approvals", text)


def fate_sign(approval: Approval, fate: str, brake: Brake = Brake.NONE) -> Sign:
    """Return what will become of it as a sign.

    Args:
        approval: The card.
        fate: The same in words.
        brake: What keeps an approved one from leaving.
    """
    if approval.task_status is TaskStatus.APPROVED and brake is not Brake.NONE:
        return Sign("hand", fate, "attention") if brake is Brake.HOLD else Sign("hourglass", fate, "info")
    looks = {
        TaskStatus.APPROVED: ("timer" if is_counting_down(approval) else "send", "attention"),
        TaskStatus.SENDING: ("send", "info"),
        TaskStatus.UNKNOWN: ("question", "attention"),
        TaskStatus.DONE: ("ticks", "ok"),
        TaskStatus.FAILED: ("x-circle", "danger"),
    }
    icon, token = looks.get(approval.task_status, ("hand", "attention"))
    return Sign(icon, fate, token)


def signs_of(approval: Approval, fate: str, brake: Brake = Brake.NONE, *, kept: bool = False) -> tuple[Sign, ...]:
    """Return the signs of a card, the strongest first."""
    if approval.task_status is not TaskStatus.AWAITING_DECISION:
        return (fate_sign(approval, fate, brake),)
    reasons = approval.shown_reasons
    if reasons != (AskReason.HELD,):  # what asks anyway waits as before: a hold that is over is no other reason
        reasons = tuple(reason for reason in reasons if reason is not AskReason.HELD)
    signs = [sign for reason in reasons if (sign := reason_sign(reason, approval)) is not None]
    if kept:
        signs.append(Sign("pencil", _tr("Your text is kept"), "info"))
    if not signs:
        signs.append(Sign("hand", fate, "attention"))
    if approval.is_edited:
        signs.append(Sign("pencil", _tr("Your text"), "info"))
    if approval.newer and AskReason.CHANGED not in approval.reasons:
        signs.append(Sign("chats", _tr("{n} newer").format(n=approval.newer), "info"))
    if AskReason.REVIEW in approval.reasons:
        signs.append(Sign("shield", _tr("Review"), "text3"))
    return tuple(signs)


def reason_sign(reason: AskReason, approval: Approval) -> Sign | None:
    """Return what a card says of one reason; `review` comes last and quietly."""
    who = foreign_text.name(approval.chat_title)
    return {
        AskReason.NOT_DELIVERED: Sign("question", _tr("Perhaps not delivered"), "attention"),
        AskReason.PARTLY_SENT: Sign("ticks", _partly(approval), "attention"),
        AskReason.CHANGED: Sign("warning", _tr("Conversation changed"), "attention"),
        AskReason.IRREVERSIBLE: Sign("alert", _tr("Cannot be taken back"), "danger"),
        AskReason.FIRST_MESSAGE: Sign("person-plus", _tr("First message to {who}").format(who=who), "info"),
        AskReason.CUT_OFF: Sign("dots", _tr("Reply cut off"), "attention"),
        AskReason.EARLIER_STEP: Sign("undo", _tr("Earlier step changed"), "attention"),
        AskReason.HELD: Sign("hand", _tr("Because of a hold"), "attention"),
        AskReason.TAKEOVER: Sign("pencil", _tr("You took over"), "attention"),
        AskReason.BLOCK_UNKNOWN: Sign("question", _tr("Perhaps blocked"), "attention"),
        AskReason.MUTED: Sign("bell-off", _tr("Chat muted"), "attention"),
        AskReason.MUTE_UNKNOWN: Sign("question", _tr("Muted or not? Not known"), "attention"),
        AskReason.LIMITED: Sign("alert", _tr("Account limited"), "danger"),
        AskReason.OVERDUE: Sign("clock", _tr("Overdue"), "attention"),
        AskReason.CAP: Sign("hourglass", _tr("Too many automatic sends"), "attention"),
        AskReason.OLD: Sign("clock", _tr("Older than 12 hours"), "attention"),
        AskReason.UNSENDABLE: Sign("x-circle", _tr("Cannot be sent as it is"), "danger"),
        AskReason.SENT_ANYWAY: Sign("send", _tr("You asked for it"), "info"),
    }.get(reason)


def _partly(approval: Approval) -> str:
    sent = sum(part.state is LedgerState.SENT for part in approval.parts)
    return _tr("{n} of {all} parts sent").format(n=sent, all=len(approval.parts))


def well_title(approval: Approval, *, typed: bool) -> str:
    """Return what stands above the message of a card; `typed`: it is what stands in the open editor."""
    if typed:
        return _tr("As it will look")
    if not is_message(approval):
        return _tr("What it does")
    if not waits_for_operator(approval):
        return _tr("The message")
    if approval.is_stale:
        return _tr("Would be sent")
    return _tr("Will be sent") if approval.kind is TaskKind.SEND else _tr("This sticker will be sent")


def step_word(approval: Approval) -> str:
    """Return what a step of a plan is, in a word or two."""
    if approval.kind is TaskKind.STICKER:
        return _tr("sticker")
    return deed_word(approval).casefold() or _tr("text")


def follows_words(of_chat: tuple[Approval, ...], approval: Approval) -> str:
    """Return what comes behind a send in its plan, such as "then sticker"; empty where it is the last."""
    later = [one for one in of_chat if one.graph_id == approval.graph_id and one.task_id > approval.task_id]
    later = [one for one in later if waits_for_operator(one)]
    if not later:
        return ""
    if len(later) > 2:
        return _tr("then {n} more").format(n=len(later))
    return _tr("then {steps}").format(steps=", ".join(step_word(one) for one in later))
