"""MTProto transports, which frame packets in the TCP stream: full, intermediate and padded.

The client names its transport in its first bytes. Full has no tag, but its second number is 0: the sequence number of
the first packet.
"""

import struct
from typing import Protocol
from zlib import crc32

MAX_PACKET = 4 * 1024 * 1024
"""Maximum length of a packet in bytes; limits the memory for one client."""

UNKNOWN_KEY = struct.pack("<i", -404)
"""The unencrypted answer to a packet with an unknown auth key."""

_ENCRYPTED_HEADER = 24
_BLOCK = 16
_FIRST_NUMBERS = 8


class BadStreamError(Exception):
    """The bytes are not a supported MTProto transport."""


class Transport(Protocol):
    """A framing with state; each connection has its own instance."""

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
    """Length, sequence number, packet, CRC32; Telethon's default."""

    def __init__(self) -> None:
        self._sent = 0

    def encode(self, packet: bytes) -> bytes:
        """Frame a packet."""
        framed = struct.pack("<ii", len(packet) + 12, self._sent) + packet
        self._sent += 1
        return framed + struct.pack("<I", crc32(framed))

    def take(self, buffer: bytearray) -> bytes | None:
        """Remove the next packet from the buffer, or return None if it is incomplete.

        Raises:
            BadStreamError: If the length is invalid or the checksum is wrong.
        """
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
        """Remove the next packet from the buffer, or return None if it is incomplete."""
        if len(buffer) < 4:
            return None
        return _cut(buffer, 4, 4 + _checked(int.from_bytes(buffer[:4], "little")))


class PaddedTransport(IntermediateTransport):
    """Intermediate with up to 15 random bytes after each packet; used with an MTProxy."""

    def take(self, buffer: bytearray) -> bytes | None:
        """Remove the next packet; drops the padding of encrypted packets (others contain their length)."""
        packet = super().take(buffer)
        if packet is None or packet[:8] == bytes(8):
            return packet
        return packet[: len(packet) - (len(packet) - _ENCRYPTED_HEADER) % _BLOCK]


def detect(buffer: bytearray) -> Transport | None:
    """Detect the transport by the first bytes and remove its tag; None while more bytes are needed.

    Raises:
        BadStreamError: If the transport is not supported.
    """
    if len(buffer) < _FIRST_NUMBERS:
        return None
    tagged = _TAGGED.get(bytes(buffer[:4]))
    if tagged is not None:
        del buffer[:4]
        return tagged()
    if buffer[4:_FIRST_NUMBERS] != bytes(4):
        raise BadStreamError
    return FullTransport()


_TAGGED: dict[bytes, type[IntermediateTransport]] = {
    b"\xee\xee\xee\xee": IntermediateTransport,
    b"\xdd\xdd\xdd\xdd": PaddedTransport,
}
