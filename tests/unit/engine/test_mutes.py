"""A muted DM asks for nothing: looked up beside the quiet window, with the whole engine."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from chimein_gui.domain.errors import ModelRefusedError
from chimein_gui.domain.ids import PeerId
from chimein_gui.domain.tasks import TaskStatus
from tests.fakes.telegram import ACCOUNT, MARTA, FakeGateway, FakeTelegram
from tests.support.engine_room import QUICK, Room, engine_room

PREFERENCES = replace(QUICK, debounce_s=1.5)


async def test_a_muted_dm_is_not_planned_for_until_it_is_heard_again(tmp_path: Path) -> None:
    asked: list[PeerId] = []

    class Counting(FakeGateway):
        async def muted_until(self, peer_id):
            asked.append(peer_id)
            return await super().muted_until(peer_id)

    telegram = FakeTelegram(make=Counting)
    telegram.muted[MARTA] = telegram.clock.now() + timedelta(seconds=100)
    async with engine_room(tmp_path, telegram=telegram, preferences=PREFERENCES) as room:
        for _ in range(5):
            telegram.partner_writes("psst")
            await room.pass_time(10)
        assert room.model.prompts == []
        assert asked == [MARTA], "the answer counts for a minute"
        assert (await room.engine.queries.chats()).rows[0].unread == 5
        await room.pass_time(60)
        telegram.partner_writes("now?")
        await room.reach(lambda: room.find(TaskStatus.AWAITING_DECISION))
        assert "Still unanswered" in room.model.prompts[-1].last_block


async def mute(room: Room, *, until: timedelta | None) -> None:
    """Marta is muted, or heard again, on the phone."""
    if until is None:
        room.telegram.muted.pop(MARTA, None)
    else:
        room.telegram.muted[MARTA] = room.clock.now() + until
    room.telegram.listener.mute_changed(ACCOUNT, MARTA)
    await room.pass_time(2)


async def test_what_came_under_a_mute_is_planned_after_a_silence_of_the_model(tmp_path: Path) -> None:
    async with engine_room(tmp_path, preferences=PREFERENCES) as room:
        room.model.script.append("# «think»\nNothing to say.")
        room.telegram.partner_writes("hello")
        await room.pass_time(3)
        await mute(room, until=timedelta(days=1))
        room.telegram.partner_writes("are you there?")
        await room.pass_time(5)
        assert len(room.model.prompts) == 1
        await mute(room, until=None)
        await room.pass_time(5)
        assert room.find(TaskStatus.AWAITING_DECISION)


async def test_what_came_under_a_mute_is_planned_after_a_plan_that_was_given_up(tmp_path: Path) -> None:
    async with engine_room(tmp_path, preferences=PREFERENCES) as room:
        room.model.script.append(ModelRefusedError("The prompt was blocked"))
        room.telegram.partner_writes("hello")
        await room.pass_time(3)
        await mute(room, until=timedelta(days=1))
        await mute(room, until=None)
        await room.pass_time(5)
        assert len(room.model.prompts) == 1, "what a plan was given up for waits for the next message"
        await mute(room, until=timedelta(days=1))
        room.telegram.partner_writes("are you there?")
        await room.pass_time(5)
        assert len(room.model.prompts) == 1
        await mute(room, until=None)
        await room.pass_time(5)
        assert room.find(TaskStatus.AWAITING_DECISION)
