"""A mute that ends, after a plan that came to nothing: what came meanwhile is answered."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from chimein_gui.domain.errors import ModelRefusedError
from chimein_gui.domain.tasks import TaskStatus
from tests.fakes.telegram import ACCOUNT, MARTA
from tests.support.engine_room import QUICK, Room, engine_room

PREFERENCES = replace(QUICK, debounce_s=1.5)


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
