"""Tests a key by one free call that lists models (port `KeyChecker`)."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chimein_gui.adapters.gemini.failures import is_of_service, reasons_of, words_of
from chimein_gui.adapters.gemini.model import usable_key
from chimein_gui.adapters.gemini.transport import open_transport
from chimein_gui.domain.errors import ModelKeyError
from chimein_gui.engine.ports import KeyVerdict

if TYPE_CHECKING:
    from chimein_gui.adapters.gemini.transport import Transport

CHECK_S = 20.0
"""Longest wait for the result, in seconds."""

_LIST = "models?pageSize=1000"

_TOO_SLOW = "Gemini did not answer in time, so nobody knows whether the key works. Try again in a moment."
_NO_NETWORK = "Gemini can't be reached, so nobody knows whether the key works. Look at the network connection."
_NO_KEY = "There is no key, or it has characters that no key has. Copy it from aistudio.google.com/apikey."
_NOT_VALID = "Gemini does not know this key. Copy it once more from aistudio.google.com/apikey."
_REGION = "Google does not offer Gemini where this computer is. The key may be good, but not from here."
_SWITCHED_OFF = "The Gemini API is switched off in the key's Google Cloud project. Switch it on there."
_RESTRICTED = (
    "The key is restricted, and not for this use. Allow it the Gemini API, without an address or app of its own."
)
_QUOTA = "The key is known, but its quota is used up for now. Wait, or look at its plan and billing."
_ANSWERED_OTHERWISE = "What answered was not Gemini. Is there a log-in page between this computer and the network?"


@dataclass(frozen=True, slots=True)
class _Refusal:
    """An unsuccessful answer.

    Attributes:
        code: HTTP status.
        reasons: Google's names of it, in capitals.
        words: Its message, without the key.
    """

    code: int
    reasons: tuple[str, ...]
    words: str

    def says(self, *texts: str) -> bool:
        return any(text in reason for text in texts for reason in self.reasons)


class GeminiKeyChecker:
    """Tests keys with a client of its own, made in a thread; the planning client never gets them."""

    def __init__(self, base_url: str | None = None, timeout_s: float = CHECK_S) -> None:
        """Create the checker.

        Args:
            base_url: Scheme, host and port of another server, such as the sandbox's; None for Google.
            timeout_s: Longest wait for the result, in seconds.
        """
        self._base_url = base_url
        self._timeout_s = timeout_s

    async def check(self, key: str) -> KeyVerdict:
        """List the models that a key may use; every failure becomes a verdict."""
        try:
            key = usable_key(key)
        except ModelKeyError:
            return KeyVerdict(ok=False, words=_NO_KEY)
        transport = await asyncio.to_thread(open_transport, self._base_url, self._timeout_s)
        try:
            async with asyncio.timeout(self._timeout_s):
                return await _asked(transport, key)
        except TimeoutError:
            return KeyVerdict(ok=False, words=_TOO_SLOW)
        finally:
            await transport.http.aclose()
            transport.client.close()


async def _asked(transport: Transport, key: str) -> KeyVerdict:
    transport.use_key(key)
    try:
        response = await transport.api.async_request("get", _LIST, {})
    except transport.refused as error:
        if error.code < 500 and error.code != 429 and not is_of_service(error.details):
            return KeyVerdict(ok=False, words=_ANSWERED_OTHERWISE)
        refusal = _Refusal(error.code, reasons_of(error.details), words_of(error.details, key))
        return KeyVerdict(ok=False, words=_words_for(refusal))
    except transport.broken as error:
        return KeyVerdict(ok=False, words=_TOO_SLOW if "Timeout" in type(error).__name__ else _NO_NETWORK)
    except (ValueError, UnicodeError):
        return KeyVerdict(ok=False, words=_ANSWERED_OTHERWISE)
    return _counted(response.body or "")


def _counted(body: str) -> KeyVerdict:
    try:
        found = json.loads(body)["models"]
        writing = [model for model in found if "generateContent" in model.get("supportedGenerationMethods", ())]
        names = frozenset(str(model.get("name") or "").removeprefix("models/") for model in writing)
    except (ValueError, TypeError, KeyError, AttributeError):
        return KeyVerdict(ok=False, words=_ANSWERED_OTHERWISE)
    models = len(writing)
    if not models:
        return KeyVerdict(ok=False, words="The key is good, but no model that writes may be used with it.")
    return KeyVerdict(ok=True, words=f"The key works; {models} models may be used with it.", models=models, names=names)


def _words_for(refusal: _Refusal) -> str:
    """Return the text for a refusal, by the first rule that matches."""
    code, said = refusal.code, f" Google says: {refusal.words}" if refusal.words else ""
    meanings = (
        (refusal.says("SERVICE_DISABLED", "CONSUMER_INVALID"), _SWITCHED_OFF + said),
        (refusal.says("_BLOCKED", "API_KEY_HTTP_REFERRER", "API_KEY_IP_ADDRESS"), _RESTRICTED + said),
        (code in (400, 403) and "location" in refusal.words.lower(), _REGION),
        (code == 429, _QUOTA),
        (code == 401 or refusal.says("API_KEY_"), _NOT_VALID),
        (code == 403, f"Gemini refuses this key.{said}"),
        (300 <= code < 400 or code in (407, 511), _ANSWERED_OTHERWISE),
        (
            code >= 500,
            f"Gemini can't answer now (HTTP {code}), so nobody knows whether the key works. Try again later.",
        ),
    )
    return next((words for fits, words in meanings if fits), f"Gemini refuses to tell (HTTP {code}).{said}")
