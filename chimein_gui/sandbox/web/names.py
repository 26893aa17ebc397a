"""The fictitious hosts and the addresses that their names resolve to.

Public ones are in 203.0.113.0/24, which is reserved for documentation, so no real host is ever meant.
"""

import ipaddress
import socket
from collections.abc import Mapping
from types import MappingProxyType

_PUBLIC_HOSTS = (
    "lakeside-cafe.example",
    "weather.example",
    "search.example",
    "forum.example",
    "longread.example",
    "journal.example",
    "onsen.example",
    "gazeta.example",
    "harbour.example",
    "data.example",
    "trap.example",
    "slow.example",
    "heavy.example",
    "broken.example",
    "whisper.example",
    "counter.example",
    "ferry.example",
)

_LOOPBACK = "127.0.0.1"


def _public(number: int) -> str:
    return f"203.0.113.{number}"


HOSTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {host: (_public(number),) for number, host in enumerate(_PUBLIC_HOSTS, 10)}
    | {
        # A name that is public when it is checked and private when it is connected to.
        "rebind.example": (_public(200), _LOOPBACK),
        "rebind-metadata.example": (_public(201), "169.254.169.254"),
        # Names that are private from the start.
        "localhost.example": (_LOOPBACK,),
        "intranet.example": ("10.0.0.7",),
        "router.example": ("192.168.1.1",),
        "metadata.example": ("169.254.169.254",),
        "carrier.example": ("100.64.0.1",),
        "nowhere.example": ("0.0.0.0",),
        "six.example": ("::1",),
        "mapped.example": ("::ffff:127.0.0.1",),
        "unique-local.example": ("fd00::7",),
    }
)
"""Addresses of each name, in the order of requests; the last one is repeated."""


def public_addresses() -> tuple[str, ...]:
    """Return all addresses of fictitious public hosts, once each."""
    network = ipaddress.ip_network("203.0.113.0/24")
    found = {address for answers in HOSTS.values() for address in answers}
    return tuple(sorted(one for one in found if ipaddress.ip_address(one) in network))


class Names:
    """A resolver that knows only the fictitious hosts.

    Args:
        hosts: Addresses of each name, as in `HOSTS`.
    """

    def __init__(self, hosts: Mapping[str, tuple[str, ...]] = HOSTS) -> None:
        self._hosts = hosts
        self._asked: dict[str, int] = {}

    def resolve(self, host: str) -> str:
        """Return the address of a host, which can differ from call to call.

        Raises:
            socket.gaierror: If there is no such host; an OSError, as the system's resolver raises it.
        """
        name = host.rstrip(".").lower()
        answers = self._hosts.get(name)
        if answers is None:
            raise socket.gaierror(socket.EAI_NONAME, f"no host {host!r} in the sandbox")
        asked = self._asked.get(name, 0)
        self._asked[name] = asked + 1
        return answers[min(asked, len(answers) - 1)]
