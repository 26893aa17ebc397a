"""How the web is reached: names to addresses, addresses to sockets, and which certificates are trusted.

The internet and the made-up web of the sandbox differ in these three functions alone; what is checked is the same.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

import httpx2

HostPort = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Outside:
    """The ways out.

    Attributes:
        resolve: Returns the addresses of a name, best first; raises OSError if there is no such host.
        place_of: Returns to which address and port a connection to a checked address is made; raises OSError.
        tls: Returns the context with which servers are verified; called off the loop, once.
    """

    resolve: Callable[[str], Awaitable[tuple[str, ...]]]
    place_of: Callable[[HostPort], HostPort]
    tls: Callable[[], ssl.SSLContext]


def internet() -> Outside:
    """Return the ways to the internet: the system's resolver, and the addresses themselves."""
    return Outside(_system_resolve, lambda place: place, lambda: httpx2.create_ssl_context(trust_env=False))


def made_up_web(
    resolve: Callable[[str], str], places: Callable[[], Mapping[HostPort, HostPort]], authority_pem: Callable[[], str]
) -> Outside:
    """Return the ways to a made-up web; all other addresses can't be reached.

    Args:
        resolve: Returns the address of a made-up host; raises OSError.
        places: Returns where its addresses and ports are served.
        authority_pem: Returns the certificate to trust, and no other.
    """

    async def resolved(host: str) -> tuple[str, ...]:
        return (resolve(host),)

    def place_of(place: HostPort) -> HostPort:
        found = places().get(place)
        if found is None:
            raise ConnectionRefusedError(f"Nothing of the made-up web is at {place}")
        return found

    def tls() -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_verify_locations(cadata=authority_pem())
        return context

    return Outside(resolved, place_of, tls)


async def _system_resolve(host: str) -> tuple[str, ...]:
    found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(address[0]) for *_, address in found))
