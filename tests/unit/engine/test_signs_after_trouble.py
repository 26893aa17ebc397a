"""What a chat and a card say after trouble: writing is forbidden here, it was done after a retry."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chimein_gui.domain.chats import ChatInfo, ChatKind
from chimein_gui.domain.errors import SendRefusedError
from chimein_gui.domain.events import ChatChanged
from chimein_gui.domain.ids import ChatId, MessageId, PeerId
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.engine.ports import Transaction
from tests.fakes.telegram import ACCOUNT
from tests.support.send_room import SendRoom

D = TaskStatus.DONE
GROUP = PeerId(-5_000_000_001)
FORBIDDEN = SendRefusedError("This account may not write in this chat.", "CHAT_WRITE_FORBIDDEN")


async def group(room: SendRoom) -> ChatId:
    chat = await room.chat(GROUP)

    def work(tx: Transaction) -> None:
        info = ChatInfo(ACCOUNT, GROUP, ChatKind.GROUP, "Garden")
        tx.chats.ensure(tx.chats.get(chat).agent_id, info, planned_up_to=MessageId(0))

    await room.store.transact(work)
    return chat


async def may_write(room: SendRoom, chat: ChatId) -> bool:
    return await room.store.read(lambda tx: tx.chats.get(chat).may_write)


async def refused(room: SendRoom, chat: ChatId, error: SendRefusedError = FORBIDDEN) -> None:
    (draft,) = await room.plan(chat, "hi all")
    room.telegram.script.append(error)
    await room.execute(draft)
    assert await room.status(draft) == [TaskStatus.FAILED]


async def test_a_group_that_forbids_writing_is_marked_and_says_so(room: SendRoom) -> None:
    chat = await group(room)
    await refused(room, chat)
    assert not await may_write(room, chat)
    assert not room.of(ChatChanged)[-1].chat.may_write


@pytest.mark.parametrize("code", ["MESSAGE_TOO_LONG", "CHAT_SEND_STICKERS_FORBIDDEN"])
async def test_another_refusal_says_nothing_about_the_group(room: SendRoom, code: str) -> None:
    chat = await group(room)
    await refused(room, chat, SendRefusedError("no", code))
    assert await may_write(room, chat)


async def test_a_partner_who_refuses_may_write_again_and_is_heard_then(room: SendRoom) -> None:
    chat = await room.chat()
    await refused(room, chat)
    assert await may_write(room, chat)


@pytest.mark.parametrize("way", ["sent", "phone"])
async def test_whatever_shows_that_writing_works_takes_the_mark_away(room: SendRoom, way: str) -> None:
    chat = await group(room)
    await refused(room, chat)
    if way == "sent":
        (draft,) = await room.plan(chat, "once more")
        await room.execute(draft)
        assert await room.status(draft) == [D]
    else:
        await room.hear(chat, room.telegram.store("I can write", out=True, peer=GROUP))
    assert await may_write(room, chat)


async def test_leaving_the_group_shows_nothing(room: SendRoom) -> None:
    chat = await group(room)
    await refused(room, chat)
    left = replace(room.telegram.store("", out=True, peer=GROUP), is_service=True)
    await room.hear(chat, left)
    assert not await may_write(room, chat)
