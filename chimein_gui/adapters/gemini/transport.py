"""The google-genai client, made once and with all settings fixed.

google-genai would otherwise read keys, projects, addresses and proxies from the environment, choose its HTTP library by
what is installed, and build an unused synchronous client with an SSL context of its own.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import httpx2
    from google import genai
    from google.genai._api_client import BaseApiClient, HttpRequest
    from google.genai.errors import APIError

    from chimein_gui.adapters.gemini.exchange import Client

API_VERSION = "v1beta"
DEFAULT_BASE_URL = "https://generativelanguage.googleapis.com"
_MAX_CONNECTIONS = 32
_KEEP_ALIVE_S = 30.0
_VARIABLES = ("GOOGLE_", "GEMINI_")
_KEYLESS = "none"
"""google-genai requires a key for its client. Ours may change at run time, so every call sets its own."""

_KEY_HEADER = "x-goog-api-key"


class Transport(NamedTuple):
    """The parts that a `GeminiModel` uses; importing them takes 0.4–1 s.

    Attributes:
        client: Google's, which knows how calls look.
        http: Its connections.
        api: The client's lower layer, which composes requests.
        composed: Returns the request for a method and a path, without a body.
        model_name: Google's validation of model names; raises ValueError for an invalid one.
        refused: Raised for an unsuccessful answer.
        broken: Raised if there was no whole answer.
        misnamed: Raised for an invalid address.
    """

    client: genai.Client
    http: Client
    api: BaseApiClient
    composed: Callable[[str, str], HttpRequest]
    model_name: Callable[[BaseApiClient, str], str]
    refused: type[APIError]
    broken: tuple[type[Exception], ...]
    misnamed: tuple[type[Exception], ...]

    def path_of(self, model: str, method: str = "generateContent") -> str:
        """Return the path of a model's method.

        Raises:
            ValueError: The model's name is invalid.
        """
        return f"{self.model_name(self.api, model)}:{method}"

    async def ask(self, method: str, path: str, key: str, body: object = None) -> str:
        """Make one call with a finished body, and return the body of its answer.

        Google's client composes the address and the headers, which are those of all calls with this path, and reads
        refusals. Its own way of sending allows itself one attempt, looks for more to do after it, and checks the types
        of the answer's headers, which nobody reads.

        Raises:
            Exception: One of `refused`, `broken` or `misnamed`.
        """
        request = self.composed(method, path)
        headers: dict[str, str] = {**request.headers, _KEY_HEADER: key}
        content = body if body is None or isinstance(body, bytes) else json.dumps(body).encode("utf-8")
        response = await self.http.request(
            method, str(request.url), headers=headers, content=content, timeout=request.timeout
        )
        await self.refused.raise_for_async_response(response)
        return response.text


def open_transport(base_url: str | None, timeout_s: float) -> Transport:
    """Import google-genai and make its client; it has no key, because each `Transport.ask` sends its own.

    Args:
        base_url: Scheme, host and port; None for Google.
        timeout_s: Of each call, in seconds.
    """
    import httpx2

    from chimein_gui.adapters.gemini.exchange import Client, Connections

    with _without_googles_variables():
        from google import genai
        from google.genai import _transformers, errors, types

    context = httpx2.create_ssl_context(trust_env=False)
    connections = Connections(context, most=_MAX_CONNECTIONS, keep_alive_s=_KEEP_ALIVE_S)
    http = Client(connections, trust_env=False, timeout=timeout_s, follow_redirects=False)
    options = types.HttpOptions(
        base_url=base_url or DEFAULT_BASE_URL,
        api_version=API_VERSION,
        timeout=round(timeout_s * 1_000),
        httpx_async_client=http,
        httpx_client=httpx2.Client(trust_env=False, transport=httpx2.MockTransport(_never_called)),
    )
    with _without_googles_variables():
        client = genai.Client(api_key=_KEYLESS, vertexai=False, http_options=options)
    api = client._api_client  # noqa: SLF001 - `generate_content` ends in it, see `GeminiModel`
    return Transport(
        client,
        http,
        api,
        composed=lru_cache(maxsize=16)(partial(_composed, api)),
        model_name=_transformers.t_model,
        refused=errors.APIError,
        broken=(httpx2.HTTPError, httpx2.StreamError),
        misnamed=(httpx2.InvalidURL, ValueError),
    )


def _composed(api: BaseApiClient, method: str, path: str) -> HttpRequest:
    return api._build_request(method, path, {})  # noqa: SLF001 - what `async_request` begins with


@contextlib.contextmanager
def _without_googles_variables() -> Iterator[None]:
    """Hide variables for which there is no argument: keys to warn about, the HTTP library, client certificates."""
    hidden = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith(_VARIABLES)}
    try:
        yield
    finally:
        os.environ.update(hidden)


def _never_called(_request: httpx2.Request) -> httpx2.Response:
    raise RuntimeError("Chimein makes no synchronous calls")
