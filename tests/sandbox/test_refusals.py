"""What a Telegram server refuses, so that mistakes of ours show in tests."""

import asyncio

import pytest
from telethon import errors, functions, types
from telethon.sessions import StringSession

from chimein_gui.sandbox.server import SandboxServer
from chimein_gui.sandbox_api import SandboxRefusedError
from tests.sandbox.clients import MARTA, NORA, PATIENCE_S, client_of, marta_for, sandbox, send


async def test_a_wrong_access_hash_is_refused():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        right = await marta_for(nora)
        for wrong in (0, right.access_hash ^ 1, (await marta.get_me()).access_hash):
            with pytest.raises(errors.PeerIdInvalidError):
                await send(nora, types.InputPeerUser(MARTA, wrong), "never")
        with pytest.raises(errors.PeerIdInvalidError):
            await send(nora, types.InputPeerUser(123, right.access_hash), "never")
        assert await server.console.mailbox(MARTA) == ()


async def test_an_unknown_call_is_refused_and_the_connection_lives_on():
    async with sandbox() as server, client_of(server, NORA) as nora:
        with pytest.raises(errors.MethodInvalidError) as caught:
            await nora(functions.help.GetInviteTextRequest())
        assert caught.value.code == 400
        assert await nora.get_me()


@pytest.mark.parametrize(
    ("text", "refusal"), [("  \n ", errors.MessageEmptyError), ("🌿" * 2049, errors.MessageTooLongError)]
)
async def test_a_text_that_can_not_be_sent(text, refusal):
    async with sandbox() as server, client_of(server, NORA) as nora:
        with pytest.raises(refusal):
            await send(nora, await marta_for(nora), text)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "localhost", "192.168.0.1", ""])
async def test_no_address_but_the_loopback_is_bound(host):
    with pytest.raises(ValueError, match=r"127\.0\.0\.1 only"):
        await SandboxServer.start(state_dir=None, host=host)


async def test_a_taken_port_leaves_nothing_open():
    async with sandbox() as server:
        with pytest.raises(OSError, match="address already in use"):
            await SandboxServer.start(
                state_dir=None, model_port=int(server.addresses.model_base_url.rpartition(":")[2])
            )


async def test_a_session_string_never_holds_another_data_centre():
    """The configuration names one data centre, on the loopback, so that no client migrates away."""
    async with sandbox() as server, client_of(server, NORA, session=StringSession()) as nora:
        config = await nora(functions.help.GetConfigRequest())
        assert [(dc.id, dc.ip_address, dc.port) for dc in config.dc_options] == [
            (2, "127.0.0.1", server.addresses.telegram_port)
        ]
        assert config.this_dc == nora.session.dc_id == 2


async def test_noise_is_dropped_and_harms_nobody():
    async with sandbox() as server, client_of(server, NORA) as nora:
        for noise in (
            b"GET / HTTP/1.1\r\n\r\n",
            b"\xef\x7f" + b"\xff" * 8,
            b"\xee\xee\xee\xee" + b"\xff" * 8,
            b"\0" * 64,
        ):
            reader, writer = await asyncio.open_connection("127.0.0.1", server.addresses.telegram_port)
            writer.write(noise)
            await writer.drain()
            with pytest.raises(asyncio.IncompleteReadError):
                await asyncio.wait_for(reader.readexactly(1024), PATIENCE_S)
            writer.close()
            await writer.wait_closed()
        assert await nora.get_me()


async def test_partners_who_are_nobody_neither_speak_nor_read():
    async with sandbox() as server:
        for partner_id, account_id in ((1, NORA), (MARTA, 1), (NORA, MARTA)):
            with pytest.raises(SandboxRefusedError):
                await server.console.speak(partner_id, account_id, "x")
        for nobody in (1, NORA):
            with pytest.raises(SandboxRefusedError):
                await server.console.mailbox(nobody)
        with pytest.raises(SandboxRefusedError):
            await server.console.speak_many([(MARTA, NORA, "kept back"), (MARTA, 1, "x")])
        async with client_of(server, NORA) as nora:
            assert await nora.get_dialogs() == []


@pytest.mark.parametrize(
    ("text", "words"), [("", "empty"), (" \n\t", "empty"), ("x" * 4097, "too long: 4096"), ("a\ud800", "half char")]
)
async def test_what_no_client_could_send_partners_do_not_say(text, words):
    async with sandbox() as server:
        with pytest.raises(SandboxRefusedError, match=words):
            await server.console.speak(MARTA, NORA, text)
        with pytest.raises(SandboxRefusedError, match=words):
            await server.console.speak_many([(MARTA, NORA, "kept back"), (MARTA, NORA, text)])
        async with client_of(server, NORA) as nora:
            assert await nora.get_dialogs() == []
            await server.console.speak(MARTA, NORA, "😀" * 2048)
            assert len(await nora.get_messages(await marta_for(nora))) == 1
