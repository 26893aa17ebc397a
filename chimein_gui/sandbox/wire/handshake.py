"""The key exchange, which gives a client its auth key (MTProto, "Creating an Authorization Key").

It consists of three unencrypted requests: req_pq_multi, req_DH_params, set_client_DH_params. The first secret is
encrypted with our RSA key in the older way (SHA-1 before, random bytes after), as Telethon does.
"""

import os
import random
import struct
from collections.abc import Callable
from hashlib import sha1

from chimein_gui.sandbox.timekeeping import MessageIds, wall_clock
from chimein_gui.sandbox.wire import dh
from chimein_gui.sandbox.wire.crypto import BadPacketError, exchange_key, open_ige, seal_ige
from chimein_gui.sandbox.wire.server_key import ServerKey
from chimein_gui.sandbox.wire.tl import (
    BinaryReader,
    TLObject,
    TypeNotFoundError,
    functions,
    nonce_hash,
    read_object,
    types,
)
from chimein_gui.sandbox.wire.transports import UNKNOWN_KEY

_ENVELOPE = struct.Struct("<qqi")  # key id 0, message id, length
_HASH = 20
_FACTOR_BITS = (16, 46)
"""Factorising shall take the client a fraction of a millisecond; it protects nothing here.

The sizes differ because Telethon sometimes "finds" 1 and the product if it meets both factors in the same step.
"""

_FERMAT_BASES = (2, 3, 5, 7)

_REFUSED = (
    AssertionError, BadPacketError, BufferError, EOFError, OverflowError, TypeNotFoundError, ValueError, struct.error,
)  # fmt: skip


class KeyExchange:
    """The key exchange of one connection.

    Args:
        server_key: The RSA key; the client knows its public half.
        adopt: Takes the new auth key; returns False if its id is taken.
    """

    def __init__(self, server_key: ServerKey, adopt: Callable[[bytes], bool]) -> None:
        self._server_key = server_key
        self._adopt = adopt
        self._ids = MessageIds()
        self._nonces = (0, 0)
        self._factors = (0, 0)
        self._new_nonce = 0
        self._secret = 0

    def answer(self, packet: bytes) -> bytes:
        """Answer an unencrypted packet; any that is not part of an exchange gets -404, as on live Telegram."""
        try:
            _, _, length = _ENVELOPE.unpack_from(packet)
            body = bytes(self._reply(read_object(packet[_ENVELOPE.size : _ENVELOPE.size + length])))
        except _REFUSED:
            return UNKNOWN_KEY
        return _ENVELOPE.pack(0, self._ids.reply(), len(body)) + body

    def _reply(self, request: TLObject) -> TLObject:
        if isinstance(request, (functions.ReqPqMultiRequest, functions.ReqPqRequest)):
            return self._begin(request.nonce)
        if self._nonces != (getattr(request, "nonce", None), getattr(request, "server_nonce", None)):
            raise BadPacketError
        if isinstance(request, functions.ReqDHParamsRequest):
            return self._offer(request)
        if isinstance(request, functions.SetClientDHParamsRequest) and self._secret:
            return self._finish(request)
        raise BadPacketError

    def _begin(self, nonce: int) -> TLObject:
        self._nonces = (nonce, int.from_bytes(os.urandom(16), "little", signed=True))
        self._factors = _two_primes()
        self._secret = 0
        product = self._factors[0] * self._factors[1]
        return types.ResPQ(*self._nonces, product.to_bytes(8, "big"), [self._server_key.fingerprint])

    def _offer(self, request: TLObject) -> TLObject:
        """Check the client's factors, take its secret nonce and return our Diffie-Hellman power."""
        inner = _hashed_object(self._server_key.decrypt(request.encrypted_data), types.PQInnerData)
        theirs = tuple(int.from_bytes(factor, "big") for factor in (request.p, request.q))
        is_ours = request.public_key_fingerprint == self._server_key.fingerprint
        if theirs != self._factors or not is_ours or (inner.nonce, inner.server_nonce) != self._nonces:
            raise BadPacketError
        self._new_nonce = inner.new_nonce
        self._secret = dh.random_exponent()
        power = pow(dh.GENERATOR, self._secret, dh.PRIME)
        offer = types.ServerDHInnerData(
            *self._nonces, dh.GENERATOR, dh.prime_bytes(), power.to_bytes(dh.SIZE, "big"), int(wall_clock())
        )
        sealed = seal_ige(_hashed(bytes(offer)), *self._temporary_key())
        return types.ServerDHParamsOk(*self._nonces, sealed)

    def _finish(self, request: TLObject) -> TLObject:
        """Compute the key; asks for a retry if it starts with a zero byte or its id is taken."""
        inner = _hashed_object(open_ige(request.encrypted_data, *self._temporary_key()), types.ClientDHInnerData)
        power = int.from_bytes(inner.g_b, "big")
        if (inner.nonce, inner.server_nonce) != self._nonces or not dh.is_good_power(power):
            raise BadPacketError
        shared = pow(power, self._secret, dh.PRIME)
        key = shared.to_bytes((shared.bit_length() + 7) // 8, "big")
        if len(key) < dh.SIZE or not self._adopt(key):
            return types.DhGenRetry(*self._nonces, nonce_hash(key, self._new_nonce, 2))
        self._secret = 0
        return types.DhGenOk(*self._nonces, nonce_hash(key, self._new_nonce, 1))

    def _temporary_key(self) -> tuple[bytes, bytes]:
        return exchange_key(self._nonces[1], self._new_nonce)


def _hashed(content: bytes) -> bytes:
    hashed = sha1(content).digest() + content
    return hashed + os.urandom(-len(hashed) % 16)


def _hashed_object(plain: bytes, kind: type) -> TLObject:
    """Return the object after its SHA-1 hash, ignoring the padding after it."""
    reader = BinaryReader(plain[_HASH:])
    found = reader.tgread_object()
    content = plain[_HASH : _HASH + reader.tell_position()]
    if not isinstance(found, kind) or sha1(content).digest() != plain[:_HASH]:
        raise BadPacketError
    return found


def _two_primes() -> tuple[int, int]:
    """Return two primes, the smaller first; their product is positive in eight signed bytes."""
    small, large = (_number(bits) for bits in _FACTOR_BITS)
    while any(small % divisor == 0 for divisor in range(3, 1 << (_FACTOR_BITS[0] // 2), 2)):
        small = _number(_FACTOR_BITS[0])
    while any(pow(base, large - 1, large) != 1 for base in _FERMAT_BASES):
        large = _number(_FACTOR_BITS[1])
    return small, large


def _number(bits: int) -> int:
    """Return a random odd number of exactly so many bits."""
    return random.SystemRandom().getrandbits(bits) | (1 << (bits - 1)) | 1
