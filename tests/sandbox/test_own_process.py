"""`python -m chimein_gui.sandbox`: killed and started again, it finds the same world."""

import asyncio

import pytest
from telethon import errors, functions

from tests.sandbox.clients import CUT, GIVEN_UP, MARTA, NORA, Inbox, connected, marta_for, send
from tests.support.control import ControlChannelConsole
from tests.support.own_process import own_sandbox


async def test_after_a_kill_nothing_that_was_answered_is_lost(tmp_path, expected_logs):
    expected_logs(CUT)
    expected_logs(GIVEN_UP)
    options = ("--state-dir", str(tmp_path / "state"))
    with own_sandbox(tmp_path, *options) as own:
        described, console = own.described, await ControlChannelConsole.from_port_file(own.port_file)
        async with connected(described) as nora:
            inbox = Inbox(nora)
            await console.speak(MARTA, NORA, "before the kill")
            assert (await inbox.next()).raw_text == "before the kill"
            peer = await marta_for(nora)
            await send(nora, peer, "answered", 42)
            own.process.kill()
            with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
                await nora.disconnected
        await console.aclose()
    with own_sandbox(tmp_path, *options) as own:
        again = own.described
        assert again["accounts"] == described["accounts"]
        console = await ControlChannelConsole.from_port_file(own.port_file)
        assert [one.text for one in await console.mailbox(MARTA)][-1] == "answered"
        async with connected(again) as nora:
            told = await nora.get_messages(peer, limit=2)
            assert [message.raw_text for message in told] == ["answered", "before the kill"]
            with pytest.raises(errors.RandomIdDuplicateError):
                await nora._sender.send(functions.messages.SendMessageRequest(peer, "answered", random_id=42))
        await console.aclose()
