"""The typed façade over Telethon's TL classes, which come without type information.

Everything of Telethon that the sandbox uses passes through here or `crypto`.
"""

import gzip
import struct
from typing import Any

from telethon.crypto import AuthKey
from telethon.errors import TypeNotFoundError
from telethon.extensions import BinaryReader
from telethon.tl import functions, patched, types
from telethon.tl.core import GzipPacked, MessageContainer

__all__ = [
    "CONTAINER_ID",
    "GZIP_ID",
    "RPC_RESULT_ID",
    "AuthKey",
    "BinaryReader",
    "TLObject",
    "TypeNotFoundError",
    "functions",
    "inflate",
    "patched",
    "read_object",
    "serialize",
    "types",
    "vector_bytes",
]

TLObject = Any
"""A Telethon TL object; an alias because Telethon is untyped."""

CONTAINER_ID: int = MessageContainer.CONSTRUCTOR_ID
GZIP_ID: int = GzipPacked.CONSTRUCTOR_ID
RPC_RESULT_ID = 0xF35C6D01
_VECTOR_ID = 0x1CB5C415
_BOOL_TRUE = struct.pack("<I", 0x997275B5)
_BOOL_FALSE = struct.pack("<I", 0xBC799737)


def read_object(data: bytes) -> TLObject:
    """Parse one boxed object (or vector) at the start of `data`.

    Raises:
        TypeNotFoundError: If the constructor is unknown to this layer.
    """
    return BinaryReader(data).tgread_object()


def inflate(packed: bytes) -> bytes:
    """Return what a `gzip_packed` object, constructor included, holds."""
    reader = BinaryReader(packed)
    reader.read_int()
    return gzip.decompress(reader.tgread_bytes())


def vector_bytes(items: list[TLObject] | tuple[TLObject, ...]) -> bytes:
    """Serialise a bare vector of boxed objects."""
    return struct.pack("<Ii", _VECTOR_ID, len(items)) + b"".join(bytes(item) for item in items)


def serialize(result: TLObject) -> bytes:
    """Serialise the result of a call: object, bool or vector of objects."""
    if result is True:
        return _BOOL_TRUE
    if result is False:
        return _BOOL_FALSE
    if isinstance(result, list):
        return vector_bytes(result)
    return bytes(result)
