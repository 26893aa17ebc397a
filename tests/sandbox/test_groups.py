"""Basic groups: made, joined, left; each change is told to all by a service message."""

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


@pytest.mark.operation("messages.getChats", "another member gets the same group, an outsider none")
async def test_groups_by_id_and_in_common():
    async with company() as all_:
        (chat,) = (await all_.ben(functions.messages.GetChatsRequest([all_.chat_id]))).chats
        assert chat.title == "Lake"
        with pytest.raises(errors.ChatIdInvalidError):
            await all_.otto(functions.messages.GetChatsRequest([all_.chat_id]))


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
        assert all_.world.groups.get(-all_.chat_id).people[OTTO].inviter_id == BEN
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
        await send(all_.nora, all_.group, "After")
        texts = [one.raw_text for one in await all_.ben.get_messages(all_.group, limit=3)]
        assert "Before" in texts
        assert "After" not in texts


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
        await all_.nora(functions.messages.AddChatUserRequest(all_.chat_id, ben, 0))
        assert (await heard_message(inbox)).action == types.MessageActionChatAddUser([BEN])
        assert (await send(all_.ben, all_.group, "Back")).id


async def test_a_member_can_not_kick():
    async with company() as all_:
        marta = await person(all_.ben, MARTA)
        with pytest.raises(errors.ChatAdminRequiredError):
            await all_.ben(functions.messages.DeleteChatUserRequest(all_.chat_id, marta))
        assert all_.world.groups.get(-all_.chat_id).has(MARTA)


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
