"""What is said in a group: everybody has an own copy with an own id."""

import pytest
from telethon import functions, types

from tests.sandbox.clients import MARTA, send
from tests.sandbox.company import BEN, OTTO, company, person, raw


@pytest.mark.operation("messages.sendMessage: reply in a group", "each member's copy answers the member's own copy")
async def test_replies_point_into_each_members_own_sequence():
    async with company() as all_:
        await send(all_.marta, await person(all_.marta, OTTO), "shifts Marta's ids")
        question = await send(all_.nora, all_.group, "Coffee?")
        mine = (await all_.ben.get_messages(all_.group, limit=1))[0]
        await send(all_.ben, all_.group, "Yes", reply_to=types.InputReplyToMessage(mine.id))
        (heard,) = await all_.marta.get_messages(all_.group, limit=1)
        answered = (await all_.marta.get_messages(all_.group, ids=[heard.reply_to.reply_to_msg_id]))[0]
        assert answered.raw_text == "Coffee?"
        at_noras = (await all_.nora.get_messages(all_.group, limit=1))[0]
        assert at_noras.reply_to.reply_to_msg_id == question.id != answered.id


@pytest.mark.operation("mention by @username, by id and by reply in a group", "only the meant member's copy is marked")
async def test_mentions():
    async with company() as all_:
        await send(all_.nora, all_.group, "ask @ben_vale_box about it")
        mine = (await all_.ben.get_messages(all_.group, limit=1))[0]
        assert mine.mentioned
        assert mine.entities == [types.MessageEntityMention(4, 13)]
        assert (await all_.marta.get_messages(all_.group, limit=1))[0].mentioned is False
        ben = await person(all_.nora, BEN)
        named = types.InputMessageEntityMentionName(0, 4, types.InputUser(ben.user_id, ben.access_hash))
        await send(all_.nora, all_.group, "Benny, really?", entities=[named])
        said = await send(all_.ben, all_.group, "I have a boat")
        at_martas = (await all_.marta.get_messages(all_.group, limit=1))[0]
        await send(all_.marta, all_.group, "Great", reply_to=types.InputReplyToMessage(at_martas.id))
        great, _, benny = await all_.ben.get_messages(all_.group, limit=3)
        assert (great.mentioned, benny.mentioned, great.reply_to.reply_to_msg_id) == (True, True, said.id)
        assert not any(one.mentioned for one in await all_.nora.get_messages(all_.group, limit=3))


@pytest.mark.operation("messages.deleteMessages: group, for all", "members' copies go; the update names no chat")
@pytest.mark.operation("messages.deleteMessages: group, for oneself", "the other members keep theirs")
async def test_deletes_in_a_group():
    async with company() as all_:
        kept, gone = await send(all_.ben, all_.group, "kept"), await send(all_.ben, all_.group, "gone")
        inbox = raw(all_.marta)
        at_martas = (await all_.marta.get_messages(all_.group, limit=1))[0]
        await all_.ben.delete_messages(None, [gone.id], revoke=True)
        heard = await inbox.next_of(types.UpdateDeleteMessages)
        assert heard.messages == [at_martas.id]
        await all_.ben.delete_messages(None, [kept.id], revoke=False)
        assert [one.raw_text for one in await all_.marta.get_messages(all_.group, limit=1)] == ["kept"]
        assert "kept" not in [one.raw_text for one in await all_.ben.get_messages(all_.group, limit=5)]


@pytest.mark.operation("messages.readHistory: group", "the writers' outbox marks move when the first member reads")
async def test_reading_in_a_group():
    async with company() as all_:
        await send(all_.nora, all_.group, "one")
        last = await send(all_.nora, all_.group, "two")
        theirs = await send(all_.marta, all_.group, "three")
        nora, marta = raw(all_.nora), raw(all_.marta)
        (dialog,) = [one for one in await all_.ben.get_dialogs() if one.is_group]
        assert dialog.unread_count == 4
        await all_.ben.send_read_acknowledge(all_.group)
        assert (await nora.next_of(types.UpdateReadHistoryOutbox)).max_id == last.id
        assert (await marta.next_of(types.UpdateReadHistoryOutbox)).max_id == theirs.id
        (dialog,) = [one for one in await all_.ben.get_dialogs() if one.is_group]
        assert dialog.unread_count == 0
        (dialog,) = [one for one in await all_.marta.get_dialogs() if one.is_group]
        assert dialog.unread_count == 3


@pytest.mark.operation("entities the server finds", "the partner sees the link, the hashtag and the mention marked")
async def test_links_are_found_by_the_server():
    async with company() as all_:
        answer = await send(all_.nora, all_.group, "🚤 see https://lake.example/boats, #saturday `@nobody`")
        (heard,) = await all_.marta.get_messages(all_.group, limit=1)
        kinds = [(type(one).__name__, text) for one, text in heard.get_entities_text()]
        assert kinds[:2] == [("MessageEntityUrl", "https://lake.example/boats"), ("MessageEntityHashtag", "#saturday")]
        assert answer.entities == heard.entities


async def test_pts_of_members_count_every_step_and_leave_no_gap():
    async with company() as all_:
        before = (await all_.marta(functions.updates.GetStateRequest())).pts
        inbox = raw(all_.marta)
        sent = await send(all_.nora, all_.group, "one")
        await all_.nora.edit_message(all_.group, sent.id, "two")
        await all_.nora.delete_messages(None, [sent.id])
        steps = [await inbox.next() for _ in range(3)]
        assert [step.pts for step in steps] == [before + 1, before + 2, before + 3]
        assert not all_.marta._message_box.possible_gaps
        assert MARTA in all_.world.groups.get(-all_.chat_id).member_ids
