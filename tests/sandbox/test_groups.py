"""Basic groups: made, renamed, joined, left; each change is told to all by a service message."""

import pytest
from telethon import errors, functions, types

from tests.sandbox.clients import MARTA, NORA, client_of, send
from tests.sandbox.company import BEN, OTTO, company, heard_message, made_group, person, raw


@pytest.mark.operation("messages.createChat", "a member's client hears the service message and the group")
async def test_making_a_group():
    async with company() as all_:
        inbox = raw(all_.ben)
        people = [await person(all_.nora, one) for one in (BEN, MARTA)]
        answer = await all_.nora(functions.messages.CreateChatRequest(people, "  Kitchen  "))
        assert answer.missing_invitees == []
        (chat,) = answer.updates.chats
        assert (chat.title, chat.participants_count, chat.creator) == ("Kitchen", 3, True)
        heard = await heard_message(inbox)
        assert heard.action == types.MessageActionChatCreate("Kitchen", [NORA, BEN, MARTA])
        assert (heard.from_id.user_id, heard.peer_id.chat_id, heard.out) == (NORA, chat.id, False)
        entity = await all_.ben.get_entity(types.PeerChat(chat.id))
        assert (entity.title, entity.creator) == ("Kitchen", False)


@pytest.mark.operation("messages.getFullChat", "another member sees who is in it, who made it and what it is about")
@pytest.mark.operation("messages.editChatAbout", "another member reads it in the full chat")
async def test_what_a_group_is():
    async with company() as all_:
        await all_.nora(functions.messages.EditChatAboutRequest(all_.group, "Boats and cake"))
        answer = await all_.marta(functions.messages.GetFullChatRequest(all_.chat_id))
        assert answer.full_chat.about == "Boats and cake"
        people = {one.user_id: type(one).__name__ for one in answer.full_chat.participants.participants}
        assert people == {NORA: "ChatParticipantCreator", BEN: "ChatParticipant", MARTA: "ChatParticipant"}
        assert {user.id for user in answer.users} == {NORA, BEN, MARTA}
        with pytest.raises(errors.ChatIdInvalidError):
            await all_.otto(functions.messages.GetFullChatRequest(all_.chat_id))


@pytest.mark.operation("messages.getChats", "another member gets the same group, an outsider none")
@pytest.mark.operation("messages.getCommonChats", "two members see the group they share")
async def test_groups_by_id_and_in_common():
    async with company() as all_:
        (chat,) = (await all_.ben(functions.messages.GetChatsRequest([all_.chat_id]))).chats
        assert chat.title == "Lake"
        with pytest.raises(errors.ChatIdInvalidError):
            await all_.otto(functions.messages.GetChatsRequest([all_.chat_id]))
        marta = await person(all_.ben, MARTA)
        common = await all_.ben(functions.messages.GetCommonChatsRequest(marta, 0, 100))
        assert [one.id for one in common.chats] == [all_.chat_id]
        otto = await person(all_.ben, OTTO)
        assert (await all_.ben(functions.messages.GetCommonChatsRequest(otto, 0, 100))).chats == []
        full = await all_.ben(functions.users.GetFullUserRequest(marta))
        assert full.full_user.common_chats_count == 1


@pytest.mark.operation("messages.editChatTitle", "a member hears the service message and sees the new name")
async def test_renaming_a_group():
    async with company() as all_:
        inbox = raw(all_.marta)
        await all_.ben(functions.messages.EditChatTitleRequest(all_.chat_id, "Lake and beyond"))
        heard = await heard_message(inbox)
        assert heard.action == types.MessageActionChatEditTitle("Lake and beyond")
        assert (await all_.marta.get_dialogs())[0].name == "Lake and beyond"
        with pytest.raises(errors.ChatNotModifiedError):
            await all_.ben(functions.messages.EditChatTitleRequest(all_.chat_id, "Lake and beyond"))
        with pytest.raises(errors.ChatTitleEmptyError):
            await all_.ben(functions.messages.EditChatTitleRequest(all_.chat_id, "   "))


@pytest.mark.operation("messages.addChatUser", "the new member hears it and can write; the others see the new member")
async def test_adding_somebody():
    async with company() as all_:
        newcomer, member = raw(all_.otto), raw(all_.marta)
        otto = await person(all_.ben, OTTO)
        await all_.ben(functions.messages.AddChatUserRequest(all_.chat_id, otto, 0))
        for inbox in (newcomer, member):
            assert (await heard_message(inbox)).action == types.MessageActionChatAddUser([OTTO])
        await send(all_.otto, all_.group, "Thanks for having me")
        assert (await heard_message(member)).message == "Thanks for having me"
        full = await all_.marta(functions.messages.GetFullChatRequest(all_.chat_id))
        added = next(one for one in full.full_chat.participants.participants if one.user_id == OTTO)
        assert added.inviter_id == BEN
        with pytest.raises(errors.UserAlreadyParticipantError):
            await all_.ben(functions.messages.AddChatUserRequest(all_.chat_id, otto, 0))


