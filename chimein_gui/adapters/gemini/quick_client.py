"""httpx2's client, with a short way for what google-genai mostly does: a POST of finished bytes, answered whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import httpx2

from chimein_gui.adapters.gemini.exchange import Connections, Headers, Origin, check_unpacked
from chimein_gui.adapters.gemini.network import open_http_transport

MOST_PLACES = 64
"""Requests of which is remembered what they begin with; there is one for each model and verb."""

_PLAIN = {"content", "headers", "timeout"}
"""What google-genai gives with a request that is answered whole."""

_JSON = "application/json"


class _Place(NamedTuple):
    """What all requests of a kind begin with.

    Attributes:
        origin: Where they go.
        target: The path, with what follows a question mark.
        headers: All but the length.
        request: For whoever asks an answer what it answers.
    """

    origin: Origin
    target: bytes
    headers: Headers
    request: httpx2.Request


class QuickClient(httpx2.AsyncClient):
    """Sends a plain POST over its own connections, and everything else as httpx2 does.

    Redirects are not followed either way. It is for whoever puts a time-out round the whole call: a quick one ends
    only the connecting by itself.
    """

    def __init__(self, *, timeout_s: float, limits: httpx2.Limits) -> None:
        """Open nothing yet.

        Args:
            timeout_s: For what goes httpx2's way.
            limits: For either way.
        """
        context = httpx2.create_ssl_context(trust_env=False)
        super().__init__(
            trust_env=False,
            timeout=timeout_s,
            follow_redirects=False,
            transport=open_http_transport(limits, context),
        )
        self._connections = Connections(
            context, most=limits.max_connections or 1, keep_alive_s=limits.keepalive_expiry or 0.0
        )
        self._places: dict[object, _Place] = {}

    async def request(self, method: str, url: httpx2.URL | str, **options: Any) -> httpx2.Response:  # noqa: ANN401 - httpx2's
        """Send a request and return its answer, read; see httpx2.

        Raises:
            httpx2.HTTPError: There was no whole answer.
            httpx2.InvalidURL: There can't be such an address.
        """
        content, headers = options.get("content"), options.get("headers")
        is_plain = method.upper() == "POST" and options.keys() <= _PLAIN and not self.is_closed
        if not is_plain or not isinstance(content, bytes) or not isinstance(headers, Mapping):
            return await super().request(method, url, **options)
        origin, target, fixed, request = self._place(str(url), tuple(headers.items()))
        sized = [*fixed, (b"Content-Length", b"%d" % len(content))]
        answer = await self._connections.exchange(origin, target, sized, content)
        check_unpacked(answer)
        response = httpx2.Response(answer.status, headers=answer.headers, content=answer.body, request=request)
        if response.headers.get("content-type", "").lower().startswith(_JSON):
            response.encoding = "utf-8"  # JSON knows no other; httpx2 looks for one with a parser of e-mail headers
        return response

    async def aclose(self) -> None:
        """Close the connections; calling it twice is harmless."""
        await self._connections.aclose()
        await super().aclose()

    async def __aexit__(self, *error: Any) -> None:  # noqa: ANN401 - httpx2's
        """Close the connections; httpx2 does not come by `aclose` here."""
        await self._connections.aclose()
        await super().__aexit__(*error)

    def _place(self, url: str, headers: tuple[tuple[str, str], ...]) -> _Place:
        known = self._places.get((url, headers))
        if known is not None:
            return known
        # httpx2's own request knows the rules: which headers are ours by default, how an address is written.
        request = self.build_request("POST", url, headers=dict(headers))
        secure = request.url.scheme == "https"
        place = _Place(
            Origin(request.url.host, request.url.port or (443 if secure else 80), secure),
            request.url.raw_path,
            [(name, value) for name, value in request.headers.raw if name.lower() != b"content-length"],
            request,
        )
        if len(self._places) >= MOST_PLACES:
            self._places.clear()
        self._places[url, headers] = place
        return place
