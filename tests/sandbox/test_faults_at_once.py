"""Faults that happen at once: connections cut, the server gone; and what Telegram leaves out of what it tells."""

import asyncio

import pytest
from telethon import TelegramClient, events, functions, types

from chimein_gui.sandbox.server import SandboxServer
from chimein_gui.sandbox.world.records import User
from chimein_gui.sandbox_api import FaultKind, FaultRule, SandboxRefusedError
from chimein_gui.viewmodels.rehearsal.incident_words import incident_words
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
        client_of(server, NORA) as injector,
        client_of(server, NORA) as phone,
        client_of(server, MARTA) as her,
    ):
        assert await server.console.inject(_fault(FaultKind.KICK)) == 0
        assert await is_cut(injector)
        assert await is_cut(phone)
        await send(her, await nora_for(her), "gone?")
        async with client_of(server, NORA) as again:
            assert [one.raw_text for one in await again.get_messages(await marta_for(again))] == ["gone?"]
        [struck] = (await server.console.rehearsal()).recent
        assert incident_words(struck) == "Nora Vale lost its connections"


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


OTTO = MARTA + 1


def _lasting_fault(kind: FaultKind, **parts) -> FaultRule:
    return FaultRule(kind, account_id=NORA, times=0, **parts)


def _group(server: SandboxServer) -> int:
    """Let Marta make a group with Nora and Otto; returns its marked id."""
    world = server._around.world
    world.add_user(User(OTTO, "Otto", "Lind", "", "otto_lind_box", is_partner=True))
    peer_id = world.create_group(MARTA, "Lake", (NORA, OTTO)).peer_id
    server._around.hub.settle()
    return peer_id


def _raw(client: TelegramClient, *kinds: type) -> asyncio.Queue:
    """Return a queue of the updates of some kinds, as they come."""
    came: asyncio.Queue = asyncio.Queue()
    client.add_event_handler(came.put, events.Raw(kinds))
    return came


async def _stands(server: SandboxServer, client: TelegramClient) -> None:
    """Let the client hear of something: from here on it knows where it stands."""
    came = _raw(client, types.UpdateNewMessage)
    await server.console.speak(MARTA, NORA, "heard")
    await came.get()


@pytest.mark.operation("fault: short updates", "texts of a DM and of a group come as updateShort(Chat)Message")
async def test_texts_come_in_the_short_form():
    async with sandbox() as server, client_of(server, NORA) as nora:
        group = _group(server)
        await _stands(server, nora)
        came = _raw(nora, types.UpdateShortMessage, types.UpdateShortChatMessage)
        await server.console.inject(_lasting_fault(FaultKind.SHORT_UPDATES))
        await server.console.speak(MARTA, NORA, "short")
        await server.console.speak(OTTO, group, "short, too, @nora_vale_box")
        alone, among = await came.get(), await came.get()
        assert (type(alone), alone.user_id, alone.message) == (types.UpdateShortMessage, MARTA, "short")
        assert (type(among), among.from_id, -among.chat_id) == (types.UpdateShortChatMessage, OTTO, group)
        assert among.mentioned
        assert [type(one) for one in among.entities] == [types.MessageEntityMention]


@pytest.mark.operation("fault: updates without names", "the message comes, and nobody who wrote it")
async def test_updates_come_without_people():
    async with sandbox() as server, client_of(server, NORA) as nora:
        await _stands(server, nora)
        came = _raw(nora, types.UpdateNewMessage)
        await server.console.inject(_lasting_fault(FaultKind.BARE_UPDATES))
        await server.console.speak(MARTA, NORA, "who am I?")
        update = await came.get()
        assert (update.message.message, update._entities) == ("who am I?", {})


@pytest.mark.operation("fault: mentions that are not marked", "a message that names the account carries no flag")
async def test_mentions_come_unmarked():
    async with sandbox() as server, client_of(server, NORA) as nora:
        group = _group(server)
        await _stands(server, nora)
        came = _raw(nora, types.UpdateNewMessage)
        await server.console.speak(MARTA, group, "@nora_vale_box")
        assert (await came.get()).message.mentioned
        await server.console.inject(_lasting_fault(FaultKind.UNMARKED_MENTIONS))
        await server.console.speak(MARTA, group, "@nora_vale_box")
        assert not (await came.get()).message.mentioned


@pytest.mark.operation("fault: a short history", "getHistory ends after three messages; a single older one is found")
async def test_a_history_ends_early():
    async with sandbox() as server, client_of(server, NORA) as nora:
        marta = await marta_for(nora)
        for number in range(1, 6):
            await server.console.speak(MARTA, NORA, f"line {number}")
        await server.console.inject(_lasting_fault(FaultKind.SHORT_HISTORY))
        assert [one.raw_text for one in await nora.get_messages(marta, limit=100)] == ["line 5", "line 4", "line 3"]
        assert not await nora.get_messages(marta, limit=100, offset_id=3)
        one = functions.messages.GetHistoryRequest(marta, 3, None, 0, limit=1, max_id=0, min_id=1, hash=0)
        assert [found.message for found in (await nora(one)).messages] == ["line 2"]


@pytest.mark.operation("fault: bought user names", "Telegram lists two names, and no single one")
async def test_an_account_has_several_user_names():
    async with sandbox() as server:
        await server.console.inject(FaultRule(FaultKind.COLLECTIBLE_NAMES, account_id=NORA))
        async with client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
            for me in (await nora.get_me(), await marta.get_entity("nora_vale_box_too")):
                assert me.username is None
                assert [one.username for one in me.usernames] == ["nora_vale_box", "nora_vale_box_too"]
