"""Pinned messages, and chats kept on top of the list."""

import pytest
from telethon import errors, functions, types

from tests.sandbox.clients import MARTA, NORA, client_of, round_trip, send
from tests.sandbox.company import BEN, OTTO, company, heard_message, person, raw


@pytest.mark.operation("messages.updatePinnedMessage: group", "members hear the pin and the service message about it")
@pytest.mark.operation("messages.search: pinned", "another member finds the pinned message")
async def test_a_pin_in_a_group():
    async with company() as all_:
        sent = await send(all_.nora, all_.group, "Address: Pier 3")
        inbox = raw(all_.ben)
        mine = (await all_.ben.get_messages(all_.group, limit=1))[0].id
        await all_.nora.pin_message(all_.group, sent.id, notify=True)
        heard = await inbox.next_of(types.UpdatePinnedMessages)
        assert (heard.peer.chat_id, heard.messages, heard.pinned) == (all_.chat_id, [mine], True)
        told = await heard_message(inbox)
        assert (told.action, told.reply_to.reply_to_msg_id) == (types.MessageActionPinMessage(), mine)
        found = await all_.marta.get_messages(all_.group, filter=types.InputMessagesFilterPinned(), limit=5)
        assert [one.raw_text for one in found] == ["Address: Pier 3"]
        full = await all_.ben(functions.messages.GetFullChatRequest(all_.chat_id))
        assert full.full_chat.pinned_msg_id == mine


@pytest.mark.operation("messages.updatePinnedMessage: unpin", "members hear that it is no longer pinned")
@pytest.mark.operation("messages.unpinAllMessages", "another member finds nothing pinned any more")
async def test_unpinning():
    async with company() as all_:
        ids = [(await send(all_.nora, all_.group, f"note {n}")).id for n in range(3)]
        for message_id in ids:
            await all_.nora.pin_message(all_.group, message_id)
        await round_trip(all_.ben)
        inbox = raw(all_.ben)
        await all_.nora.unpin_message(all_.group, ids[0])
        heard = await inbox.next_of(types.UpdatePinnedMessages)
        assert not heard.pinned
        (text,) = await all_.ben.get_messages(all_.group, ids=heard.messages)
        assert (text.raw_text, text.pinned) == ("note 0", False)
        await all_.nora.unpin_message(all_.group)
        assert len((await inbox.next_of(types.UpdatePinnedMessages)).messages) == 2
        assert await all_.marta.get_messages(all_.group, filter=types.InputMessagesFilterPinned(), limit=5) == []


@pytest.mark.operation("messages.updatePinnedMessage: DM, one side", "the partner does not see it pinned")
@pytest.mark.operation("messages.updatePinnedMessage: DM", "the partner hears it")
async def test_pins_in_a_direct_chat():
    async with company() as all_:
        marta, nora = await person(all_.nora, MARTA), await person(all_.marta, NORA)
        alone = await send(all_.nora, marta, "for me")
        shared = await send(all_.nora, marta, "for both")
        inbox = raw(all_.marta)
        await all_.nora(functions.messages.UpdatePinnedMessageRequest(marta, alone.id, pm_oneside=True))
        await all_.nora.pin_message(marta, shared.id)
        heard = await inbox.next_of(types.UpdatePinnedMessages)
        (pinned,) = await all_.marta.get_messages(nora, ids=heard.messages)
        assert (pinned.raw_text, pinned.pinned) == ("for both", True)
        found = await all_.marta.get_messages(nora, filter=types.InputMessagesFilterPinned(), limit=5)
        assert [one.raw_text for one in found] == ["for both"]
        own = await all_.nora.get_messages(marta, filter=types.InputMessagesFilterPinned(), limit=5)
        assert [one.raw_text for one in own] == ["for both", "for me"]


@pytest.mark.operation("members may not pin", "refused; the others see nothing pinned")
async def test_members_without_the_right_to_pin():
    async with company() as all_:
        rights = types.ChatBannedRights(None, pin_messages=True)
        await all_.nora(functions.messages.EditChatDefaultBannedRightsRequest(all_.group, rights))
        sent = await send(all_.ben, all_.group, "me first")
        with pytest.raises(errors.ChatAdminRequiredError):
            await all_.ben.pin_message(all_.group, sent.id)
        assert await all_.marta.get_messages(all_.group, filter=types.InputMessagesFilterPinned(), limit=5) == []


@pytest.mark.operation("messages.toggleDialogPin", "the other session hears it and lists the chat on top")
@pytest.mark.operation("messages.reorderPinnedDialogs", "the other session lists them in that order")
async def test_chats_on_top():
    async with company() as all_, client_of(all_.server, NORA) as phone:
        await phone.get_me()
        people = [await person(all_.nora, one) for one in (MARTA, BEN, OTTO)]
        for one in people:
            await send(all_.nora, one, "hi")
        inbox = raw(phone)
        for one in people[:2]:
            assert await all_.nora(functions.messages.ToggleDialogPinRequest(types.InputDialogPeer(one), True))
        heard = await inbox.next_of(types.UpdateDialogPinned)
        assert (heard.peer.peer.user_id, heard.pinned) == (MARTA, True)
        listed = await phone.get_dialogs()
        assert [(one.id, one.pinned) for one in listed[:3]] == [(BEN, True), (MARTA, True), (OTTO, False)]
        order = [types.InputDialogPeer(one) for one in people[:2]]
        await all_.nora(functions.messages.ReorderPinnedDialogsRequest(0, order, force=True))
        await inbox.next_of(types.UpdatePinnedDialogs)
        on_top = await phone(functions.messages.GetPinnedDialogsRequest(0))
        assert [one.peer.user_id for one in on_top.dialogs] == [MARTA, BEN]
        assert (await phone.get_dialogs(ignore_pinned=True))[0].id == OTTO
