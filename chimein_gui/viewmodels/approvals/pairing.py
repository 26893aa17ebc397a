"""Finds the new draft that replaces an old one under an open editor: drafts pair by send order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.tasks import Origin, TaskStatus
from chimein_gui.viewmodels.approvals.card_words import has_text
from chimein_gui.viewmodels.approvals.store import waits_for_operator

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.viewmodels.approvals.store import ApprovalStore

_REPLACED = frozenset({TaskStatus.AWAITING_DECISION, TaskStatus.APPROVED})
"""States in which a new plan replaces a send; in any other one it is being sent or closed."""


def place_in_plan(approvals: ApprovalStore, card: Approval) -> int:
    """Return how many unsent text messages of its plan precede a card."""
    mine = (one for one in approvals.of_chat(card.chat_id) if one.graph_id == card.graph_id)
    return sum(1 for one in mine if has_text(one) and one.task_status in _REPLACED and one.task_id < card.task_id)


def draft_instead_of(approvals: ApprovalStore, card: Approval, place: int) -> Approval | None:
    """Return the draft at the same place of a newer plan; None if there is none, or it does not wait.

    Args:
        approvals: The store.
        card: The replaced card.
        place: Its `place_in_plan` before it was replaced.
    """
    newer = [one for one in approvals.of_chat(card.chat_id) if _is_planned(one) and one.graph_id > card.graph_id]
    newest = max((one.graph_id for one in newer), default=None)
    messages = sorted((one for one in newer if one.graph_id == newest and has_text(one)), key=lambda one: one.task_id)
    found = messages[place] if place < len(messages) else None
    return found if found is not None and waits_for_operator(found) else None


def _is_planned(card: Approval) -> bool:
    return card.origin is Origin.PLAN and AskReason.SENT_ANYWAY not in card.reasons
