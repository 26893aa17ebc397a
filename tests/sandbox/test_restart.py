"""A world with a state directory is the same after the server has gone and come back."""

import stat

import pytest
from telethon import errors, functions, types

from chimein_gui.sandbox.persistence import StateInUseError
from chimein_gui.sandbox.seeds.seed import DEFAULT_SEED
from tests.sandbox.clients import MARTA, NORA, client_of, marta_for, nora_for, sandbox, send


async def test_everything_is_found_again(state_dir):
    async with sandbox(state_dir, DEFAULT_SEED) as server:
        key = server.auth_key_for(NORA)
        async with client_of(server, NORA) as nora:
            peer = await marta_for(nora)
            sent = await send(
                nora, peer, "bold", 5, reply_to=types.InputReplyToMessage(5), entities=[types.MessageEntityBold(0, 4)]
            )
            gone = await send(nora, peer, "gone")
            await nora.delete_messages(peer, [gone.id])
            await nora.edit_message(peer, 2, "edited")
            await server.console.speak(MARTA, NORA, "unread")
            state = await nora(functions.updates.GetStateRequest())
        async with client_of(server, MARTA) as marta:
            await marta.send_read_acknowledge(await nora_for(marta))
        mailbox = await server.console.mailbox(MARTA)

    async with sandbox(state_dir, DEFAULT_SEED) as server, client_of(server, NORA) as nora:
        assert server.auth_key_for(NORA) == key
        assert await marta_for(nora) == peer
        assert await server.console.mailbox(MARTA) == mailbox
        (dialog,) = await nora.get_dialogs()
        assert (dialog.unread_count, dialog.dialog.read_outbox_max_id) == (1, sent.id)
        told = await nora.get_messages(peer, limit=20)
        assert [message.id for message in reversed(told)] == [1, 2, 3, 4, 5, sent.id, gone.id + 1]
        kept = told[1]
        assert (kept.raw_text, kept.entities) == ("bold", [types.MessageEntityBold(0, 4)])
        assert kept.reply_to.reply_to_msg_id == 5
        assert told[-2].raw_text == "edited"
        assert (await nora(functions.updates.GetStateRequest())).pts == state.pts + 1
        with pytest.raises(errors.RandomIdDuplicateError):
            await nora._sender.send(functions.messages.SendMessageRequest(peer, "bold", random_id=5))
        assert (await send(nora, peer, "next")).id == gone.id + 2


async def test_the_state_is_private_to_the_user(tmp_path):
    async with sandbox(tmp_path / "state"):
        assert stat.S_IMODE((tmp_path / "state").stat().st_mode) == 0o700
        found = list((tmp_path / "state").rglob("*"))
        assert {stat.S_IMODE(path.stat().st_mode) for path in found if path.is_file()} == {0o600}
        assert {stat.S_IMODE(path.stat().st_mode) for path in found if path.is_dir()} == {0o700}


async def test_two_sandboxes_can_not_share_a_world(state_dir):
    async with sandbox(state_dir):
        with pytest.raises(StateInUseError, match=r"sandbox\.db"):
            async with sandbox(state_dir):
                pass
    async with sandbox(state_dir) as server:
        assert await server.console.partners()
