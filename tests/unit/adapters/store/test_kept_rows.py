"""What the writer knows of its rows is what the file holds, whatever was done before and whoever wrote last."""

import sqlite3
from contextlib import closing
from pathlib import Path

from chimein_gui.domain.chats import Chat
from chimein_gui.domain.holds import Hold, HoldScope
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from chimein_gui.engine.ports import (
    Transaction,
)
from tests.unit.adapters.store.builders import (
    ACCOUNT,
    NOW,
    chat_in,
)


async def test_a_hold_of_another_transaction_is_seen(store) -> None:
    chat_id = await store.transact(lambda tx: chat_in(tx).chat_id)
    hold = Hold(HoldScope.CHAT, chat_id, "wait", NOW)
    seen = []
    for change in (None, lambda tx: tx.holds.put(hold), lambda tx: tx.holds.lift(HoldScope.CHAT, chat_id)):
        if change is not None:
            await store.transact(change)
        seen.append(await store.transact(lambda tx: tx.holds.over(ACCOUNT, chat_id)))
    assert seen == [None, hold, None]


async def test_what_another_connection_wrote_is_seen(tmp_path: Path, store) -> None:
    """Nobody should, but the file lies in the open. A reader knows nothing of the time before."""

    def begin(tx: Transaction) -> Chat:
        chat = chat_in(tx)
        tx.tasks.add(chat.chat_id, TaskKind.RECEIVED, TaskStatus.READY)
        tx.tasks.current_of_chat(chat.chat_id)
        return tx.chats.get(chat.chat_id)

    chat = await store.transact(begin)
    assert await store.read(lambda tx: tx.chats.get(chat.chat_id)) == chat
    with closing(sqlite3.connect(tmp_path / "chimein.db")) as other:
        other.execute("UPDATE chats SET title = 'Another'")
        other.execute("UPDATE tasks SET status = 'running'")
        other.commit()
    now = await store.transact(lambda tx: tx.chats.get(chat.chat_id))
    assert (chat.info.title, chat.planning) == ("Partner 77", False)
    assert (now.info.title, now.planning) == ("Another", True)
    assert await store.read(lambda tx: tx.chats.get(chat.chat_id)) == now
