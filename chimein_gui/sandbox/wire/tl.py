"""Typed façade over Telethon's TL classes, which have no type information.

All that the sandbox uses of Telethon is imported here or in `crypto`.
"""

import gzip
import struct
import zlib
from types import SimpleNamespace
from typing import Any

from telethon.crypto import AuthKey, rsa
from telethon.errors import TypeNotFoundError
from telethon.extensions import BinaryReader
from telethon.password import compute_digest
from telethon.tl import TLObject as TLBase
from telethon.tl import functions, patched, types
from telethon.tl.core import GzipPacked, MessageContainer

__all__ = [
    "CONTAINER_ID",
    "GZIP_ID",
    "RPC_ERROR_ID",
    "RPC_RESULT_ID",
    "AuthKey",
    "BinaryReader",
    "LongVector",
    "TLObject",
    "TypeNotFoundError",
    "deflate",
    "functions",
    "inflate",
    "key_fingerprint",
    "nonce_hash",
    "password_verifier",
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
RPC_ERROR_ID: int = types.RpcError.CONSTRUCTOR_ID
_VECTOR_ID = 0x1CB5C415
_BOOL_TRUE = struct.pack("<I", 0x997275B5)
_BOOL_FALSE = struct.pack("<I", 0xBC799737)
_GZIP = struct.pack("<I", GZIP_ID)
_FILE = struct.pack("<I", types.upload.File.CONSTRUCTOR_ID)
_WORTH_DEFLATING = 4 * 1024
_MAX_INFLATED = 16 * 1024 * 1024


def read_object(data: bytes) -> TLObject:
    """Parse one boxed object (or vector) at the start of `data`.

    Raises:
        TypeNotFoundError: If the constructor is unknown to this layer.
    """
    return BinaryReader(data).tgread_object()


def inflate(packed: bytes) -> bytes:
    """Return the content of a `gzip_packed` object; `packed` includes the constructor.

    Raises:
        ValueError: If the data is damaged, or its content is larger than 16 MiB.
    """
    reader = BinaryReader(packed)
    reader.read_int()
    stream = zlib.decompressobj(wbits=31)
    try:
        content = stream.decompress(reader.tgread_bytes(), _MAX_INFLATED)
    except zlib.error as error:
        raise ValueError("damaged gzip") from error
    if not stream.eof:
        raise ValueError("cut or far too large gzip")
    return content


def deflate(answer: bytes) -> bytes:
    """Return a large answer as `gzip_packed` if that makes it smaller, else unchanged; files are never packed."""
    if len(answer) < _WORTH_DEFLATING or answer.startswith(_FILE):
        return answer
    packed = _GZIP + TLBase.serialize_bytes(gzip.compress(answer, 1))
    return packed if len(packed) < len(answer) else answer


def vector_bytes(items: list[TLObject] | tuple[TLObject, ...]) -> bytes:
    """Serialise a bare vector of boxed objects."""
    return struct.pack("<Ii", _VECTOR_ID, len(items)) + b"".join(bytes(item) for item in items)


class LongVector:
    """A vector of 64-bit numbers, as the result of a call."""

    def __init__(self, numbers: list[int]) -> None:
        self._numbers = numbers

    def __bytes__(self) -> bytes:
        return struct.pack(f"<Ii{len(self._numbers)}q", _VECTOR_ID, len(self._numbers), *self._numbers)


def serialize(result: TLObject) -> bytes:
    """Serialise the result of a call: object, bool or vector of objects."""
    if result is True:
        return _BOOL_TRUE
    if result is False:
        return _BOOL_FALSE
    if isinstance(result, list):
        return vector_bytes(result)
    return bytes(result)


def key_fingerprint(modulus: int, exponent: int) -> int:
    """Return Telegram's fingerprint of an RSA key."""
    fingerprint: int = rsa._compute_fingerprint(SimpleNamespace(n=modulus, e=exponent))  # noqa: SLF001 - no public name
    return fingerprint


def nonce_hash(auth_key: bytes, new_nonce: int, number: int) -> int:
    """Return the hash that proves to the client that both sides have the same new auth key."""
    proof: int = AuthKey(auth_key).calc_new_nonce_hash(new_nonce, number)
    return proof


def password_verifier(algorithm: TLObject, password: str) -> bytes:
    """Return the SRP verifier of a password, `g^x mod p`, 256 bytes."""
    verifier: bytes = compute_digest(algorithm, password)
    return verifier
