"""An account's proxy: how its connection reaches Telegram, written as a URL."""

import base64
import binascii
import ipaddress
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import NoReturn
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from chimein_gui.domain.errors import ConfigError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.configs import ConfigReason


class ProxyKind(StrEnum):
    """The supported kinds; MTProxy only without fake-TLS (secrets that begin with ``ee``)."""

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
        """Return the proxy without its secrets, for logs and exceptions."""
        return f"Proxy({self.shown()})"

    def shown(self) -> str:
        """Return the proxy without its secrets, such as ``SOCKS5 proxy.example:1080``."""
        return f"{_NAMES[self.kind]} {_address(self)}"


_NAMES = {ProxyKind.SOCKS5: "SOCKS5", ProxyKind.HTTP: "HTTP", ProxyKind.MTPROXY: "MTProxy"}
_SCHEMES = {"socks5": ProxyKind.SOCKS5, "socks5h": ProxyKind.SOCKS5, "http": ProxyKind.HTTP}
_LINKS = {"proxy": ProxyKind.MTPROXY, "socks": ProxyKind.SOCKS5}
"""Names in Telegram's own links (``tg://proxy?…``, ``https://t.me/proxy?…``)."""

_LONGEST = 2_048
_LONGEST_NAME = 253
_LAST_PORT = 65_535
_LONGEST_PART = 255
"""Bytes of a user name and of a password: SOCKS5 writes their length in one byte."""

_FORMS = Note(ConfigReason.PROXY_FORMS)
_HOST_NAME = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*\.?", re.IGNORECASE)
_DIGITS = re.compile(r"[0-9]{1,6}")
_HEX = re.compile(r"[0-9a-f]+", re.IGNORECASE)
_SECRET_BYTES = 16
_PADDED, _FAKE_TLS = 0xDD, 0xEE


def parse_proxy(text: str) -> Proxy:
    """Parse a proxy as an operator writes or pastes it.

    Args:
        text: ``socks5://[user:password@]host:port``, ``http://…``, ``mtproxy://host:port?secret=…`` (or
            ``mtproxy://secret@host:port``), ``tg://proxy?server=…&port=…&secret=…``, ``https://t.me/proxy?…``, and the
            same links with ``socks``.

    Raises:
        ConfigError: It is none of these; the text says what to write and repeats no secret.
    """
    text = text.strip()
    if not text:
        _refuse(ConfigReason.NO_PROXY, cause=_FORMS)
    if len(text) > _LONGEST or any(not sign.isprintable() or sign.isspace() for sign in text):
        _refuse(ConfigReason.PROXY_BLANKS, cause=_FORMS)
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise ConfigError(Note(ConfigReason.PROXY_ADDRESS, cause=_FORMS)) from None
    link = _link_of(parts.scheme, host, parts.path)
    if link is not None:
        return _from_link(link, _fields(parts.query))
    if parts.scheme == "mtproxy":
        secret = _fields(parts.query).get("secret") or unquote(parts.username or "")
        return Proxy(ProxyKind.MTPROXY, _host(host), _port(port), secret=_secret(secret))
    kind = _SCHEMES.get(parts.scheme)
    if kind is None:
        raise ConfigError(_not_a_scheme(parts.scheme, text))
    if parts.path not in {"", "/"} or parts.query or parts.fragment:
        _refuse(ConfigReason.PROXY_ENDS_WITH_PORT, cause=_FORMS)
    username, password = _part(parts.username), _part(parts.password)
    return _with_login(kind, _host(host), _port(port), username, password)


def as_url(proxy: Proxy) -> str:
    """Return the URL that `parse_proxy` reads as this proxy; it holds the secrets."""
    if proxy.kind is ProxyKind.MTPROXY:
        return f"mtproxy://{_address(proxy)}?secret={proxy.secret}"
    login = ""
    if proxy.username or proxy.password:
        login = f"{quote(proxy.username, safe='')}:{quote(proxy.password, safe='')}@"
    return f"{proxy.kind.value}://{login}{_address(proxy)}"


def _address(proxy: Proxy) -> str:
    host = f"[{proxy.host}]" if ":" in proxy.host else proxy.host
    return f"{host}:{proxy.port}"


