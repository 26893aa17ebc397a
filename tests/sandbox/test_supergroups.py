"""What members do in a supergroup: one copy of each message, the same ids and `pts` for all; and how it came about."""

import pytest
from telethon import errors, functions, types

from tests.sandbox.clients import NORA, send
from tests.sandbox.company import BEN, OTTO, company, raw
from tests.sandbox.stage_time import theatre
from tests.sandbox.supergroup import lake, migrated, texts


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


SCENE = """title: T
summary: S
cast:
  ben: Ben Vale
  marta: Marta Oliveira
  lake: Lake
lines:
  - {after: 10s, who: marta, to: lake, say: Before, label: it}
  - {after: 100s, who: marta, to: lake, say: After, reply_to: it}
  - {who: marta, to: lake, types: 3s}
  - wait_for: ben
    to: lake
    up_to: 600s
    then:
      - {who: marta, to: lake, say: Thank you}
"""


@pytest.mark.operation("a scene in a group that migrates", "its lines go on in the supergroup, answers too")
async def test_a_scene_goes_on(tmp_path):
    (tmp_path / "moving.yaml").write_text(SCENE, encoding="utf-8")
    async with company() as all_:
        stage = theatre(all_.server, tmp_path)
        stage.runner.start("moving")
        stage.clock.advance(50)
        peer_id = await migrated(all_)
        peer = await all_.ben.get_input_entity(peer_id)
        stage.clock.advance(150)
        said = await all_.ben.get_messages(peer, ids=2)
        assert (said.message, said.reply_to.reply_to_peer_id) == ("After", types.PeerChat(all_.chat_id))
        await send(all_.ben, peer, "Here now")
        stage.clock.advance(100)
        assert [text for _, text in await texts(all_.ben, peer)] == ["After", "Here now", "Thank you"]
        progress = stage.runner.progress()
        assert progress is not None
        assert (progress.finished, progress.problem) == (True, None)
