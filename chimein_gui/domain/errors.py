"""The error tree.

 ChimeinError
 ├── ConfigError                  a config file has a mistake
 ├── StoreError                   the database
 │   ├── StoreUnreadableError     corrupt or not a database
 │   ├── StoreTooNewError         written by a newer Chimein
 │   └── StoreWriteError          a commit failed (disk full, …)
 ├── IllegalTransitionError       a state change that the tables do not have
 ├── RefusedError                 a request was refused, for the reason it names
 ├── NotFoundError                no such id or name, or not any more
 ├── MixedModelsError             vectors of two embedding models can't be compared
 ├── GatewayError                 Telegram
 │   ├── NotConnectedError        before the hand-over: nothing was sent
 │   │   └── ProxyError           the account's proxy does not work
 │   ├── LoggedOutError           the session is not authorised (any more)
 │   │   ├── RevokedError         it was ended from another device
 │   │   └── BannedError          Telegram has closed the account
 │   ├── RateLimitedError         wait exactly `retry_after_s`: one method of the account
 │   │   └── SlowModeError        the same for one chat
 │   ├── SendRefusedError         permanent: Telegram said no
 │   │   ├── AccountLimitedError  temporary: the account is limited (PEER_FLOOD)
 │   │   └── AccountFrozenError   the account may only read until its owner has appealed
 │   ├── SignInError              a step of a log-in failed, for the reason it names
 │   └── OutcomeUnknownError      after the hand-over without an answer
 ├── SecretError                  a secret can't be kept or changed
 ├── DiagnosticsError             diagnostics can't be saved
 ├── MediaUnavailableError        a message's file can't be fetched, for the reason it names
 ├── NotDrawableError             an animated sticker can't be drawn
 ├── DescriptionError             a medium can't be described, for the fault it names
 └── ModelError                   the language model
     ├── ModelTransientError      worth another attempt
     ├── ModelRefusedError        permanent: bad request, blocked prompt
     ├── ModelKeyError            the API key does not work
     └── ModelCapError            no call was made: a cap on costs is reached

The operator sees the error's note, or the name of its class, in the words of the view models. The error's text is only
for the log: it is never shown, and no decision depends on it.

A refusal is never a `LookupError`, because `KeyError` and `IndexError`, which are bugs, are subclasses of it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chimein_gui.domain.accounts.sign_in import SignInTrouble
    from chimein_gui.domain.media.records import MediaFault
    from chimein_gui.domain.notes import Note


class ChimeinError(Exception):
    """Base class of all errors that Chimein raises on purpose.

    Attributes:
        note: What happened, by name; None if the class or another attribute says it.
    """

    note: Note | None = None

    def __init__(self, said: str | Note = "") -> None:
        """Create the error from a note, or from plain words for the log."""
        super().__init__(str(said))
        if not isinstance(said, str):
            self.note = said


class ConfigError(ChimeinError):
    """A config file has a mistake; the text says what to write instead."""


class StoreError(ChimeinError):
    """The database failed."""


class StoreUnreadableError(StoreError):
    """The database file is corrupt or not a database; it is left untouched."""


class StoreTooNewError(StoreError):
    """The database was written by a newer Chimein; it is left untouched."""


class StoreWriteError(StoreError):
    """A commit failed; nothing of that transaction is stored."""


class IllegalTransitionError(ChimeinError):
    """A state change that the tables of `domain.transitions` do not have."""


class Refusal(StrEnum):
    """Why a request was refused."""

    FILE_GONE = "file gone"
    """The agent's file was missing when the program started and has not come back."""
    NO_LOG_INS = "no log-ins"
    """This run cannot log accounts in or out."""
    NO_FILES = "no files"
    """This run cannot send files."""
    NOTHING_BESIDE = "nothing beside"
    """The saved edit is not paired with a draft."""
    FILE_TOO_LARGE = "file too large"
    """The file is larger than Telegram accepts."""
    FILE_EMPTY = "file empty"
    FILE_UNREADABLE = "file unreadable"
    """The file to send does not exist, is not a regular file, or can't be read."""
    DISK_FULL = "disk full"
    """There is no room for the copy of the file."""
    DISK_REFUSES = "disk refuses"
    """The copy of the file can't be written, for another reason."""
    CAPTION_TOO_LONG = "caption too long"
    RULE_CHANGED = "rule changed"
    """The trust level differs from the one that the operator saw."""
    NOTED = "noted"
    """The error's note has the reason."""


class RefusedError(ChimeinError):
    """A request was refused; nothing has changed.

    Attributes:
        refusal: Why, by name; the view models have words for each.
    """

    def __init__(self, said: str | Note, refusal: Refusal = Refusal.NOTED) -> None:
        """Create the error with its reason."""
        super().__init__(said)
        self.refusal = refusal


class NotFoundError(ChimeinError):
    """No object has this id or name, or not any more."""


class MixedModelsError(ChimeinError):
    """Vectors of two embedding models, or of two lengths, can't be compared; nothing was searched or stored."""


class GatewayError(ChimeinError):
    """Telegram or the connection to it failed."""


class NotConnectedError(GatewayError):
    """The request was never handed over; repeating it is safe."""


class ProxyError(NotConnectedError):
    """The account's proxy can't be reached, refuses the connection, or forwards nothing; the note says which."""


class LoggedOutError(GatewayError):
    """The session is not authorised: it was never logged in, revoked or logged out."""