def _link_of(scheme: str, host: str, path: str) -> ProxyKind | None:
    """Return the kind of proxy that one of Telegram's links describes, or None for any other URL."""
    if scheme == "tg":
        return _LINKS.get(host)
    if scheme in {"http", "https"} and host in {"t.me", "telegram.me"}:
        return _LINKS.get(path.strip("/"))
    return None


def _fields(query: str) -> dict[str, str]:
    """Return a link's fields; a plus stays a plus, because base64 secrets contain it."""
    try:
        return dict(parse_qsl(query.replace("+", "%2B"), keep_blank_values=True, errors="strict", max_num_fields=20))
    except ValueError:
        raise ConfigError(Note(ConfigReason.PROXY_LINK, cause=_FORMS)) from None


def _from_link(kind: ProxyKind, fields: dict[str, str]) -> Proxy:
    host, written = _host(fields.get("server", "").strip("[]")), fields.get("port", "")
    port = _port(int(written) if _DIGITS.fullmatch(written) else None)
    if kind is ProxyKind.MTPROXY:
        return Proxy(kind, host, port, secret=_secret(fields.get("secret", "")))
    return _with_login(kind, host, port, _part(fields.get("user")), _part(fields.get("pass")))


def _with_login(kind: ProxyKind, host: str, port: int, username: str, password: str) -> Proxy:
    if password and not username:
        _refuse(ConfigReason.PROXY_NO_USER)
    return Proxy(kind, host, port, username, password)


def _host(host: str) -> str:
    if not host:
        _refuse(ConfigReason.PROXY_NO_HOST, cause=_FORMS)
    if ":" in host or _looks_numeric(host):
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            raise ConfigError(Note(ConfigReason.PROXY_DIGITS)) from None
        return str(address)
    if len(host) > _LONGEST_NAME or not _HOST_NAME.fullmatch(host):
        _refuse(ConfigReason.PROXY_HOST_NAME)
    return host.lower()


def _looks_numeric(host: str) -> bool:
    return host.replace(".", "").isdecimal()


def _port(port: int | None) -> int:
    if port is None:
        _refuse(ConfigReason.PROXY_NO_PORT)
    if not 1 <= port <= _LAST_PORT:
        _refuse(ConfigReason.PROXY_PORT)
    return port


def _part(written: str | None) -> str:
    """Return a user name or a password, percent signs resolved."""
    try:
        part = unquote(written or "", errors="strict")
    except UnicodeDecodeError:
        raise ConfigError(Note(ConfigReason.PROXY_PERCENT)) from None
    if not part.isprintable() or len(part.encode("utf-8", "replace")) > _LONGEST_PART:
        _refuse(ConfigReason.PROXY_LONG_LOGIN)
    return part


def _secret(written: str) -> str:
    """Return an MTProxy secret as hexadecimal digits."""
    if not written:
        _refuse(ConfigReason.PROXY_NO_SECRET)
    secret = _secret_bytes(written)
    if secret[:1] == bytes([_FAKE_TLS]):
        _refuse(ConfigReason.PROXY_FAKE_TLS)
    is_padded = len(secret) == _SECRET_BYTES + 1 and secret[0] == _PADDED
    if len(secret) != _SECRET_BYTES and not is_padded:
        _refuse(ConfigReason.PROXY_SECRET_LENGTH)
    return secret.hex()


def _secret_bytes(written: str) -> bytes:
    """Return the bytes of a secret: hexadecimal digits, or base64 with either alphabet."""
    if _HEX.fullmatch(written) and len(written) % 2 == 0:
        return bytes.fromhex(written)
    plain = written.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise ConfigError(Note(ConfigReason.PROXY_SECRET_FORM)) from None


def _not_a_scheme(scheme: str, text: str) -> Note:
    if scheme in {"socks4", "socks4a", "socks"}:
        return Note(ConfigReason.PROXY_SOCKS4, cause=_FORMS)
    if scheme == "https":
        return Note(ConfigReason.PROXY_TLS, cause=_FORMS)
    if "://" not in text:
        return Note(ConfigReason.PROXY_WHAT_KIND, cause=_FORMS)
    return Note(ConfigReason.PROXY_UNKNOWN_KIND, cause=_FORMS)


def _refuse(kind: ConfigReason, cause: Note | None = None) -> NoReturn:
    raise ConfigError(Note(kind, cause=cause))
