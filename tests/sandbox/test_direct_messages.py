"""DMs through the unmodified TelegramClient, each looked at from the other side too."""

from telethon import events, functions, types

from tests.sandbox.clients import MARTA, NORA, Inbox, client_of, marta_for, sandbox, send


async def test_a_reply_names_the_message_in_each_sides_own_sequence():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        inbox = Inbox(marta, events.NewMessage(incoming=True))
        await send(marta, "me", "shifts Marta's sequence")
        await server.console.speak(MARTA, NORA, "question")
        peer = await marta_for(nora)
        (question,) = await nora.get_messages(peer, limit=1)
        await send(nora, peer, "answer", reply_to=types.InputReplyToMessage(question.id))
        arrived = await inbox.next()
        original = await arrived.get_reply_message()
        assert (arrived.raw_text, original.raw_text) == ("answer", "question")
        assert original.id == question.id + 1
        (own,) = await nora.get_messages(peer, limit=1)
        assert own.reply_to.reply_to_msg_id == question.id


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


async def test_own_sends_and_pushes_leave_no_gap_in_pts():
    async with sandbox() as server, client_of(server, NORA) as nora:
        inbox = Inbox(nora)
        peer = await marta_for(nora)
        for number in range(20):
            await send(nora, peer, f"out {number}")
            await server.console.speak(MARTA, NORA, f"in {number}")
            assert (await inbox.next()).raw_text == f"in {number}"
        state = await nora(functions.updates.GetStateRequest())
        known, _ = nora._message_box.session_state()
        assert known["pts"] == state.pts
        assert not nora._message_box.possible_gaps


async def test_reading_up_to_a_message_leaves_the_rest_unread_and_tells_other_devices():
    async with sandbox() as server, client_of(server, NORA) as desk, client_of(server, NORA) as phone:
        for text in ("one", "two", "three"):
            await server.console.speak(MARTA, NORA, text)
        heard = Inbox(phone, events.Raw)
        await desk.send_read_acknowledge(await marta_for(desk), max_id=2)
        update = await heard.next_of(types.UpdateReadHistoryInbox)
        assert (update.max_id, update.still_unread_count) == (2, 1)
        again = await desk(functions.messages.ReadHistoryRequest(await marta_for(desk), 2))
        assert again.pts_count == 0


async def test_saved_messages_are_one_copy():
    async with sandbox() as server, client_of(server, NORA) as nora:
        await send(nora, "me", "note to myself")
        messages = await nora.get_messages("me", limit=5)
        assert [message.raw_text for message in messages] == ["note to myself"]
        assert await server.console.mailbox(MARTA) == ()
