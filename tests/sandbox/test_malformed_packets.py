"""What no client of ours sends: forged containers, endless nesting, old messages again, calls of the wrong types."""

import struct

import pytest
from telethon.tl import core, functions, types

from chimein_gui.sandbox.wire.containers import MOST_MESSAGES
from tests.sandbox.clients import MARTA, NORA, client_of, marta_for, nora_for, sandbox, send
from tests.sandbox.raw_client import RawClient, container, raw_client, result
from tests.support.log_guard import ExpectedLogs

STATE = functions.updates.GetStateRequest()
PING = bytes(functions.PingRequest(1))


def raw(server):
    return raw_client(server.addresses.telegram_port, server.auth_key_for(NORA))


async def others_are_served(server) -> None:
    async with client_of(server, NORA) as nora, client_of(server, MARTA) as marta:
        await send(nora, await marta_for(nora), "still here")
        assert [one.raw_text for one in await marta.get_messages(await nora_for(marta), limit=1)] == ["still here"]


async def answered(client: RawClient, request=STATE) -> None:
    message_id = client.send(request)
    while (answer := await client.read_one(core.RpcResult)).req_msg_id != message_id:
        pass
    result(answer, request)


@pytest.mark.operation("a container that runs backwards", "the server hangs up at once and serves the others")
async def test_a_container_can_not_run_backwards():
    async with sandbox() as server:
        async with raw(server) as client:
            known = client.send(PING)
            await client.read_one(types.Pong)
            part = struct.pack("<qii", known, 1, -16)  # a length that leads back to itself
            client.send(struct.pack("<Ii", core.MessageContainer.CONSTRUCTOR_ID, MOST_MESSAGES) + part)
            assert await client.is_closed()
        await others_are_served(server)


@pytest.mark.operation("a container of too many messages", "nothing in it is executed")
async def test_a_container_has_a_limit():
    call = bytes(functions.messages.SendMessageRequest(types.InputPeerSelf(), "one of many", random_id=1))
    async with sandbox() as server:
        async with raw(server) as client:
            client.send(container(*[(client.message_id(), 1, call) for _ in range(MOST_MESSAGES + 1)]))
            assert await client.is_closed()
        async with client_of(server, NORA) as nora:
            assert await nora.get_messages("me", limit=1) == []


@pytest.mark.operation("a full container", "each of its calls is answered")
async def test_a_full_container_is_answered():
    async with sandbox() as server, raw(server) as client:
        pings = {client.message_id(): PING for _ in range(MOST_MESSAGES)}
        client.send(container(*[(message_id, 1, body) for message_id, body in pings.items()]))
        while pings:
            for _, _, found in await client.read():
                if isinstance(found, types.Pong):
                    del pings[found.msg_id]


@pytest.mark.operation("a call within thousands of others", "the server hangs up and serves the others")
async def test_endless_nesting():
    wrapper = struct.pack("<I", functions.InvokeWithoutUpdatesRequest.CONSTRUCTOR_ID)
    async with sandbox() as server:
        async with raw(server) as client:
            client.send(wrapper * 5_000 + bytes(STATE))
            assert await client.is_closed()
        await others_are_served(server)


@pytest.mark.operation("bad_msg_notification 20", "a message that comes again after a thousand others is not executed")
async def test_a_message_from_long_ago_is_not_executed_again():
    call = bytes(functions.messages.SendMessageRequest(types.InputPeerSelf(), "once", random_id=0))
    async with sandbox() as server, raw(server) as client:
        first = client.send(call)
        await client.read_one(core.RpcResult)
        for _ in range(2):
            client.send(container(*[(client.message_id(), 1, PING) for _ in range(MOST_MESSAGES)]))
        client.send(call, first)
        notice = await client.read_one(types.BadMsgNotification)
        assert (notice.bad_msg_id, notice.error_code) == (first, 20)
        async with client_of(server, NORA) as nora:
            assert [one.raw_text for one in await nora.get_messages("me", limit=5)] == ["once"]


@pytest.mark.operation("a call whose parts are of the wrong type", "500, and the next call is answered")
async def test_parts_of_the_wrong_type(expected_logs: ExpectedLogs):
    bold = types.MessageEntityBold(0, 1)
    call = bytes(functions.messages.SendMessageRequest(types.InputPeerSelf(), "hey", entities=[bold], random_id=5))
    expected_logs(r"ERROR chimein_gui.sandbox.rpc.registry: SendMessageRequest could not be answered")
    async with sandbox() as server, raw(server) as client:
        client.send(call.replace(bytes(bold), bytes(STATE)))
        refused = await client.read_one(core.RpcResult)
        assert (refused.error.error_code, refused.error.error_message) == (500, "INTERNAL")
        await answered(client)
        async with client_of(server, NORA) as nora:
            assert await nora.get_messages("me", limit=1) == []
