"""What is said between two and in a group, and the way back through it."""

import pytest
from telethon import functions, types

from tests.sandbox.clients import MARTA, NORA, Inbox, client_of, marta_for, sandbox, send
from tests.sandbox.company import BEN, OTTO, company, person
from tests.support.numbered_people import numbered_people


async def test_a_reply_to_nothing_is_sent_without_one():
    async with sandbox() as server, client_of(server, NORA) as nora:
        peer = await marta_for(nora)
        await send(nora, peer, "still sent", reply_to=types.InputReplyToMessage(999))
        (message,) = await nora.get_messages(peer, limit=1)
        assert message.reply_to is None
        assert len(await server.console.mailbox(MARTA)) == 1


async def test_outer_blanks_are_dropped_and_entities_follow():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        inbox = Inbox(marta)
        await send(nora, await marta_for(nora), " \n bold \n", entities=[types.MessageEntityBold(3, 4)])
        arrived = (await inbox.next()).message
        assert (arrived.raw_text, arrived.entities) == ("bold", [types.MessageEntityBold(0, 4)])


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


@pytest.mark.operation("entities the server finds", "the partner sees the link, the hashtag and the mention marked")
async def test_links_are_found_by_the_server():
    async with company() as all_:
        answer = await send(all_.nora, all_.group, "🚤 see https://lake.example/boats, #saturday `@nobody`")
        (heard,) = await all_.marta.get_messages(all_.group, limit=1)
        kinds = [(type(one).__name__, text) for one, text in heard.get_entities_text()]
        assert kinds[:2] == [("MessageEntityUrl", "https://lake.example/boats"), ("MessageEntityHashtag", "#saturday")]
        assert answer.entities == heard.entities


async def test_history_respects_every_limit():
    async with sandbox() as server, client_of(server, NORA) as nora:
        await server.console.speak_many([(MARTA, NORA, f"line {n}") for n in range(1, 51)])
        peer = await marta_for(nora)

        async def ids(**limits):
            found = await nora.get_messages(peer, **limits)
            return [message.id for message in found]

        assert await ids(limit=3) == [50, 49, 48]
        assert await ids(limit=3, offset_id=10) == [9, 8, 7]
        assert await ids(limit=3, offset_id=10, add_offset=-2) == [11, 10, 9]
        assert await ids(limit=10, min_id=47) == [50, 49, 48]
        assert await ids(limit=2, max_id=5) == [4, 3]
        raw = await nora(functions.messages.GetHistoryRequest(peer, 0, None, 0, 2, 0, 0, 0))
        assert (raw.count, len(raw.messages)) == (50, 2)


async def test_the_chat_list_is_newest_first_and_paged():
    seed = numbered_people(accounts=1, partners=120)
    clock = iter(range(1_700_000_000, 1_800_000_000))
    async with sandbox(seed=seed, now=lambda: next(clock)) as server:
        people = [partner.user_id for partner in await server.console.partners()]
        for person in people:
            await server.console.speak(person, NORA, f"from {person}")
        async with client_of(server, NORA) as nora:
            dialogs = await nora.get_dialogs()
            assert [dialog.id for dialog in dialogs] == people[::-1]
            assert {dialog.unread_count for dialog in dialogs} == {1}
