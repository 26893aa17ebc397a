"""The exchange of auth keys: Telethon's own code, computed in a thread that does not block others.

The sandbox's clients trust only the sandbox's key.

Telethon keeps its trusted RSA keys in one place for all clients of the process; a key added there would be trusted by
live clients as well (docs/library-facts.md, "Telethon"). So none is added: the sandbox's clients run the same exchange
in a namespace with another `rsa` module. They trust neither Telegram's keys nor any other, and the sandbox's key is
visible to no other client.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine, Generator
from hashlib import sha1
from types import SimpleNamespace
from typing import Any, NamedTuple

from telethon.crypto import AuthKey, rsa
from telethon.errors import SecurityError
from telethon.network import authenticator

from chimein_gui.adapters.telegram.transport.modpow import with_our_power
from chimein_gui.adapters.telegram.transport.tl import TLObject

_SEALED_SIZE = 256
_CONTENT_SIZE = 235  # with the 20 bytes of its hash one byte less than the key

PublicKey = Callable[[], bytes]
"""Returns the sandbox's public key, PKCS#1 in PEM; called when the first exchange begins."""


class SandboxTrust:
    """The key that the clients of one sandbox trust while it runs.

    Args:
        public_key: Of the sandbox's server.
    """

    def __init__(self, public_key: PublicKey) -> None:
        self._public_key: PublicKey | None = public_key

    def withdraw(self) -> None:
        """Trust no server any more, because the sandbox has ended."""
        self._public_key = None

    async def exchange(self, sender: TLObject) -> tuple[AuthKey, int]:
        """Exchange an auth key over Telethon's plain sender.

        Returns:
            The key, and the seconds by which the server's clock is ahead.

        Raises:
            SecurityError: The server is not our sandbox, or the trust was withdrawn.
            AssertionError: An unexpected answer (Telethon's check).
            OSError: The connection was lost.
        """
        if self._public_key is None:
            raise SecurityError("the sandbox has ended")
        return await _off_the_loop(_exchange_trusting(self._public_key()), sender)


async def exchange(sender: TLObject) -> tuple[AuthKey, int]:
    """Exchange an auth key with the real Telegram over Telethon's plain sender.

    Returns:
        The key, and the seconds by which the server's clock is ahead.

    Raises:
        SecurityError: The server is not Telegram.
        AssertionError: An unexpected answer (Telethon's check).
        OSError: The connection was lost.
    """
    return await _off_the_loop(with_our_power(authenticator.do_authentication), sender)


_Exchange = Callable[[Any], Coroutine[Any, Any, tuple[AuthKey, int]]]


class _Asking(NamedTuple):
    """A request of the exchange; awaiting it passes it out of the thread."""

    request: TLObject

    def __await__(self) -> Generator[TLObject, TLObject, TLObject]:
        return (yield self.request)


async def _off_the_loop(run: _Exchange, sender: TLObject) -> tuple[AuthKey, int]:
    """Run an exchange stepwise: it computes in a thread (two powers of 2048 bits), and sends from the loop."""
    exchange = run(SimpleNamespace(send=_Asking))
    answer = None
    while True:
        request, result = await asyncio.to_thread(_step, exchange, answer)
        if result is not None:
            return result
        answer = await sender.send(request)


def _step(
    exchange: Coroutine[Any, Any, tuple[AuthKey, int]], answer: TLObject
) -> tuple[TLObject, tuple[AuthKey, int] | None]:
    """Run the exchange until its next request, or its end."""
    try:
        return exchange.send(answer), None
    except StopIteration as done:
        return None, done.value


def _exchange_trusting(public_pem: bytes) -> _Exchange:
    """Return Telethon's exchange with another `rsa`: the same code in a namespace of its own."""
    ours = SimpleNamespace(encrypt=_sealer(public_pem), get_byte_array=rsa.get_byte_array)
    run: _Exchange = with_our_power(authenticator.do_authentication, rsa=ours)
    return run


def _sealer(public_pem: bytes) -> Callable[..., bytes | None]:
    key = rsa.rsa.PublicKey.load_pkcs1(public_pem)
    known: int = rsa._compute_fingerprint(key)  # noqa: SLF001 - no public name

    def encrypt(fingerprint: int, data: bytes, *, use_old: bool = False) -> bytes | None:  # noqa: ARG001 - Telethon's
        """Encrypt `data` with the key of that fingerprint; None if it is not trusted."""
        if fingerprint != known:
            return None
        content = sha1(data).digest() + data + os.urandom(_CONTENT_SIZE - len(data))
        sealed: int = pow(int.from_bytes(content, "big"), key.e, key.n)
        return sealed.to_bytes(_SEALED_SIZE, "big")

    return encrypt
