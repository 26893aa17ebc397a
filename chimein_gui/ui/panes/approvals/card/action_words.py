"""Descriptions of planned sends that are no messages, such as blocking a partner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.tasks import TaskKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.approvals import Approval

translate = QCoreApplication.translate


def action_effect(approval: Approval, shown: Callable[[str], str]) -> str:
    """Return what the action does to whom, and the model's reason.

    Args:
        approval: A card that is no message.
        shown: Sanitizes foreign names.
    """
    who, agent = shown(approval.chat_title), shown(approval.agent_name)
    words = {
        TaskKind.BLOCK: translate(
            "PlannedActions",
            "Blocks {who} on the account of {agent}. {who} can then neither write to {agent} nor see when {agent} is"
            " online. You can unblock later; {who} may notice.",
        ),
        TaskKind.UNBLOCK: translate(
            "PlannedActions", "Unblocks {who} on the account of {agent}: {who} can write to {agent} again."
        ),
        TaskKind.CLEAR_CONVERSATION: translate(
            "PlannedActions",
            "Deletes this conversation from the account of {agent}, up to the newest message you see here. {who} keeps"
            " a copy. It cannot be brought back.",
        ),
        TaskKind.SHUTDOWN: translate(
            "PlannedActions", "Stops {agent}: it disconnects and answers nobody until you start it again."
        ),
    }.get(approval.kind, "")
    words = words.format(who=who, agent=agent)
    if not approval.text:
        return words
    reason = translate("PlannedActions", "Reason: {reason}").format(reason=approval.text)
    return f"{words}\n{reason}"
