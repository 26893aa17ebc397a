"""Translates Telethon's errors into the port's.

A failed *query* (dialogs, history …) may be repeated. A failed *change* (a send, a block …) may have been executed:
without a clear answer its outcome is unknown (docs/behaviour.md, "Kinds of failure").
"""

from __future__ import annotations

import functools
import re
import sqlite3
from typing import Any

from telethon import errors
from telethon.errors import rpcerrorlist

from chimein_gui.adapters.telegram.transport.tl import TLObject
from chimein_gui.domain.errors import (
    AccountFrozenError,
    AccountLimitedError,
    BannedError,
    GatewayError,
    LoggedOutError,
    NotConnectedError,
    OutcomeUnknownError,
    RateLimitedError,
    RevokedError,
    SendRefusedError,
    SlowModeError,
)
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.connections import ConnectionReason

_BANNED = frozenset({"PHONE_NUMBER_BANNED", "USER_DEACTIVATED", "USER_DEACTIVATED_BAN"})
_HALF_WAY = "SESSION_PASSWORD_NEEDED"

_STALE_ADDRESSES = frozenset({"PEER_ID_INVALID", "CHANNEL_INVALID", "USER_ID_INVALID"})
_FROZEN = frozenset({"FROZEN_METHOD_INVALID", "FROZEN_PARTICIPANT_MISSING"})

CONNECT_FAILURES = (
    OSError,
    EOFError,
    BufferError,
    TimeoutError,
    ValueError,
    errors.RPCError,
    errors.AuthKeyNotFound,
    errors.SecurityError,
    errors.BadMessageError,
    errors.TypeNotFoundError,
    errors.InvalidChecksumError,
    sqlite3.Error,
)
"""All errors with which connecting may fail."""


def connect_failure(error: BaseException) -> GatewayError:
    """Return the error for a failed connect."""
    if isinstance(error, GatewayError):
        return error
    if isinstance(error, sqlite3.Error):
        return _session_file_failure(error)
    if is_logged_out(error):
        return _logged_out(error)
    if _names_a_wait(error):
        return _rate_limited(error)
    return NotConnectedError(_no_connection(error))


def _logged_out(error: BaseException) -> LoggedOutError:
    """Distinguish a closed account, an ended session, and a log-in that was never completed."""
    if is_banned(error):
        return BannedError(Note(ConnectionReason.ACCOUNT_CLOSED))
    if isinstance(error, errors.RPCError) and code_of(error) == _HALF_WAY:
        return LoggedOutError(Note(ConnectionReason.PASSWORD_MISSING))
    return RevokedError(Note(ConnectionReason.SESSION_ENDED))


def _session_file_failure(error: sqlite3.Error) -> GatewayError:
    if isinstance(error, sqlite3.OperationalError):
        is_busy = "locked" in str(error)
        kind = ConnectionReason.SESSION_BUSY if is_busy else ConnectionReason.SESSION_UNUSABLE
        return NotConnectedError(Note(kind, str(error)))
    return LoggedOutError(Note(ConnectionReason.SESSION_DAMAGED))


def _no_connection(error: BaseException) -> Note:
    if isinstance(error, TimeoutError):
        return Note(ConnectionReason.NO_ANSWER_IN_TIME)
    if isinstance(error, errors.RPCError):
        code = code_of(error)
        is_frozen = code in _FROZEN
        return Note(
            ConnectionReason.ACCOUNT_FROZEN if is_frozen else ConnectionReason.CONNECTION_REFUSED,
            "" if is_frozen else code,
        )
    return Note(ConnectionReason.NO_WAY)


def question_failure(error: Exception, method: str) -> GatewayError:
    """Return the error for a failed request without side effects.

    Args:
        error: Telethon's error.
        method: The gateway's method that made the request.
    """
    if isinstance(error, GatewayError):
        return error
    if isinstance(error, errors.RPCError):
        return _answer(error, method) or NotConnectedError(Note(ConnectionReason.TELEGRAM_TROUBLE, code_of(error)))
    return NotConnectedError(Note(ConnectionReason.CONNECTION_LOST))


