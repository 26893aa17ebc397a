"""An account's proxy: how its connection reaches Telegram, written as a URL."""

from dataclasses import dataclass
from enum import StrEnum


class ProxyKind(StrEnum):
    """What kinds there are; MTProxy only without fake-TLS (secrets that begin with ``ee``)."""

    SOCKS5 = "socks5"
    HTTP = "http"
    MTPROXY = "mtproxy"


@dataclass(frozen=True, slots=True)
class Proxy:
    """One proxy.

    Attributes:
        kind: Which protocol.
        host: Name or numeric address.
        port: 1 to 65535.
        username: May be empty; not with MTProxy.
        password: May be empty; not with MTProxy. Not in the repr.
        secret: MTProxy's, as hexadecimal digits; empty otherwise. Not in the repr.
    """

    kind: ProxyKind
    host: str
    port: int
    username: str = ""
    password: str = ""
    secret: str = ""

    def __repr__(self) -> str:
        """Keep the secrets out of logs and exceptions."""
        return f"Proxy({self.shown()})"

    def shown(self) -> str:
        """Return how it reads without its secrets, such as ``SOCKS5 proxy.example:1080``."""
        names = {ProxyKind.SOCKS5: "SOCKS5", ProxyKind.HTTP: "HTTP", ProxyKind.MTPROXY: "MTProxy"}
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{names[self.kind]} {host}:{self.port}"
