"""Faults that strike one call of an unmodified client; each is proven by what the server has or has not done."""

import asyncio

import pytest
from telethon import errors, functions

from chimein_gui.sandbox_api import FaultKind, FaultRule
from tests.sandbox.clients import (
    CUT,
    GIVEN_UP,
    MARTA,
    NORA,
    Inbox,
    client_of,
    fails,
    is_cut,
    marta_for,
    nora_for,
    sandbox,
    send,
)

SEND = "messages.sendMessage"


async def arrived(server) -> list[str]:
    return [delivery.text for delivery in await server.console.mailbox(MARTA)]


@pytest.mark.operation("fault FLOOD_WAIT_n on the next call", "the partner's mailbox: refused, then sent once")
async def test_the_next_call_is_flooded_and_not_executed():
    async with sandbox() as server, client_of(server, NORA) as desk, client_of(server, NORA) as phone:
        marta = await marta_for(desk)
        fault_id = await server.console.inject(FaultRule(FaultKind.FLOOD_WAIT, SEND, seconds=30))
        with pytest.raises(errors.FloodWaitError) as caught:
            await send(desk, marta, "too fast")
        assert caught.value.seconds == 30
        assert await arrived(server) == []
        await server.console.remove_fault(fault_id)
        await send(phone, marta, "in time")  # the first client would wait without asking
        assert await arrived(server) == ["in time"]


@pytest.mark.parametrize(
    ("code", "message", "expected"),
    [
        pytest.param(420, "SLOWMODE_WAIT_30", errors.SlowModeWaitError, id="slow mode"),
        pytest.param(403, "CHAT_WRITE_FORBIDDEN", errors.ChatWriteForbiddenError, id="not allowed"),
        pytest.param(400, "USER_IS_BLOCKED", errors.UserIsBlockedError, id="blocked"),
        pytest.param(400, "USER_BANNED_IN_CHANNEL", errors.UserBannedInChannelError, id="banned"),
    ],
)
@pytest.mark.operation("fault: any rpc error on sending", "the partner's mailbox has only the second attempt")
async def test_any_error(code, message, expected):
    async with sandbox() as server, client_of(server, NORA) as nora:
        marta = await marta_for(nora)
        await server.console.inject(FaultRule(FaultKind.RPC_ERROR, SEND, code=code, message=message))
        with pytest.raises(expected):
            await send(nora, marta, "refused")
        await send(nora, marta, "again")
        assert await arrived(server) == ["again"]


@pytest.mark.operation("fault USER_DEACTIVATED_BAN on every call of an account", "another account's calls go well")
async def test_a_banned_account():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as her:
        marta, peer = await marta_for(nora), await nora_for(her)
        rule = FaultRule(FaultKind.RPC_ERROR, account_id=NORA, code=401, message="USER_DEACTIVATED_BAN", times=0)
        await server.console.inject(rule)
        for call in (send(nora, marta, "x"), nora.get_messages(marta), nora.send_read_acknowledge(marta)):
            with pytest.raises(errors.UserDeactivatedBanError):
                await call
        await send(her, peer, "still here")
        assert [message.raw_text for message in await her.get_messages(peer)] == ["still here"]


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


@pytest.mark.operation("fault: a call that is never answered", "the partner hears it; later calls are answered")
async def test_a_call_that_is_never_answered():
    async with sandbox() as server, client_of(server, NORA) as nora, client_of(server, MARTA) as her:
        marta, inbox = await marta_for(nora), Inbox(her)
        await server.console.inject(FaultRule(FaultKind.NO_ANSWER, SEND))
        async with asyncio.TaskGroup() as group:
            sending = group.create_task(send(nora, marta, "hello?"))
            assert (await inbox.next()).raw_text == "hello?"
            assert (await send(nora, marta, "anybody?")).id == 2
            assert not sending.done()
            sending.cancel()
        assert await arrived(server) == ["hello?", "anybody?"]


@pytest.mark.operation("fault: connection lost after the send", "the partner's client; the repeat after a restart")
async def test_a_drop_after_the_call_has_been_committed(tmp_path, expected_logs):
    expected_logs(CUT)
    expected_logs(GIVEN_UP)
    expected_logs(r"WARNING telethon.*RandomIdDuplicateError")
    async with sandbox(tmp_path) as server, client_of(server, NORA) as nora, client_of(server, MARTA) as her:
        marta, inbox = await marta_for(nora), Inbox(her)
        await server.console.inject(FaultRule(FaultKind.DROP_AFTER, SEND))
        assert await fails(send(nora, marta, "sent", random_id=12))
        assert (await inbox.next()).raw_text == "sent"
        assert await is_cut(nora)
    async with sandbox(tmp_path) as server, client_of(server, NORA, request_retries=0) as nora:
        with pytest.raises(errors.RandomIdDuplicateError):
            await send(nora, marta, "sent", random_id=12)
        assert await arrived(server) == ["sent"]


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
