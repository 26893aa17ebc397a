"""What an account's connect reads grows with its own chats, not with those of all accounts."""

from __future__ import annotations

from pathlib import Path

from chimein_gui.domain.chats import ChatInfo, ChatKind
from chimein_gui.domain.ids import MessageId, PeerId
from chimein_gui.engine.accounts.sync import Sync
from chimein_gui.engine.core.commits import UnitOfWork
from chimein_gui.engine.ports import Transaction
from tests.support.ingest_room import ACCOUNT, DM, SISTER, IngestRoom, ingest_room
from tests.unit.adapters.store.sql_work import CountingStore

SISTERS_CHATS = 1000


async def sister_gets_chats(room: IngestRoom) -> None:
    """Another account comes to have many chats."""

    def work(tx: Transaction) -> None:
        for number in range(SISTERS_CHATS):
            info = ChatInfo(SISTER, PeerId(2**41 + number), ChatKind.DM, f"Partner {number}")
            tx.chats.ensure(room.sister.agent_id, info, planned_up_to=MessageId(0))

    await room.do(work)


async def test_before_a_connect_the_chats_of_that_account_alone_are_read(tmp_path: Path) -> None:
    async with ingest_room(tmp_path) as room:
        message = await room.says("hello")
        await sister_gets_chats(room)
        store = CountingStore(room.store)
        known = await Sync(UnitOfWork(store, room.bus, room.clock), room.ingest).newest_stored(ACCOUNT)
    assert known == {DM: message.key.message_id}
    assert store.done.statements == 1
    assert store.done.steps < SISTERS_CHATS


async def test_the_end_of_a_first_log_in_looks_at_the_chats_of_that_account_alone(tmp_path: Path) -> None:
    async with ingest_room(tmp_path) as room:
        room.ingest.quiet.add(room.agent.agent_id)
        message = await room.says("hello")
        costs = []
        for _ in range(2):
            store = CountingStore(room.store)
            room.ingest._unit = UnitOfWork(store, room.bus, room.clock)
            await room.ingest.end_quiet(room.agent.agent_id, lambda _tx: (None, ()))
            costs.append(store.done.steps)
            await sister_gets_chats(room)
        assert await room.asked() == (message.key.message_id,)
    assert costs[1] < costs[0] + SISTERS_CHATS
