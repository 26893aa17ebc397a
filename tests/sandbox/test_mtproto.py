"""MTProto by hand: salts, message ids, confirmations, service messages."""

import gzip
import os
import struct

import pytest
from telethon.tl import core, functions, types

from tests.sandbox.clients import MARTA, NORA, client_of, sandbox
from tests.sandbox.raw_client import RawClient, container, raw_client, result

STATE = functions.updates.GetStateRequest()
RESULT = core.RpcResult


def raw(server, user_id: int = NORA):
    return raw_client(server.addresses.telegram_port, server.auth_key_for(user_id))


async def ask(client: RawClient, request=STATE, **fields):
    """Call and return the read result."""
    message_id = client.send(request, **fields)
    while (answer := await client.read_one(RESULT)).req_msg_id != message_id:
        pass
    return result(answer, request)


def say(text: str, random_id: int) -> bytes:
    """A call that shows when it is executed: a message to oneself."""
    request = functions.messages.SendMessageRequest(types.InputPeerSelf(), text, random_id=random_id)
    return bytes(request)


async def said(server) -> list[str]:
    """What Nora's box on the server holds, as another session of hers sees it."""
    async with client_of(server, NORA) as other:
        return [one.raw_text for one in reversed(await other.get_messages("me", limit=20))]


@pytest.mark.operation("new_session_created and server salt", "the server seals with the salt that it told")
async def test_a_new_session_is_told_its_salt():
    async with sandbox() as server, raw(server) as client:
        first = client.send(STATE)
        created = await client.read_one(types.NewSessionCreated)
        assert created.first_msg_id == first
        assert created.server_salt == client.seen_salt != 0
        client.salt = created.server_salt
        assert isinstance(await ask(client), types.updates.State)


@pytest.mark.operation("bad_server_salt", "the call is not executed until the right salt comes")
async def test_a_wrong_salt_is_corrected():
    async with sandbox() as server, raw(server) as client:
        client.salt = 12345
        refused = client.send(say("with a wrong salt", 1))
        notice = await client.read_one(types.BadServerSalt)
        assert (notice.bad_msg_id, notice.error_code) == (refused, 48)
        assert await said(server) == []
        client.salt = notice.new_server_salt
        await ask(client)


@pytest.mark.operation("bad_msg_notification 16, 17, 18", "the call is not executed")
@pytest.mark.parametrize(("age_s", "shift", "reason"), [(400, 0, 16), (-60, 0, 17), (0, 2, 18)])
async def test_message_ids_that_can_not_be(age_s, shift, reason):
    async with sandbox() as server, raw(server) as client:
        wrong = client.message_id(age_s) + shift
        client.send(say("never", 1), message_id=wrong)
        notice = await client.read_one(types.BadMsgNotification)
        assert (notice.bad_msg_id, notice.error_code) == (wrong, reason)
        assert await said(server) == []


async def test_a_client_with_a_wrong_clock_is_set_right():
    async with sandbox() as server, client_of(server, NORA) as nora:
        nora._sender._state.time_offset = -3_000
        nora._sender._state._last_msg_id = 0
        assert (await nora.get_me()).id == NORA
        assert abs(nora._sender._state.time_offset) <= 1


@pytest.mark.operation("a repeated message id", "it is executed once and answered again, over the next connection too")
async def test_a_repeated_message_is_answered_again_and_executed_once():
    async with sandbox() as server:
        async with raw(server) as client:
            message_id = client.send(say("once", 1))
            answer = await client.read_one(RESULT)
            client.send(say("once", 2), message_id=message_id)
            assert (await client.read_one(RESULT)).body == answer.body
        async with raw(server) as again:
            again.session_id = client.session_id
            again.send(say("once", 3), message_id=message_id)
            packet = await again.read()
            assert [type(found) for _, _, found in packet] == [RESULT]
            confirmed = packet[0][0]
            again.send(types.MsgsAck([confirmed]), sequence=0)
            again.send(say("once", 4), message_id=message_id)
            assert (await again.read_one(types.MsgsAck)).msg_ids == [message_id]
        assert await said(server) == ["once"]


@pytest.mark.operation("containers", "the server has the messages in the order of the container")
async def test_a_container_is_executed_in_order():
    async with sandbox() as server, raw(server) as client:
        inner = [(client.message_id(), 1, say(f"{n}", n + 1)) for n in range(5)]
        outer = client.send(container(*inner), sequence=0)
        answers = [found for _, _, found in await client.read() if isinstance(found, RESULT)]
        assert [one.req_msg_id for one in answers] == [message_id for message_id, _, _ in inner]
        client.send(container(*inner), message_id=outer, sequence=0)
        notice = await client.read_one(types.BadMsgNotification)
        assert (notice.bad_msg_id, notice.error_code) == (outer, 19)
        nested = client.message_id()
        client.send(container((nested, 0, container(*inner))), sequence=0)
        notice = await client.read_one(types.BadMsgNotification)
        assert (notice.bad_msg_id, notice.error_code) == (nested, 64)
        assert await said(server) == [f"{n}" for n in range(5)]


