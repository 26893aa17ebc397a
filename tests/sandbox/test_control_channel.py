"""The console from another process: same answers as the one inside."""

import asyncio
import json
from contextlib import asynccontextmanager

import pytest

from chimein_gui.engine.sandbox_port import SandboxConsole, SandboxRefusedError
from chimein_gui.sandbox.model.script import ScriptedError, ScriptedReply
from tests.sandbox.clients import MARTA, NORA, PATIENCE_S, Inbox, client_of, marta_for, sandbox, send
from tests.support.control.client import ControlChannelConsole, SandboxControlError


async def _console(server) -> ControlChannelConsole:
    return await ControlChannelConsole.connect(server.control_port, server.token)


@asynccontextmanager
async def raw_line(server):
    """A connection that has shown the token, for lines as they come."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.control_port)

    async def ask(line: str):
        writer.write(line.encode() + b"\n")
        return json.loads(await asyncio.wait_for(reader.readline(), PATIENCE_S))

    await ask(json.dumps({"id": 0, "method": "hello", "params": {"token": server.token}}))
    yield ask
    writer.close()
    await writer.wait_closed()


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


@pytest.mark.parametrize(
    "line", [b"nonsense", b"[]", b'{"method": "speak"}', b'{"method": "hello", "params": []}', b"\xff\xfe"]
)
async def test_nonsense_before_the_token_ends_the_connection(line):
    async with sandbox() as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.control_port)
        writer.write(line + b"\n")
        assert json.loads(await reader.readline())["error"]["type"] == "PermissionError"
        assert await reader.read() == b""
        writer.close()
        await writer.wait_closed()


async def test_nonsense_after_the_token_is_refused_and_the_connection_lives_on():
    async with sandbox() as server:
        console = await _console(server)
        with pytest.raises(SandboxControlError, match="no method"):
            await console._line.ask("unheard_of")
        with pytest.raises(SandboxControlError, match="TypeError"):
            await console._line.ask("speak_many", lines=7)
        with pytest.raises(SandboxRefusedError, match="partner_id"):
            await console._line.ask("mailbox")
        assert await console.partners()
        await console.aclose()


@pytest.mark.parametrize(
    "rest",
    [
        '"inject", "params": {"rule": {"kind": "slow", "seconds": 1' + "0" * 400 + "}}",
        '"login_code", "params": {"phone": "nobody"}',
        '"partner_read", "params": {"partner_id": 7000005001, "peer_id": 1e999}',
        '"queue_error", "params": {"status": 1e999}',
    ],
)
async def test_whatever_is_asked_is_answered(rest):
    async with sandbox() as server, raw_line(server) as ask:
        assert set((await ask('{"id": 1, "method": ' + rest + "}"))["error"]) == {"type", "message"}
        assert (await ask('{"id": 2, "method": "partners"}'))["result"]


async def test_a_bug_of_ours_is_told_and_logged(expected_logs, monkeypatch):
    expected_logs(r"ERROR tests.support.control.channel: the control channel could not answer 'mailbox'")
    async with sandbox() as server:
        monkeypatch.delattr(type(server.console.people), "mailbox")
        async with raw_line(server) as ask:
            asked = f'{{"id": 1, "method": "mailbox", "params": {{"partner_id": {MARTA}}}}}'
            assert (await ask(asked))["error"]["type"] == "RuntimeError"
            assert (await ask('{"id": 2, "method": "partners"}'))["result"]


async def test_fifty_that_wait_for_a_change_and_half_of_them_go():
    async with sandbox() as server, asyncio.timeout(120), asyncio.TaskGroup() as group:
        consoles = [await _console(server) for _ in range(50)]
        waits = [group.create_task(one.rehearsal(after=0)) for one in consoles]
        await asyncio.sleep(0)
        for wait in waits[::2]:
            wait.cancel()
        await server.console.set_speed(2)
        assert {(await wait).speed for wait in waits[1::2]} == {2}
        assert await consoles[0].partners()
        for console in consoles:
            await console.aclose()


async def test_an_ended_server_is_a_connection_error():
    async with sandbox() as server:
        console = await _console(server)
    with pytest.raises(ConnectionError):
        await console.partners()
    await console.aclose()


async def test_a_shutdown_is_announced():
    async with sandbox() as server:
        console = await _console(server)
        await console.shutdown()
        await asyncio.wait_for(server.shutdown_requested.wait(), 5)
        await console.aclose()
