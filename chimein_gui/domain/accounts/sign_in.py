"""Log-in of an account: Telegram's answers, and the step that the operator is at."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from chimein_gui.domain.ids import AccountId, AgentId
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.reasons import AnyReason


class CodeWay(StrEnum):
    """How a log-in code reaches the person."""

    APP = "app"
    """As a message in Telegram, on a device where the account is logged in."""
    SMS = "sms"
    CALL = "call"
    """A voice call that reads the code out."""
    FLASH_CALL = "flash call"
    """The calling number is the code, or ends in it."""
    EMAIL = "email"
    FRAGMENT = "fragment"
    """On fragment.com, for anonymous numbers."""
    OTHER = "other"


class CodeForm(StrEnum):
    """What a log-in code is made of."""

    SIGNS = "signs"
    """One sequence of digits, rarely letters."""
    WORD = "word"
    PHRASE = "phrase"
    """Several words."""


class SignInTrouble(AnyReason):
    """Why a step of the log-in failed; each has its own words and its own next step."""

    WRONG_CODE = "wrong code"
    EXPIRED_CODE = "expired code"
    WRONG_PASSWORD = "wrong password"
    WAIT = "wait"
    """FLOOD_WAIT; Telegram says how long."""
    BANNED = "banned"
    NOT_REGISTERED = "not registered"
    """No account has that number; Chimein creates none."""
    BAD_NUMBER = "bad number"
    BAD_APPLICATION = "bad application"
    """The API id and hash are not a pair that Telegram knows."""
    NO_NETWORK = "no network"
    PROXY = "proxy"
    """The account's proxy does not work."""
    TIME_OUT = "time-out"
    """Connecting, or an answer, took too long."""
    QR_EXPIRED = "qr expired"
    OTHER_ACCOUNT_HERE = "other account here"
    """The account that logged in already belongs to another agent."""
    DISK = "disk"
    """The account is logged in, but its session could not be stored."""
    NO_PLACE = "no place"
    """The session file of the attempt can't be written, so the log-in can't go on."""
    REFUSED = "log-in refused"
    """Any other refusal by Telegram, in its words."""


class LoginStep(StrEnum):
    """The operator's current step; the dialog has one page for each."""

    APPLICATION = "application"
    """API id and hash are needed."""
    QR = "qr"
    PHONE = "phone"
    CODE = "code"
    PASSWORD = "password"
    WAIT = "wait"
    """Telegram asks to wait until `LoginState.wait_until`."""
    DONE = "done"
    CLOSED = "closed"
    """The log-in was cancelled or is over; nothing of it is left."""


@dataclass(frozen=True, slots=True)
class SentCode:
    """A log-in code was sent.

    Attributes:
        way: How it is delivered.
        length: Characters of the code; 0 if Telegram did not say.
        next_way: How it would be delivered if requested again, or None if it can't be.
        resend_after_s: Seconds until it may be requested again.
        detail: Addition by Telegram for people, such as the pattern of an e-mail address or the first word of a phrase;
            mostly empty.
        form: What it is made of; the length is known only for SIGNS.
    """

    way: CodeWay
    length: int
    next_way: CodeWay | None
    resend_after_s: float
    detail: str = ""
    form: CodeForm = CodeForm.SIGNS


@dataclass(frozen=True, slots=True)
class QrCode:
    """Content of the QR code that another device of the account scans.

    Attributes:
        url: ``tg://login?token=…``: as good as a password until it expires; never logged.
        expires_at: Aware UTC.
    """

    url: str
    expires_at: datetime

    def __repr__(self) -> str:
        """Return a text without the token, for logs and exceptions."""
        return f"QrCode(expires_at={self.expires_at!r})"


@dataclass(frozen=True, slots=True)
class SignedInAs:
    """The account that has just been logged in.

    Attributes:
        account_id: Telegram user id.
        name: As shown in Telegram.
        username: Without ``@``; may be empty.
        phone: With ``+``; may be empty.
        chats: Number of its conversations, 0 before they are counted.
        unread: Unread messages in them.
    """

    account_id: AccountId
    name: str
    username: str
    phone: str = field(repr=False)
    chats: int = 0
    unread: int = 0


class LoginWork(StrEnum):
    """What is done at the moment in a log-in."""

    SAVING = "saving"
    CONNECTING = "connecting"
    ASKING_FOR_CODE = "asking for code"
    CHECKING_CODE = "checking code"
    CHECKING_PASSWORD = "checking password"
    SAVING_SESSION = "saving session"
    LOGGING_IN = "logging in"


@dataclass(frozen=True, slots=True)
class LoginState:
    """State of one agent's log-in, as the dialog shows it. Holds no code and no password.

    Attributes:
        agent_id: The agent that is being logged in.
        name: Its name.
        step: The current page.
        phone: The number that is used, as in the agent's file or as typed.
        busy: The running operation; None when the operator has to act.
        trouble: Why the last attempt at this step failed, or None.
        note: What went wrong; None without trouble. At DONE: what else has changed.
        code: The code that was sent, from CODE on.
        resend_at: When it may be requested again, aware UTC.
        qr: At QR; None while one is fetched.
        hint: The password's hint, at PASSWORD; may be empty.
        wait_until: At WAIT: its end, aware UTC.
        wait_began_at: At WAIT: its begin, aware UTC. The progress ring needs both.
        back_to: At WAIT: the step to return to when it is over.
        signed_in: At DONE.
        code_was_sent: A code was sent to the person, so cancelling asks first.
        source: Name of the file that will get another number if one is used; empty if no file is changed.
    """

    agent_id: AgentId
    name: str
    step: LoginStep
    phone: str = field(default="", repr=False)
    busy: LoginWork | None = None
    trouble: SignInTrouble | None = None
    note: Note | None = None
    code: SentCode | None = None
    resend_at: datetime | None = None
    qr: QrCode | None = None
    hint: str = ""
    wait_until: datetime | None = None
    wait_began_at: datetime | None = None
    back_to: LoginStep | None = None
    signed_in: SignedInAs | None = None
    code_was_sent: bool = False
    source: str = ""