@pytest.mark.operation("invokeAfterMsg, invokeAfterMsgs", "what follows a failed call is not executed")
async def test_calls_that_come_after_others():
    async with sandbox() as server, raw(server) as client:
        good = client.send(say("good", 1))
        await client.read_one(RESULT)
        bad = client.send(functions.messages.SendMessageRequest(types.InputPeerUser(1, 2), "bad", random_id=2))
        assert (await client.read_one(RESULT)).error.error_message == "PEER_ID_INVALID"
        after = functions.InvokeAfterMsgRequest
        assert (await client_error(client, after(bad, _Opaque(say("never", 3))))) == "MSG_WAIT_FAILED"
        several = functions.InvokeAfterMsgsRequest
        assert (await client_error(client, several([good, bad], _Opaque(say("never", 4))))) == "MSG_WAIT_FAILED"
        assert await client_error(client, after(good, _Opaque(say("after one", 5)))) is None
        assert await client_error(client, several([good], _Opaque(say("after some", 6)))) is None
        assert await said(server) == ["good", "after one", "after some"]


async def client_error(client: RawClient, request) -> str | None:
    client.send(request)
    answer = await client.read_one(RESULT)
    return answer.error.error_message if answer.error else None


class _Opaque(core.GzipPacked):  # type: ignore[misc]  # untyped
    """A request that is serialised already."""

    def _bytes(self) -> bytes:
        return self.data


@pytest.mark.operation("ordered calls of the unmodified client", "the server has them in order")
async def test_the_clients_ordered_calls():
    async with sandbox() as server, client_of(server, NORA) as nora:
        calls = [
            functions.messages.SendMessageRequest(types.InputPeerSelf(), f"{n}", random_id=n + 1) for n in range(4)
        ]
        await nora(calls, ordered=True)
        assert await said(server) == ["0", "1", "2", "3"]


@pytest.mark.operation("gzip_packed both ways", "the call inside is executed; a large answer comes packed")
async def test_gzip_both_ways():
    async with sandbox() as server:
        await server.console.speak_many([(MARTA, NORA, "the same words again and again " * 20) for _ in range(30)])
        async with raw(server) as client:
            packed = struct.pack("<I", core.GzipPacked.CONSTRUCTOR_ID)
            packed += functions.TLRequest.serialize_bytes(gzip.compress(say("packed", 1), mtime=0))
            client.send(packed)
            assert (await client.read_one(RESULT)).error is None
            client.send(functions.updates.GetDifferenceRequest(1, 0, 0))
            message = await client.read()
        async with raw(server) as client:
            client.send(functions.updates.GetDifferenceRequest(1, 0, 0))
            packet = await client.read_packet()
            assert len(packet) < 8_000
        assert any(isinstance(found, RESULT) and len(found.body) > 15_000 for _, _, found in message)
        assert "packed" in await said(server)


@pytest.mark.parametrize(
    "bomb", [gzip.compress(bytes(20_000_000), mtime=0), gzip.compress(b"cut short", mtime=0)[:-6], b"no gzip"]
)
async def test_a_gzip_that_swells_or_is_damaged_costs_the_connection(bomb):
    async with sandbox() as server, raw(server) as client:
        packed = struct.pack("<I", core.GzipPacked.CONSTRUCTOR_ID) + functions.TLRequest.serialize_bytes(bomb)
        client.send(packed)
        assert await client.is_closed()


@pytest.mark.operation("ping", "a pong names the ping")
async def test_ping():
    async with sandbox() as server, client_of(server, NORA) as nora:
        pong = await nora(functions.PingRequest(42))
        assert pong.ping_id == 42


async def test_http_waits_are_ignored_and_an_unknown_constructor_is_refused():
    async with sandbox() as server, raw(server) as client:
        client.send(types.HttpWait(1, 2, 3), sequence=0)
        client.send(os.urandom(3) + b"\xab" + bytes(8))
        assert (await client.read_one(RESULT)).error.error_message == "METHOD_INVALID"
        assert isinstance(await ask(client), types.updates.State)


async def test_what_is_never_confirmed_does_not_pile_up():
    async with sandbox() as server, raw(server) as client:
        for n in range(300):
            client.send(functions.PingRequest(n))
        pongs = 0
        while pongs < 300:
            pongs += sum(isinstance(found, types.Pong) for _, _, found in await client.read())
        (connection,) = server._telegram._connections
        assert len(connection.session._unconfirmed) == 64
        assert connection.session._unconfirmed_bytes == sum(
            len(body) for _, _, body in connection.session._unconfirmed.values()
        )
