"""Two agents of ours answer each other three times in a row, then a person has to speak."""

from __future__ import annotations

from chimein_gui.domain.chats import TriggerMode
from chimein_gui.domain.ids import PeerId
from chimein_gui.engine.triggers.triggers import turns_up_to
from tests.support.ingest_room import ACCOUNT, GROUP, PAUL, ROBO, SISTER, IngestRoom


async def open_group(room: IngestRoom) -> None:
    await room.settings(GROUP, allow_agents=True, allow_bots=True, triggers=TriggerMode.EVERY)


async def says(room: IngestRoom, by: int | None, **fields: bool) -> int:
    """Somebody writes in the group; returns the turns in a row up to it."""
    message = await room.says("Nora, and then?", peer=GROUP, by=by, is_automatic=by == ACCOUNT, **fields)
    chat = await room.chat(GROUP)
    return await room.do(lambda tx: turns_up_to(tx, chat, message.key.message_id))


async def triggers(room: IngestRoom) -> bool:
    """Tell whether the newest message triggers."""
    return room.newest in await room.asked(GROUP)


async def test_the_fourth_turn_is_not_taken(room: IngestRoom) -> None:
    await open_group(room)
    assert await says(room, PAUL) == 0
    assert await says(room, ACCOUNT) == 0, "it answers a person"
    assert await says(room, SISTER) == 1
    assert await triggers(room)
    assert await says(room, ACCOUNT) == 2
    assert await says(room, SISTER) == 3
    assert not await triggers(room)
    assert (await room.chat(GROUP)).agent_turns == 3


async def test_several_messages_of_one_agent_are_one_turn(room: IngestRoom) -> None:
    await open_group(room)
    await says(room, PAUL)
    await says(room, ACCOUNT)
    for _ in range(5):
        assert await says(room, SISTER) == 1
        assert await triggers(room)


async def test_a_person_resumes(room: IngestRoom) -> None:
    await open_group(room)
    for by in (PAUL, ACCOUNT, SISTER, ACCOUNT, SISTER):
        await says(room, by)
    assert not await triggers(room)
    assert await says(room, PAUL) == 0
    assert await triggers(room)
    assert (await room.chat(GROUP)).agent_turns == 0
    assert 5 not in await room.asked(GROUP), "what the agent said is left unanswered"
    assert await says(room, SISTER) == 0
    assert await triggers(room)


async def test_bots_service_messages_and_anonymous_admins_resume_nothing(room: IngestRoom) -> None:
    await open_group(room)
    for by in (PAUL, ACCOUNT, SISTER, ACCOUNT, SISTER):
        await says(room, by)
    assert await says(room, ROBO, is_bot=True) == 3
    assert await says(room, None) == 3
    assert await says(room, PAUL, is_service=True) == 3
    assert await says(room, SISTER) == 3
    assert not await triggers(room)


async def test_two_agents_alone_in_a_dm_stop_too(room: IngestRoom) -> None:
    sister = PeerId(SISTER)
    await room.settings(sister, allow_agents=True)
    taken = []
    for by in (SISTER, ACCOUNT, SISTER, ACCOUNT, SISTER):
        await room.says("and then?", peer=sister, by=by, is_automatic=by == ACCOUNT)
        taken.append(by == SISTER and room.newest in await room.asked(sister))
    assert taken == [True, False, True, False, False], "one opens, and three turns follow"
