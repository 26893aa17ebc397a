"""The client's own comforts on top of the calls: conversations, shown actions, events."""

import asyncio

import pytest
from telethon import events

from tests.sandbox.clients import MARTA, NORA, PATIENCE_S, Inbox, round_trip
from tests.sandbox.company import company, person


async def newest(client, peer):
    return (await client.get_messages(peer, limit=1))[0]


@pytest.mark.operation("TelegramClient.conversation", "the partner answers, replies, edits and reads in turn")
async def test_a_conversation():
    async with company() as all_:
        marta, nora = await person(all_.nora, MARTA), await person(all_.marta, NORA)
        async with all_.nora.conversation(marta, timeout=PATIENCE_S) as talk:
            asked = await talk.send_message("What is your boat called?")
            question = await newest(all_.marta, nora)
            await question.reply("Plum")
            assert (await talk.get_reply(asked)).raw_text == "Plum"
            await question.mark_read()
            await talk.wait_read(asked)
            await all_.marta.send_message(nora, "Or was it Pear?")
            assert (await talk.get_response()).raw_text == "Or was it Pear?"
            await (await newest(all_.marta, nora)).edit("No, Plum.")
            assert (await talk.get_edit()).raw_text == "No, Plum."


@pytest.mark.operation("TelegramClient.action", "the partner sees it begin and end")
async def test_a_shown_action():
    async with company() as all_:
        inbox = Inbox(all_.marta, events.UserUpdate())
        async with all_.nora.action(await person(all_.nora, MARTA), "record-audio"):
            while not (seen := await inbox.next()).recording:
                pass
            assert (seen.user_id, bool(seen.audio)) == (NORA, True)
        while not (await inbox.next()).cancel:
            pass


@pytest.mark.operation("events: deleted, edited, read", "the other client's handlers hear each")
async def test_events_of_the_other_side():
    async with company() as all_:
        marta, nora = await person(all_.nora, MARTA), await person(all_.marta, NORA)
        edited, deleted = Inbox(all_.marta, events.MessageEdited()), Inbox(all_.marta, events.MessageDeleted())
        read = Inbox(all_.nora, events.MessageRead())
        sent = await all_.nora.send_message(marta, "Tea?")
        theirs = await newest(all_.marta, nora)
        await all_.marta.send_read_acknowledge(nora, theirs)
        assert (await read.next()).is_read(sent)
        await sent.edit("Coffee?")
        assert (await edited.next()).raw_text == "Coffee?"
        await sent.delete()
        assert (await deleted.next()).deleted_ids == [theirs.id]


@pytest.mark.operation("three members of a group write at once", "each hears every word of the others once")
async def test_many_write_at_the_same_time():
    async with company() as all_:
        people = (all_.nora, all_.ben, all_.marta)
        inboxes = [Inbox(client) for client in people]

        async def talk(number: int) -> None:
            for line in range(20):
                await people[number].send_message(all_.group, f"{number} {line}")

        await asyncio.gather(*(talk(number) for number in range(len(people))))
        for number, (client, inbox) in enumerate(zip(people, inboxes, strict=True)):
            await round_trip(client)
            heard = [(await inbox.next()).raw_text for _ in range(40)]
            others = {f"{other} {line}" for other in range(3) if other != number for line in range(20)}
            assert (set(heard), inbox.is_empty()) == (others, True)
