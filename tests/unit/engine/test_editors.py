"""An open editor holds the chat's automatic sends."""

from __future__ import annotations

from chimein_gui.domain.chats import TrustLevel
from chimein_gui.domain.ids import ChatId
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.core.environment import Editors
from tests.support.engine_room import Room


def test_the_last_of_several_editors_lets_the_chat_go() -> None:
    closed: list[ChatId] = []
    editors, chat = Editors(closed.append), ChatId(1)
    editors.begin(chat)
    editors.begin(chat)
    editors.end(chat)
    assert (editors.is_open(chat), closed) == (True, [])
    editors.end(chat)
    editors.end(chat)
    assert (editors.is_open(chat), closed) == (False, [chat])


async def test_nothing_leaves_automatically_beside_an_open_editor(room: Room) -> None:
    first = await room.drafted()
    await room.engine.chat_settings.set_trust(first.chat_id, TrustLevel.AUTO)
    await room.delivered(first)
    room.engine.editors.begin(first.chat_id)
    room.telegram.partner_writes("more")
    held = await room.approval(TaskStatus.APPROVED, "answer 2")
    await room.pass_time(10)
    assert room.newest(held).task_status is TaskStatus.APPROVED
    assert room.telegram.delivered() == ["answer 1"]
    room.engine.editors.end(first.chat_id)
    await room.approval(TaskStatus.DONE, "answer 2")
    assert room.telegram.delivered() == ["answer 1", "answer 2"]
