"""So many automatic sends an hour, of a chat and of an account."""

from __future__ import annotations

from dataclasses import replace

from chimein_gui.domain.chats import ChatInfo, ChatKind, TrustLevel
from chimein_gui.domain.ids import MessageId, PeerId
from chimein_gui.domain.tasks import LedgerState
from chimein_gui.engine.caps import cap_reached
from chimein_gui.engine.ports import Transaction
from tests.support.decision_room import ACCOUNT, QUICK, DecisionRoom


async def reached(room: DecisionRoom, *, chat_cap: int = 0, account_cap: int = 0) -> bool:
    caps = replace(QUICK, chat_cap=chat_cap, account_cap=account_cap)
    return bool(await room.do(lambda tx: cap_reached(tx, tx.chats.get(room.chat_id), caps, room.clock.now())))


async def automatic(room: DecisionRoom, sends: int, text: str = "hello") -> None:
    await room.trust(TrustLevel.AUTO)
    for _ in range(sends):
        await room.sent(await room.one(text))


async def test_the_accounts_cap_counts_all_its_chats_and_the_chats_only_its_own(room: DecisionRoom) -> None:
    await automatic(room, 1)

    def other_chat(tx: Transaction) -> None:
        info = ChatInfo(ACCOUNT, PeerId(78), ChatKind.DM, "Ida")
        agent_id = tx.chats.get(room.chat_id).agent_id
        room.chat_id = tx.chats.ensure(agent_id, info, planned_up_to=MessageId(0))[0].chat_id

    await room.do(other_chat)
    assert not await reached(room, chat_cap=1)
    assert await reached(room, account_cap=1)


async def test_a_split_text_is_one_send(room: DecisionRoom) -> None:
    await room.trust(TrustLevel.AUTO)
    long = await room.one("x" * 9_000)
    assert (await room.claim(long)).claim is not None
    await room.end_request(long, LedgerState.SENT)
    assert await reached(room, chat_cap=1)
    assert not await reached(room, chat_cap=2)
