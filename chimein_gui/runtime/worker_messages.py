"""Messages between the program and a process of its own: two lengths, a JSON header, and bytes."""

from __future__ import annotations

import json
import os
import struct
import sys
from typing import IO, Any, BinaryIO

_LENGTHS = struct.Struct(">II")

MAX_HEADER = 64 * 1024
MAX_BODY = 64 * 2**20
"""Largest body in bytes; a larger one is invalid, because neither side trusts the other."""


def own_output() -> BinaryIO:
    """Reserve standard output for answers, because the output of a library could look like one."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
    return answers


def write_message(stream: IO[bytes], header: dict[str, Any], body: bytes = b"") -> None:
    """Write one message and flush it.

    Raises:
        OSError: The other side is gone.
    """
    encoded = json.dumps(header).encode()
    stream.write(_LENGTHS.pack(len(encoded), len(body)) + encoded)
    stream.write(body)
    stream.flush()


def read_message(stream: IO[bytes]) -> tuple[dict[str, Any], bytes]:
    """Read one message.

    Raises:
        EOFError: The other side is gone.
        ValueError: This is no message.
    """
    header_size, body_size = _LENGTHS.unpack(_exactly(stream, _LENGTHS.size))
    if header_size > MAX_HEADER or body_size > MAX_BODY:
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
