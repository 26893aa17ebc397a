"""Which hosts an agent may look up: the lists of its file."""

from __future__ import annotations

from dataclasses import dataclass

from chimein_gui.domain.retrieval.addresses import WebAddress, read_address
from chimein_gui.domain.retrieval.refusals import RefusalRule


@dataclass(frozen=True, slots=True)
class HostLists:
    """The hosts that an agent's file allows and denies; a name stands for all names below it, too.

    Attributes:
        allowed: If there are any, all others are refused.
        denied: Refused, also where they are allowed.
    """

    allowed: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()

    def refusal_of(self, address: WebAddress) -> RefusalRule | None:
        """Return the rule that refuses the host of an address, or None."""
        if any(_covers(one, address.host) for one in self.denied):
            return RefusalRule.DENIED
        if self.allowed and not any(_covers(one, address.host) for one in self.allowed):
            return RefusalRule.NOT_ALLOWED
        return None


def read_host(line: str) -> str | None:
    """Return the host that a line of such a list names, in the form of `WebAddress.host`, or None.

    ``*.example.org`` and ``example.org`` mean the same.
    """
    name = line.strip().removeprefix("*.").removeprefix(".")
    if not name or any(letter in name for letter in "/?#@"):
        return None
    address = read_address(f"https://{f'[{name}]' if name.count(':') > 1 else name}/")
    if not isinstance(address, WebAddress) or ":" in name.replace(address.host, ""):
        return None
    return address.host


def _covers(listed: str, host: str) -> bool:
    return host == listed or host.endswith(f".{listed}")
