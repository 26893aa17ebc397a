"""Translates failures of a log-in for the operator; no text repeats what was entered."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Mapping
from typing import TypeVar

from telethon import errors

from chimein_gui.adapters.telegram.failures import code_of, is_banned, is_logged_out
from chimein_gui.domain.accounts.sign_in import SignInTrouble
from chimein_gui.domain.errors import GatewayError, ProxyError, SignInError

T = TypeVar("T")

RESTART = "AUTH_RESTART"
"""Telegram's code for: request the login code again."""

_SERVER_TROUBLE = 500
_GREATEST_CODE = 600

_WORDS: Mapping[SignInTrouble, str] = {
    SignInTrouble.WRONG_CODE: "That is not the code. Look at its digits and enter it again.",
    SignInTrouble.EXPIRED_CODE: "This code is worth nothing any more. Ask for a new one.",
    SignInTrouble.WRONG_PASSWORD: "That is not the password. The hint is the one its owner wrote.",
    SignInTrouble.BANNED: "Telegram has closed this account, or banned this number. Ask Telegram about it.",
    SignInTrouble.NOT_REGISTERED: (
        "Nobody has a Telegram account with this number. Check it, or make the account in Telegram's own app first."
    ),
    SignInTrouble.BAD_NUMBER: "Telegram does not take this for a phone number. Write it with + and the country code.",
    SignInTrouble.BAD_APPLICATION: (
        "Telegram does not know this API id and hash. Copy both anew from my.telegram.org, API development tools."
    ),
    SignInTrouble.TIME_OUT: "Telegram did not answer in time. Try again.",
    SignInTrouble.NO_NETWORK: "There is no connection to Telegram. Check the network and try again.",
    SignInTrouble.QR_EXPIRED: "This picture has expired. Scan the new one.",
    SignInTrouble.NO_PLACE: "Nothing can be written to the disk. Is there room, and may Chimein write there?",
    SignInTrouble.DISK: "The session can't be written to the disk. Is there room, and may Chimein write there?",
}

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

_REFUSALS: Mapping[str, str] = {
    "PHONE_NUMBER_FLOOD": "A code was asked for too often with this number. Try again later, or use the QR code.",
    "PHONE_PASSWORD_FLOOD": "Too many log-ins were tried with this account. Try again in some hours.",
    "PHONE_PASSWORD_PROTECTED": "Telegram asks for this account's password first; log in by QR code.",
    "SEND_CODE_UNAVAILABLE": "Telegram has no other way to send this code. Wait for it, or use the QR code.",
    "SMS_CODE_CREATE_FAILED": "Telegram could not send a code. Try again in a moment, or use the QR code.",
    "SRP_ID_INVALID": "Telegram did not take the password this time. Enter it again.",
    "SRP_PASSWORD_CHANGED": "The password was changed just now. Enter the new one.",
    "UPDATE_APP_TO_LOGIN": "Telegram does not let this application log in by code. Use the QR code.",
}
"""Refusals without a name of their own."""


def trouble(kind: SignInTrouble) -> SignInError:
    """Return the error for a trouble with its usual text."""
    return SignInError(_WORDS[kind], kind)


def refusal(words: str) -> SignInError:
    """Return the error for a refusal without a name of its own."""
    return SignInError(words, SignInTrouble.REFUSED)


async def told(step: Awaitable[T]) -> T:
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
        return SignInError(str(error), kind)
    if isinstance(error, ValueError):
        return refusal("Telegram asks for something that this version of Chimein does not know. Use the QR code.")
    if is_logged_out(error):
        return _begin_anew()
    if isinstance(error, sqlite3.Error):
        return trouble(SignInTrouble.NO_PLACE)
    return trouble(SignInTrouble.TIME_OUT if isinstance(error, TimeoutError) else SignInTrouble.NO_NETWORK)


def _answer(error: errors.RPCError) -> SignInError:
    """Return the error for an answer by Telegram."""
    if isinstance(error, errors.FloodError) and hasattr(error, "seconds"):
        seconds = float(error.seconds)
        return SignInError(f"Telegram asks to wait {seconds:.0f} s before the next try.", SignInTrouble.WAIT, seconds)
    code = code_of(error)
    kind = SignInTrouble.BANNED if is_banned(error) else _TROUBLES.get(code)
    if kind is not None:
        return trouble(kind)
    if code in _REFUSALS:
        return refusal(_REFUSALS[code])
    if is_logged_out(error) or code == RESTART:
        return _begin_anew()
    is_theirs = _SERVER_TROUBLE <= abs(error.code or 0) < _GREATEST_CODE
    own_trouble = "Telegram has trouble of its own just now. Try again in a moment."
    name = code.replace("_", " ")  # in one word it is longer than a line of the dialog
    return refusal(own_trouble if is_theirs else f"Telegram refused ({name}). Try again later, or another way.")


def _begin_anew() -> SignInError:
    return refusal("Telegram does not remember how this log-in began. Go back, and begin it anew.")
