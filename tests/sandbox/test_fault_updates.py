"""Faults of the stream of updates: what an unmodified client hears in the end."""

import pytest
from telethon import TelegramClient, events, types

from chimein_gui.sandbox.server import SandboxServer
from chimein_gui.sandbox_api import FaultKind, FaultRule
from tests.sandbox.clients import (
    MARTA,
    NORA,
    Inbox,
    client_of,
    kept_session,
    marta_for,
    nora_for,
    sandbox,
    telethon_client,
)


def _fault(kind: FaultKind, **parts) -> FaultRule:
    return FaultRule(kind, account_id=NORA, **parts)


async def _listening(server: SandboxServer, nora: TelegramClient) -> Inbox:
    """Return an inbox that has heard a first message: from here on the client knows where it stands."""
    inbox = Inbox(nora)
    await server.console.speak(MARTA, NORA, "heard")
    assert (await inbox.next()).raw_text == "heard"
    return inbox


@pytest.mark.operation("fault: a lost push", "the client notices the gap and fetches it: both messages, in order")
async def test_a_lost_push_is_fetched_when_the_next_shows_the_gap():
    async with sandbox() as server, client_of(server, NORA) as nora:
        inbox = await _listening(server, nora)
        await server.console.inject(_fault(FaultKind.LOSE_UPDATES))
        await server.console.speak(MARTA, NORA, "lost")
        await server.console.speak(MARTA, NORA, "shows the gap")
        assert [(await inbox.next()).raw_text for _ in range(2)] == ["lost", "shows the gap"]


@pytest.mark.operation("fault: a push sent twice", "the client hears its message once, and the next")
async def test_a_push_sent_twice_is_heard_once():
    async with sandbox() as server, client_of(server, NORA) as nora:
        inbox = Inbox(nora)
        raw = Inbox(nora, events.Raw(types.UpdateUserTyping))
        await server.console.inject(_fault(FaultKind.DUPLICATE_UPDATES))
        await server.console.speak(MARTA, NORA, "once")
        await server.console.speak(MARTA, NORA, "next")
        assert [(await inbox.next()).raw_text for _ in range(2)] == ["once", "next"]
        assert inbox.is_empty()
        await server.console.inject(_fault(FaultKind.DUPLICATE_UPDATES))
        async with client_of(server, MARTA) as her, her.action(await nora_for(her), "typing"):
            await raw.next()
            await raw.next()  # without pts nothing tells that it is the same: so it was really sent twice


@pytest.mark.operation("fault: pushes out of order", "the client hears both messages in order")
async def test_pushes_out_of_order_are_put_right():
    async with sandbox() as server, client_of(server, NORA) as nora:
        inbox = await _listening(server, nora)
        await server.console.inject(_fault(FaultKind.REORDER_UPDATES))
        await server.console.speak(MARTA, NORA, "first")
        assert inbox.is_empty()
        await server.console.speak(MARTA, NORA, "second")
        assert [(await inbox.next()).raw_text for _ in range(2)] == ["first", "second"]
        await server.console.speak(MARTA, NORA, "third")
        assert (await inbox.next()).raw_text == "third"


@pytest.mark.operation("fault: the difference is too long", "the client misses it, finds it in the history, hears on")
async def test_a_difference_that_is_too_long(tmp_path):
    async with sandbox() as server:
        async with client_of(server, NORA, session=kept_session(tmp_path / "nora")) as nora:
            marta = await marta_for(nora)
        await server.console.speak(MARTA, NORA, "missed")
        await server.console.inject(_fault(FaultKind.DIFFERENCE_TOO_LONG))
        revision = (await server.console.rehearsal()).revision
        port, key = server.addresses.telegram_port, server.auth_key_for(NORA)
        client = telethon_client(port, key, kept_session(tmp_path / "nora"))
        inbox = Inbox(client)
        await client.connect()
        while not (state := await server.console.rehearsal(after=revision)).recent:
            revision = state.revision
        assert [message.raw_text for message in await client.get_messages(marta)] == ["missed"]
        await server.console.speak(MARTA, NORA, "live again")
        assert (await inbox.next()).raw_text == "live again"
        assert state.recent[0] == "Nora Vale was told that it missed too much"
        await client.disconnect()
