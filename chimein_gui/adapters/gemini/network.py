"""Sockets for calls to Gemini: connected to the first address that answers, looked at before they are used again."""

from __future__ import annotations

import asyncio
import select
import socket
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

FIRST_TRY_S = 1.0
"""How long each address of a host is tried before the next one; only then any is waited for patiently."""

FRESH_S = 1.0
"""How long the socket of a connection that was used is not looked at again: the loop notices when a server hangs up."""

_Address = tuple[socket.AddressFamily, socket.SocketKind, int, str, Any]


def has_data(sock: socket.socket | None) -> bool:
    """Tell whether something came that was not read, or the end; also where there is no socket."""
    if sock is None or sock.fileno() < 0:
        return True
    if not hasattr(select, "poll"):
        return bool(select.select([sock], [], [], 0)[0])
    poller = select.poll()
    poller.register(sock, select.POLLIN)
    return bool(poller.poll(0))


async def connected(host: str, port: int) -> socket.socket:
    """Return a socket connected to the first address of a host that answers.

    WORKAROUND cpython: asyncio's own race between addresses (`happy_eyeballs_delay`) leaves the winner's socket open
    if it is cancelled in the moment it is won, as plans are whose partner writes again.
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
    """Let the kinds of addresses take turns: one kind may lead nowhere here."""
    first = [one for one in addresses if one[0] == addresses[0][0]]
    others = [one for one in addresses if one[0] != addresses[0][0]]
    return [one for pair in zip_longest(first, others) for one in pair if one is not None]
