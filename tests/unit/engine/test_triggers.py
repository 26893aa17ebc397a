"""Who triggers a plan, and what is still unanswered."""

from __future__ import annotations

from typing import Any

import pytest

from chimein_gui.domain.chats import TriggerMode, TrustLevel
from chimein_gui.domain.ids import PeerId
from chimein_gui.domain.messages import SERVICE_NOTIFICATIONS
from chimein_gui.engine.triggers.triggers import unanswered
from tests.support.ingest_room import ACCOUNT, CHANNEL, DM, GROUP, MARTA, PAUL, ROBO, SISTER, IngestRoom


async def triggers(room: IngestRoom, text: str = "Nora?", **fields: Any) -> bool:
    """Let somebody write, and tell whether that is planned for."""
    peer = fields.get("peer", DM)
    assert isinstance(peer, int)
    message = await room.says(text, **fields)
    return int(message.key.message_id) in await room.asked(PeerId(peer))


async def test_every_message_of_a_partner_triggers_in_a_dm(room: IngestRoom) -> None:
    assert await triggers(room, "hello")
    assert await triggers(room, "", media_kind="photo")
    assert room.triggered == [(await room.chat()).chat_id] * 2


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("Telegram's service account", {"peer": PeerId(SERVICE_NOTIFICATIONS), "by": SERVICE_NOTIFICATIONS}),
        ("Saved Messages", {"peer": PeerId(ACCOUNT), "by": MARTA}),
        ("a service message", {"is_service": True}),
        ("a bot", {"by": ROBO, "is_bot": True}),
        ("an anonymous admin", {"peer": GROUP, "by": None}),
        ("a channel's post", {"peer": CHANNEL, "by": None}),
        ("a person in a channel", {"peer": CHANNEL, "by": PAUL}),
        ("another agent of ours", {"peer": GROUP, "by": SISTER}),
    ],
)
async def test_never_triggers(room: IngestRoom, name: str, fields: dict[str, Any]) -> None:
    assert not await triggers(room, **fields), name
    assert room.due == []
    assert room.triggered == []


async def test_nothing_triggers_where_writing_is_forbidden(room: IngestRoom) -> None:
    chat = await room.chat(GROUP)
    await room.do(lambda tx: tx.chats.set_may_write(chat.chat_id, may_write=False))
    assert not await triggers(room, peer=GROUP)
    await room.do(lambda tx: tx.chats.set_may_write(chat.chat_id, may_write=True))
    assert await triggers(room, peer=GROUP)


async def test_a_chat_that_is_off_is_stored_only(room: IngestRoom) -> None:
    await room.trust(TrustLevel.OFF)
    assert not await triggers(room)
    assert (await room.chat()).last_text == "Nora?"


async def test_bots_and_agents_trigger_where_the_operator_allows_it(room: IngestRoom) -> None:
    await room.settings(GROUP, allow_bots=True)
    assert await triggers(room, peer=GROUP, by=ROBO, is_bot=True)
    assert not await triggers(room, peer=GROUP, by=SISTER)
    await room.settings(GROUP, allow_agents=True)
    assert await triggers(room, peer=GROUP, by=SISTER)


async def test_a_group_can_be_switched_to_every_message_or_to_none(room: IngestRoom) -> None:
    await room.settings(GROUP, triggers=TriggerMode.EVERY)
    assert await triggers(room, "lovely weather", peer=GROUP)
    await room.settings(GROUP, triggers=TriggerMode.NEVER)
    assert not await triggers(room, "Nora?", peer=GROUP)
    await room.settings(DM, triggers=TriggerMode.NEVER)
    assert not await triggers(room, "hello")
    await room.settings(DM, triggers=TriggerMode.CALLOUTS)
    assert await triggers(room, "a DM has no callouts")


async def test_edits_never_trigger(room: IngestRoom) -> None:
    weather = await room.says("lovely weather", peer=GROUP, by=PAUL)
    room.clock.advance(5)
    await room.edits(weather, "Nora, lovely weather")
    assert await room.asked(GROUP) == ()
    call = await room.says("Nora?", peer=GROUP)
    assert await room.asked(GROUP) == (call.key.message_id,)


async def test_a_callout_stays_one_whatever_is_edited_or_written_after_it(room: IngestRoom) -> None:
    call = await room.says("Nora?", peer=GROUP, by=PAUL)
    room.clock.advance(5)
    await room.edits(call, "never mind")
    for _ in range(3):
        await room.says("chatter", peer=GROUP)
    again = await room.says("Nora!", peer=GROUP)
    assert await room.asked(GROUP) == (call.key.message_id, again.key.message_id)


async def test_a_deleted_trigger_is_none(room: IngestRoom) -> None:
    first, second = await room.says("one"), await room.says("two")
    await room.deletes(first)
    await room.says("three")
    assert await room.asked() == (second.key.message_id, second.key.message_id + 1)


async def test_what_a_failed_plan_was_made_for_is_still_unanswered(room: IngestRoom) -> None:
    """Superseded and failed plans answer nothing; what was sent, rejected or written by hand does."""
    first = await room.says("one")
    await room.draft(first)
    second = await room.says("two")
    chat = await room.chat()
    assert await room.do(lambda tx: unanswered(tx, chat)) == (first.key.message_id, second.key.message_id)
    await room.do(lambda tx: tx.chats.set_planned_up_to(chat.chat_id, first.key.message_id))
    chat = await room.chat()
    assert await room.do(lambda tx: unanswered(tx, chat)) == (second.key.message_id,)


async def test_a_plan_names_the_newest_fifty(room: IngestRoom) -> None:
    for _ in range(60):
        last = await room.says("on and on")
    asked = await room.asked()
    assert len(asked) == 50
    assert asked[-1] == last.key.message_id
