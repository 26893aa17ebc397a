"""Sockets for calls to Gemini: connected to the first address that answers, checked before they are reused."""

from __future__ import annotations

import asyncio
import select
import socket
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

FIRST_TRY_S = 1.0
"""Seconds for each address of a host in a first round; only after that does each get unlimited time."""

FRESH_S = 1.0
"""Seconds after its last use in which a socket is not checked: the loop notices a close by the server itself."""

_Address = tuple[socket.AddressFamily, socket.SocketKind, int, str, Any]


def has_data(sock: socket.socket | None) -> bool:
    """Return whether there is unread data or an end; also True without a socket."""
    if sock is None or sock.fileno() < 0:
        return True
    if not hasattr(select, "poll"):
        return bool(select.select([sock], [], [], 0)[0])
    poller = select.poll()
    poller.register(sock, select.POLLIN)
    return bool(poller.poll(0))


async def connected(host: str, port: int) -> socket.socket:
    """Return a socket connected to the first address of a host that answers.

    WORKAROUND cpython: asyncio's own race between addresses (`happy_eyeballs_delay`) leaves the winner's socket open if
    it is cancelled at the moment it wins, which happens to plans whose partner writes again.
    """
    loop = asyncio.get_running_loop()
    addresses = _in_turns(await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM))
    first_tries = [(address, FIRST_TRY_S) for address in addresses] if len(addresses) > 1 else []
    failure: OSError = OSError(f"{host} has no address")
    for (family, kind, protocol, _, address), patience_s in [*first_tries, *((one, None) for one in addresses)]:
        sock = socket.socket(family, kind, protocol)
        try:
            sock.settimeout(0.0)
            async with asyncio.timeout(patience_s):
                await loop.sock_connect(sock, address)
        except OSError as error:  # a time-out is one, too
            sock.close()
            failure = error
        except BaseException:
            sock.close()
            raise
        else:
            return sock
    raise failure


def _in_turns(addresses: Sequence[_Address]) -> list[_Address]:
    """Alternate the address families, because one of them may not work here."""
    first = [one for one in addresses if one[0] == addresses[0][0]]
    others = [one for one in addresses if one[0] != addresses[0][0]]
    return [one for pair in zip_longest(first, others) for one in pair if one is not None]
