"""MTProto containers, which hold several messages in one packet."""

import struct
from collections.abc import Iterator, Sequence

from chimein_gui.sandbox.wire.crypto import BadPacketError
from chimein_gui.sandbox.wire.tl import CONTAINER_ID

MOST_MESSAGES = 1_020
"""Telegram's limit; Telethon packs 100."""

_TAG = struct.pack("<I", CONTAINER_ID)
_HEADER = struct.Struct("<qii")  # message id, sequence number, length
_START = 8

Message = tuple[int, int, bytes]
"""Message id, sequence number and body."""


def is_container(body: bytes) -> bool:
    """Tell whether the body of a message is a container."""
    return body.startswith(_TAG)


def packed(messages: Sequence[Message]) -> bytes:
    """Return a container of messages."""
    parts = [_HEADER.pack(message_id, sequence, len(body)) + body for message_id, sequence, body in messages]
    return struct.pack("<Ii", CONTAINER_ID, len(parts)) + b"".join(parts)


def unpacked(body: bytes) -> Iterator[Message]:
    """Iterate over the messages of a container.

    Raises:
        BadPacketError: If there are too many messages, or a length exceeds the container.
        struct.error: If the container is truncated.
    """
    count, position = int.from_bytes(body[4:_START], "little"), _START
    if count > MOST_MESSAGES:
        raise BadPacketError
    for _ in range(count):
        message_id, sequence, length = _HEADER.unpack_from(body, position)
        position += _HEADER.size
        if not 0 <= length <= len(body) - position:
            raise BadPacketError
        yield message_id, sequence, body[position : position + length]
        position += length
