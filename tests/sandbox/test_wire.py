"""Framing and encryption, against the client's own codecs."""

import asyncio
import random

import pytest
from telethon.network import connection

from chimein_gui.sandbox.wire import transports
from tests.sandbox.clients import MARTA, NORA, Inbox, client_of, marta_for, sandbox, send

CONNECTIONS = [connection.ConnectionTcpFull, connection.ConnectionTcpIntermediate]


class PaddedCodec(connection.tcpintermediate.RandomizedIntermediatePacketCodec):  # type: ignore[misc]  # untyped
    tag = b"\xdd\xdd\xdd\xdd"


class Padded(connection.ConnectionTcpIntermediate):  # type: ignore[misc]  # untyped
    """Telethon has the padded transport for proxies only; here it speaks it without."""

    packet_codec = PaddedCodec


ALL_CONNECTIONS = [*CONNECTIONS, Padded]


@pytest.mark.operation("transports: full, intermediate, padded", "the partner's mailbox")
@pytest.mark.parametrize("kind", ALL_CONNECTIONS)
async def test_every_transport_carries_small_and_large_packets(kind):
    async with sandbox() as server, client_of(server, NORA, connection=kind) as nora:
        inbox = Inbox(nora)
        peer = await marta_for(nora)
        await send(nora, peer, "x" * 4_000)
        await server.console.speak_many([(MARTA, NORA, "y" * 4_000) for _ in range(50)])
        for _ in range(50):
            assert len((await inbox.next()).raw_text) == 4_000
        assert [len(one.text) for one in await server.console.mailbox(MARTA)] == [4_000]


@pytest.mark.parametrize("kind", CONNECTIONS)
async def test_frames_are_found_however_the_stream_is_cut(kind):
    codec = kind.packet_codec(None)
    packets = [random.Random(n).randbytes(4 * n) for n in (6, 20, 126, 127, 128, 5_000)]
    stream = (codec.tag or b"") + b"".join(codec.encode_packet(packet) for packet in packets)
    buffer, found, transport = bytearray(), [], None
    for byte in stream:
        buffer.append(byte)
        transport = transport or transports.detect(buffer)
        while transport and (packet := transport.take(buffer)) is not None:
            found.append(packet)
    assert found == packets
    assert transport is not None
    reader = asyncio.StreamReader()
    reader.feed_data(b"".join(transport.encode(packet) for packet in packets))
    assert [await codec.read_packet(reader) for _ in packets] == packets


def test_a_wrong_checksum_and_a_huge_length_are_bad_streams():
    good = connection.ConnectionTcpFull.packet_codec(None).encode_packet(b"12345678")
    with pytest.raises(transports.BadStreamError):
        transports.FullTransport().take(bytearray(good[:-1] + b"\0"))
    with pytest.raises(transports.BadStreamError):
        transports.IntermediateTransport().take(bytearray(b"\xff\xff\xff\x7f"))


def test_another_stream_is_a_bad_one():
    assert transports.detect(bytearray(b"\x11" * 7)) is None
    for stream in (b"\x11" * 64, b"GET / HTTP/1.1\r\n"):
        with pytest.raises(transports.BadStreamError):
            transports.detect(bytearray(stream))


async def test_a_compressed_call_is_understood():
    """Telethon compresses what gets smaller by it, above 512 bytes."""
    async with sandbox() as server, client_of(server, NORA) as nora:
        await send(nora, await marta_for(nora), "a" * 3_000)
        assert (await server.console.mailbox(MARTA))[0].text == "a" * 3_000
