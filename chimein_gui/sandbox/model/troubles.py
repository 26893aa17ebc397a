"""The model's faults (`FaultKind.MODEL_…`): how each changes an answer."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from chimein_gui.sandbox.http.messages import Answer, Headers, Pieces, RawAnswer, in_pieces
from chimein_gui.sandbox.model.bodies import blocked_body, cut_off, no_candidates_body, silent_body, thoughts_body
from chimein_gui.sandbox.model.errors import ApiError
from chimein_gui.sandbox.model.script import ModelCall
from chimein_gui.sandbox_api import FaultKind, FaultRule

AskFault = Callable[[str], FaultRule | None]
"""Returns the fault for a call of a method such as ``generateContent``, or None; it counts the call."""

FOREVER = float("inf")
_WITH_RETRY = frozenset({429, 503})
_SILENT = {
    FaultKind.MODEL_EMPTY: "STOP",
    FaultKind.MODEL_SAFETY: "SAFETY",
    FaultKind.MODEL_MAX_TOKENS: "MAX_TOKENS",
}
_WORDLESS = {
    FaultKind.MODEL_BLOCKED: blocked_body,
    FaultKind.MODEL_NO_CANDIDATES: no_candidates_body,
    FaultKind.MODEL_THOUGHTS: thoughts_body,
}


def no_fault(_method: str) -> FaultRule | None:
    """Return None: no fault for any call."""
    return None


def raise_error(rule: FaultRule) -> None:
    """Raise the error of a rule of kind MODEL_ERROR; other rules are ignored.

    Raises:
        ApiError: With the rule's status, text and retry delay.
    """
    if rule.kind is FaultKind.MODEL_ERROR:
        retry = rule.seconds if rule.seconds and rule.code in _WITH_RETRY else None
        raise ApiError(rule.code, rule.message, retry_delay_s=retry)


def silence(rule: FaultRule | None, call: ModelCall, serial: int) -> dict[str, Any] | None:
    """Return the body without text that the rule puts in place of an answer; None if the rule leaves the text."""
    if rule is None:
        return None
    if rule.kind in _WORDLESS:
        return _WORDLESS[rule.kind](call, serial)
    finish = rule.message if rule.kind is FaultKind.MODEL_ODD_END else _SILENT.get(rule.kind)
    return silent_body(call, serial, finish) if finish is not None else None


def shortened(rule: FaultRule | None, body: dict[str, Any]) -> dict[str, Any]:
    """Return the body, cut off if the rule is of kind MODEL_CUT_OFF."""
    return cut_off(body) if rule is not None and rule.kind is FaultKind.MODEL_CUT_OFF else body


def troubled(rule: FaultRule, answer: Answer) -> Answer | RawAnswer:
    """Return the HTTP answer as the rule changes it: slow, never sent, cut off by a hang-up, or with invalid JSON."""
    body = answer.body if isinstance(answer.body, bytes) else b""
    if rule.kind is FaultKind.MODEL_SLOW:
        return replace(answer, delay_s=answer.delay_s + rule.seconds)
    if rule.kind is FaultKind.MODEL_HANG:
        return replace(answer, delay_s=FOREVER)
    if rule.kind is FaultKind.MODEL_DROP:
        return _broken_off(answer, body)
    if rule.kind is FaultKind.MODEL_BAD_JSON:
        return replace(answer, body=_half(body) + b"\x00<")
    return answer


def _broken_off(answer: Answer, body: bytes) -> RawAnswer:
    """Announce the whole body, send half of it and close the connection."""
    head = _head(answer.status, (*answer.headers, ("Content-Length", str(len(body)))))

    def send() -> Pieces:
        return in_pieces([head, _half(body)])

    return RawAnswer(send, lingers=False, delay_s=answer.delay_s)


def _head(status: int, headers: Headers) -> bytes:
    lines = [f"HTTP/1.1 {status} OK", *(f"{name}: {value}" for name, value in headers)]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def _half(body: bytes) -> bytes:
    return body[: len(body) // 2]
