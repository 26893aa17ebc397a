"""Planned sends in words, where there is more to them than a text."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.tasks import IRREVERSIBLE_KINDS, LedgerState, TaskKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.approvals import Approval

translate = QCoreApplication.translate


def card_text(approval: Approval, shown: Callable[[str], str] = str) -> str:
    """Return what would be sent or done, in words.

    Args:
        approval: The card.
        shown: Makes foreign names safe to show.
    """
    if approval.kind is TaskKind.STICKER:
        sticker = approval.sticker
        where = translate("CardWords", "from {set}").format(set=shown(sticker.set_name)) if sticker is not None else ""
        title = translate("CardWords", "Sticker")
        return f"{title} {approval.text} {where}".strip()
    if approval.file is not None:
        name = shown(approval.file.file_name) if not approval.file.as_photo else ""
        kind = translate("CardWords", "Photo") if approval.file.as_photo else translate("CardWords", "File")
        return f"{kind} {name} {approval.text}".replace("  ", " ").strip()
    action = action_words(approval.kind, shown(approval.chat_title), shown(approval.agent_name))
    if not action:
        return approval.text
    return (
        translate("CardWords", "{action}. Reason: {reason}").format(action=action, reason=approval.text)
        if approval.text
        else action
    )


def shown_text(approval: Approval, shown: Callable[[str], str] = str) -> str:
    """Return the text of a message without its Markdown marks; for any other card `card_text`."""
    if approval.kind is not TaskKind.SEND:
        return card_text(approval, shown)
    return _plain(approval.text)


@lru_cache(maxsize=512)
def _plain(text: str) -> str:
    from chimein_gui.engine.text.markdown import formatted  # imported late: needed only for a planned message

    return formatted(text)[0].strip()


def reason_words(reason: AskReason, approval: Approval, shown: Callable[[str], str] = str) -> str:
    """Return the label of one reason why a card needs a decision.

    Args:
        reason: One of its reasons.
        approval: The card.
        shown: Makes foreign names safe to show.
    """
    sent = sum(part.state is LedgerState.SENT for part in approval.parts)
    return {
        AskReason.NOT_DELIVERED: translate("CardWords", "Delivery unknown"),
        AskReason.PARTLY_SENT: translate("CardWords", "{n} of {all} parts sent").format(
            n=sent, all=len(approval.parts)
        ),
        AskReason.CHANGED: translate("CardWords", "Conversation changed"),
        AskReason.IRREVERSIBLE: translate("CardWords", "Can't be undone"),
        AskReason.FIRST_MESSAGE: translate("CardWords", "First message to {who}").format(
            who=shown(approval.chat_title)
        ),
        AskReason.CUT_OFF: translate("CardWords", "Reply cut off"),
        AskReason.EARLIER_STEP: translate("CardWords", "Earlier step changed"),
        AskReason.HELD: translate("CardWords", "Held earlier"),
        AskReason.TAKEOVER: translate("CardWords", "You took over"),
        AskReason.BLOCK_UNKNOWN: translate("CardWords", "Perhaps blocked"),
        AskReason.MUTED: translate("CardWords", "Chat muted"),
        AskReason.MUTE_UNKNOWN: translate("CardWords", "Mute state unknown"),
        AskReason.FROZEN: translate("CardWords", "Account frozen"),
        AskReason.LIMITED: translate("CardWords", "Account limited"),
        AskReason.OVERDUE: translate("CardWords", "Overdue"),
        AskReason.CAP: translate("CardWords", "Too many automatic sends"),
        AskReason.OLD: translate("CardWords", "Older than 12 hours"),
        AskReason.UNSENDABLE: translate("CardWords", "Can't be sent as it is"),
        AskReason.SENT_ANYWAY: translate("CardWords", "Brought back by you"),
        AskReason.REVIEW: translate("CardWords", "Review"),
    }[reason]


def is_message(approval: Approval) -> bool:
    """Tell whether the action leaves a message in the chat."""
    return approval.kind not in IRREVERSIBLE_KINDS


def has_text(approval: Approval) -> bool:
    """Tell whether the text can be edited: a text message of which no part was sent."""
    left = any(part.state in {LedgerState.SENT, LedgerState.UNKNOWN} for part in approval.parts)
    return approval.kind is TaskKind.SEND and not left


def action_label(approval: Approval) -> str:
    """Return the button label of an action that cannot be undone; empty for a message."""
    return {
        TaskKind.BLOCK: translate("CardWords", "Block"),
        TaskKind.UNBLOCK: translate("CardWords", "Unblock"),
        TaskKind.CLEAR_CONVERSATION: translate("CardWords", "Clear"),
        TaskKind.SHUTDOWN: translate("CardWords", "Stop the agent"),
    }.get(approval.kind, "")


def action_words(kind: TaskKind, who: str, agent: str) -> str:
    """Return what an action that is no message does; empty for a message.

    Args:
        kind: Its kind.
        who: The chat's name, safe to show.
        agent: The agent's name, safe to show.
    """
    return {
        TaskKind.BLOCK: translate("CardWords", "Block {who}").format(who=who),
        TaskKind.UNBLOCK: translate("CardWords", "Unblock {who}").format(who=who),
        TaskKind.CLEAR_CONVERSATION: translate(
            "CardWords", "Clear the conversation with {who} for this account"
        ).format(who=who),
        TaskKind.SHUTDOWN: translate("CardWords", "Stop {agent}").format(agent=agent),
    }.get(kind, "")