class RevokedError(LoggedOutError):
    """An authorised session was ended, from another device or by Telegram."""


class BannedError(LoggedOutError):
    """Telegram has closed the account, or its owner has deleted it; logging in again does not help."""


class RateLimitedError(GatewayError):
    """Telegram told the account to wait with one method; its other methods are free.

    Attributes:
        retry_after_s: Seconds, exactly as Telegram says.
        method: The gateway's method, such as ``send_text``; empty when connecting.
    """

    def __init__(self, said: str | Note, retry_after_s: float, method: str = "") -> None:
        """Create the error with the wait."""
        super().__init__(said)
        self.retry_after_s = retry_after_s
        self.method = method


class SlowModeError(RateLimitedError):
    """The chat limits how often a member may send: every send to it waits, other chats are free."""


class SendRefusedError(GatewayError):
    """Telegram refused permanently; repeating the request does not help.

    Attributes:
        code: Telegram's name of the error, such as ``USER_IS_BLOCKED``, or ours if the gateway itself refuses. The view
            models have words for each.
    """

    def __init__(self, said: str | Note, code: str) -> None:
        """Create the error with its code."""
        super().__init__(said)
        self.code = code


class AccountLimitedError(SendRefusedError):
    """Telegram has limited the account (``PEER_FLOOD``) and refused this request; automatic sends go to review."""


class AccountFrozenError(SendRefusedError):
    """Telegram has frozen the account (``FROZEN_…``) and refuses this and all other writing requests."""


class OutcomeUnknownError(GatewayError):
    """The request was handed over and no answer came: it may or may not have been executed."""


class SignInError(GatewayError):
    """A step of a log-in failed.

    Attributes:
        trouble: Why, by name.
        retry_after_s: For WAIT: seconds, exactly as Telegram says; else 0.
    """

    def __init__(self, said: str | Note, trouble: SignInTrouble, retry_after_s: float = 0.0) -> None:
        """Create the error with its reason. The text never holds a secret."""
        super().__init__(said)
        self.trouble = trouble
        self.retry_after_s = retry_after_s


class SecretError(ChimeinError):
    """A secret can't be kept or changed; the note says why."""


class DiagnosticsError(ChimeinError):
    """Diagnostics can't be saved; the note says why."""


class MediaTrouble(StrEnum):
    """Why a message's file is not available."""

    OFFLINE = "offline"
    """The account is not connected or lost its connection: retry once it is connected."""
    WAIT = "wait"
    """Telegram told the account to wait: retry after `retry_after_s`."""
    DISK = "disk"
    """The file can't be stored: the disk is full or not writable."""
    TOO_BIG = "too big"
    GONE = "gone"
    """The message or its file no longer exists, or Telegram refuses it."""
    NO_FILE = "no file"
    """The message has no file, or no thumbnail of it."""


class MediaUnavailableError(ChimeinError):
    """A message's file is not available, or not at present.

    Attributes:
        trouble: Why.
        retry_after_s: Seconds until a retry makes sense; None if unknown.
    """

    def __init__(self, said: str | Note, trouble: MediaTrouble, retry_after_s: float | None = None) -> None:
        """Create the error with its reason."""
        super().__init__(said)
        self.trouble = trouble
        self.retry_after_s = retry_after_s

    @property
    def can_retry(self) -> bool:
        """Return whether a later attempt may succeed."""
        return self.trouble in {MediaTrouble.OFFLINE, MediaTrouble.WAIT, MediaTrouble.DISK}


class NotDrawableError(ChimeinError):
    """An animated sticker is broken, too large, or made the drawing process hang or crash."""


class DescriptionError(ChimeinError):
    """A medium can't be described.

    Attributes:
        fault: Why, by name.
        said: Words by others, or empty.
    """

    def __init__(self, fault: MediaFault, said: str = "") -> None:
        """Create the error; `said` are words by others."""
        super().__init__(said or fault.value)
        self.fault = fault
        self.said = said


class ModelError(ChimeinError):
    """The language model failed.

    Attributes:
        fault: Why, by name, as it is stored; None for an unexpected error.
    """

    def __init__(self, said: str | Note, fault: Note | None = None) -> None:
        """Create the error with its fault."""
        super().__init__(said)
        self.fault = fault


class ModelTransientError(ModelError):
    """A temporary failure; another attempt may succeed.

    Attributes:
        retry_after_s: Seconds the service asked to wait, or None.
    """

    def __init__(self, said: str | Note, retry_after_s: float | None = None, fault: Note | None = None) -> None:
        """Create the error with the requested wait."""
        super().__init__(said, fault)
        self.retry_after_s = retry_after_s


class ModelRefusedError(ModelError):
    """The service will never answer this request (bad request, blocked prompt)."""


class ModelKeyError(ModelError):
    """The API key is missing or does not work; no call is made until it is changed."""


class ModelCapError(ModelError):
    """No call was made: a cap on costs is reached, or can't hold because the model has no price."""


def note_of(error: Exception) -> Note:
    """Return what an error says by name: its note, or the system's words, or its class."""
    # Imported here, because the program's first paint needs errors, but none of the reasons.
    from chimein_gui.domain.notes import Note
    from chimein_gui.domain.notes.faults import FaultReason

    if isinstance(error, ChimeinError) and error.note is not None:
        return error.note
    words = error.strerror if isinstance(error, OSError) and error.strerror else type(error).__name__
    return Note(FaultReason.SYSTEM, words)
