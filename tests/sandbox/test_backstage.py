"""What partners do besides speaking, for long runs in another process."""

import pytest
from telethon import events

from tests.sandbox.clients import MARTA, NORA, Inbox, client_of, marta_for, sandbox, send
from tests.support.house import House


@pytest.mark.operation("a partner edits and deletes a message", "the account's client hears the edit and the delete")
async def test_a_partner_edits_deletes_and_types():
    async with sandbox() as server, client_of(server, NORA) as nora:
        house, inbox = House(server), Inbox(nora)
        edits, deletes = Inbox(nora, events.MessageEdited()), Inbox(nora, events.MessageDeleted())
        typing = Inbox(nora, events.UserUpdate())
        message_id = await server.console.speak(MARTA, NORA, "at four")
        arrived = await inbox.next()
        await house.partner_edit(MARTA, message_id, "at five")
        assert (await edits.next()).raw_text == "at five"
        await house.partner_type(MARTA, NORA)
        assert (await typing.next()).typing
        await house.partner_delete(MARTA, [message_id])
        assert (await deletes.next()).deleted_ids == [arrived.id]
        assert (await nora.get_messages(await marta_for(nora), limit=5)) == []


@pytest.mark.operation("a partner reads what an account has written", "the account's client hears the read mark")
async def test_a_partner_reads():
    async with sandbox() as server, client_of(server, NORA) as nora:
        house, reads = House(server), Inbox(nora, events.MessageRead())
        await send(nora, await marta_for(nora), "have you seen it?", 5)
        await house.partner_read(MARTA, NORA)
        assert (await reads.next()).outbox
        shown = await house.box(NORA)
        [message] = shown["messages"]
        assert (message["text"], message["outgoing"], message["peer_id"]) == ("have you seen it?", True, MARTA)
        assert shown["sent"] == [[5, message["message_id"]]]
        [copy] = (await house.box(MARTA))["messages"]
        assert copy["uid"] == message["uid"]
