"""Gemini as the engine's language model (port `LanguageModel`)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from chimein_gui.adapters.gemini.bodies import Json, body_again, body_of, read_request, request_of
from chimein_gui.adapters.gemini.counting import count_request, steps_of, total_of
from chimein_gui.adapters.gemini.failures import http_failure, network_failure
from chimein_gui.adapters.gemini.replies import reply_of
from chimein_gui.adapters.gemini.transport import Transport, open_transport
from chimein_gui.domain.errors import ModelError, ModelKeyError, ModelRefusedError, ModelTransientError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.prompt.model_faults import ModelFault

if TYPE_CHECKING:
    from collections.abc import Callable

    from chimein_gui.domain.prompt.prompts import ModelReply, Prompt

DEFAULT_TIMEOUT_S = 60.0


class GeminiModel:
    """Makes calls with the current key. google-genai is imported by the first call, or by `prepare`."""

    def __init__(
        self, api_key: str | Callable[[], str], base_url: str | None = None, timeout_s: float = DEFAULT_TIMEOUT_S
    ) -> None:
        """Create the model; nothing is imported or opened yet.

        Args:
            api_key: Gemini API key, or a function that returns the current one; appears in no text.
            base_url: Scheme, host and port of another server, such as the sandbox's; None for Google.
            timeout_s: Longest duration of a call, in seconds.
        """
        self._api_key = api_key if callable(api_key) else lambda: api_key
        self._base_url = base_url
        self._timeout_s = timeout_s
        self._transport: Transport | None = None

    def prepare(self) -> None:
        """Import google-genai and make the client now, which blocks for 0.4–1 s.

        It needs no key, so that a key entered later does not freeze the window.
        """
        self._opened()

    async def generate(self, prompt: Prompt) -> ModelReply:
        """Make one model call.

        Raises:
            ModelTransientError: Network, overload, time-out, 429.
            ModelRefusedError: Bad request or blocked prompt.
            ModelKeyError: The key does not work.
        """
        return reply_of(await self.post(prompt.model, "generateContent", body_of(prompt)))

    async def generate_again(self, model: str, body: bytes) -> ModelReply:
        """Make one call with the bytes of an earlier one; raises ValueError, and what `generate` does."""
        return reply_of(await self.post(model, "generateContent", body_again(body)))

    request_of = staticmethod(request_of)
    read_request = staticmethod(read_request)
    counting_steps = staticmethod(steps_of)

    async def count(self, model: str, body: bytes) -> int:
        """Count the tokens of a request, which costs nothing; raises what `post` does."""
        return total_of(await self.post(model, "countTokens", count_request(model, body)))

    async def post(self, model: str, method: str, body: Json | bytes) -> str:
        """Send a request to a model and return the body of the answer.

        Args:
            model: Its name.
            method: Google's method, such as ``generateContent``.
            body: The finished request: an object, or the bytes of its JSON.

        Raises:
            ModelTransientError: Network, overload, time-out, 429.
            ModelRefusedError: Bad request.
            ModelKeyError: The key does not work.
        """
        key = usable_key(self._api_key())
        transport = self._opened()
        try:
            async with asyncio.timeout(self._timeout_s):
                return await self._call(transport, key, model, method, body)
        except TimeoutError:
            raise ModelTransientError("Gemini did not answer in time.", fault=Note(ModelFault.TIMED_OUT)) from None

    async def aclose(self) -> None:
        """Close connections; a second call has no effect."""
        transport, self._transport = self._transport, None
        if transport is not None:
            await transport.http.aclose()
            transport.client.close()

    async def _call(self, transport: Transport, key: str, model: str, method: str, body: Json | bytes) -> str:
        """Return the raw answer: parsing it here saves google-genai's validation of every field.

        For the same reason the finished body is passed where `generate_content` ends: its work before that, on
        configuration that is not used here, takes as long as a claim. A test compares the bytes on the wire.
        """
        failure: ModelError
        try:
            return await transport.ask("post", transport.path_of(model, method), key, body)
        except transport.refused as error:
            headers = getattr(error.response, "headers", None) or {}
            failure = http_failure(error.code, error.details, headers, key=key)
        except transport.broken as error:
            failure = network_failure(error)
        except transport.misnamed:
            failure = ModelRefusedError(
                f"There can't be a model named {model!r}.", Note(ModelFault.NO_SUCH_MODEL, model)
            )
        raise failure  # outside, so that no text of theirs, which might repeat the key, hangs on it

    def _opened(self) -> Transport:
        if self._transport is None:
            self._transport = open_transport(self._base_url, self._timeout_s)
        return self._transport


def usable_key(key: str) -> str:
    """Return a key without the blanks around it.

    Raises:
        ModelKeyError: It can't be a key.
    """
    key = key.strip()
    if not key or not key.isascii() or not key.isprintable() or " " in key:
        fault = Note(ModelFault.KEY_UNUSABLE)
        raise ModelKeyError(fault, fault)
    return key
