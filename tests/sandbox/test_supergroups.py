"""What members do in a supergroup: one copy of each message, the same ids and `pts` for all, marks for each."""

import pytest
from telethon import errors, events, functions, types

from tests.sandbox.clients import NORA, Inbox, client_of, send
from tests.sandbox.company import BEN, raw
from tests.sandbox.supergroup import lake, texts


async def state_of(client, peer) -> types.Dialog:
    listed = {one.entity.id: one.dialog for one in await client.get_dialogs()}
    return listed[peer.channel_id]


@pytest.mark.operation("messages.sendMessage to a supergroup", "each member hears the same id, as another's")
async def test_everybody_sees_the_same_ids():
    async with lake() as it:
        all_ = it.all_
        inboxes = [raw(all_.ben), raw(all_.marta)]
        bold = [types.MessageEntityBold(0, 5)]
        answer = await send(all_.nora, it.nora, "Hello all", random_id=11, entities=bold)
        named, own = answer.updates
        assert (named.id, named.random_id, own.pts, own.message.out) == (2, 11, 3, True)
        for inbox in inboxes:
            heard = await inbox.next_of(types.UpdateNewChannelMessage)
            told = heard.message
            assert (told.id, heard.pts, told.message, told.out, told.from_id.user_id) == (
                2,
                3,
                "Hello all",
                False,
                NORA,
            )
            assert [type(one) for one in told.entities] == [types.MessageEntityBold]
        await send(all_.ben, it.ben, "Hello Nora", random_id=11)  # others may hit upon the same name
        pairs = ((all_.nora, it.nora), (all_.ben, it.ben), (all_.marta, it.marta))
        assert [await texts(*pair) for pair in pairs] == [[(2, "Hello all"), (3, "Hello Nora")]] * 3
        history = await all_.ben(functions.messages.GetHistoryRequest(it.ben, 0, None, 0, 10, 0, 0, 0))
        assert (type(history), history.pts, history.count) == (types.messages.ChannelMessages, 4, 3)
        (asked,) = (await all_.ben(functions.channels.GetMessagesRequest(it.ben, [types.InputMessageID(2)]))).messages
        assert (asked.message, asked.out) == ("Hello all", False)


@pytest.mark.operation("a reply and a mention in a supergroup", "who is answered or named is mentioned")
async def test_replies_and_mentions():
    async with lake() as it:
        all_ = it.all_
        inbox, bystander = raw(all_.ben), raw(all_.marta)
        first = (await send(all_.ben, it.ben, "Who is in?")).updates[0].id
        await send(all_.nora, it.nora, "Me", reply_to=types.InputReplyToMessage(first))
        await send(all_.nora, it.nora, "@ben_vale_box too")
        for _ in range(2):
            told = (await inbox.next_of(types.UpdateNewChannelMessage)).message
            assert told.mentioned
            await bystander.next_of(types.UpdateNewChannelMessage)
        assert (await bystander.next_of(types.UpdateNewChannelMessage)).message.mentioned is False
        assert (await all_.ben.get_messages(it.ben, ids=first + 1)).reply_to.reply_to_msg_id == first


@pytest.mark.operation("a reply to the group before", "each member reads the id by which they know the old message")
async def test_answering_the_past(state_dir):
    async with lake(state_dir) as it:
        all_ = it.all_
        olds = {client: (await client.get_messages(all_.group, limit=9))[-1].id for client in (all_.nora, all_.ben)}
        inbox = raw(all_.ben)
        await all_.nora.send_message("ben_vale_box", "so that ids differ")
        header = types.InputReplyToMessage(olds[all_.nora], reply_to_peer_id=all_.group)
        answer = await send(all_.nora, it.nora, "As said", reply_to=header)
        heard = (await inbox.next_of(types.UpdateNewChannelMessage)).message
        for client, message in ((all_.nora, answer.updates[1].message), (all_.ben, heard)):
            assert message.reply_to.reply_to_peer_id == types.PeerChat(all_.chat_id)
            assert message.reply_to.reply_to_msg_id == olds[client]
        stranger = types.InputReplyToMessage(1, reply_to_peer_id=await all_.nora.get_input_entity("ben_vale_box"))
        assert (await send(all_.nora, it.nora, "From elsewhere", reply_to=stranger)).updates[1].message.reply_to is None


