"""Translates errors of google-genai and the network, without secrets."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from chimein_gui.domain.errors import ModelError, ModelKeyError, ModelRefusedError, ModelTransientError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.prompt.model_faults import ModelFault

_MAX_WORDS = 300
_TRANSIENT_CODES = frozenset({408, 409, 425, 429, 499})
_KEY_REASONS = ("API_KEY_", "CONSUMER_", "SERVICE_DISABLED")


def http_failure(code: int, details: object, headers: Mapping[str, str], *, key: str) -> ModelError:
    """Return the error for an HTTP status.

    Args:
        code: HTTP status.
        details: The body's JSON, of any type.
        headers: Of the answer.
        key: The API key, to be removed from all texts.
    """
    words = words_of(details, key)
    said = f": {words}" if words else "."
    if code in (401, 403) or _names_the_key(details):
        bad = Note(ModelFault.KEY_NOT_ACCEPTED, words, code)
        return ModelKeyError(f"Gemini does not accept the API key (HTTP {code}){said}", bad)
    if code in _TRANSIENT_CODES or code >= 500 or 300 <= code < 400:
        later = Note(ModelFault.ANSWERED_LATER, words, code)
        return ModelTransientError(f"Gemini can't answer now (HTTP {code}){said}", _wait_of(details, headers), later)
    return ModelRefusedError(
        f"Gemini refuses this request (HTTP {code}){said}", Note(ModelFault.REFUSED_REQUEST, words, code)
    )


def network_failure(error: Exception) -> ModelTransientError:
    """Return the error for a call without an answer."""
    if "Timeout" in type(error).__name__:
        return ModelTransientError("Gemini did not answer in time.", fault=Note(ModelFault.TIMED_OUT))
    if "TooLong" in type(error).__name__:
        too_long = Note(ModelFault.ANSWER_TOO_LONG)
        return ModelTransientError("Gemini's answer is longer than 4 MB; it was given up.", fault=too_long)
    return ModelTransientError("Gemini can't be reached.", fault=Note(ModelFault.UNREACHABLE))


def _error_of(details: object) -> dict[str, Any]:
    """Return the error object; some answers wrap it in a list, some in ``error``."""
    if isinstance(details, list) and details:
        details = details[0]
    if not isinstance(details, dict):
        return {}
    inner = details.get("error")
    return inner if isinstance(inner, dict) else details


def is_of_service(details: object) -> bool:
    """Return whether an answer is the service's; a proxy's has a page instead of an error object."""
    first = details[0] if isinstance(details, list) and details else details
    return isinstance(first, dict) and isinstance(first.get("error"), dict)


def words_of(details: object, key: str) -> str:
    """Return the service's message, in one line and without the key."""
    words = " ".join(str(_error_of(details).get("message") or "").split())
    return words.replace(key, "…")[:_MAX_WORDS] if key else words[:_MAX_WORDS]


def _infos(details: object) -> Iterator[dict[str, Any]]:
    infos = _error_of(details).get("details")
    if isinstance(infos, list):
        yield from (info for info in infos if isinstance(info, dict))


def reasons_of(details: object) -> tuple[str, ...]:
    """Return the service's names of the error, such as ``API_KEY_INVALID``."""
    return tuple(str(info.get("reason") or "") for info in _infos(details))


def _names_the_key(details: object) -> bool:
    """Return whether the key is bad, which Google also answers with 400."""
    if any(reason.startswith(_KEY_REASONS) for reason in reasons_of(details)):
        return True
    return "API_KEY_INVALID" in json.dumps(details, default=str)


def _wait_of(details: object, headers: Mapping[str, str]) -> float | None:
    """Return the seconds the service asks to wait: RetryInfo, else the retry-after header."""
    for info in _infos(details):
        if str(info.get("@type") or "").endswith("RetryInfo"):
            return _seconds(str(info.get("retryDelay") or "").removesuffix("s"))
    return _seconds(headers.get("retry-after", ""))


def _seconds(number: str) -> float | None:
    try:
        seconds = float(number)
    except ValueError:
        return None  # a date, which needs a clock; the engine's own delays do as well
    return seconds if 0 <= seconds < float("inf") else None
