"""Between two parts of a split text: whether the rest may still follow by itself.

See docs/behaviour.md, "Between the parts of a long text".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.domain.tasks import CancelReason
from chimein_gui.engine.sending.claim_checks import BETWEEN_PARTS_GATES, Hindrance, first_hindrance
from chimein_gui.engine.sending.claim_view import view_of

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.engine.core.environment import TransactionEnvironment
    from chimein_gui.engine.ports import Transaction

DELETED_NOTE = Note(NoteKind.DELETED)

_STOPPED = (CancelReason.PLAN_REJECTED, NoteKind.DELETED)
"""What a card says whose rest the operator does not want, until he decides anew."""


def against_next_part(tx: Transaction, approval: Approval, environment: TransactionEnvironment) -> Hindrance | None:
    """Say why the operator does not want the rest of a text any more; None if nothing tells that he does not."""
    hindered = first_hindrance(view_of(tx, approval, environment), BETWEEN_PARTS_GATES)
    if hindered is not None:
        return hindered[1]
    note = approval.note
    return Hindrance(note, AskReason.CHANGED) if note is not None and note.kind in _STOPPED else None
