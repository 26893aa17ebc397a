"""What Telethon raises, in our words.

A failed *question* (dialogs, history …) may simply be asked again. A failed *deed* (a send, a block …) may have been
executed: everything that is no clear answer is "unknown" (docs/behaviour.md, "Kinds of failure").
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
    FROZEN_WORDS,
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
"""Everything that connecting may end with."""


def connect_failure(error: BaseException) -> GatewayError:
    """Say why there is no connection."""
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
    """Tell a closed account from a session that was ended, and both from a log-in that never came to its end."""
    if is_banned(error):
        return BannedError("Telegram has closed this account; logging in again does not help. Ask Telegram about it.")
    if isinstance(error, errors.RPCError) and code_of(error) == _HALF_WAY:
        return LoggedOutError("The log-in of this account was not finished: its password is missing. Log in again.")
    return RevokedError("This session was ended from another device, or by Telegram; log in again.")


def _session_file_failure(error: sqlite3.Error) -> GatewayError:
    if isinstance(error, sqlite3.OperationalError):
        is_busy = "locked" in str(error)
        check = "Is another Chimein running?" if is_busy else "Check the rights of the state directory, and its disk."
        return NotConnectedError(f"The session file can't be used: {error}. {check}")
    return LoggedOutError("The session file is damaged; log in again.")


def _no_connection(error: BaseException) -> str:
    if isinstance(error, TimeoutError):
        return "Telegram did not answer in time."
    if isinstance(error, errors.RPCError):
        code = code_of(error)
        return FROZEN_WORDS if code in _FROZEN else f"Telegram refused the connection: {code}."
    return "There is no connection to Telegram."


def question_failure(error: Exception, verb: str) -> GatewayError:
    """Say why a request without consequences failed.

    Args:
        error: What Telethon raised.
        verb: Which of the gateway's verbs it belongs to.
    """
    if isinstance(error, GatewayError):
        return error
    if isinstance(error, errors.RPCError):
        return _answer(error, verb) or NotConnectedError(f"Telegram has trouble: {code_of(error)}.")
    return NotConnectedError("The connection to Telegram was lost.")


def deed_failure(error: Exception, verb: str) -> GatewayError:
    """Say how something that was handed over ended, other than well.

    Args:
        error: What Telethon raised.
        verb: Which of the gateway's verbs it belongs to.
    """
    done = "sent" if verb.startswith("send_") else "done"
    if isinstance(error, errors.RPCError):
        trouble = OutcomeUnknownError(f"Telegram has trouble ({code_of(error)}); it may have been {done}.")
        return _answer(error, verb, f"; nothing was {done}") or trouble
    return OutcomeUnknownError(f"The connection was lost before Telegram answered; it may have been {done}.")


def is_logged_out(error: BaseException) -> bool:
    """Tell whether the session is worth nothing any more."""
    ended = errors.UnauthorizedError | errors.AuthKeyNotFound | errors.AuthKeyDuplicatedError
    return isinstance(error, ended) or is_banned(error)


def is_banned(error: BaseException) -> bool:
    """Tell whether Telegram has closed the account."""
    return isinstance(error, errors.RPCError) and code_of(error) in _BANNED


def is_stale_address(error: BaseException) -> bool:
    """Tell whether Telegram refused the address of a chat: perhaps its access hash is an old one."""
    return isinstance(error, errors.RPCError) and code_of(error) in _STALE_ADDRESSES


def code_of(error: TLObject) -> str:
    """Return Telegram's own name of an error, such as ``USER_IS_BLOCKED``."""
    named = _codes().get(type(error))
    return named if named is not None else str(error.message or type(error).__name__)


def _answer(error: TLObject, verb: str, nothing: str = "") -> GatewayError | None:
    """Map what is clearly an answer: nothing was done. None where Telegram itself is not sure.

    Args:
        error: What Telegram answered.
        verb: Which of the gateway's verbs it belongs to.
        nothing: What is said of that where something was to be done.
    """
    if _names_a_wait(error):
        return _rate_limited(error, verb)
    if is_logged_out(error):
        return NotConnectedError(f"Telegram does not accept this session any more{nothing}.")
    code = abs(error.code or 0)
    if 300 <= code < 400:
        return NotConnectedError(f"Telegram has moved this account to other servers{nothing}.")
    if 400 <= code < 500:
        name = code_of(error)
        if name in _FROZEN:
            return AccountFrozenError(FROZEN_WORDS, name)
        kind = AccountLimitedError if isinstance(error, errors.PeerFloodError) else SendRefusedError
        return kind(f"Telegram refused: {name}.", name)
    return None


def _names_a_wait(error: BaseException) -> bool:
    """Tell waits from floods that no waiting ends, such as a frozen account's."""
    return isinstance(error, errors.FloodError) and hasattr(error, "seconds")


def _rate_limited(error: TLObject, verb: str = "") -> RateLimitedError:
    seconds = float(error.seconds)
    if isinstance(error, errors.SlowModeWaitError):
        return SlowModeError(f"Slow mode: this chat asks to wait {seconds:.0f} s.", seconds, verb)
    return RateLimitedError(f"Telegram asks to wait {seconds:.0f} s.", seconds, verb)


@functools.cache
def _codes() -> dict[type[Any], str]:
    """Telethon keeps the names only in the table by which it makes the errors."""
    named = {cls: name for name, cls in rpcerrorlist.rpc_errors_dict.items()}
    for pattern, cls in rpcerrorlist.rpc_errors_re:
        named.setdefault(cls, re.sub(r"_?\(\\d\+\)", "", pattern))
    return named
