"""Addresses of pages as text: which may be looked up at all, and how they are written in one way.

An address is refused where readers could differ about what it means: backslashes, unusual number forms, blanks. So what
is checked here and what is connected to are the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from urllib.parse import quote, urljoin

from chimein_gui.domain.retrieval.ip_classes import Ip
from chimein_gui.domain.retrieval.refusals import RefusalRule

LONGEST = 2_048
"""Characters of the longest address that is looked up."""

DEFAULT_PORTS = {"http": 80, "https": 443}

SERVICE_PORTS = frozenset(
    {1080, 1099, 1194, 1433, 1434, 1521, 1723, 1883, 2049, 2181, 2375, 2376, 2379, 2380, 2483, 2484, 3128, 3260, 3306}
    | {3389, 3690, 4369, 4444, 4505, 4506, 4786, 5060, 5061, 5222, 5269, 5353, 5432, 5555, 5601, 5671, 5672, 5938}
    | {5984, 5985, 5986, 6379, 6443, 6697, 7000, 7001, 7199, 7474, 7687, 8009, 8086, 8125, 8300, 8500, 8600, 8883}
    | {9042, 9092, 9100, 9160, 9200, 9300, 9418, 9600, 10050, 10051, 10250, 10255, 10256, 11211, 11434, 15672, 16379}
    | {26379, 27017, 27018, 27019, 28015, 28017, 33060, 44818, 47808, 50000, 50070, 61613, 61616}
    | set(range(5900, 5911))
    | set(range(6000, 6064))
    | set(range(6660, 6670))
)
"""Ports of 1024 and above behind which other services than web pages are usual."""

_MOST_PORT, _FIRST_FREE_PORT, _LONGEST_HOST = 65_535, 1_024, 253
_LOCAL = frozenset(
    {"local", "localhost", "localdomain", "internal", "intranet", "lan", "home", "corp", "private", "host", "domain"}
    | {"home.arpa", "in-addr.arpa", "ip6.arpa", "onion", "i2p", "alt"}
)
"""Endings of names that are known only in a local network, or reached only through other software."""

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*):")
_BROKEN = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029\ufeff\\<>\"`{}|^]")
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_\-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_SAFE = "/?:@!$&'()*+,;=-._~%[]"


@dataclass(frozen=True, slots=True)
class WebAddress:
    """An address that may be looked up, as far as its text tells.

    Attributes:
        url: The whole address in ASCII, without a fragment; two that mean the same page are equal.
        scheme: ``http`` or ``https``.
        host: In ASCII and small letters; an IPv6 address without brackets.
        port: TCP port.
        ip: The host if it is an address, not a name.
    """

    url: str
    scheme: str
    host: str
    port: int
    ip: Ip | None = None

    @property
    def origin(self) -> str:
        """Return scheme, host and, if it is not the usual one, port."""
        return f"{self.scheme}://{authority(self.scheme, self.host, self.port)}"


def authority(scheme: str, host: str, port: int) -> str:
    """Return host and port as an address has them; the usual port is left out."""
    name = f"[{host}]" if ":" in host else host
    return name if port == DEFAULT_PORTS[scheme] else f"{name}:{port}"


def read_address(text: str) -> WebAddress | RefusalRule:
    """Return the address in a text, or the rule that refuses it; what it resolves to is checked later."""
    text = text.strip(" ")
    scheme = _SCHEME.match(text)
    if scheme is None or len(text) > LONGEST:
        return RefusalRule.UNREADABLE
    name = scheme[1].lower()
    if name not in DEFAULT_PORTS:
        return RefusalRule.SCHEME
    rest = text[scheme.end() :]
    if _BROKEN.search(text) or not rest.startswith("//"):
        return RefusalRule.UNREADABLE
    whose = re.split(r"[/?#]", rest[2:], maxsplit=1)[0]
    place = _place(whose)
    if isinstance(place, RefusalRule):
        return place
    return _written(name, place, rest[2 + len(whose) :].partition("#")[0])


def _written(scheme: str, place: tuple[str, Ip | None, int | None], target: str) -> WebAddress | RefusalRule:
    host, ip, number = place
    port = DEFAULT_PORTS[scheme] if number is None else number
    if (port < _FIRST_FREE_PORT and port not in DEFAULT_PORTS.values()) or port in SERVICE_PORTS:
        return RefusalRule.PORT
    if not target.startswith("/"):
        target = f"/{target}"
    try:
        url = f"{scheme}://{authority(scheme, host, port)}{quote(target, safe=_SAFE)}"
    except UnicodeEncodeError:  # half a pair of surrogates
        return RefusalRule.UNREADABLE
    return WebAddress(url, scheme, host, port, ip) if len(url) <= LONGEST else RefusalRule.UNREADABLE


def read_redirect(source: WebAddress, location: str) -> WebAddress | RefusalRule:
    """Return the address to which a page redirects, which may be relative, or the rule that refuses it."""
    location = location.strip(" ")
    if not location or len(location) > LONGEST or _BROKEN.search(location):
        return RefusalRule.UNREADABLE
    try:
        target = read_address(urljoin(source.url, location))
    except ValueError:
        return RefusalRule.UNREADABLE
    if isinstance(target, WebAddress) and source.scheme == "https" and target.scheme == "http":
        return RefusalRule.TO_HTTP
    return target


def _place(whose: str) -> tuple[str, Ip | None, int | None] | RefusalRule:
    """Return host, its number if it is one, and port; None without a port."""
    if "@" in whose:
        return RefusalRule.USER_INFO
    if whose.startswith("["):
        inside, closed, behind = whose[1:].partition("]")
        if not closed or (behind and not behind.startswith(":")):
            return RefusalRule.UNREADABLE
        found = _six(inside)
        port = _port(behind[1:]) if behind else None
    else:
        name, colon, digits = whose.partition(":")
        found = _named(name)
        port = _port(digits) if colon else None
    if isinstance(found, RefusalRule) or isinstance(port, RefusalRule):
        return found if isinstance(found, RefusalRule) else RefusalRule.UNREADABLE
    return *found, port


def _port(digits: str) -> int | RefusalRule:
    if not digits.isascii() or not digits.isdecimal() or len(digits) > len(str(_MOST_PORT)):
        return RefusalRule.UNREADABLE
    number = int(digits)
    return number if 0 < number <= _MOST_PORT else RefusalRule.UNREADABLE


def _six(inside: str) -> tuple[str, Ip | None] | RefusalRule:
    if not inside.isascii() or "%" in inside:
        return RefusalRule.UNREADABLE
    try:
        ip = IPv6Address(inside)
    except AddressValueError:
        return RefusalRule.UNREADABLE
    return str(ip), ip


def _named(name: str) -> tuple[str, Ip | None] | RefusalRule:
    host = _ascii(name)
    labels = host.split(".")
    if len(host) > _LONGEST_HOST or not all(_LABEL.fullmatch(label) for label in labels):
        return RefusalRule.UNREADABLE
    if _NUMBER.fullmatch(labels[-1]):
        try:
            return host, IPv4Address(host)  # which takes four decimal numbers without zeros before them alone
        except AddressValueError:
            return RefusalRule.NUMBER_FORM
    endings = {".".join(labels[-2:]), labels[-1]}
    return RefusalRule.LOCAL_NAME if len(labels) == 1 or endings & _LOCAL else (host, None)


def _ascii(name: str) -> str:
    """Return a name as it is resolved; empty if it can't be."""
    try:
        # Small letters, full-width digits and other kinds of dots become what a resolver would make of them.
        host = name if name.isascii() else name.encode("idna").decode("ascii")
    except UnicodeError:
        return ""
    return host.lower().removesuffix(".")
