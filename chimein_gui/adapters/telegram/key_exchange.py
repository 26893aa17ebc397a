"""How a sandbox client exchanges its auth key: Telethon's own exchange, with one trusted key and no other.

Telethon keeps the RSA keys it trusts in one place for all clients of the process; a key put there would be trusted by
live clients as well (FACTS, Telethon). So nothing is put there: the sandbox's clients run the same exchange with a
namespace of their own in place of Telethon's `rsa` module. They trust neither Telegram's keys nor any other, and the
sandbox's key is visible to nobody else, not even while an exchange is under way (SPEC §12).
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from hashlib import sha1
from types import FunctionType, SimpleNamespace
from typing import Any

from telethon.crypto import AuthKey, rsa
from telethon.errors import SecurityError
from telethon.network import authenticator

from chimein_gui.adapters.telegram.tl import TLObject

_SEALED_SIZE = 256
_CONTENT_SIZE = 235  # with the 20 bytes of its hash one byte less than the key

PublicKey = Callable[[], bytes]
"""Returns the sandbox's public key, PKCS#1 in PEM; asked for when the first exchange begins."""


class SandboxTrust:
    """What the clients of one sandbox trust, for as long as it runs.

    Args:
        public_key: Of the sandbox's server.
    """

    def __init__(self, public_key: PublicKey) -> None:
        self._public_key: PublicKey | None = public_key

    def withdraw(self) -> None:
        """Trust nobody any more: the sandbox has ended."""
        self._public_key = None

    async def exchange(self, sender: TLObject) -> tuple[AuthKey, int]:
        """Exchange an auth key over Telethon's plain sender.

        Returns:
            The key, and by how many seconds the server's clock is ahead.

        Raises:
            SecurityError: The server is not our sandbox, or the trust has been withdrawn.
            AssertionError: An answer that does not belong here (Telethon checks so).
            OSError: The connection was lost.
        """
        if self._public_key is None:
            raise SecurityError("the sandbox has ended")
        key, offset_s = await _exchange_trusting(self._public_key())(sender)
        return key, offset_s


def _exchange_trusting(public_pem: bytes) -> Callable[[Any], Awaitable[tuple[AuthKey, int]]]:
    """Return Telethon's exchange with its `rsa` exchanged: the same code in a namespace of its own."""
    telethons = authenticator.do_authentication
    ours = SimpleNamespace(encrypt=_sealer(public_pem), get_byte_array=rsa.get_byte_array)
    return FunctionType(telethons.__code__, {**telethons.__globals__, "rsa": ours}, telethons.__name__)


def _sealer(public_pem: bytes) -> Callable[..., bytes | None]:
    key = rsa.rsa.PublicKey.load_pkcs1(public_pem)
    known: int = rsa._compute_fingerprint(key)  # noqa: SLF001 - no public name

    def encrypt(fingerprint: int, data: bytes, *, use_old: bool = False) -> bytes | None:  # noqa: ARG001 - Telethon's
        """Seal `data` with the key of that fingerprint; None if it is not trusted."""
        if fingerprint != known:
            return None
        content = sha1(data).digest() + data + os.urandom(_CONTENT_SIZE - len(data))
        sealed: int = pow(int.from_bytes(content, "big"), key.e, key.n)
        return sealed.to_bytes(_SEALED_SIZE, "big")

    return encrypt
