"""Gemini's errors, with Google's texts."""

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from chimein_gui.sandbox.http.messages import Answer

STATUS_NAMES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    405: "UNIMPLEMENTED",
    409: "ABORTED",
    413: "INVALID_ARGUMENT",
    429: "RESOURCE_EXHAUSTED",
    499: "CANCELLED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}
BAD_KEY = "sandbox-bad-key-that-looks-like-one"
"""The only non-empty key that the endpoint refuses, so that checking keys can be rehearsed."""

_TYPE = "type.googleapis.com/google.rpc."
_SERVICE = "generativelanguage.googleapis.com"
_WORDS = {
    401: "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid "
    "authentication credential.",
    403: "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or "
    "other form of API consumer identity to call this API.",
    429: "You exceeded your current quota, please check your plan and billing details.",
    500: "An internal error has occurred. Please retry or report in the troubleshooting guide.",
    503: "The model is overloaded. Please try again later.",
}


class ApiError(Exception):
    """An error answer.

    Attributes:
        status: HTTP status, 400 to 599.
        retry_delay_s: Seconds, sent as RetryInfo and as Retry-After; None sends neither.
        details: Google's typed error details, sent before RetryInfo.
        headers: Additional HTTP headers.
    """

    def __init__(
        self,
        status: int,
        message: str = "",
        *,
        retry_delay_s: float | None = None,
        details: tuple[Mapping[str, Any], ...] = (),
        headers: tuple[tuple[str, str], ...] = (),
    ) -> None:
        super().__init__(message or _words(status))
        self.status = status
        self.retry_delay_s = retry_delay_s
        self.details = details
        self.headers = headers


def bad_request(message: str) -> ApiError:
    """Return the error 400 INVALID_ARGUMENT."""
    return ApiError(400, message)


def no_key() -> ApiError:
    """Return the error for a call without an API key."""
    return ApiError(403)


def bad_key() -> ApiError:
    """Return the error for a call with the API key `BAD_KEY`."""
    words = "API key not valid. Please pass a valid API key."
    info = {
        "@type": f"{_TYPE}ErrorInfo",
        "reason": "API_KEY_INVALID",
        "domain": "googleapis.com",
        "metadata": {"service": _SERVICE},
    }
    return ApiError(
        400, words, details=(info, {"@type": f"{_TYPE}LocalizedMessage", "locale": "en-US", "message": words})
    )


def error_body(error: ApiError) -> dict[str, Any]:
    """Return the JSON of an error."""
    body: dict[str, Any] = {
        "code": error.status,
        "message": str(error),
        "status": STATUS_NAMES.get(error.status, "UNKNOWN"),
    }
    details = [dict(detail) for detail in error.details]
    if error.retry_delay_s is not None:
        details.append({"@type": f"{_TYPE}RetryInfo", "retryDelay": f"{error.retry_delay_s:g}s"})
    if details:
        body["details"] = details
    return {"error": body}


def error_answer(error: ApiError) -> Answer:
    """Return the HTTP answer for an error."""
    headers = (("Content-Type", "application/json; charset=UTF-8"), *error.headers)
    if error.retry_delay_s is not None:
        headers += (("Retry-After", f"{-(-error.retry_delay_s // 1):g}"),)
    return Answer(error.status, headers, json.dumps(error_body(error)).encode())


def _words(status: int) -> str:
    if status in _WORDS:
        return _WORDS[status]
    return f"{HTTPStatus(status).phrase}." if status in HTTPStatus.__members__.values() else "Error."
