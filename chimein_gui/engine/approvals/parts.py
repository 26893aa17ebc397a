"""From a decided card to the requests that leave: split texts, stickers, deeds."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from chimein_gui.domain.ids import MessageId, RandomId
from chimein_gui.domain.replies.splitting import split
from chimein_gui.domain.tasks import IRREVERSIBLE_KINDS, LedgerState, TaskKind
from chimein_gui.engine.ports import NewRequest
from chimein_gui.engine.tasks.transitions import move_ledger
from chimein_gui.engine.text.markdown import formatted

if TYPE_CHECKING:
    from chimein_gui.domain.approvals import Approval
    from chimein_gui.engine.ports import LedgerRow, Transaction


def new_random_id() -> RandomId:
    """Draw a number for Telegram's de-duplication: signed 64 bit, never 0."""
    return RandomId(secrets.randbits(63) + 1 - (1 << 62))


def requests_for(approval: Approval, up_to: MessageId = MessageId(0)) -> tuple[NewRequest, ...]:
    """Make the requests of a card, each with a number of its own.

    Args:
        approval: What was decided upon.
        up_to: For `clear-conversation`: the newest message id the operator saw; 0 means: what its prompt held.
    """
    if approval.kind is TaskKind.STICKER and approval.sticker is not None:
        return (NewRequest(0, new_random_id(), approval.sticker.name, sticker=approval.sticker),)
    if approval.kind in IRREVERSIBLE_KINDS:
        clears = approval.kind is TaskKind.CLEAR_CONVERSATION
        return (NewRequest(0, new_random_id(), "", up_to=(up_to or approval.covers_up_to) if clears else MessageId(0)),)
    pieces = split(*formatted(approval.text))
    return tuple(NewRequest(index, new_random_id(), piece.text, piece.entities) for index, piece in enumerate(pieces))


def prepare_requests(
    tx: Transaction, approval: Approval, up_to: MessageId = MessageId(0), *, new_bytes: bool = False
) -> None:
    """Commit the requests of a decision, in its own transaction.

    What has left, or may have, keeps its row and its number; what has not gets a new one for this version.

    Args:
        tx: The transaction that decides.
        approval: The card, with the version that was decided upon.
        up_to: See `requests_for`.
        new_bytes: The text was edited: a part that "perhaps was not delivered" is given up, and sent as a new one.
    """
    kept: dict[int, LedgerRow] = {}
    for row in tx.ledger.of_approval(approval.approval_id):
        if row.state is LedgerState.PREPARED or (new_bytes and row.state is LedgerState.UNKNOWN):
            move_ledger(tx, row, LedgerState.VOID)
        else:
            kept[row.part] = row
    for request in requests_for(approval, up_to):
        if request.part not in kept:
            tx.ledger.prepare(approval, request)
