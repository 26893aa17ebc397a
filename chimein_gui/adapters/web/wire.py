"""Messages between the program and the process that reads pages: two lengths, a JSON header, and bytes."""

from __future__ import annotations

import json
import struct
from typing import IO, Any

_LENGTHS = struct.Struct(">II")
_MOST_HEADER, _MOST_BODY = 64 * 1024, 16 * 2**20


def write_message(stream: IO[bytes], header: dict[str, Any], body: bytes = b"") -> None:
    """Write one message and flush it.

    Raises:
        OSError: The other side is gone.
    """
    encoded = json.dumps(header).encode()
    stream.write(_LENGTHS.pack(len(encoded), len(body)) + encoded + body)
    stream.flush()


def read_message(stream: IO[bytes]) -> tuple[dict[str, Any], bytes]:
    """Read one message.

    Raises:
        EOFError: The other side is gone.
        ValueError: This is no message.
    """
    header_size, body_size = _LENGTHS.unpack(_exactly(stream, _LENGTHS.size))
    if header_size > _MOST_HEADER or body_size > _MOST_BODY:
        raise ValueError("a message of that length is none")
    header = json.loads(_exactly(stream, header_size))
    if not isinstance(header, dict):
        raise ValueError("a header is an object")  # noqa: TRY004 - the content is wrong, not a caller's type
    return header, _exactly(stream, body_size)


def _exactly(stream: IO[bytes], count: int) -> bytes:
    found = stream.read(count)
    if len(found) < count:
        raise EOFError
    return found