def action_failure(error: Exception, method: str) -> GatewayError:
    """Return the error for a failed request that was handed over and changes something.

    Args:
        error: Telethon's error.
        method: The gateway's method that made the request.
    """
    is_send = method.startswith("send_")
    perhaps = Note(ConnectionReason.PERHAPS_SENT if is_send else ConnectionReason.PERHAPS_DONE)
    if isinstance(error, errors.RPCError):
        trouble = OutcomeUnknownError(Note(ConnectionReason.TELEGRAM_TROUBLE, code_of(error), cause=perhaps))
        return _answer(error, method, nothing_happened(method)) or trouble
    return OutcomeUnknownError(Note(ConnectionReason.CONNECTION_LOST, cause=perhaps))


def is_logged_out(error: BaseException) -> bool:
    """Return whether the session is no longer valid."""
    ended = errors.UnauthorizedError | errors.AuthKeyNotFound | errors.AuthKeyDuplicatedError
    return isinstance(error, ended) or is_banned(error)


def is_banned(error: BaseException) -> bool:
    """Return whether Telegram has closed the account."""
    return isinstance(error, errors.RPCError) and code_of(error) in _BANNED


def is_stale_address(error: BaseException) -> bool:
    """Return whether Telegram refused the address of a chat, perhaps because of an outdated access hash."""
    return isinstance(error, errors.RPCError) and code_of(error) in _STALE_ADDRESSES


def code_of(error: TLObject) -> str:
    """Return Telegram's own name of an error, such as ``USER_IS_BLOCKED``."""
    named = _codes().get(type(error))
    return named if named is not None else str(error.message or type(error).__name__)


def _answer(error: TLObject, method: str, nothing: Note | None = None) -> GatewayError | None:
    """Translate a clear answer, after which nothing was done; None if Telegram itself is not sure.

    Args:
        error: Telegram's answer.
        method: The gateway's method that made the request.
        nothing: Note that nothing was changed, for changes.
    """
    if _names_a_wait(error):
        return _rate_limited(error, method)
    if is_logged_out(error):
        return NotConnectedError(Note(ConnectionReason.SESSION_REFUSED, cause=nothing))
    code = abs(error.code or 0)
    if 300 <= code < 400:
        return NotConnectedError(Note(ConnectionReason.ACCOUNT_MOVED, cause=nothing))
    if 400 <= code < 500:
        name = code_of(error)
        if name in _FROZEN:
            return AccountFrozenError(Note(ConnectionReason.ACCOUNT_FROZEN), name)
        kind = AccountLimitedError if isinstance(error, errors.PeerFloodError) else SendRefusedError
        return kind(name, name)
    return None


def _names_a_wait(error: BaseException) -> bool:
    """Return whether the error is a wait that ends, unlike for example a frozen account's."""
    return isinstance(error, errors.FloodError) and hasattr(error, "seconds")


def _rate_limited(error: TLObject, method: str = "") -> RateLimitedError:
    seconds = float(error.seconds)
    if isinstance(error, errors.SlowModeWaitError):
        return SlowModeError(Note(ConnectionReason.SLOW_MODE, number=round(seconds)), seconds, method)
    return RateLimitedError(Note(ConnectionReason.WAIT_REQUIRED, number=round(seconds)), seconds, method)


def nothing_happened(method: str) -> Note:
    """Return the note for a request that was not handed over, or was refused."""
    return Note(ConnectionReason.NOTHING_SENT if method.startswith("send_") else ConnectionReason.NOTHING_DONE)


@functools.cache
def _codes() -> dict[type[Any], str]:
    """Return the names of Telethon's error classes, which are only in the tables it makes them from."""
    named = {cls: name for name, cls in rpcerrorlist.rpc_errors_dict.items()}
    for pattern, cls in rpcerrorlist.rpc_errors_re:
        named.setdefault(cls, re.sub(r"_?\(\\d\+\)", "", pattern))
    return named
