"""The search index is filled in the background, after the start and as messages come."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from chimein_gui.adapters.store import search_index
from chimein_gui.engine.library import search_indexer
from chimein_gui.engine.ports import Transaction
from tests.support.engine_room import Room, engine_room
from tests.unit.adapters.store.builders import sql_of

if TYPE_CHECKING:
    import pytest


def _indexed(tx: Transaction) -> list[int]:
    return [up_to for (up_to,) in sql_of(tx).all("SELECT up_to FROM search_marks")]


def _counted_often(tx: Transaction) -> None:
    """As if the few messages of the test were many."""
    sql_of(tx).run("UPDATE chats SET unindexed = 2000")


async def received(room: Room, number: int) -> int:
    """Let the partner write; returns the id of the last message."""
    for count in range(number):
        message = room.telegram.partner_writes(f"tea {count}")
        await room.stored(message)
    return int(message.key.message_id)


async def test_a_long_chat_comes_into_the_index_after_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_index, "ENOUGH_TO_INDEX", 1)
    monkeypatch.setattr(search_indexer, "AT_ONCE", 2)
    async with engine_room(tmp_path) as room:
        newest = await received(room, 5)
        await room.store.transact(_counted_often)
    async with engine_room(tmp_path) as room:
        await room.worked_off()
        assert await room.store.read(_indexed) == []
        await room.pass_time(search_indexer.AFTER_START_S + 1, step_s=0.5)
        (mark,) = await room.store.read(_indexed)
        assert mark >= newest
        (chat,) = (await room.engine.queries.chats()).rows
        found = await room.engine.transcripts.search(chat.chat_id, "TEA 3")
        assert [message.text for message in found.rows] == ["tea 3"]
