"""The whole engine under hold: what is in flight, and a shutdown that stops its agent."""

from __future__ import annotations

from chimein_gui.domain.agents import Health
from chimein_gui.domain.approvals import Approve, AskReason
from chimein_gui.domain.holds import HoldScope
from chimein_gui.domain.tasks import TaskKind, TaskStatus
from tests.fakes.telegram import ACCOUNT, LOSE
from tests.support.engine_room import Room


async def test_an_approved_shutdown_stops_its_agent(room: Room) -> None:
    room.model.script.append("# «shutdown»\nenough for today")
    action = await room.drafted("go away")
    assert action.kind is TaskKind.SHUTDOWN
    await room.delivered(action)
    await room.until(lambda: room.health() is Health.STOPPED)
    assert not room.telegram.is_heard()


async def test_a_send_in_flight_over_a_whole_hold_is_not_repeated_by_itself_after_the_release(room: Room) -> None:
    room.telegram.script.append(LOSE)
    draft = await room.approved()
    await room.approval(TaskStatus.SENDING)
    pressing = room.jobs.spawn(room.engine.holds.hold(HoldScope.ACCOUNT, ACCOUNT), name="press")
    await room.worked_off()
    await room.engine.holds.release(HoldScope.ACCOUNT, ACCOUNT)
    assert (await room.approval(TaskStatus.SENDING)).approval_id == draft.approval_id
    await room.pass_time(3)
    await pressing
    back = await room.reach(lambda: room.find(TaskStatus.AWAITING_DECISION))
    assert {AskReason.NOT_DELIVERED, AskReason.HELD} <= set(back.reasons)
    await room.pass_time(120, 10)
    assert len(room.telegram.requests) == 1
    await room.decide(room.newest(back), Approve())
    await room.approval(TaskStatus.DONE)
    assert room.telegram.delivered() == ["answer 1"]
