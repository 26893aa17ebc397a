"""Updates that Telegram would not tell: after the next connect the chats are compared."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from chimein_gui.domain.agents import Health
from chimein_gui.domain.errors import NotConnectedError
from chimein_gui.domain.messages import Message
from chimein_gui.domain.tasks import TaskStatus
from tests.fakes.telegram import FakeGateway, FakeTelegram
from tests.support.engine_room import Room, engine_room, stored


async def skip_updates(room: Room, telegram: FakeTelegram) -> None:
    """Let the connection end as it does when a difference is too long."""
    telegram.listener.updates_skipped()
    telegram.lose_connection()
    await room.until(lambda: room.health() is Health.WAITING)


def edited(telegram: FakeTelegram, message: Message, text: str) -> None:
    """Another text, of which nobody is told."""
    changed = replace(message, text=text, edited_at=telegram.clock.now())
    telegram.messages[telegram.messages.index(message)] = changed


async def test_edits_and_deletes_that_nobody_told_are_found(room: Room) -> None:
    first, second = room.telegram.partner_writes("at four"), room.telegram.partner_writes("bring cake")
    await room.stored(second)
    draft = await room.approval(TaskStatus.AWAITING_DECISION)
    edited(room.telegram, first, "at five")
    room.telegram.messages.remove(second)
    await skip_updates(room, room.telegram)
    await room.reach(lambda: room.health() is Health.ONLINE)
    assert await stored(room) == [("at five", False), ("bring cake", True)]
    assert room.newest(draft).reasons  # it saw the old words


async def test_a_message_below_our_own_answer_is_found(room: Room) -> None:
    await room.stored(room.telegram.partner_writes("at four"))
    room.telegram.store("or at five?", out=False)  # which nobody is told
    await room.stored(room.telegram.operator_writes("fine"))
    await skip_updates(room, room.telegram)
    await room.reach(lambda: room.health() is Health.ONLINE)
    assert await stored(room) == [("at four", False), ("or at five?", False), ("fine", False)]


class BreaksOff(FakeGateway):
    """The connection fails in the middle of the comparison, once."""

    async def history(self, peer_id, **kwargs):
        self._server.make = None
        raise NotConnectedError("The connection was lost.")


async def test_a_comparison_that_breaks_off_is_made_again(room: Room) -> None:
    first = room.telegram.partner_writes("at four")
    await room.stored(first)
    edited(room.telegram, first, "at five")
    room.telegram.make = BreaksOff
    await skip_updates(room, room.telegram)
    await room.reach(lambda: room.telegram.connects >= 3)
    await room.reach(lambda: room.health() is Health.ONLINE)
    assert await stored(room) == [("at five", False)]


async def test_what_is_newer_than_the_loss_is_not_taken_for_deleted(tmp_path: Path) -> None:
    class HeardMeanwhile(FakeGateway):
        """A message is reported after its history was fetched."""

        async def history(self, peer_id, **kwargs):
            rows = await super().history(peer_id, **kwargs)
            if self._server.messages[-1].text != "live":
                self._server.partner_writes("live")
            return rows

    telegram = FakeTelegram()
    async with engine_room(tmp_path, telegram=telegram) as room:
        await room.stored(telegram.partner_writes("at four"))
        telegram.make = HeardMeanwhile
        await skip_updates(room, telegram)
        await room.reach(lambda: room.health() is Health.ONLINE)
        await room.until(lambda: room.health() is Health.ONLINE)
        assert await stored(room) == [("at four", False), ("live", False)]