@pytest.mark.operation("messages.editMessage in a supergroup", "a member hears the new words")
@pytest.mark.operation("channels.deleteMessages", "a member hears the ids; only admins delete what others wrote")
async def test_editing_and_deleting():
    async with lake() as it:
        all_ = it.all_
        edits = Inbox(all_.marta, events.MessageEdited())
        deletes = Inbox(all_.marta, events.MessageDeleted())
        message_id = (await send(all_.ben, it.ben, "At four")).updates[0].id
        answer = await all_.ben(functions.messages.EditMessageRequest(it.ben, message_id, message="At five"))
        assert (type(answer.updates[0]), answer.updates[0].pts) == (types.UpdateEditChannelMessage, 4)
        assert (await edits.next()).raw_text == "At five"
        with pytest.raises(errors.MessageAuthorRequiredError):
            await all_.nora.edit_message(it.nora, message_id, "Never")
        with pytest.raises(errors.MessageDeleteForbiddenError):
            await all_.marta(functions.channels.DeleteMessagesRequest(it.marta, [message_id]))
        gone = await all_.nora(functions.channels.DeleteMessagesRequest(it.nora, [message_id, 999]))
        assert (gone.pts, gone.pts_count) == (5, 1)
        assert (await deletes.next()).deleted_ids == [message_id]
        assert await texts(all_.marta, it.marta) == []
        everything = types.ChannelMessagesFilterEmpty()
        told = await all_.marta(functions.updates.GetChannelDifferenceRequest(it.marta, everything, 2, 100))
        assert [type(one).__name__ for one in told.other_updates] == [
            "UpdateDeleteChannelMessages",
            "UpdateDeleteChannelMessages",
        ]


@pytest.mark.operation("channels.readHistory", "the reader's other session and the writers hear how far")
async def test_read_marks():
    async with lake() as it, client_of(it.all_.server, BEN) as phone:
        all_ = it.all_
        await phone.get_dialogs()
        writer, own = raw(all_.nora), raw(phone)
        ids = [(await send(all_.nora, it.nora, f"line {n}")).updates[0].id for n in range(3)]
        assert (await state_of(all_.ben, it.ben)).unread_count == 4
        assert await all_.ben(functions.channels.ReadHistoryRequest(it.ben, ids[1]))
        read = await own.next_of(types.UpdateReadChannelInbox)
        assert (read.channel_id, read.max_id, read.still_unread_count) == (it.channel_id, ids[1], 1)
        told = await writer.next_of(types.UpdateReadChannelOutbox)
        assert (told.channel_id, told.max_id) == (it.channel_id, ids[1])
        assert (await state_of(all_.ben, it.ben)).unread_count == 1
        assert (await state_of(all_.nora, it.nora)).read_outbox_max_id == ids[1]
        assert (await state_of(all_.marta, it.marta)).unread_count == 4
        with pytest.raises(errors.PeerIdInvalidError):
            await all_.ben(functions.messages.ReadHistoryRequest(it.ben, 0))


@pytest.mark.operation("made to leave a supergroup", "they see a forbidden chat; the others hear it")
async def test_being_made_to_leave():
    async with lake() as it:
        all_ = it.all_
        inbox, member = raw(all_.ben), raw(all_.marta)
        all_.world.groups.remove(all_.world.groups.get(it.peer_id), NORA, BEN)
        all_.server._around.hub.settle()
        heard = await inbox.next_of(types.UpdateChannel)
        assert isinstance(heard._entities[it.peer_id], types.ChannelForbidden)
        for request in (
            functions.messages.SendMessageRequest(it.ben, "Let me in", random_id=1),
            functions.messages.GetHistoryRequest(it.ben, 0, None, 0, 10, 0, 0, 0),
            functions.channels.GetMessagesRequest(it.ben, [types.InputMessageID(1)]),
        ):
            with pytest.raises(errors.ChannelPrivateError):
                await all_.ben(request)
        said = (await member.next_of(types.UpdateNewChannelMessage)).message
        assert said.action == types.MessageActionChatDeleteUser(BEN)
