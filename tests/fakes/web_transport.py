"""An httpx2 transport that finds fictitious hosts like the product's fetcher: resolver above, address map below."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import httpcore2
import httpx2

Place = tuple[str, int]


class MappedBackend(httpcore2.AnyIOBackend):
    """Resolves with the given resolver and connects only to addresses in the map.

    Attributes:
        checked: The addresses that names resolved to, in order, which an address guard would check.
    """

    def __init__(self, resolve: Callable[[str], str], places: Mapping[Place, Place]) -> None:
        self._resolve = resolve
        self._places = places
        self.checked: list[str] = []

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore2's signature
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        try:
            address = self._resolve(host)
        except OSError as error:
            raise httpcore2.ConnectError(str(error)) from error
        self.checked.append(address)
        place = self._places.get((address, port))
        if place is None:
            raise httpcore2.ConnectError(f"refused: {host} is {address}, port {port}")
        return await super().connect_tcp(*place, timeout, local_address, socket_options)


def web_client(
    resolve: Callable[[str], str], places: Mapping[Place, Place], authority_pem: str | None = None, **options: Any
) -> tuple[httpx2.AsyncClient, MappedBackend]:
    """Return a client of the fictitious web; it trusts only `authority_pem`."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if authority_pem is not None:
        context.load_verify_locations(cadata=authority_pem)
    transport = httpx2.AsyncHTTPTransport(trust_env=False, verify=context)
    backend = MappedBackend(resolve, places)
    transport._pool._network_backend = backend
    return httpx2.AsyncClient(trust_env=False, transport=transport, timeout=10, **options), backend
