"""The console from another process: same answers as the one inside."""

import asyncio

import pytest

from chimein_gui.engine.sandbox_port import SandboxConsole, SandboxRefusedError
from chimein_gui.sandbox.model.script import ScriptedError, ScriptedReply
from tests.sandbox.clients import MARTA, NORA, Inbox, client_of, marta_for, sandbox, send
from tests.support.control.client import ControlChannelConsole, SandboxControlError


async def _console(server) -> ControlChannelConsole:
    return await ControlChannelConsole.connect(server.control_port, server.token)


async def test_both_consoles_say_the_same():
    async with sandbox() as server, client_of(server, NORA) as nora:
        remote: SandboxConsole = await _console(server)
        local: SandboxConsole = server.console
        inbox = Inbox(nora)
        assert await remote.speak(MARTA, NORA, "over the wire ⟦🌿⟧") == 1
        assert (await inbox.next()).raw_text == "over the wire ⟦🌿⟧"
        await send(nora, await marta_for(nora), "an answer")
        assert await remote.partners() == await local.partners()
        assert await remote.mailbox(MARTA) == await local.mailbox(MARTA)
        assert len(await remote.mailbox(MARTA)) == 1
        await remote.aclose()
        await remote.aclose()


async def test_bulk_calls():
    async with sandbox() as server:
        console = await _console(server)
        assert await console.speak_many([(MARTA, NORA, "a"), (MARTA, NORA, "b")]) == (1, 2)
        assert await console.mailbox_counts() == await server.console.mailbox_counts() == {MARTA: 0}
        assert await console.auth_key(NORA) == server.auth_key_for(NORA)
        await console.aclose()


async def test_nobody_by_that_name():
    async with sandbox() as server:
        console = await _console(server)
        for one in (console, server.console):
            for partner_id, account_id in ((1, NORA), (MARTA, 1), (NORA, MARTA)):
                with pytest.raises(SandboxRefusedError):
                    await one.speak(partner_id, account_id, "x")
            for nobody in (1, NORA):
                with pytest.raises(SandboxRefusedError):
                    await one.mailbox(nobody)
            with pytest.raises(SandboxRefusedError):
                await one.speak_many([(MARTA, NORA, "kept back"), (MARTA, 1, "x")])
        with pytest.raises(SandboxRefusedError):
            await console.auth_key(1)
        async with client_of(server, NORA) as nora:
            assert await nora.get_dialogs() == []
        await console.aclose()


async def test_the_model_can_be_scripted_from_outside():
    async with sandbox() as server:
        console = await _console(server)
        await console.queue_reply("# «send»\nscripted")
        await console.queue_error(503, "busy")
        await console.set_model_delay(0.5)
        assert server.model.delay_s == 0.5
        assert server.model.take() == ScriptedReply("# «send»\nscripted")
        assert server.model.take() == ScriptedError(503, "busy")
        assert await console.model_calls() == []
        with pytest.raises(SandboxRefusedError, match="a delay of"):
            await console.set_model_delay(-1)
        with pytest.raises(SandboxRefusedError, match="no HTTP error"):
            await console.queue_error(200)
        await console.aclose()


async def test_the_token_is_needed():
    async with sandbox() as server:
        for token in ("", "wrong", server.token[:-1]):
            with pytest.raises(SandboxControlError, match="PermissionError"):
                await ControlChannelConsole.connect(server.control_port, token)


async def test_a_shutdown_is_announced():
    async with sandbox() as server:
        console = await _console(server)
        await console.shutdown()
        await asyncio.wait_for(server.shutdown_requested.wait(), 5)
        await console.aclose()
