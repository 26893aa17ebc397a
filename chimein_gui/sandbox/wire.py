"""How packets are cut out of the TCP stream: MTProto's full, abridged and intermediate transports.

The client names its transport in its first bytes; full has no tag, but its length is a multiple of four, which no tag
is.
"""

import struct
from typing import Protocol
from zlib import crc32

MAX_PACKET = 4 * 1024 * 1024
"""Larger announcements are refused, so that a stray client can't make us buffer."""

UNKNOWN_KEY = struct.pack("<i", -404)
"""The raw answer to a packet whose auth key nobody knows."""

_ABRIDGED_TAG = b"\xef"
_INTERMEDIATE_TAG = b"\xee\xee\xee\xee"
_ABRIDGED_LONG = 127


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


def detect(buffer: bytearray) -> Transport | None:
    """Tell the transport from the first bytes, removing its tag; None while more bytes are needed."""
    if buffer[:1] == _ABRIDGED_TAG:
        del buffer[:1]
        return AbridgedTransport()
    if len(buffer) < len(_INTERMEDIATE_TAG):
        return None
    if buffer[:4] == _INTERMEDIATE_TAG:
        del buffer[:4]
        return IntermediateTransport()
    return FullTransport()
