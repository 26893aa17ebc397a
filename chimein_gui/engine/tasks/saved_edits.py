"""Saved edits in the store: an edit by the operator outlives its draft.

Functions that take a transaction run on the writer thread or on the reader thread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.events import EngineEvent, SavedEditsChanged
from chimein_gui.domain.plans.step_edits import added_by_hand
from chimein_gui.domain.tasks import TaskKind

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from chimein_gui.domain.ids import ApprovalId, ChatId, GraphId, TaskId
    from chimein_gui.engine.ports import Transaction


def save_edits(tx: Transaction, old: Sequence[Approval], new: Sequence[Approval], now: datetime) -> list[EngineEvent]:
    """Save the operator's edits of drafts that another plan has replaced.

    Drafts are paired by send order: the edit of the second message is paired with the second message of the new plan.
    Edits that were paired with old drafts move the same way. Without such a message an edit is saved unpaired, as "use
    as message". So is what the operator had added by hand: it was no draft, and takes no draft's place.

    Args:
        tx: The transaction that replaces them.
        old: The replaced drafts, in plan order.
        new: The new drafts, in plan order.
        now: Aware UTC.
    """
    texts = [approval for approval in old if approval.kind is TaskKind.SEND]
    targets = [approval.approval_id for approval in new if approval.kind is TaskKind.SEND]
    if not texts:
        return []
    chat_id = texts[0].chat_id
    by_hand = {one for graph_id in {card.graph_id for card in texts} for one in _by_hand(tx, graph_id)}
    drafts = [approval for approval in texts if approval.task_id not in by_hand]
    places = {approval.approval_id: place for place, approval in enumerate(drafts)}
    changed = False
    for kept in tx.saved_edits.of_chat(chat_id):
        if kept.paired_with in places:
            tx.saved_edits.pair(kept.saved_edit_id, _at(targets, places[kept.paired_with]))
            changed = True
    for place, approval in enumerate(texts):
        if approval.is_edited and approval.text.strip():
            tx.saved_edits.add(
                chat_id,
                base=approval.draft_text,
                mine=approval.text,
                position=place,
                paired_with=_at(targets, places.get(approval.approval_id)),
                created_at=now,
            )
            changed = True
    return [saved_edits_changed(tx, chat_id)] if changed else []


def consume(tx: Transaction, approved: Approval, carried: frozenset[str]) -> list[EngineEvent]:
    """Remove saved edits that went into a text just approved, so that they are not offered and sent again.

    Args:
        tx: The transaction that approves.
        approved: The draft with its text.
        carried: Saved edits from replaced drafts that went into that text.
    """
    used = {approved.text.strip()} | ({text.strip() for text in carried} if approved.is_edited else set())
    beside = [kept for kept in tx.saved_edits.of_chat(approved.chat_id) if kept.paired_with == approved.approval_id]
    gone = [kept for kept in beside if kept.mine.strip() in used]
    for kept in gone:
        tx.saved_edits.remove(kept.saved_edit_id)
    return [saved_edits_changed(tx, approved.chat_id)] if gone else []


def saved_edits_changed(tx: Transaction, chat_id: ChatId) -> SavedEditsChanged:
    """Return the event with a chat's current saved edits."""
    return SavedEditsChanged(chat_id, tx.saved_edits.of_chat(chat_id), tx.revision)


def _at(targets: Sequence[ApprovalId], place: int | None) -> ApprovalId | None:
    return targets[place] if place is not None and place < len(targets) else None


def _by_hand(tx: Transaction, graph_id: GraphId) -> frozenset[TaskId]:
    return added_by_hand(tx.plan_edits.of_graph(graph_id)) if tx.plan_edits.count(graph_id) else frozenset()
