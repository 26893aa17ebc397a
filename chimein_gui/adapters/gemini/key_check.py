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
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.keys import KeyReason
from chimein_gui.engine.ports import KeyVerdict

if TYPE_CHECKING:
    from chimein_gui.adapters.gemini.transport import Transport

CHECK_S = 20.0
"""Longest wait for the result, in seconds."""

_LIST = "models?pageSize=1000"

_NOT_GEMINI = Note(KeyReason.OTHER_ANSWERED)

_SAID_BY_GOOGLE = frozenset(
    {KeyReason.API_SWITCHED_OFF, KeyReason.KEY_RESTRICTED, KeyReason.KEY_REFUSED, KeyReason.GEMINI_REFUSES}
)
"""What Google's own words explain further."""


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
            return KeyVerdict(ok=False, note=Note(KeyReason.KEY_MISSING))
        transport = await asyncio.to_thread(open_transport, self._base_url, self._timeout_s)
        try:
            async with asyncio.timeout(self._timeout_s):
                return await _asked(transport, key)
        except TimeoutError:
            return KeyVerdict(ok=False, note=Note(KeyReason.GEMINI_SILENT))
        finally:
            await transport.http.aclose()
            transport.client.close()


async def _asked(transport: Transport, key: str) -> KeyVerdict:
    try:
        return _counted(await transport.ask("get", _LIST, key))
    except transport.refused as error:
        if error.code < 500 and error.code != 429 and not is_of_service(error.details):
            return KeyVerdict(ok=False, note=_NOT_GEMINI)
        refusal = _Refusal(error.code, reasons_of(error.details), words_of(error.details, key))
        return KeyVerdict(ok=False, note=_note_of(refusal))
    except transport.broken as error:
        is_slow = "Timeout" in type(error).__name__
        return KeyVerdict(ok=False, note=Note(KeyReason.GEMINI_SILENT if is_slow else KeyReason.GEMINI_UNREACHABLE))
    except (ValueError, UnicodeError):
        return KeyVerdict(ok=False, note=_NOT_GEMINI)


def _counted(body: str) -> KeyVerdict:
    try:
        found = json.loads(body)["models"]
        writing = [model for model in found if "generateContent" in model.get("supportedGenerationMethods", ())]
        names = frozenset(str(model.get("name") or "").removeprefix("models/") for model in writing)
    except (ValueError, TypeError, KeyError, AttributeError):
        return KeyVerdict(ok=False, note=_NOT_GEMINI)
    models = len(writing)
    if not models:
        return KeyVerdict(ok=False, note=Note(KeyReason.NO_WRITING_MODEL))
    return KeyVerdict(ok=True, note=Note(KeyReason.KEY_WORKS, number=models), models=models, names=names)


def _note_of(refusal: _Refusal) -> Note:
    """Return what a refusal means, by the first rule that matches, and Google's own words where they say more."""
    code, said = refusal.code, refusal.words
    meanings = (
        (refusal.says("SERVICE_DISABLED", "CONSUMER_INVALID"), KeyReason.API_SWITCHED_OFF),
        (refusal.says("_BLOCKED", "API_KEY_HTTP_REFERRER", "API_KEY_IP_ADDRESS"), KeyReason.KEY_RESTRICTED),
        (code in (400, 403) and "location" in said.lower(), KeyReason.REGION_NOT_SERVED),
        (code == 429, KeyReason.QUOTA_USED_UP),
        (code == 401 or refusal.says("API_KEY_"), KeyReason.KEY_NOT_VALID),
        (code == 403, KeyReason.KEY_REFUSED),
        (300 <= code < 400 or code in (407, 511), KeyReason.OTHER_ANSWERED),
        (code >= 500, KeyReason.GEMINI_LATER),
    )
    kind = next((kind for fits, kind in meanings if fits), KeyReason.GEMINI_REFUSES)
    note = Note(kind, number=code if kind in {KeyReason.GEMINI_LATER, KeyReason.GEMINI_REFUSES} else 0)
    return Note(KeyReason.GOOGLE_SAYS, said, cause=note) if said and kind in _SAID_BY_GOOGLE else note
