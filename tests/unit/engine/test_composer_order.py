"""What the operator writes himself: once, and in the order he wrote it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from chimein_gui.domain.approvals import ApproveEdited, Edit
from chimein_gui.domain.errors import SendRefusedError
from chimein_gui.domain.preferences import Preferences
from chimein_gui.domain.tasks import TaskStatus
from tests.support.engine_room import Room, engine_room

S = TaskStatus
TYPED = Preferences(debounce_s=0, undo_s=1, typing_base_s=2, typing_s_per_60=1)


async def test_the_operators_messages_leave_in_the_order_he_wrote_them(tmp_path: Path) -> None:
    async with engine_room(tmp_path, preferences=TYPED) as room:
        draft = await room.drafted()
        long = "a long story " * 60
        await room.engine.composer.write(draft.chat_id, long, client_id="a")
        await room.pass_time(1)
        await room.engine.composer.write(draft.chat_id, "the end", client_id="b")
        await room.pass_time(60)
        assert room.telegram.delivered() == [long.strip(), "the end"]


async def test_a_shelved_edit_used_twice_is_one_message(room: Room) -> None:
    draft = await room.drafted()
    await room.decide(draft, Edit("mine"))
    room.model.script.append("# «think»\nbetter not")
    room.telegram.partner_writes("and another thing")
    await room.approval(S.CANCELLED, "mine")
    (edit,) = (await room.engine.shelf.load(draft.chat_id)).rows
    use = room.engine.shelf.use_as_message
    await asyncio.gather(use(edit.shelf_id, client_id="a"), use(edit.shelf_id, client_id="b"), return_exceptions=True)
    await room.worked_off()
    assert room.telegram.delivered() == ["mine"]


async def test_an_edit_behind_a_step_that_failed_is_kept(room: Room) -> None:
    room.model.script.append("# «send»\none\n# «send»\ntwo")
    two = await room.drafted("hello", "two")
    one = await room.approval(S.AWAITING_DECISION, "one")
    await room.decide(two, ApproveEdited("my two"))
    room.telegram.script.append(SendRefusedError("CHAT_WRITE_FORBIDDEN", "CHAT_WRITE_FORBIDDEN"))
    await room.decide(one, ApproveEdited("my one"))
    await room.approval(S.FAILED)
    await room.approval(S.CANCELLED)
    rows = (await room.engine.shelf.load(two.chat_id)).rows
    assert [(edit.base, edit.mine) for edit in rows] == [("two", "my two")]


async def test_back_online_the_operators_messages_still_leave_in_his_order(tmp_path: Path) -> None:
    async with engine_room(tmp_path, preferences=replace(TYPED, undo_s=5)) as room:
        draft = await room.drafted()
        await room.engine.composer.write(draft.chat_id, "short", client_id="a")
        long = "a long story " * 60
        await room.engine.composer.write(draft.chat_id, long, client_id="b")
        await room.engine.stop_agent(draft.agent_id)
        await room.pass_time(120, 10)
        assert room.telegram.delivered() == []
        await room.engine.start_agent(draft.agent_id)
        await room.pass_time(60)
        assert room.telegram.delivered() == ["short", long.strip()]
