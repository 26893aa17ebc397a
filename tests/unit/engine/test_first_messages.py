"""The first message of an account in a chat always asks: what only Telegram says does not count as one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from chimein_gui.domain.approvals import AskReason
from chimein_gui.domain.chats import ChatKind, TrustLevel
from chimein_gui.domain.ids import MessageId, UserId
from chimein_gui.domain.messages import Message, MessageKey
from chimein_gui.domain.tasks import TaskStatus
from tests.support.decision_room import ACCOUNT, PARTNER, DecisionRoom, decision_room


async def joined(room: DecisionRoom) -> None:
    """Telegram tells that the account has joined: a service message that counts as outgoing."""
    key = MessageKey(ACCOUNT, PARTNER, MessageId(1))
    message = Message(key, UserId(ACCOUNT), "Nora", out=True, sent_at=room.clock.now(), text="", is_service=True)
    await room.do(lambda tx: tx.messages.put(room.chat_id, message))


async def test_having_joined_a_group_is_not_having_written_there(tmp_path: Path) -> None:
    async with decision_room(tmp_path, known=False, kind=ChatKind.GROUP) as room:
        await joined(room)
        await room.trust(TrustLevel.AUTO)
        card = await room.one()
        assert (card.task_status, card.reasons) == (TaskStatus.AWAITING_DECISION, (AskReason.FIRST_MESSAGE,))


async def test_what_was_written_on_another_device_and_deleted_counts(tmp_path: Path) -> None:
    async with decision_room(tmp_path, known=False, kind=ChatKind.GROUP) as room:
        await joined(room)
        await room.written(2, out=True)
        key = MessageKey(ACCOUNT, PARTNER, MessageId(2))
        message = await room.do(lambda tx: tx.messages.get(key))
        assert message is not None
        await room.do(lambda tx: tx.messages.edit(replace(message, deleted=True)))
        await room.trust(TrustLevel.AUTO)
        assert (await room.one()).by_rule
