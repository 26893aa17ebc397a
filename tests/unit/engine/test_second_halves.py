"""A plan of two messages while the partner writes again: what was acknowledged with the first half stays planned."""

from __future__ import annotations

from pathlib import Path

from chimein_gui.domain.approvals import Approval, Approve
from chimein_gui.domain.preferences import Preferences
from chimein_gui.domain.tasks import TaskStatus
from tests.support.engine_room import Room, engine_room

HALVES = "# «send»\nfirst half\n# «send»\nsecond half"


async def two_open_halves(room: Room, preferences: Preferences) -> tuple[Approval, Approval]:
    """Return the drafts of both halves, undecided; the partner has written again."""
    room.model.script.append(HALVES)
    await room.stored(room.telegram.partner_writes("hello"))
    room.clock.advance(preferences.debounce_s)
    one = await room.approval(TaskStatus.AWAITING_DECISION, "first half")
    two = await room.approval(TaskStatus.AWAITING_DECISION, "second half")
    room.telegram.partner_writes("😀")
    await room.chat(lambda chat: chat.unread == 2)
    return one, two


async def test_an_approved_second_half_leaves_although_the_partner_wrote_again(tmp_path: Path) -> None:
    preferences = Preferences(debounce_s=3, undo_s=0, typing_base_s=6, typing_s_per_60=0)
    async with engine_room(tmp_path, preferences=preferences) as room:
        one, two = await two_open_halves(room, preferences)
        await room.decide(room.newest(one), Approve())
        await room.decide(room.newest(two), Approve())
        await room.reach(lambda: room.find(TaskStatus.DONE, "second half"), step_s=0.5)
        assert room.telegram.delivered() == ["first half", "second half"]
        await room.pass_time(30)
        assert len(room.model.prompts) == 1


async def test_an_open_second_half_stays_open_although_the_partner_wrote_again(tmp_path: Path) -> None:
    preferences = Preferences(debounce_s=14, undo_s=0, typing_base_s=0, typing_s_per_60=0)
    async with engine_room(tmp_path, preferences=preferences) as room:
        one, two = await two_open_halves(room, preferences)
        await room.decide(room.newest(one), Approve())
        await room.approval(TaskStatus.DONE, "first half")
        await room.pass_time(30)
        assert room.newest(two).task_status is TaskStatus.AWAITING_DECISION
        assert len(room.model.prompts) == 1
