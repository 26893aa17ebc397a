"""What happened while a client was away reaches it by the difference, as far as the log goes back."""

import pytest
from telethon import events, functions, types

from chimein_gui.sandbox.world.boxes import LOG_LIMIT
from tests.sandbox.clients import MARTA, NORA, Inbox, client_of, kept_session, marta_for, sandbox, send, telethon_client


async def _remembering_client(server, path):
    """Connect once, so that the session file knows the state and Marta."""
    async with client_of(server, NORA, session=kept_session(path)) as nora:
        await marta_for(nora)


async def test_a_long_absence_is_told_in_slices(tmp_path):
    async with sandbox() as server:
        await _remembering_client(server, tmp_path / "nora")
        await server.console.speak_many([(MARTA, NORA, f"missed {n}") for n in range(2_500)])
        client = telethon_client(
            server.addresses.telegram_port, server.auth_key_for(NORA), kept_session(tmp_path / "nora")
        )
        inbox = Inbox(client)
        await client.connect()
        assert [(await inbox.next()).message.id for _ in range(2_500)] == list(range(1, 2_501))
        await client.disconnect()


async def test_the_difference_is_the_tail_of_the_log():
    async with sandbox() as server, client_of(server, NORA) as injector, client_of(server, NORA) as phone:
        before = await phone(functions.updates.GetStateRequest())
        peer = await marta_for(injector)
        first, second = await send(injector, peer, "kept"), await send(injector, peer, "taken back")
        await injector.edit_message(peer, first.id, "kept, edited")
        await injector.delete_messages(peer, [second.id], revoke=True)
        await server.console.speak(MARTA, NORA, "hm?")
        await injector.send_read_acknowledge(peer)
        told = await phone(functions.updates.GetDifferenceRequest(before.pts, before.date, 0))
        assert [message.message for message in told.new_messages] == ["kept, edited", "hm?"]
        assert [type(update) for update in told.other_updates] == [
            types.UpdateEditMessage,
            types.UpdateDeleteMessages,
            types.UpdateReadHistoryInbox,
        ]
        assert {user.id for user in told.users} == {MARTA, NORA}
        after = await phone(functions.updates.GetStateRequest())
        assert told.state.pts == after.pts == before.pts + 6
        nothing = await phone(functions.updates.GetDifferenceRequest(after.pts, after.date, 0))
        assert isinstance(nothing, types.updates.DifferenceEmpty)


async def test_telethon_takes_only_messages_from_a_difference(tmp_path):
    """Pins a vendor bug: edits, deletes and read marks missed while away never reach handlers; adapters fetch them.

    The server sends them (test above); Telethon 1.45 drops every update with a `pts` while it applies a difference.
    """
    async with sandbox() as server:
        await _remembering_client(server, tmp_path / "nora")
        async with client_of(server, MARTA) as marta:
            peer = await marta.get_input_entity("nora_vale_box")
            await send(marta, peer, "kept")
            deleted = await send(marta, peer, "taken back")
            await marta.edit_message(peer, 1, "kept, edited")
            await marta.delete_messages(peer, [deleted.id])
        client = telethon_client(
            server.addresses.telegram_port, server.auth_key_for(NORA), kept_session(tmp_path / "nora")
        )
        heard = Inbox(client, events.Raw())
        await client.connect()
        first = await heard.next()
        assert (type(first), first.message.message) == (types.UpdateNewMessage, "kept, edited")
        await server.console.speak(MARTA, NORA, "live")
        second = await heard.next()
        assert (type(second), second.message.message) == (types.UpdateNewMessage, "live")
        await client.disconnect()


@pytest.mark.operation(
    "updates.getDifference: log forgotten", "differenceTooLong with the present pts; history has all"
)
async def test_a_forgotten_log():
    async with sandbox() as server, client_of(server, NORA) as nora:
        before = await nora(functions.updates.GetStateRequest())
        await server.console.speak_many([(MARTA, NORA, f"line {n}") for n in range(5)])
        server._around.world.forget_log(NORA)
        told = await nora(functions.updates.GetDifferenceRequest(before.pts, before.date, 0))
        assert told == types.updates.DifferenceTooLong(before.pts + 5)
        assert len(await nora.get_messages(await marta_for(nora), limit=9)) == 5
        await server.console.speak(MARTA, NORA, "after")
        told = await nora(functions.updates.GetDifferenceRequest(before.pts + 5, before.date, 0))
        assert [one.message for one in told.new_messages] == ["after"]


@pytest.mark.operation("updates.getDifference: log trimmed", "the newest steps stay, also after a restart")
async def test_the_log_is_trimmed_by_itself(state_dir):
    async with sandbox(state_dir) as server:
        for _ in range(13):
            await server.console.speak_many([(MARTA, NORA, "again")] * 1_000)
        world = server._around.world
        assert LOG_LIMIT <= len(world.box(NORA).log) <= LOG_LIMIT + 1_000
        pts = world.box(NORA).pts
    async with sandbox(state_dir) as server, client_of(server, NORA) as nora:
        state = await nora(functions.updates.GetStateRequest())
        assert state.pts == pts == 13_001
        told = await nora(functions.updates.GetDifferenceRequest(1, state.date, 0))
        assert told == types.updates.DifferenceTooLong(pts)
        told = await nora(functions.updates.GetDifferenceRequest(pts - 3, state.date, 0))
        assert len(told.new_messages) == 3
