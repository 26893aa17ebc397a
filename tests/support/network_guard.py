"""Refuses every address that is not this machine, for all tests.

An audit hook sees what asyncio, http clients and Telethon do below Python's `socket` class, which patching would miss.
It can't be removed, so it is installed once, and the guard around each test reads and clears the recorded attempts.
"""

import ipaddress
import socket
import sys
from typing import Any

_ADDRESS_ARGUMENT = {"socket.connect": 1, "socket.bind": 1, "socket.sendto": 1, "socket.sendmsg": 1}
_HOST_ARGUMENT = {"socket.getaddrinfo": 0, "socket.gethostbyname": 0, "socket.gethostbyaddr": 0}


class NetworkAccessError(RuntimeError):
    """A test accessed an address outside this machine.

    It is not an OSError, because clients retry or ignore those.
    """


attempts: list[str] = []
"""Addresses refused since the list was last cleared; recorded because product code may ignore the exception."""


def is_local(host: object) -> bool:
    """Return whether a host is this machine: a loopback address or the name `localhost`."""
    if isinstance(host, bytes | bytearray):
        host = host.decode("ascii", "replace")
    if host is None or host == "localhost":
        return True
    try:
        return ipaddress.ip_address(str(host).partition("%")[0]).is_loopback
    except ValueError:
        return False


def _host_of(event: str, args: tuple[Any, ...]) -> tuple[bool, object]:
    if event in _HOST_ARGUMENT:
        return True, args[_HOST_ARGUMENT[event]]
    if event in _ADDRESS_ARGUMENT and args[0].family in {socket.AF_INET, socket.AF_INET6}:
        address = args[_ADDRESS_ARGUMENT[event]]
        if isinstance(address, tuple):
            return True, address[0]
    return False, None


def _audit(event: str, args: tuple[Any, ...]) -> None:
    if not event.startswith("socket."):
        return
    concerned, host = _host_of(event, args)
    if concerned and not is_local(host):
        attempts.append(f"{event} to {host!r}")
        raise NetworkAccessError(attempts[-1])


def take_attempts() -> list[str]:
    """Return and clear the refused attempts."""
    taken = attempts.copy()
    attempts.clear()
    return taken


sys.addaudithook(_audit)
