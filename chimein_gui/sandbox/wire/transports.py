"""How packets are cut out of the TCP stream: MTProto's full, abridged, intermediate and padded transports.

The client names its transport in its first bytes. Full has no tag, but its second number is 0: the running number of
the first packet. Whatever is none of these is taken for obfuscation (`obfuscation`).
"""

import struct
from collections.abc import Callable
from typing import Protocol
from zlib import crc32

from chimein_gui.sandbox.wire.obfuscation import HEADER_SIZE, Obfuscation

MAX_PACKET = 4 * 1024 * 1024
"""Larger announcements are refused, so that a stray client can't make us buffer."""

UNKNOWN_KEY = struct.pack("<i", -404)
"""The raw answer to a packet whose auth key nobody knows."""

_ABRIDGED_TAG = b"\xef"
_INTERMEDIATE_TAG = b"\xee\xee\xee\xee"
_PADDED_TAG = b"\xdd\xdd\xdd\xdd"
_FOREIGN = (b"GET ", b"POST", b"HEAD", b"OPTI", b"\x16\x03\x01\x02")
"""What no obfuscated stream begins with: web browsers and TLS."""
_FIRST_NUMBERS = 8
_ABRIDGED_LONG = 127
_ENCRYPTED_HEADER = 24
_BLOCK = 16


class BadStreamError(Exception):
    """The bytes are no MTProto transport."""


class Transport(Protocol):
    """One framing; stateful, one instance a connection."""

    def encode(self, packet: bytes) -> bytes:
        """Frame a packet."""
        ...

    def take(self, buffer: bytearray) -> bytes | None:
        """Remove the next packet from the buffer, or return None if it is incomplete.

        Raises:
            BadStreamError: If the buffer can't be a frame.
        """
        ...


def _checked(length: int) -> int:
    if not 0 < length <= MAX_PACKET:
        raise BadStreamError
    return length


def _cut(buffer: bytearray, start: int, end: int) -> bytes | None:
    if len(buffer) < end:
        return None
    packet = bytes(buffer[start:end])
    del buffer[:end]
    return packet


class FullTransport:
    """Length, running number, packet, CRC32: what Telethon uses by default."""

    def __init__(self) -> None:
        self._sent = 0

    def encode(self, packet: bytes) -> bytes:
        """Frame a packet."""
        framed = struct.pack("<ii", len(packet) + 12, self._sent) + packet
        self._sent += 1
        return framed + struct.pack("<I", crc32(framed))

    def take(self, buffer: bytearray) -> bytes | None:
        """Remove the next packet from the buffer; a wrong checksum is a bad stream."""
        if len(buffer) < 4:
            return None
        frame = _cut(buffer, 0, _checked(int.from_bytes(buffer[:4], "little")))
        if frame is None:
            return None
        if crc32(frame[:-4]) != int.from_bytes(frame[-4:], "little"):
            raise BadStreamError
        return frame[8:-4]


class IntermediateTransport:
    """Four bytes of length, then the packet."""

    def encode(self, packet: bytes) -> bytes:
        """Frame a packet."""
        return struct.pack("<i", len(packet)) + packet

    def take(self, buffer: bytearray) -> bytes | None:
        """Remove the next packet from the buffer."""
        if len(buffer) < 4:
            return None
        return _cut(buffer, 4, 4 + _checked(int.from_bytes(buffer[:4], "little")))


class AbridgedTransport:
    """One or four bytes of length in words, then the packet."""

    def encode(self, packet: bytes) -> bytes:
        """Frame a packet."""
        words = len(packet) >> 2
        if words < _ABRIDGED_LONG:
            return bytes((words,)) + packet
        return b"\x7f" + words.to_bytes(3, "little") + packet

    def take(self, buffer: bytearray) -> bytes | None:
        """Remove the next packet from the buffer."""
        if not buffer:
            return None
        if buffer[0] < _ABRIDGED_LONG:
            return _cut(buffer, 1, 1 + _checked(buffer[0] << 2))
        if len(buffer) < 4:
            return None
        return _cut(buffer, 4, 4 + _checked(int.from_bytes(buffer[1:4], "little") << 2))


class PaddedTransport(IntermediateTransport):
    """Intermediate with up to 15 random bytes behind each packet."""

    def take(self, buffer: bytearray) -> bytes | None:
        """Remove the next packet from the buffer, without its padding if it is encrypted (others tell their length)."""
        packet = super().take(buffer)
        if packet is None or packet[:8] == bytes(8):
            return packet
        return packet[: len(packet) - (len(packet) - _ENCRYPTED_HEADER) % _BLOCK]


class ObfuscatedTransport:
    """Another transport beneath the obfuscation."""

    def __init__(self, obfuscation: Obfuscation, beneath: Transport) -> None:
        self._obfuscation = obfuscation
        self._beneath = beneath
        self._lifted = bytearray()

    def encode(self, packet: bytes) -> bytes:
        """Frame a packet and cover it."""
        return self._obfuscation.cover(self._beneath.encode(packet))

    def take(self, buffer: bytearray) -> bytes | None:
        """Lift the obfuscation from all that has come and remove the next packet from that."""
        self._lifted += self._obfuscation.lift(bytes(buffer))
        buffer.clear()
        return self._beneath.take(self._lifted)


def detect(buffer: bytearray) -> Transport | None:
    """Tell the transport from the first bytes, removing its tag; None while more bytes are needed.

    Raises:
        BadStreamError: If it is no MTProto transport.
    """
    if buffer[:1] == _ABRIDGED_TAG:
        del buffer[:1]
        return AbridgedTransport()
    if len(buffer) < len(_INTERMEDIATE_TAG):
        return None
    tagged = _TAGGED.get(bytes(buffer[:4]))
    if tagged is not None:
        del buffer[:4]
        return tagged()
    if bytes(buffer[:4]) in _FOREIGN:
        raise BadStreamError
    if len(buffer) < _FIRST_NUMBERS:
        return None
    if buffer[4:_FIRST_NUMBERS] == bytes(4):
        return FullTransport()
    return _obfuscated(buffer)


def _obfuscated(buffer: bytearray) -> Transport | None:
    if len(buffer) < HEADER_SIZE:
        return None
    obfuscation = Obfuscation(bytes(buffer[:HEADER_SIZE]))
    del buffer[:HEADER_SIZE]
    beneath = _BENEATH.get(obfuscation.tag)
    if beneath is None:
        raise BadStreamError
    return ObfuscatedTransport(obfuscation, beneath())


_TAGGED: dict[bytes, type[IntermediateTransport]] = {
    _INTERMEDIATE_TAG: IntermediateTransport,
    _PADDED_TAG: PaddedTransport,
}
_BENEATH: dict[bytes, Callable[[], Transport]] = {**_TAGGED, _ABRIDGED_TAG * 4: AbridgedTransport}
