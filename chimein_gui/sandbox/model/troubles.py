"""Faults of the model (`FaultKind.MODEL_…`): what becomes of an answer when one strikes."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from chimein_gui.sandbox.http.messages import Answer, Headers, Pieces, RawAnswer, in_pieces
from chimein_gui.sandbox.model.bodies import blocked_body, cut_off, no_candidates_body, silent_body, thoughts_body
from chimein_gui.sandbox.model.errors import ApiError
from chimein_gui.sandbox.model.script import ModelCall
from chimein_gui.sandbox_api import FaultKind, FaultRule

AskFault = Callable[[str], FaultRule | None]
"""Tells which rule, if any, strikes a call of a method such as ``generateContent``; asking counts as the call."""

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
    """Let every call go well."""
    return None


def raise_error(rule: FaultRule) -> None:
    """Do nothing, unless the rule is an error.

    Raises:
        ApiError: What the rule orders.
    """
    if rule.kind is FaultKind.MODEL_ERROR:
        retry = rule.seconds if rule.seconds and rule.code in _WITH_RETRY else None
        raise ApiError(rule.code, rule.message, retry_delay_s=retry)


def silence(rule: FaultRule | None, call: ModelCall, serial: int) -> dict[str, Any] | None:
    """Return the body that stands in for an answer, of the kinds that leave the answer without words."""
    if rule is None:
        return None
    if rule.kind in _WORDLESS:
        return _WORDLESS[rule.kind](call, serial)
    finish = rule.message if rule.kind is FaultKind.MODEL_ODD_END else _SILENT.get(rule.kind)
    return silent_body(call, serial, finish) if finish is not None else None


def shortened(rule: FaultRule | None, body: dict[str, Any]) -> dict[str, Any]:
    """Return a good answer, or what is left of it where the rule cuts it off."""
    return cut_off(body) if rule is not None and rule.kind is FaultKind.MODEL_CUT_OFF else body


def troubled(rule: FaultRule, answer: Answer, pieces: list[bytes] | None = None) -> Answer | RawAnswer:
    """Return what really goes over the wire.

    Args:
        rule: What strikes.
        answer: The good answer.
        pieces: Its body where it is streamed.
    """
    whole = answer.body if isinstance(answer.body, bytes) else b""
    is_streamed, pieces = pieces is not None, pieces or [whole]
    if rule.kind is FaultKind.MODEL_SLOW:
        return replace(answer, delay_s=answer.delay_s + rule.seconds)
    if rule.kind is FaultKind.MODEL_HANG:
        return _broken_off(answer, pieces, lingers=True) if is_streamed else replace(answer, delay_s=FOREVER)
    if rule.kind is FaultKind.MODEL_DROP:
        return _broken_off(answer, pieces, lingers=False)
    if rule.kind is FaultKind.MODEL_BAD_JSON:
        spoilt = [_half(piece) + b"\x00<" for piece in pieces[:1]]
        if is_streamed:
            return replace(answer, body=in_pieces([*spoilt, b"\r\n\r\n", *pieces[1:]]))
        return replace(answer, body=b"".join(spoilt))
    return answer


def _broken_off(answer: Answer, pieces: list[bytes], *, lingers: bool) -> RawAnswer:
    """Promise the whole body and give half of it: the first piece of a stream, half the bytes of a single one."""
    whole = sum(len(piece) for piece in pieces)
    part = pieces[0] if len(pieces) > 1 else _half(pieces[0])
    head = _head(answer.status, (*answer.headers, ("Content-Length", str(whole))))

    def send() -> Pieces:
        return in_pieces([head, part])

    return RawAnswer(send, lingers=lingers, delay_s=answer.delay_s)


def _head(status: int, headers: Headers) -> bytes:
    lines = [f"HTTP/1.1 {status} OK", *(f"{name}: {value}" for name, value in headers)]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def _half(piece: bytes) -> bytes:
    return piece[: len(piece) // 2]
