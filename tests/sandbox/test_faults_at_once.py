"""Faults that happen at once: connections cut, keys ended, the server gone for a while."""

import asyncio

import pytest
from telethon import events

from chimein_gui.sandbox_api import FaultKind, FaultRule, SandboxRefusedError
from tests.sandbox.clients import (
    CUT,
    GIVEN_UP,
    MARTA,
    NORA,
    PATIENCE_S,
    Inbox,
    client_of,
    is_cut,
    marta_for,
    nora_for,
    sandbox,
    send,
)


def _fault(kind: FaultKind, account_id: int = NORA) -> FaultRule:
    return FaultRule(kind, account_id=account_id)


@pytest.mark.operation("fault: an account's connections are cut", "both its clients end; another account's stays")
async def test_a_kick_cuts_all_connections_of_the_account(expected_logs):
    expected_logs(CUT)
    expected_logs(GIVEN_UP)
    async with (
        sandbox() as server,
        client_of(server, NORA) as desk,
        client_of(server, NORA) as phone,
        client_of(server, MARTA) as her,
    ):
        assert await server.console.inject(_fault(FaultKind.KICK)) == 0
        assert await is_cut(desk)
        assert await is_cut(phone)
        await send(her, await nora_for(her), "gone?")
        async with client_of(server, NORA) as again:
            assert [one.raw_text for one in await again.get_messages(await marta_for(again))] == ["gone?"]
        assert (await server.console.rehearsal()).recent[0] == "Nora Vale lost its connections"


@pytest.mark.operation("fault: the server restarts on the same port", "clients return and hear what was said meanwhile")
async def test_a_restart_keeps_port_world_and_console(expected_logs):
    expected_logs(CUT)
    expected_logs(r"WARNING telethon.*at connecting failed: ConnectionRefusedError")
    async with sandbox() as server, client_of(server, NORA, auto_reconnect=True, connection_retries=50) as nora:
        port, inbox = server.addresses.telegram_port, Inbox(nora, events.NewMessage(incoming=True))
        await server.console.speak(MARTA, NORA, "before")
        assert (await inbox.next()).raw_text == "before"
        async with asyncio.TaskGroup() as group:
            group.create_task(server.console.inject(FaultRule(FaultKind.RESTART, seconds=0.3)))
            await server.console.rehearsal(after=(await server.console.rehearsal()).revision)
            await _until_refused(port)
            await server.console.speak(MARTA, NORA, "meanwhile")
        assert not await _is_refused(port)
        await send(nora, await marta_for(nora), "back again")
        await server.console.speak(MARTA, NORA, "shows the gap")
        assert [(await inbox.next()).raw_text for _ in range(2)] == ["meanwhile", "shows the gap"]
        assert [one.text for one in await server.console.mailbox(MARTA)] == ["back again"]


async def test_whoever_waits_for_a_restart_hears_that_the_sandbox_has_gone():
    async with asyncio.TaskGroup() as group:
        async with sandbox() as server:
            waits = group.create_task(_refusal(server.console.inject(FaultRule(FaultKind.RESTART, seconds=600))))
            await server.console.rehearsal(after=0)
        assert "the sandbox has gone" in await waits
    assert "the sandbox has gone" in await _refusal(server.console.inject(FaultRule(FaultKind.RESTART)))


@pytest.mark.parametrize("kind", [FaultKind.KICK, FaultKind.FORGET_KEY, FaultKind.REVOKE])
async def test_nobody_of_that_id(kind):
    async with sandbox() as server:
        with pytest.raises(SandboxRefusedError, match="no user 99"):
            await server.console.inject(_fault(kind, 99))
        assert (await server.console.rehearsal()).recent == ()


async def _is_refused(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except ConnectionError:
        return True
    writer.close()
    await writer.wait_closed()
    return False


async def _until_refused(port: int) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not await _is_refused(port):
            pass


async def _refusal(call) -> str:
    with pytest.raises(ConnectionError) as refused:
        await call
    return str(refused.value)
