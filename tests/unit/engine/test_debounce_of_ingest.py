"""The quiet window as messages open, move and close it."""

from __future__ import annotations

from datetime import timedelta

from tests.fakes.clock import START
from tests.support.ingest_room import GROUP, PAUL, IngestRoom


def in_s(seconds: float) -> timedelta:
    return timedelta(seconds=seconds)


async def due_in_s(room: IngestRoom, peer: int | None = None) -> float:
    """Return how long after the beginning of the test the plan is due."""
    received = await (room.received() if peer is None else room.received(GROUP))
    assert received is not None
    assert received.due_at is not None
    return (received.due_at - START).total_seconds()


async def test_a_dm_is_due_after_its_quiet_time_and_a_callout_sooner(room: IngestRoom) -> None:
    await room.says("hello")
    await room.says("Nora?", peer=GROUP)
    assert await due_in_s(room) == 1.5
    assert await due_in_s(room, GROUP) == 0.5
    assert [at - START for _, at in room.due] == [in_s(1.5), in_s(0.5)]


async def test_each_trigger_begins_the_quiet_time_anew_up_to_fifteen_seconds(room: IngestRoom) -> None:
    for second in range(16):
        await room.says("and")
        assert await due_in_s(room) == min(second + 1.5, 15)
        room.clock.advance(1)
    received = await room.due_plan()
    assert len(received.trigger_ids) == 16
    assert received.window_began_at == START


async def test_chatter_in_a_group_does_not_move_a_callout(room: IngestRoom) -> None:
    await room.says("Nora?", peer=GROUP)
    room.clock.advance(0.4)
    await room.says("chatter", peer=GROUP, by=PAUL)
    assert await due_in_s(room, GROUP) == 0.5


async def test_a_partner_who_types_is_waited_for_up_to_the_limit(room: IngestRoom) -> None:
    await room.says("hello")
    room.clock.advance(1)
    await room.types()
    assert await due_in_s(room) == 7
    room.clock.advance(5)
    await room.types()
    assert await due_in_s(room) == 12
    room.clock.advance(5)
    await room.types()
    assert await due_in_s(room) == 15


async def test_typing_in_a_group_or_before_anything_was_said_moves_nothing(room: IngestRoom) -> None:
    await room.types()
    assert await room.received() is None
    await room.says("Nora?", peer=GROUP)
    await room.types(GROUP)
    assert await due_in_s(room, GROUP) == 0.5


async def test_what_came_while_a_first_log_in_was_quiet_triggers_at_its_end(room: IngestRoom) -> None:
    room.ingest.quiet.add(room.agent.agent_id)
    message = await room.says("hello")
    call = await room.says("Nora?", peer=GROUP)
    assert await room.received() is None
    assert room.due == []
    await room.ingest.end_quiet(room.agent.agent_id, lambda _tx: (None, ()))
    assert await room.asked() == (message.key.message_id,)
    assert await room.asked(GROUP) == (call.key.message_id,)
