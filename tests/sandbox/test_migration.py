"""A basic group becomes a supergroup: what everybody is told, and what becomes of the old chat."""

import pytest
from telethon import errors, functions, types, utils

from tests.sandbox.clients import MARTA, NORA, Inbox, client_of, kept_session, send, telethon_client
from tests.sandbox.company import BEN, OTTO, Company, company, raw
from tests.sandbox.supergroup import migrated


@pytest.mark.operation("messages.migrateChat", "both service messages and both chats reach a member's client")
async def test_what_a_member_hears():
    async with company() as all_:
        inbox = raw(all_.ben)
        peer_id = await migrated(all_)
        channel_id = utils.resolve_id(peer_id)[0]
        heard = {}
        while not inbox.is_empty():
            update = await inbox.next()
            heard[type(update)] = update
        assert heard[types.UpdateChannel].channel_id == channel_id
        told, begun = heard[types.UpdateNewMessage].message, heard[types.UpdateNewChannelMessage]
        assert told.action == types.MessageActionChatMigrateTo(channel_id)
        assert (told.peer_id, told.from_id.user_id) == (types.PeerChat(all_.chat_id), NORA)
        assert (begun.pts, begun.pts_count, begun.message.id) == (2, 1, 1)
        assert begun.message.action == types.MessageActionChannelMigrateFrom("Lake", all_.chat_id)
        assert (begun.message.peer_id, begun.message.from_id.user_id) == (types.PeerChannel(channel_id), NORA)
        chats = {utils.get_peer_id(one): one for one in begun._entities.values() if not isinstance(one, types.User)}
        old, new = chats[-all_.chat_id], chats[peer_id]
        assert (old.deactivated, old.migrated_to) == (True, types.InputChannel(channel_id, new.access_hash))
        assert (new.title, new.megagroup, new.creator, new.participants_count) == ("Lake", True, False, 3)


@pytest.mark.operation("messages.migrateChat: the past", "a member still reads the group, and nobody writes in it")
async def test_the_old_group():
    async with company() as all_:
        sent = await send(all_.nora, all_.group, "Before")
        await migrated(all_)
        bens = await all_.ben.get_messages(all_.group, limit=9)
        assert [one.raw_text for one in bens] == [None, "Before", None]
        requests = (
            functions.messages.SendMessageRequest(all_.group, "After", random_id=1),
            functions.messages.EditMessageRequest(all_.group, sent.id, message="After"),
            functions.messages.SetTypingRequest(all_.group, types.SendMessageTypingAction()),
            functions.messages.MigrateChatRequest(all_.chat_id),
        )
        for request in requests:
            with pytest.raises(errors.ChatIdInvalidError):
                await all_.nora(request)


@pytest.mark.operation("channels.getFullChannel", "another member sees what it was before, and up to which message")
@pytest.mark.operation("channels.getChannels", "another member gets it, an outsider none")
async def test_what_it_is():
    async with company() as all_:
        peer = await all_.marta.get_input_entity(await migrated(all_))
        last = (await all_.marta.get_messages(all_.group, limit=1))[0].id
        full = (await all_.marta(functions.channels.GetFullChannelRequest(peer))).full_chat
        assert (full.migrated_from_chat_id, full.migrated_from_max_id, full.pts) == (all_.chat_id, last, 2)
        (chat,) = (await all_.marta(functions.channels.GetChannelsRequest([peer]))).chats
        assert (chat.title, chat.left) == ("Lake", False)
        with pytest.raises(errors.ChannelInvalidError):
            await all_.otto(functions.channels.GetChannelsRequest([peer]))


async def _away(all_: Company, path):
    """Let Ben's second device get to know the world, and go."""
    async with client_of(all_.server, BEN, session=kept_session(path)) as phone:
        await phone.get_dialogs()


def _back(all_: Company, path):
    return telethon_client(all_.server.addresses.telegram_port, all_.server.auth_key_for(BEN), kept_session(path))


