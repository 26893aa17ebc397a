"""The operator writes from his phone: the agent pauses, and then plans only what is still unanswered."""

from __future__ import annotations

from pathlib import Path

from chimein_gui.domain.tasks import TaskStatus
from tests.fakes.telegram import FakeTelegram
from tests.support.engine_room import Room, engine_room

PAUSE_S = 1800


async def asked_for(room: Room) -> str:
    await room.reach(lambda: room.find(TaskStatus.AWAITING_DECISION))
    return room.model.prompts[-1].last_block


async def test_what_he_answered_is_answered_and_what_came_later_is_planned_at_the_end(room: Room) -> None:
    room.telegram.operator_writes("hello, it is me")
    room.telegram.partner_writes("oh, hello!")
    room.telegram.operator_writes("how are you?")
    await room.worked_off()
    later = room.telegram.partner_writes("fine, and you?")
    await room.pass_time(PAUSE_S - 60, step_s=60)
    assert room.model.prompts == []
    await room.pass_time(120, step_s=30)
    instruction = await asked_for(room)
    assert f"message_id {later.key.message_id}" in instruction
    assert "Still unanswered" not in instruction
    assert len(room.model.prompts) == 1


async def test_where_he_had_the_last_word_nothing_is_planned_at_the_end(room: Room) -> None:
    room.telegram.operator_writes("hello, it is me")
    room.telegram.partner_writes("oh, hello!")
    await room.worked_off()
    room.telegram.operator_writes("see you tomorrow")
    await room.pass_time(2 * PAUSE_S, step_s=120)
    assert room.model.prompts == []


async def test_the_pause_and_its_end_survive_a_restart(tmp_path: Path) -> None:
    telegram = FakeTelegram()
    async with engine_room(tmp_path, telegram=telegram) as room:
        telegram.operator_writes("hello, it is me")
        telegram.partner_writes("oh, hello!")
        await room.worked_off()
    async with engine_room(tmp_path, telegram=telegram) as room:
        await room.pass_time(PAUSE_S - 60, step_s=60)
        assert room.model.prompts == []
        await room.pass_time(120, step_s=30)
        await asked_for(room)


async def test_he_gives_the_chat_back_before_its_end(room: Room) -> None:
    room.telegram.operator_writes("hello, it is me")
    await room.stored(room.telegram.partner_writes("oh, hello!"))
    await room.pass_time(60)
    assert room.model.prompts == []
    [chat] = (await room.engine.queries.chats()).rows
    assert chat.takeover_until is not None
    await room.engine.takeovers.resume(chat.chat_id)
    await room.approval(TaskStatus.AWAITING_DECISION)
    assert (await room.engine.queries.chats()).rows[0].takeover_until is None
