"""A plan of two messages while the partner writes again: what was acknowledged with the first half stays planned."""

from __future__ import annotations

from pathlib import Path

from chimein_gui.domain.approvals import Approval, Approve, Verdict
from chimein_gui.domain.preferences import Preferences
from chimein_gui.domain.tasks import TaskStatus
from tests.support.engine_room import Room, engine_room

HALVES = "# «send»\nfirst half\n# «send»\nsecond half"


async def acknowledge(room: Room, approval: Approval) -> None:
    """The operator looks at what has changed, and approves the draft all the same."""
    card = room.newest(approval)
    outcome = await room.decide(card, Approve(), seen_up_to=card.changed_at)
    assert outcome.verdict is Verdict.ACCEPTED


async def test_an_approved_second_half_leaves_although_the_partner_wrote_again(tmp_path: Path) -> None:
    preferences = Preferences(debounce_s=8, undo_s=0, typing_base_s=3, typing_s_per_60=0)
    async with engine_room(tmp_path, preferences=preferences) as room:
        room.model.script.append(HALVES)
        await room.stored(room.telegram.partner_writes("hello"))
        room.clock.advance(8)
        one = await room.approval(TaskStatus.AWAITING_DECISION, "first half")
        two = await room.approval(TaskStatus.AWAITING_DECISION, "second half")
        room.telegram.partner_writes("😀")
        await room.chat(lambda chat: chat.unread == 2)
        await acknowledge(room, one)
        await acknowledge(room, two)
        await room.reach(lambda: room.find(TaskStatus.DONE, "second half"), step_s=0.5)
        assert room.telegram.delivered() == ["first half", "second half"]
        await room.pass_time(30)
        assert len(room.model.prompts) == 1


async def test_an_open_second_half_stays_open_although_the_partner_wrote_again(tmp_path: Path) -> None:
    preferences = Preferences(debounce_s=14, undo_s=0, typing_base_s=0, typing_s_per_60=0)
    async with engine_room(tmp_path, preferences=preferences) as room:
        room.model.script.append(HALVES)
        await room.stored(room.telegram.partner_writes("hello"))
        room.clock.advance(14)
        one = await room.approval(TaskStatus.AWAITING_DECISION, "first half")
        two = await room.approval(TaskStatus.AWAITING_DECISION, "second half")
        room.telegram.partner_writes("😀")
        await room.chat(lambda chat: chat.unread == 2)
        await acknowledge(room, one)
        await room.approval(TaskStatus.DONE, "first half")
        await room.pass_time(30)
        assert room.newest(two).task_status is TaskStatus.AWAITING_DECISION
        assert len(room.model.prompts) == 1
