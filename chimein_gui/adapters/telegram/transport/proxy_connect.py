"""Connections through a SOCKS5 or HTTP proxy, with the reason if one fails.

Telethon can do this, too, but replaces the library's errors globally and then loses the reason.
"""

from __future__ import annotations

import asyncio
import socket

from python_socks import ProxyConnectionError, ProxyTimeoutError, ProxyType
from python_socks import ProxyError as RefusedError
from python_socks.async_.asyncio import Proxy as Way

from chimein_gui.domain.accounts.proxies import Proxy, ProxyKind
from chimein_gui.domain.errors import ProxyError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.connections import ConnectionReason

_TYPES = {ProxyKind.SOCKS5: ProxyType.SOCKS5, ProxyKind.HTTP: ProxyType.HTTP}
_ABOUT_LOGIN = ("authentication", "method")
_WANTS_LOGIN = 407
_NOT_ALLOWED = {ProxyKind.SOCKS5: {2}, ProxyKind.HTTP: {403, 405}}
_NO_WAY_ON = {ProxyKind.SOCKS5: {1, 3, 4, 5, 6}, ProxyKind.HTTP: {500, 502, 503, 504}}


async def pass_proxy(proxy: Proxy, host: str, port: int, timeout_s: float | None) -> socket.socket:
    """Connect through a proxy.

    Args:
        proxy: SOCKS5 or HTTP.
        host: Numeric address of Telegram's server.
        port: Its port.
        timeout_s: Seconds for the whole connect.

    Returns:
        A connected, non-blocking socket.

    Raises:
        ProxyError: The proxy can't be reached, refuses the connection, or forwards nothing.
    """
    way = Way(
        proxy_type=_TYPES[proxy.kind],
        host=proxy.host,
        port=proxy.port,
        username=proxy.username or None,
        password=proxy.password if proxy.username else None,
        rdns=True,
        loop=asyncio.get_running_loop(),
    )
    try:
        return await way.connect(dest_host=host, dest_port=port, timeout=timeout_s)
    except ProxyTimeoutError:
        raise ProxyError(Note(ConnectionReason.PROXY_SILENT, proxy.shown())) from None
    except ProxyConnectionError:
        raise ProxyError(unreachable(proxy)) from None
    except RefusedError as error:
        raise ProxyError(_refusal(proxy, error)) from None
    except OSError:
        raise ProxyError(Note(ConnectionReason.PROXY_CLOSED, proxy.shown())) from None
    except ValueError:
        # The login can't be encoded; the library's text would repeat the password.
        raise ProxyError(Note(ConnectionReason.PROXY_LOGIN_UNSENDABLE, proxy.shown())) from None


def unreachable(proxy: Proxy) -> Note:
    """Return the note for a proxy that does not answer."""
    return Note(ConnectionReason.PROXY_UNREACHABLE, proxy.shown())


def _refusal(proxy: Proxy, error: RefusedError) -> Note:
    code, said = error.error_code, str(error).lower()
    if code == _WANTS_LOGIN or (code is None and any(word in said for word in _ABOUT_LOGIN)):
        return Note(ConnectionReason.PROXY_LOGIN_REFUSED, proxy.shown())
    if code in _NOT_ALLOWED[proxy.kind]:
        return Note(ConnectionReason.PROXY_FORBIDS, proxy.shown())
    if code in _NO_WAY_ON[proxy.kind]:
        return Note(ConnectionReason.PROXY_NO_WAY_ON, proxy.shown())
    if code is None:
        return Note(ConnectionReason.PROXY_OTHER_KIND, proxy.shown())
    return Note(ConnectionReason.PROXY_REFUSED, proxy.shown(), code)
