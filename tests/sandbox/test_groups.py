"""Basic groups: made, joined, left; each change is told to all by a service message."""

import pytest
from telethon import errors, functions, types

from tests.sandbox.clients import MARTA, NORA, send
from tests.sandbox.company import BEN, company, heard_message, person, raw


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


async def test_an_outsider_can_not_address_a_group():
    async with company() as all_:
        for request in (
            functions.messages.GetHistoryRequest(all_.group, 0, None, 0, 10, 0, 0, 0),
            functions.messages.SendMessageRequest(all_.group, "hello", random_id=1),
        ):
            with pytest.raises(errors.PeerIdInvalidError):
                await all_.otto(request)
