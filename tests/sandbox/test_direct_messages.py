"""DMs through the unmodified TelegramClient, each looked at from the other side too (SPEC §11)."""

from telethon import events, functions, types

from tests.sandbox.clients import MARTA, NORA, Inbox, client_of, marta_for, nora_for, round_trip, sandbox, send


async def test_a_preseeded_key_is_logged_in_without_handshake():
    async with sandbox() as server, client_of(server, NORA) as nora:
        assert await nora.is_user_authorized()
        me = await nora.get_me()
        assert (me.id, me.first_name, me.last_name, me.phone) == (NORA, "Nora", "Vale", "9996621001")
        assert me.id > 2**32


async def test_what_a_partner_says_arrives_at_once():
    async with sandbox() as server, client_of(server, NORA) as nora:
        inbox = Inbox(nora)
        partner_copy = await server.console.speak(MARTA, NORA, "Are you there? 🌿")
        event = await inbox.next()
        assert (event.raw_text, event.sender_id, event.chat_id) == ("Are you there? 🌿", MARTA, MARTA)
        assert event.is_private
        assert not event.out
        assert (await event.get_sender()).first_name == "Marta"
        assert partner_copy == 1


async def test_what_the_account_sends_is_in_the_partners_mailbox_once():
    async with sandbox() as server, client_of(server, NORA) as nora:
        result = await send(nora, await marta_for(nora), "Exactly this — text.", 4711)
        assert result.out
        (delivery,) = await server.console.mailbox(MARTA)
        assert (delivery.text, delivery.from_user_id) == ("Exactly this — text.", NORA)
        assert delivery.sent_at == int(result.date.timestamp())


async def test_two_clients_talk_to_each_other():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        heard_by_marta, heard_by_nora = Inbox(marta), Inbox(nora)
        await send(nora, await marta_for(nora), "ping")
        assert (await heard_by_marta.next()).raw_text == "ping"
        await send(marta, await nora_for(marta), "pong")
        assert (await heard_by_nora.next()).raw_text == "pong"


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


async def test_entities_arrive_as_given_counted_in_utf16_units():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        inbox = Inbox(marta)
        entities = [types.MessageEntityBold(3, 4), types.MessageEntityTextUrl(3, 4, "https://example.org/")]
        await send(nora, await marta_for(nora), "🌿 bold", entities=entities)
        arrived = (await inbox.next()).message
        assert arrived.entities == entities
        assert [text for _, text in arrived.get_entities_text()] == ["bold", "bold"]


async def test_outer_blanks_are_dropped_and_entities_follow():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        inbox = Inbox(marta)
        await send(nora, await marta_for(nora), " \n bold \n", entities=[types.MessageEntityBold(3, 4)])
        arrived = (await inbox.next()).message
        assert (arrived.raw_text, arrived.entities) == ("bold", [types.MessageEntityBold(0, 4)])


async def test_the_sending_session_hears_nothing_and_the_accounts_other_session_does():
    async with sandbox() as server, client_of(server, NORA) as desk, client_of(server, NORA) as phone:
        heard_at_desk, heard_on_phone = Inbox(desk), Inbox(phone)
        await send(desk, await marta_for(desk), "from the desk")
        event = await heard_on_phone.next()
        assert event.out
        assert event.raw_text == "from the desk"
        await round_trip(desk)
        assert heard_at_desk.is_empty()


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


async def test_reading_is_seen_by_both_sides():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        marks, other_device = Inbox(marta, events.MessageRead), Inbox(marta, events.Raw)
        peer = await marta_for(nora)
        for text in ("one", "two"):
            await send(marta, await nora_for(marta), text)
        (dialog,) = await nora.get_dialogs()
        assert dialog.unread_count == 2
        assert await nora.send_read_acknowledge(peer)
        mark = await marks.next()
        assert (mark.outbox, mark.max_id) == (True, 2)
        assert (await other_device.next_of(types.UpdateReadHistoryOutbox)).max_id == 2
        (dialog,) = await nora.get_dialogs()
        assert (dialog.unread_count, dialog.dialog.read_inbox_max_id) == (0, 2)
        (dialog,) = await marta.get_dialogs()
        assert dialog.dialog.read_outbox_max_id == 2


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


async def test_typing_is_shown_to_the_other_side_only():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        seen_by_marta, seen_by_nora = Inbox(marta, events.Raw), Inbox(nora, events.Raw)
        request = functions.messages.SetTypingRequest(await marta_for(nora), types.SendMessageTypingAction())
        assert await nora(request)
        update = await seen_by_marta.next_of(types.UpdateUserTyping)
        assert (update.user_id, type(update.action)) == (NORA, types.SendMessageTypingAction)
        await round_trip(nora)
        assert seen_by_nora.is_empty()


async def test_an_edit_changes_both_copies():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        edits = Inbox(marta, events.MessageEdited)
        peer = await marta_for(nora)
        sent = await send(nora, peer, "teh lake")
        await nora.edit_message(peer, sent.id, "the lake")
        event = await edits.next()
        assert event.raw_text == "the lake"
        assert event.message.edit_date is not None
        assert [one.text for one in await server.console.mailbox(MARTA)] == ["the lake"]


async def test_a_delete_with_revoke_empties_both_sides_without_it_only_ones_own():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        deletes = Inbox(marta, events.MessageDeleted)
        peer = await marta_for(nora)
        first, second = await send(nora, peer, "first"), await send(nora, peer, "second")
        await nora.delete_messages(peer, [first.id], revoke=False)
        await nora.delete_messages(peer, [second.id], revoke=True)
        assert (await deletes.next()).deleted_ids == [2]
        assert [one.text for one in await server.console.mailbox(MARTA)] == ["first"]
        assert await nora.get_messages(peer, limit=10) == []
        third = await send(nora, peer, "third")
        assert third.id == 3


async def test_saved_messages_are_one_copy():
    async with sandbox() as server, client_of(server, NORA) as nora:
        await send(nora, "me", "note to myself")
        messages = await nora.get_messages("me", limit=5)
        assert [message.raw_text for message in messages] == ["note to myself"]
        assert await server.console.mailbox(MARTA) == ()


async def test_many_lines_of_a_partner_are_one_push_in_order():
    async with sandbox() as server, client_of(server, NORA) as nora:
        inbox = Inbox(nora)
        ids = await server.console.speak_many([(MARTA, NORA, f"line {n}") for n in range(150)])
        assert list(ids) == list(range(1, 151))
        assert [(await inbox.next()).raw_text for _ in range(150)] == [f"line {n}" for n in range(150)]
