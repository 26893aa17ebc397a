"""What became of a send without an answer: looked up in the chat itself (SPEC §3, Sending exactly once)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chimein_gui.domain.approvals import AskReason, with_reason
from chimein_gui.domain.ids import MessageId
from chimein_gui.domain.tasks import LedgerState
from chimein_gui.engine.sends import CLOCK_SLACK, changed, confirm_sent, find_delivered
from chimein_gui.engine.transitions import back_to_review

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from chimein_gui.domain.approvals import Approval
    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import ApprovalId
    from chimein_gui.domain.messages import Message
    from chimein_gui.domain.preferences import Preferences
    from chimein_gui.engine.ports import Clock, TelegramGateway, Transaction

ANSWER_S = 20.0
"""How long an answer is awaited before the outcome of a send is unknown (SPEC §3a)."""

PAGE = 100
"""Messages a page when an unknown outcome is looked up."""

MOST_PAGES = 20
"""Pages looked through at most."""


async def history_since(
    gateway: TelegramGateway, clock: Clock, approval: Approval, claimed_at: datetime | None
) -> tuple[Message, ...]:
    """Read the chat back to just before the claim (step 2); returns it oldest first.

    Raises:
        GatewayError: It cannot be read.
        TimeoutError: A page was not answered.
    """
    found: tuple[Message, ...] = ()
    below = MessageId(0)
    for _ in range(MOST_PAGES):
        async with clock.timeout(ANSWER_S):
            page = await gateway.history(approval.peer_id, limit=PAGE, below_id=below)
        found = (*page, *found)
        if not page or claimed_at is None or page[0].sent_at < claimed_at - CLOCK_SLACK:
            break
        below = page[0].key.message_id
    return found


def settle_unknown(
    tx: Transaction,
    approval_id: ApprovalId,
    history: Sequence[Message],
    now: datetime,
    preferences: Preferences,
    *,
    certain: bool,
) -> list[EngineEvent]:
    """Record what the look-up has found: sent (steps 1 and 2), or "perhaps not delivered" and back to review (step 4).

    Args:
        tx: The transaction.
        approval_id: The send.
        history: What the chat holds since the claim.
        now: Aware UTC.
        preferences: For what follows in the plan.
        certain: Telegram has said that this random_id was delivered; only its message id is looked for.
    """
    approval = tx.approvals.get(approval_id)
    row = tx.ledger.current(approval_id)
    if row is None or row.state not in {LedgerState.SENDING, LedgerState.UNKNOWN}:
        return []
    found = find_delivered(tx, approval, row, history)
    if found is not None or certain:
        return confirm_sent(tx, approval, found, now, preferences)
    reasons = with_reason(approval.reasons, AskReason.NOT_DELIVERED)
    reopened = back_to_review(tx, replace(approval, reasons=reasons), "No trace of it in the chat on Telegram")
    return changed(tx, reopened)
