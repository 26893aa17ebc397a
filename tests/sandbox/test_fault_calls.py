"""Faults as an unmodified client meets them: of its calls, of what it is told, and of a name used twice."""

import asyncio

import pytest
from telethon import TelegramClient, errors, events, functions, types

from chimein_gui.sandbox.server import SandboxServer
from chimein_gui.sandbox_api import DuplicateMode, FaultKind, FaultRule
from chimein_gui.viewmodels.rehearsal.incident_words import incident_words
from tests.sandbox.clients import (
    CUT,
    GIVEN_UP,
    MARTA,
    NORA,
    Inbox,
    client_of,
    fails,
    is_cut,
    kept_session,
    marta_for,
    nora_for,
    sandbox,
    send,
    telethon_client,
)

SEND = "messages.sendMessage"


@pytest.mark.operation("fault: a slow answer", "the partner hears it before the sender knows; other calls overtake it")
async def test_a_slow_answer_holds_up_nothing_else():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as her:
        marta, inbox = await marta_for(nora), Inbox(her)
        await server.console.inject(FaultRule(FaultKind.SLOW, SEND, seconds=0.3))
        async with asyncio.TaskGroup() as group:
            sending = group.create_task(send(nora, marta, "slowly"))
            assert (await inbox.next()).raw_text == "slowly"
            await send(nora, marta, "quickly")
            assert not sending.done()
        assert sending.result().id == 1
        assert await arrived(server) == ["slowly", "quickly"]


@pytest.mark.operation("fault: connection lost within a container", "the partner's mailbox: only what came first")
async def test_what_follows_a_drop_in_one_packet_is_not_executed(expected_logs):
    expected_logs(CUT)
    expected_logs(GIVEN_UP)
    async with sandbox() as server, client_of(server, NORA) as nora:
        marta = await marta_for(nora)
        await server.console.inject(FaultRule(FaultKind.DROP_AFTER, "messages.readHistory"))
        requests = [
            functions.messages.SendMessageRequest(marta, "before", random_id=1),
            functions.messages.ReadHistoryRequest(marta, 0),
            functions.messages.SendMessageRequest(marta, "after", random_id=2),
        ]
        async with asyncio.TaskGroup() as group:
            for request in requests:  # queued in one turn, so they leave in one container
                group.create_task(fails(nora(request)))
        assert await is_cut(nora)
        assert await arrived(server) == ["before"]


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
        assert incident_words(state.recent[0]) == "Nora Vale was told that it missed too much"
        await client.disconnect()


DUPLICATE = r"WARNING telethon.*RandomIdDuplicateError"


async def arrived(server) -> list[str]:
    return [delivery.text for delivery in await server.console.mailbox(MARTA)]


class Clock:
    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.operation("duplicate random_id: same", "the same answer, byte for byte; the partner has the message once")
async def test_a_repeat_gets_the_first_answer():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, NORA) as phone:
        marta = await marta_for(nora)
        await server.console.set_duplicate_mode(DuplicateMode.SAME)
        first = await send(nora, marta, "once", random_id=5)
        await send(nora, marta, "another", random_id=6)
        assert bytes(await send(nora, marta, "once", random_id=5)) == bytes(first)
        assert bytes(await send(phone, await marta_for(phone), "once", random_id=5)) == bytes(first)
        assert await arrived(server) == ["once", "another"]


@pytest.mark.operation("duplicate random_id: forgotten", "the partner hears the message twice")
async def test_a_repeat_is_sent_again():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as her:
        marta, inbox = await marta_for(nora), Inbox(her)
        await server.console.set_duplicate_mode(DuplicateMode.FORGOTTEN)
        ids = [(await send(nora, marta, "again", random_id=5)).id for _ in range(2)]
        assert ids == [1, 2]
        assert [(await inbox.next()).raw_text for _ in range(2)] == ["again", "again"]


@pytest.mark.operation("random_id forgotten after ten minutes", "the repeat arrives again, also after a server restart")
async def test_old_names_are_forgotten(tmp_path, expected_logs):
    expected_logs(DUPLICATE)
    clock = Clock()
    async with sandbox(tmp_path, now=clock) as server, client_of(server, NORA) as nora:
        marta = await marta_for(nora)
        await send(nora, marta, "old", random_id=1)
        clock.now += 400
        await send(nora, marta, "young", random_id=2)
        clock.now += 200
        assert server.console.faults.forget_random_ids(600) == 1
        with pytest.raises(ValueError, match="0 or more"):
            server.console.faults.forget_random_ids(-1)
    async with sandbox(tmp_path, now=clock) as server, client_of(server, NORA, request_retries=0) as nora:
        with pytest.raises(errors.RandomIdDuplicateError):
            await send(nora, marta, "young", random_id=2)
        await send(nora, marta, "old", random_id=1)
        assert await arrived(server) == ["old", "young", "old"]


@pytest.mark.operation(
    "duplicate random_id: forgotten after ten minutes", "the partner has the message once, then twice"
)
async def test_a_repeat_is_refused_for_ten_minutes_and_then_sent_again(expected_logs):
    expected_logs(DUPLICATE)
    clock = Clock()
    async with sandbox(now=clock) as server, client_of(server, NORA, request_retries=0) as nora:
        marta = await marta_for(nora)
        await server.console.set_duplicate_mode(DuplicateMode.FORGOTTEN_LATER)
        await send(nora, marta, "old", random_id=1)
        clock.now += 599
        with pytest.raises(errors.RandomIdDuplicateError):
            await send(nora, marta, "old", random_id=1)
        assert await arrived(server) == ["old"]
        clock.now += 1
        await send(nora, marta, "old", random_id=1)
        assert await arrived(server) == ["old", "old"]
        with pytest.raises(errors.RandomIdDuplicateError):
            await send(nora, marta, "old", random_id=1)


async def test_the_names_are_each_accounts_own():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as her:
        await server.console.set_duplicate_mode(DuplicateMode.SAME)
        await send(nora, await marta_for(nora), "hers", random_id=5)
        inbox = Inbox(nora)
        await send(her, await nora_for(her), "mine", random_id=5)
        assert (await inbox.next()).raw_text == "mine"