@pytest.mark.operation("messages.deleteChatUser: leave", "the others hear it; who left can't write but keeps the past")
async def test_leaving():
    async with company() as all_:
        inbox = raw(all_.nora)
        await send(all_.nora, all_.group, "Before")
        await all_.ben(functions.messages.DeleteChatUserRequest(all_.chat_id, types.InputUserSelf()))
        heard = await heard_message(inbox)
        assert heard.action == types.MessageActionChatDeleteUser(BEN)
        assert heard.from_id.user_id == BEN
        with pytest.raises(errors.ChatWriteForbiddenError):
            await send(all_.ben, all_.group, "Still me")
        dialog = next(one for one in await all_.ben.get_dialogs() if one.is_group)
        assert dialog.entity.left is True
        assert [one.raw_text for one in await all_.ben.get_messages(all_.group, search="Before", limit=3)] == ["Before"]
        await send(all_.nora, all_.group, "After")
        assert await all_.ben.get_messages(all_.group, search="After", limit=3) == []


@pytest.mark.operation("messages.deleteChatUser: kick", "the kicked one hears it, sees a forbidden chat, is refused")
async def test_being_kicked_and_coming_back():
    async with company() as all_:
        inbox = raw(all_.ben)
        ben = await person(all_.nora, BEN)
        await all_.nora(functions.messages.DeleteChatUserRequest(all_.chat_id, ben))
        assert (await heard_message(inbox)).action == types.MessageActionChatDeleteUser(BEN)
        dialog = next(one for one in await all_.ben.get_dialogs() if one.is_group)
        assert isinstance(dialog.entity, types.ChatForbidden)
        with pytest.raises(errors.ChatWriteForbiddenError):
            await send(all_.ben, all_.group, "Let me in")
        full = await all_.ben(functions.messages.GetFullChatRequest(all_.chat_id))
        assert isinstance(full.full_chat.participants, types.ChatParticipantsForbidden)
        await all_.nora(functions.messages.AddChatUserRequest(all_.chat_id, ben, 0))
        assert (await heard_message(inbox)).action == types.MessageActionChatAddUser([BEN])
        assert (await send(all_.ben, all_.group, "Back")).id


async def test_a_member_can_not_kick():
    async with company() as all_:
        marta = await person(all_.ben, MARTA)
        with pytest.raises(errors.ChatAdminRequiredError):
            await all_.ben(functions.messages.DeleteChatUserRequest(all_.chat_id, marta))
        assert all_.world.groups.get(-all_.chat_id).has(MARTA)


@pytest.mark.operation("messages.editChatAdmin", "the member hears it and may now make others leave")
async def test_making_an_admin():
    async with company() as all_:
        inbox = raw(all_.ben)
        ben, marta = await person(all_.nora, BEN), await person(all_.ben, MARTA)
        assert await all_.nora(functions.messages.EditChatAdminRequest(all_.chat_id, ben, True))
        heard = await inbox.next_of(types.UpdateChatParticipantAdmin)
        assert (heard.user_id, heard.is_admin) == (BEN, True)
        await all_.ben(functions.messages.DeleteChatUserRequest(all_.chat_id, marta))
        assert not all_.world.groups.get(-all_.chat_id).has(MARTA)
        with pytest.raises(errors.ChatAdminRequiredError):
            await all_.ben(functions.messages.EditChatAdminRequest(all_.chat_id, marta, True))


async def test_an_outsider_can_not_address_a_group():
    async with company() as all_:
        for request in (
            functions.messages.GetHistoryRequest(all_.group, 0, None, 0, 10, 0, 0, 0),
            functions.messages.SendMessageRequest(all_.group, "hello", random_id=1),
        ):
            with pytest.raises(errors.PeerIdInvalidError):
                await all_.otto(request)


async def test_groups_and_direct_chats_share_one_sequence_of_ids():
    async with company() as all_:
        first = await send(all_.nora, all_.group, "one")
        second = await send(all_.nora, await person(all_.nora, MARTA), "two")
        assert second.id == first.id + 1
        other = await made_group(all_.nora, "Second", (BEN,))
        assert other == all_.chat_id + 1


async def test_a_client_that_was_away_is_told_of_the_group():
    async with company() as all_:
        before = await all_.ben(functions.updates.GetStateRequest())
        await send(all_.nora, all_.group, "While you slept")
        async with client_of(all_.server, BEN) as phone:
            told = await phone(functions.updates.GetDifferenceRequest(before.pts, before.date, 0))
        assert [one.message for one in told.new_messages] == ["While you slept"]
        assert [one.id for one in told.chats] == [all_.chat_id]
        assert {user.id for user in told.users} == {NORA, BEN}
