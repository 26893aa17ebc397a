"""Internet addresses behind which no public page is: each is refused with the name of its class.

Nothing stands on `is_global` of `ipaddress`, whose answers differ between the Python versions that we support.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from chimein_gui.domain.retrieval.refusals import RefusalRule

Ip = IPv4Address | IPv6Address

_METADATA = frozenset(
    ip_address(text)
    for text in (
        "169.254.169.254",
        "169.254.169.253",
        "169.254.170.2",
        "169.254.170.23",
        "100.100.100.200",
        "168.63.129.16",
        "192.0.0.192",
        "fd00:ec2::254",
        "fd00:ec2::23",
        "fd20:ce::254",
    )
)
"""Where data centres tell a machine about itself, its keys included."""

_FOUR: tuple[tuple[IPv4Network, RefusalRule], ...] = tuple(
    (IPv4Network(text), rule)
    for text, rule in (
        ("0.0.0.0/8", RefusalRule.UNSPECIFIED),
        ("10.0.0.0/8", RefusalRule.PRIVATE),
        ("100.64.0.0/10", RefusalRule.CARRIER),
        ("127.0.0.0/8", RefusalRule.LOOPBACK),
        ("169.254.0.0/16", RefusalRule.LINK_LOCAL),
        ("172.16.0.0/12", RefusalRule.PRIVATE),
        ("192.0.0.0/24", RefusalRule.RESERVED),
        ("192.0.2.0/24", RefusalRule.RESERVED),
        ("192.31.196.0/24", RefusalRule.RESERVED),
        ("192.52.193.0/24", RefusalRule.RESERVED),
        ("192.88.99.0/24", RefusalRule.SIX_TO_FOUR),
        ("192.168.0.0/16", RefusalRule.PRIVATE),
        ("192.175.48.0/24", RefusalRule.RESERVED),
        ("198.18.0.0/15", RefusalRule.RESERVED),
        ("198.51.100.0/24", RefusalRule.RESERVED),
        ("224.0.0.0/4", RefusalRule.MULTICAST),
        ("240.0.0.0/4", RefusalRule.RESERVED),
    )
)
"""203.0.113.0/24 is not among them: it is reserved for documents, nothing on the internet has such an address, and the
made-up hosts of the sandbox have them."""

_SIX: tuple[tuple[IPv6Network, RefusalRule], ...] = tuple(
    (IPv6Network(text), rule)
    for text, rule in (
        ("::/128", RefusalRule.UNSPECIFIED),
        ("::1/128", RefusalRule.LOOPBACK),
        ("::/96", RefusalRule.MAPPED),
        ("::ffff:0:0/96", RefusalRule.MAPPED),
        ("::ffff:0:0:0/96", RefusalRule.MAPPED),
        ("64:ff9b::/96", RefusalRule.NAT64),
        ("64:ff9b:1::/48", RefusalRule.NAT64),
        ("2001::/32", RefusalRule.TEREDO),
        ("2001::/23", RefusalRule.RESERVED),
        ("2001:db8::/32", RefusalRule.RESERVED),
        ("2002::/16", RefusalRule.SIX_TO_FOUR),
        ("2620:4f:8000::/48", RefusalRule.RESERVED),
        ("3fff::/20", RefusalRule.RESERVED),
        ("fc00::/7", RefusalRule.PRIVATE),
        ("fe80::/10", RefusalRule.LINK_LOCAL),
        ("fec0::/10", RefusalRule.PRIVATE),
        ("ff00::/8", RefusalRule.MULTICAST),
    )
)
_GLOBAL_SIX = IPv6Network("2000::/3")
_ISATAP = frozenset({0x00005EFE, 0x02005EFE})


def refusal_of(ip: Ip) -> RefusalRule | None:
    """Return the rule that refuses an address; None for a public one."""
    if ip in _METADATA:
        return RefusalRule.METADATA
    if isinstance(ip, IPv4Address):
        return next((rule for network, rule in _FOUR if ip in network), None)
    if ip.scope_id is not None:
        return RefusalRule.LINK_LOCAL
    found = next((rule for network, rule in _SIX if ip in network), None)
    if found is not None:
        return found
    if (int(ip) >> 32) & 0xFFFFFFFF in _ISATAP:
        return RefusalRule.MAPPED
    return None if ip in _GLOBAL_SIX else RefusalRule.RESERVED
