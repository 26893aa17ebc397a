"""A history that is on its way is overtaken by what happens to its messages meanwhile."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chimein_gui.domain.agents import Health
from chimein_gui.domain.ids import PeerId
from chimein_gui.domain.messages import Message
from chimein_gui.engine.triggers.staleness import PendingEdits
from tests.fakes.clock import VirtualClock
from tests.fakes.telegram import ACCOUNT, MARTA, FakeGateway, FakeTelegram
from tests.support.engine_room import Room, stored

TOPIC = PeerId(-1_000_000_000_123)


class ChangedOnTheWay(FakeGateway):
    """Two messages are written while nobody listens; one is edited and one deleted after the history was read."""

    async def history(self, peer_id, **kwargs):
        rows = await super().history(peer_id, **kwargs)
        server, listener = self._server, self.listener
        assert listener is not None
        late = [message for message in server.messages if message.text in {"at six", "never mind"}]
        for message in late:
            if message.text == "at six":
                server.partner_edits(message, "at seven")
            else:
                server.messages.remove(message)
                listener.messages_deleted(ACCOUNT, None, (message.key.message_id,))
        return rows


@pytest.mark.parametrize("is_known", [True, False], ids=["gap", "new chat"])
async def test_what_happens_while_a_history_is_on_its_way_is_not_lost(room: Room, is_known: bool) -> None:
    if is_known:
        await room.stored(room.telegram.partner_writes("at four"))
    room.telegram.make = ChangedOnTheWay
    room.telegram.lose_connection()
    await room.until(lambda: room.health() is Health.WAITING)
    room.telegram.store("at six", out=False)
    room.telegram.store("never mind", out=False)
    await room.reach(lambda: room.health() is Health.ONLINE)
    expected = [("at seven", False), ("never mind", True)]
    assert await stored(room) == ([("at four", False), *expected] if is_known else expected)


def message(peer: PeerId = MARTA, *, at: int | None = None) -> Message:
    clock = VirtualClock()
    one = FakeTelegram(clock).store("old", out=False, peer=peer)
    return one if at is None else replace(one, text=f"edit {at}", edited_at=clock.now().replace(second=at))


def test_a_newer_text_is_kept() -> None:
    pending = PendingEdits()
    pending.edited(message(at=10))
    assert pending.as_it_is_now(message()).text == "edit 10"
    assert pending.as_it_is_now(message(at=9)).text == "edit 10"
    assert pending.as_it_is_now(message(at=11)).text == "edit 11"


def test_a_delete_without_a_peer_says_nothing_of_channels() -> None:
    pending = PendingEdits()
    pending.deleted(ACCOUNT, None, [message().key.message_id])
    assert pending.as_it_is_now(message()).deleted
    assert not pending.as_it_is_now(message(TOPIC)).deleted
    pending.deleted(ACCOUNT, TOPIC, [message().key.message_id])
    assert pending.as_it_is_now(message(TOPIC)).deleted
