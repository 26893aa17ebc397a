"""Faults of what Telegram leaves out: pushes that name nobody, marks that are missing, a history that ends early."""

import asyncio

import pytest
from telethon import TelegramClient, events, functions, types

from chimein_gui.sandbox.server import SandboxServer
from chimein_gui.sandbox.world.records import User
from chimein_gui.sandbox_api import FaultKind, FaultRule
from tests.sandbox.clients import MARTA, NORA, client_of, marta_for, sandbox

OTTO = MARTA + 1


def _fault(kind: FaultKind, **parts) -> FaultRule:
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
        await server.console.inject(_fault(FaultKind.SHORT_UPDATES))
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
        await server.console.inject(_fault(FaultKind.BARE_UPDATES))
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
        await server.console.inject(_fault(FaultKind.UNMARKED_MENTIONS))
        await server.console.speak(MARTA, group, "@nora_vale_box")
        assert not (await came.get()).message.mentioned


@pytest.mark.operation("fault: a short history", "getHistory ends after three messages; a single older one is found")
async def test_a_history_ends_early():
    async with sandbox() as server, client_of(server, NORA) as nora:
        marta = await marta_for(nora)
        for number in range(1, 6):
            await server.console.speak(MARTA, NORA, f"line {number}")
        await server.console.inject(_fault(FaultKind.SHORT_HISTORY))
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
