"""Translates failures of a log-in for the operator; no text repeats what was entered."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Mapping
from typing import TypeVar

from telethon import errors

from chimein_gui.adapters.telegram.failures import code_of, is_banned, is_logged_out
from chimein_gui.domain.accounts.sign_in import SignInTrouble
from chimein_gui.domain.errors import GatewayError, ProxyError, SignInError
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.sign_ins import SignInReason

T = TypeVar("T")

RESTART = "AUTH_RESTART"
"""Telegram's code for: request the login code again."""

_SERVER_TROUBLE = 500
_GREATEST_CODE = 600

_TROUBLES: Mapping[str, SignInTrouble] = {
    "PHONE_CODE_INVALID": SignInTrouble.WRONG_CODE,
    "PHONE_CODE_EMPTY": SignInTrouble.WRONG_CODE,
    "CODE_INVALID": SignInTrouble.WRONG_CODE,
    "CODE_EMPTY": SignInTrouble.WRONG_CODE,
    "PHONE_CODE_EXPIRED": SignInTrouble.EXPIRED_CODE,
    "PHONE_CODE_HASH_EMPTY": SignInTrouble.EXPIRED_CODE,
    "CODE_HASH_INVALID": SignInTrouble.EXPIRED_CODE,
    "EMAIL_VERIFY_EXPIRED": SignInTrouble.EXPIRED_CODE,
    "PASSWORD_HASH_INVALID": SignInTrouble.WRONG_PASSWORD,
    "PASSWORD_EMPTY": SignInTrouble.WRONG_PASSWORD,
    "PHONE_NUMBER_UNOCCUPIED": SignInTrouble.NOT_REGISTERED,
    "PHONE_NOT_OCCUPIED": SignInTrouble.NOT_REGISTERED,
    "PHONE_NUMBER_INVALID": SignInTrouble.BAD_NUMBER,
    "PHONE_NUMBER_APP_SIGNUP_FORBIDDEN": SignInTrouble.NOT_REGISTERED,
    "API_ID_INVALID": SignInTrouble.BAD_APPLICATION,
    "CONNECTION_API_ID_INVALID": SignInTrouble.BAD_APPLICATION,
    "API_ID_PUBLISHED_FLOOD": SignInTrouble.BAD_APPLICATION,
    "AUTH_TOKEN_EXPIRED": SignInTrouble.QR_EXPIRED,
    "AUTH_TOKEN_INVALID": SignInTrouble.QR_EXPIRED,
    "AUTH_TOKEN_INVALID2": SignInTrouble.QR_EXPIRED,
    "AUTH_TOKEN_INVALIDX": SignInTrouble.QR_EXPIRED,
    "AUTH_TOKEN_ALREADY_ACCEPTED": SignInTrouble.QR_EXPIRED,
    "AUTH_TOKEN_EXCEPTION": SignInTrouble.QR_EXPIRED,
}

_REFUSALS: Mapping[str, SignInReason] = {
    "PHONE_NUMBER_FLOOD": SignInReason.CODES_TOO_OFTEN,
    "PHONE_PASSWORD_FLOOD": SignInReason.LOG_INS_TOO_OFTEN,
    "PHONE_PASSWORD_PROTECTED": SignInReason.PASSWORD_FIRST,
    "SEND_CODE_UNAVAILABLE": SignInReason.NO_OTHER_WAY,
    "SMS_CODE_CREATE_FAILED": SignInReason.CODE_NOT_SENT,
    "SRP_ID_INVALID": SignInReason.PASSWORD_NOT_TAKEN,
    "SRP_PASSWORD_CHANGED": SignInReason.PASSWORD_CHANGED,
    "UPDATE_APP_TO_LOGIN": SignInReason.NO_CODE_HERE,
}
"""Refusals without a name of their own."""


def trouble(kind: SignInTrouble) -> SignInError:
    """Return the error for a trouble with its usual text."""
    return SignInError(Note(kind), kind)


def refusal(kind: SignInReason, words: str = "") -> SignInError:
    """Return a refusal that has no name of its own."""
    return SignInError(Note(kind, words), SignInTrouble.REFUSED)


async def with_reason(step: Awaitable[T]) -> T:
    """Await a step; any failure becomes a SignInError without context.

    Telethon's errors contain the request, and with it code, number and token, so they must not even be its context.
    """
    try:
        return await step
    except SignInError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is, the operator is told in words
        failure = sign_in_failure(error)
    raise failure


def sign_in_failure(error: Exception) -> SignInError:
    """Return the error for a failed step of a log-in."""
    if isinstance(error, errors.RPCError):
        return _answer(error)
    if isinstance(error, GatewayError):
        kind = SignInTrouble.PROXY if isinstance(error, ProxyError) else SignInTrouble.NO_NETWORK
        return SignInError(error.note or str(error), kind)
    if isinstance(error, ValueError):
        return refusal(SignInReason.UNKNOWN_QUESTION)
    if is_logged_out(error):
        return _begin_anew()
    if isinstance(error, sqlite3.Error):
        return trouble(SignInTrouble.NO_PLACE)
    return trouble(SignInTrouble.TIME_OUT if isinstance(error, TimeoutError) else SignInTrouble.NO_NETWORK)


def _answer(error: errors.RPCError) -> SignInError:
    """Return the error for an answer by Telegram."""
    if isinstance(error, errors.FloodError) and hasattr(error, "seconds"):
        seconds = float(error.seconds)
        return SignInError(Note(SignInTrouble.WAIT, number=round(seconds)), SignInTrouble.WAIT, seconds)
    code = code_of(error)
    kind = SignInTrouble.BANNED if is_banned(error) else _TROUBLES.get(code)
    if kind is not None:
        return trouble(kind)
    if code in _REFUSALS:
        return refusal(_REFUSALS[code])
    if is_logged_out(error) or code == RESTART:
        return _begin_anew()
    is_theirs = _SERVER_TROUBLE <= abs(error.code or 0) < _GREATEST_CODE
    name = code.replace("_", " ")  # in one word it is longer than a line of the dialog
    return refusal(SignInReason.TELEGRAMS_TROUBLE) if is_theirs else refusal(SignInReason.OTHER_REFUSAL, name)


def _begin_anew() -> SignInError:
    return refusal(SignInReason.BEGIN_ANEW)