@pytest.mark.operation("updates.getDifference: a migration", "who was away hears both messages and what came after")
async def test_away_during_the_migration(tmp_path):
    async with company() as all_:
        await _away(all_, tmp_path / "ben")
        await send(all_.nora, all_.group, "Last in the group")
        peer_id = await migrated(all_)
        peer = await all_.nora.get_input_entity(peer_id)
        for number in range(3):
            await send(all_.nora, peer, f"First in the supergroup {number}")
        client = _back(all_, tmp_path / "ben")
        inbox = Inbox(client)
        actions = raw(client)
        await client.connect()
        heard = {(await inbox.next()).raw_text for _ in range(4)}
        assert heard == {"Last in the group", *(f"First in the supergroup {number}" for number in range(3))}
        kinds: set[type] = set()
        while len(kinds) < 2:
            update = await actions.next()
            action = getattr(getattr(update, "message", None), "action", None)
            kinds |= {type(action)} - {type(None)}
        assert kinds == {types.MessageActionChatMigrateTo, types.MessageActionChannelMigrateFrom}
        await send(all_.nora, peer, "Live")
        assert (await inbox.next()).raw_text == "Live"
        assert inbox.is_empty()
        await client.disconnect()


@pytest.mark.operation("updates.getChannelDifference: log forgotten", "how the chat stands, and history has the rest")
async def test_a_forgotten_log():
    async with company() as all_:
        peer_id = await migrated(all_)
        await all_.server.console.speak_many([(MARTA, peer_id, f"line {n}") for n in range(5)])
        all_.world.forget_log(peer_id)
        all_.server._around.hub.settle()
        peer = await all_.ben.get_input_entity(peer_id)
        everything = types.ChannelMessagesFilterEmpty()
        told = await all_.ben(functions.updates.GetChannelDifferenceRequest(peer, everything, 2, 100))
        assert isinstance(told, types.updates.ChannelDifferenceTooLong)
        assert (told.dialog.pts, told.dialog.top_message, told.messages[0].message) == (7, 6, "line 4")
        told = await all_.ben(functions.updates.GetChannelDifferenceRequest(peer, everything, 7, 100))
        assert told == types.updates.ChannelDifferenceEmpty(7, final=True)
        for pts in (-1, 8):
            with pytest.raises(errors.PersistentTimestampInvalidError):
                await all_.ben(functions.updates.GetChannelDifferenceRequest(peer, everything, pts, 100))
        assert len(await all_.ben.get_messages(peer, limit=9)) == 6


@pytest.mark.operation("restart: a supergroup", "members, ids, pts, marks, mentions and refusals are the same")
async def test_it_outlives_the_server(state_dir, expected_logs):
    expected_logs(r"WARNING telethon.*RandomIdDuplicateError")
    async with company(state_dir) as all_:
        chat_id = all_.chat_id
        before = await send(all_.ben, all_.group, "Before")
        peer_id = await migrated(all_)
        nora, ben = [await client.get_input_entity(peer_id) for client in (all_.nora, all_.ben)]
        await send(all_.nora, nora, "@ben_vale_box look", random_id=77)
        old = types.InputReplyToMessage(before.id, reply_to_peer_id=all_.group)
        await send(all_.ben, ben, "To the old one", reply_to=old)
        await all_.nora.send_read_acknowledge(nora, max_id=3)
        history = [str(one) for one in await all_.ben.get_messages(ben, limit=9)]
        dialogs = [str(one.dialog) for one in await all_.ben.get_dialogs()]
        full = str((await all_.nora(functions.channels.GetFullChannelRequest(nora))).full_chat)
    async with company(state_dir, chat_id=chat_id) as all_:
        await all_.ben.get_dialogs()
        await all_.nora.get_dialogs()
        assert [str(one) for one in await all_.ben.get_messages(ben, limit=9)] == history
        assert [str(one.dialog) for one in await all_.ben.get_dialogs()] == dialogs
        assert str((await all_.nora(functions.channels.GetFullChannelRequest(nora))).full_chat) == full
        with pytest.raises(errors.RandomIdDuplicateError):
            await send(all_.nora, nora, "@ben_vale_box look", random_id=77)
        with pytest.raises(errors.ChatIdInvalidError):
            await send(all_.nora, all_.group, "After")
        await send(all_.nora, nora, "Next")
        assert (await all_.ben.get_messages(ben, limit=1))[0].id == 4
        assert all_.world.groups.present(-chat_id) == peer_id
        assert OTTO not in all_.world.groups.get(peer_id).people
