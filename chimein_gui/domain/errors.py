"""The error tree.

    ChimeinError
    ├── ConfigError                  a file that people write is not as it should be
    ├── StoreError                   the database
    │   ├── StoreUnreadableError     corrupt or not a database
    │   ├── StoreTooNewError         written by a newer Chimein
    │   └── StoreWriteError          a commit failed (disk full, …)
    ├── IllegalTransitionError       a state change that the tables do not have
    ├── RefusedError                 what was asked for is not done, for the reason it names
    ├── NotFoundError                what an id or a name stands for does not exist, or not any more
    ├── GatewayError                 Telegram
    │   ├── NotConnectedError        before the hand-over: nothing has left
    │   │   └── ProxyError           the way to Telegram ends at the account's proxy
    │   ├── LoggedOutError           the session is not authorised (any more)
    │   │   ├── RevokedError         it was ended from elsewhere
    │   │   └── BannedError          Telegram has closed the account
    │   ├── RateLimitedError         wait exactly `retry_after_s`: one verb of the account
    │   │   └── SlowModeError        the same for one chat
    │   ├── SendRefusedError         permanent: Telegram said no
    │   │   ├── AccountLimitedError  not for good: the account is limited (PEER_FLOOD)
    │   │   └── AccountFrozenError   the account may only read until its owner has appealed
    │   ├── SignInError              a step of a log-in did not work, for the reason it names
    │   └── OutcomeUnknownError      after the hand-over without an answer
    ├── SecretError                  a secret can't be kept or changed
    ├── DiagnosticsError             diagnostics can't be saved
    ├── MediaUnavailableError        a file of a message, for the reason it names
    ├── NotDrawableError             an animated sticker cannot be drawn
    └── ModelError                   the language model
        ├── ModelTransientError      worth another attempt
        ├── ModelRefusedError        permanent: bad request, blocked prompt
        └── ModelKeyError            the API key does not work

What an error says to the operator is its note, or what its class names; the view models have the words. Its text is
for the log: nothing shows it, and nothing decides by it.

No refusal is a `LookupError`: a `KeyError` or an `IndexError` is one too, and that is a bug, not an answer.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from chimein_gui.domain.accounts.sign_in import SignInTrouble

if TYPE_CHECKING:
    from chimein_gui.domain.notes import Note


class ChimeinError(Exception):
    """Base of everything Chimein raises on purpose.

    Attributes:
        note: What happened, by name; None where the class, or an attribute of it, says enough.
    """

    note: Note | None = None

    def __init__(self, said: str | Note = "") -> None:
        """Take what happened; plain words are for the log alone."""
        super().__init__(str(said))
        if not isinstance(said, str):
            self.note = said


class ConfigError(ChimeinError):
    """A file that people write is not as it should be."""


class StoreError(ChimeinError):
    """The database failed."""


class StoreUnreadableError(StoreError):
    """The database file is corrupt or not a database; it is left untouched."""


class StoreTooNewError(StoreError):
    """The database was written by a newer Chimein; it is left untouched."""


class StoreWriteError(StoreError):
    """A commit failed; nothing of that transaction is stored."""


class IllegalTransitionError(ChimeinError):
    """A state change that the tables of `domain.tasks` do not have."""


class Refusal(StrEnum):
    """Why something that was asked for is not done."""

    FILE_GONE = "file gone"
    """The agent's file was gone when the program started, and has not come back."""
    NO_LOG_INS = "no log-ins"
    """This run cannot log accounts in or out."""
    NOTHING_BESIDE = "nothing beside"
    """No draft stands beside a text that was kept."""
    FILE_TOO_LARGE = "file too large"
    """A file is larger than Telegram takes."""
    FILE_EMPTY = "file empty"
    FILE_UNREADABLE = "file unreadable"
    """A file that was to be sent is gone, is no file, or may not be read."""
    DISK_FULL = "disk full"
    """No room for the copy of a file."""
    DISK_REFUSES = "disk refuses"
    """The copy of a file cannot be written, for another reason."""
    CAPTION_TOO_LONG = "caption too long"
    RULE_CHANGED = "rule changed"
    """The trust level is another than the one that was seen."""
    NOTED = "noted"
    """For the reason that is the error's note."""


class RefusedError(ChimeinError):
    """What was asked for is not done; nothing has changed.

    Attributes:
        refusal: Why, by name; the view models have words for each.
    """

    def __init__(self, said: str | Note, refusal: Refusal = Refusal.NOTED) -> None:
        """Keep the reason beside the words."""
        super().__init__(said)
        self.refusal = refusal


class NotFoundError(ChimeinError):
    """What an id or a name stands for does not exist, or not any more."""


class GatewayError(ChimeinError):
    """Telegram, or the way to it, failed."""


class NotConnectedError(GatewayError):
    """The request was never handed over; repeating it is safe."""


class ProxyError(NotConnectedError):
    """The account's proxy can't be reached, refuses us, or lets nothing through; the note says which."""


