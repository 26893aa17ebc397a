"""Kept edits in the store: an edit of the operator's outlives the draft that it was made on.

Functions that take a transaction run on the writer thread or on the reader thread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import Approval
from chimein_gui.domain.events import EngineEvent, ShelfChanged
from chimein_gui.domain.tasks import TaskKind

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from chimein_gui.domain.ids import ApprovalId, ChatId
    from chimein_gui.engine.ports import Transaction


def put_on_shelf(tx: Transaction, old: Sequence[Approval], new: Sequence[Approval], now: datetime) -> list[EngineEvent]:
    """Keep what the operator typed on drafts that another plan has replaced.

    Drafts pair by send order: the edit of the second message stands beside the second message of the new plan. What
    stood beside one of the old drafts already moves on the same way. Without such a message it is kept by itself, as
    "use as message".

    Args:
        tx: The transaction that replaces them.
        old: The drafts as they were, in plan order.
        new: Those that took their place, in plan order.
        now: Aware UTC.
    """
    texts = [approval for approval in old if approval.kind is TaskKind.SEND]
    targets = [approval.approval_id for approval in new if approval.kind is TaskKind.SEND]
    if not texts:
        return []
    chat_id = texts[0].chat_id
    places = {approval.approval_id: place for place, approval in enumerate(texts)}
    changed = False
    for kept in tx.shelf.of_chat(chat_id):
        if kept.paired_with in places:
            tx.shelf.pair(kept.shelf_id, _at(targets, places[kept.paired_with]))
            changed = True
    for place, approval in enumerate(texts):
        if approval.is_edited and approval.text.strip():
            tx.shelf.add(
                chat_id,
                base=approval.draft_text,
                mine=approval.text,
                position=place,
                paired_with=_at(targets, place),
                created_at=now,
            )
            changed = True
    return [shelf_changed(tx, chat_id)] if changed else []


def consume(tx: Transaction, approved: Approval, carried: frozenset[str]) -> list[EngineEvent]:
    """Take off the shelf what was just approved on the draft beside it: offered once more, it would be sent twice.

    Args:
        tx: The transaction that approves.
        approved: The draft with its text.
        carried: Earlier wordings of that text, which the operator took over from drafts that are gone.
    """
    used = {approved.text.strip()} | ({text.strip() for text in carried} if approved.is_edited else set())
    beside = [kept for kept in tx.shelf.of_chat(approved.chat_id) if kept.paired_with == approved.approval_id]
    gone = [kept for kept in beside if kept.mine.strip() in used]
    for kept in gone:
        tx.shelf.remove(kept.shelf_id)
    return [shelf_changed(tx, approved.chat_id)] if gone else []


def shelf_changed(tx: Transaction, chat_id: ChatId) -> ShelfChanged:
    """Return the event that shows a chat's shelf as it is now."""
    return ShelfChanged(chat_id, tx.shelf.of_chat(chat_id), tx.revision)


def _at(targets: Sequence[ApprovalId], place: int) -> ApprovalId | None:
    return targets[place] if place < len(targets) else None
