"""Between two parts of a text the operator says no, in one way or another: the rest asks."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from chimein_gui.domain.approvals import Approval, AskReason
from chimein_gui.domain.chats import ChatSettings, TrustLevel
from chimein_gui.domain.failpoints import Failpoint
from chimein_gui.domain.holds import Hold, HoldScope
from chimein_gui.domain.tasks import LedgerState, TaskStatus
from chimein_gui.engine.plan_rejection import reject_rest
from chimein_gui.engine.ports import Transaction
from chimein_gui.engine.sent_messages import _deleted
from chimein_gui.engine.takeover import begin_takeover
from tests.support.send_room import QUICK, SendRoom

D = TaskStatus.DONE
LONG = "\n\n".join(letter * 3000 for letter in "abc")
"""A text of three parts."""

Deed = Callable[[Transaction, SendRoom, Approval], object]


def holds_everything(tx: Transaction, room: SendRoom, _card: Approval) -> None:
    tx.holds.put(Hold(HoldScope.ALL, 0, "stop", room.clock.now()))


def takes_over(tx: Transaction, room: SendRoom, card: Approval) -> None:
    begin_takeover(tx, tx.chats.get(card.chat_id), room.clock.now(), QUICK)


def switches_off(tx: Transaction, _room: SendRoom, card: Approval) -> None:
    tx.chats.set_settings(card.chat_id, ChatSettings(trust=TrustLevel.OFF))


def wants_to_review(tx: Transaction, _room: SendRoom, card: Approval) -> None:
    tx.chats.set_settings(card.chat_id, ChatSettings(trust=TrustLevel.REVIEW))


def rejects_the_plan(tx: Transaction, room: SendRoom, card: Approval) -> None:
    reject_rest(tx, card.graph_id, "no", room.clock.now())


def deletes_the_first_part(tx: Transaction, _room: SendRoom, card: Approval) -> None:
    (sent,) = (row.message_id for row in tx.ledger.of_approval(card.approval_id) if row.message_id is not None)
    _deleted(tx, chat_id=card.chat_id, ids=(sent,))


async def cut_short(room: SendRoom, monkeypatch: pytest.MonkeyPatch, deed: Deed, *, trust: TrustLevel) -> Approval:
    """Let a text leave, do something once its first part has; returns the card."""
    chat = await room.chat(trust=trust)
    draft, after = await room.plan(chat, LONG, "and this")
    real = room.outbox._hand_over._reach

    def reach(point: Failpoint) -> None:
        real(point)
        if point is Failpoint.CONFIRMATION_COMMITTED and len(room.telegram.requests) == 1:
            room.clock.advance(1)
            room.store.submit(lambda tx: deed(tx, room, draft))

    monkeypatch.setattr(room.outbox._hand_over, "_reach", reach)
    if trust is TrustLevel.REVIEW:
        await room.approve(draft)
    await room.worked_off()
    assert await room.status(after) != [D]
    return await room.get(draft)


@pytest.mark.parametrize(
    ("deed", "reason", "trust"),
    [
        (holds_everything, AskReason.HELD, TrustLevel.REVIEW),
        (takes_over, AskReason.TAKEOVER, TrustLevel.REVIEW),
        (takes_over, AskReason.TAKEOVER, TrustLevel.AUTO),
        (switches_off, AskReason.REVIEW, TrustLevel.REVIEW),
        (wants_to_review, AskReason.REVIEW, TrustLevel.AUTO),
        (rejects_the_plan, AskReason.CHANGED, TrustLevel.REVIEW),
        (deletes_the_first_part, AskReason.CHANGED, TrustLevel.REVIEW),
    ],
)
async def test_the_rest_of_a_text_that_nobody_wants_any_more_asks(
    room: SendRoom, monkeypatch: pytest.MonkeyPatch, deed: Deed, reason: AskReason, trust: TrustLevel
) -> None:
    card = await cut_short(room, monkeypatch, deed, trust=trust)
    assert [part.state for part in card.parts] == [LedgerState.SENT, LedgerState.PREPARED, LedgerState.PREPARED]
    assert card.task_status is TaskStatus.AWAITING_DECISION
    assert {AskReason.PARTLY_SENT, reason} <= set(card.reasons)
    assert len(room.telegram.requests) == 1
    if deed in {rejects_the_plan, deletes_the_first_part}:
        await room.carry_out(card)
        assert await room.status(card) == [D], "what he decides after all leaves whole"
        assert len(room.telegram.requests) == 3