class LoggedOutError(GatewayError):
    """The session is not authorised: it was never logged in, revoked or logged out."""


class RevokedError(LoggedOutError):
    """The session was authorised and is not any more: it was ended from another device, or by Telegram."""


class BannedError(LoggedOutError):
    """Telegram has closed the account, or its owner has deleted it; logging in again does not help."""


class RateLimitedError(GatewayError):
    """Telegram told us to wait: the account, with one verb; other verbs are free.

    Attributes:
        retry_after_s: Seconds, exactly as told.
        method: The gateway's verb that has to wait, such as ``send_text``; empty when connecting.
    """

    def __init__(self, said: str | Note, retry_after_s: float, method: str = "") -> None:
        """Keep the wait beside the words."""
        super().__init__(said)
        self.retry_after_s = retry_after_s
        self.method = method


class SlowModeError(RateLimitedError):
    """The chat takes only so many messages of a member: every send to it waits, other chats are free."""


class SendRefusedError(GatewayError):
    """Telegram refused for good; repeating it changes nothing.

    Attributes:
        code: Telegram's own name of the error, such as ``USER_IS_BLOCKED``; or ours, where the gateway refuses itself.
            Its words for the operator are made in the view models.
    """

    def __init__(self, said: str | Note, code: str) -> None:
        """Keep the code beside the rest."""
        super().__init__(said)
        self.code = code


class AccountLimitedError(SendRefusedError):
    """Telegram has limited the account (``PEER_FLOOD``): this was not done; automatic sends go to review."""


FROZEN_WORDS = (
    "Appeal: write to @SpamBot in Telegram. Telegram has frozen this account: until then it can read, but not write."
)
"""What a frozen account means, and what to do."""


class AccountFrozenError(SendRefusedError):
    """Telegram has frozen the account (``FROZEN_…``): this was not done, and nothing else that writes will be."""


class OutcomeUnknownError(GatewayError):
    """The request was handed over and no answer came: it may or may not have been executed."""


class SignInError(GatewayError):
    """A step of a log-in did not work.

    Attributes:
        trouble: Why, by name.
        retry_after_s: With WAIT: seconds, exactly as told; 0 otherwise.
    """

    def __init__(self, said: str | Note, trouble: SignInTrouble, retry_after_s: float = 0.0) -> None:
        """Keep the reason beside the rest; no text holds a secret."""
        super().__init__(said)
        self.trouble = trouble
        self.retry_after_s = retry_after_s


class SecretError(ChimeinError):
    """A secret can't be kept or changed; the note says why."""


class DiagnosticsError(ChimeinError):
    """Diagnostics can't be saved; the note says why."""


class MediaTrouble(StrEnum):
    """Why a file of a message is not there."""

    OFFLINE = "offline"
    """The account is not connected, or lost its connection: ask again once it is."""
    WAIT = "wait"
    """Telegram told the account to wait: ask again after `retry_after_s`."""
    DISK = "disk"
    """It could not be kept: the disk is full or not writable."""
    TOO_BIG = "too big"
    GONE = "gone"
    """The message, or its file, is no longer there, or Telegram refuses it."""
    NO_FILE = "no file"
    """The message has no file, or no small picture of it."""


class MediaUnavailableError(ChimeinError):
    """A file of a message cannot be had, or not now.

    Attributes:
        trouble: Why.
        retry_after_s: Seconds until asking again makes sense; None where nothing says when.
    """

    def __init__(self, said: str | Note, trouble: MediaTrouble, retry_after_s: float | None = None) -> None:
        """Keep the reason beside the words."""
        super().__init__(said)
        self.trouble = trouble
        self.retry_after_s = retry_after_s

    @property
    def can_retry(self) -> bool:
        """Tell whether it may be had later."""
        return self.trouble in {MediaTrouble.OFFLINE, MediaTrouble.WAIT, MediaTrouble.DISK}


class NotDrawableError(ChimeinError):
    """An animated sticker is broken, too much, or made the process that draws it hang or die."""


class ModelError(ChimeinError):
    """The language model failed.

    Attributes:
        fault: Why, by name, for what is kept of it; None where nobody foresaw it.
    """

    def __init__(self, said: str | Note, fault: Note | None = None) -> None:
        """Keep the fault beside the words."""
        super().__init__(said)
        self.fault = fault


class ModelTransientError(ModelError):
    """Worth another attempt.

    Attributes:
        retry_after_s: Seconds the service asked for, or None.
    """

    def __init__(self, said: str | Note, retry_after_s: float | None = None, fault: Note | None = None) -> None:
        """Keep the service's wish beside the words."""
        super().__init__(said, fault)
        self.retry_after_s = retry_after_s


class ModelRefusedError(ModelError):
    """The request as it is will never be answered (bad request, blocked prompt)."""


class ModelKeyError(ModelError):
    """The API key is missing or does not work; no call is made until it is changed."""
