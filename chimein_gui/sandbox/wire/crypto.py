"""The server's side of MTProto 2.0 message encryption, built from Telethon's functions.

The directions differ only in an offset into the auth key: 0 from the client, 8 from the server.
"""

import os
import struct
from hashlib import sha256

from telethon.crypto import AES
from telethon.helpers import generate_key_data_from_nonce
from telethon.network.mtprotostate import MTProtoState

_HEADER = 24  # key id (8 bytes) and message key (16 bytes)
_BLOCK = 16
_MIN_PADDING = 12

# The key derivation is Telethon's own, so that client and server agree by construction.
_calc_key = MTProtoState._calc_key  # noqa: SLF001 - no public name; pinned by the sandbox tests


class BadPacketError(Exception):
    """A packet that is forged, truncated or damaged."""


def key_id_of(packet: bytes) -> int:
    """Return the auth key id of a packet; 0 means that the packet is unencrypted.

    Raises:
        BadPacketError: If the packet is too short.
    """
    if len(packet) < 8:
        raise BadPacketError
    return int.from_bytes(packet[:8], "little")


def decrypt(auth_key: bytes, packet: bytes) -> bytes:
    """Return salt, session id, message id, sequence, length and body of a client's packet.

    Raises:
        BadPacketError: If the message key does not match the content.
    """
    if len(packet) <= _HEADER or (len(packet) - _HEADER) % _BLOCK:
        raise BadPacketError
    message_key = packet[8:_HEADER]
    aes_key, aes_iv = _calc_key(auth_key, message_key, True)  # noqa: FBT003 - Telethon's signature
    plain: bytes = AES.decrypt_ige(packet[_HEADER:], aes_key, aes_iv)
    if sha256(auth_key[88:120] + plain).digest()[8:24] != message_key:
        raise BadPacketError
    return plain


def encrypt(auth_key: bytes, key_id: int, plain: bytes) -> bytes:
    """Encrypt salt, session id and message for the client."""
    padded = plain + os.urandom(-(len(plain) + _MIN_PADDING) % _BLOCK + _MIN_PADDING)
    message_key = sha256(auth_key[96:128] + padded).digest()[8:24]
    aes_key, aes_iv = _calc_key(auth_key, message_key, False)  # noqa: FBT003 - Telethon's signature
    cipher: bytes = AES.encrypt_ige(padded, aes_key, aes_iv)
    return struct.pack("<Q", key_id) + message_key + cipher


def exchange_key(server_nonce: int, new_nonce: int) -> tuple[bytes, bytes]:
    """Return the AES key and initial vector for the end of a key exchange."""
    key, vector = generate_key_data_from_nonce(server_nonce, new_nonce)
    return key, vector


def seal_ige(plain: bytes, key: bytes, vector: bytes) -> bytes:
    """Encrypt whole blocks of a key exchange."""
    sealed: bytes = AES.encrypt_ige(plain, key, vector)
    return sealed


def open_ige(sealed: bytes, key: bytes, vector: bytes) -> bytes:
    """Decrypt whole blocks of a key exchange.

    Raises:
        BadPacketError: If the length is not a multiple of the block size.
    """
    if not sealed or len(sealed) % _BLOCK:
        raise BadPacketError
    plain: bytes = AES.decrypt_ige(sealed, key, vector)
    return plain
