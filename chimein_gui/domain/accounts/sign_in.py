"""Logging an account in: what Telegram tells on the way, and where the operator stands."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from chimein_gui.domain.ids import AccountId, AgentId


class CodeWay(StrEnum):
    """How a log-in code reaches the person."""

    APP = "app"
    """As a message in Telegram, on a device where the account is open."""
    SMS = "sms"
    CALL = "call"
    """A voice reads it out."""
    FLASH_CALL = "flash call"
    """The calling number is the code, or ends in it."""
    EMAIL = "email"
    FRAGMENT = "fragment"
    """On fragment.com, for anonymous numbers."""
    OTHER = "other"


class CodeForm(StrEnum):
    """What a log-in code is made of."""

    SIGNS = "signs"
    """Digits, seldom letters, in one piece."""
    WORD = "word"
    PHRASE = "phrase"
    """Several words."""


class SignInTrouble(StrEnum):
    """Why a step of the log-in did not work; each has its own words and its own way on."""

    WRONG_CODE = "wrong code"
    EXPIRED_CODE = "expired code"
    WRONG_PASSWORD = "wrong password"
    WAIT = "wait"
    """FLOOD_WAIT: Telegram tells how long."""
    BANNED = "banned"
    NOT_REGISTERED = "not registered"
    """Nobody has an account with that number; Chimein does not make any."""
    BAD_NUMBER = "bad number"
    BAD_APPLICATION = "bad application"
    """The API id and hash are not a pair that Telegram knows."""
    NO_NETWORK = "no network"
    PROXY = "proxy"
    """The way to Telegram ends at the account's proxy."""
    TIME_OUT = "time-out"
    """Connecting, or an answer, took too long."""
    QR_EXPIRED = "qr expired"
    OTHER_ACCOUNT_HERE = "other account here"
    """The account that logged in already belongs to another agent."""
    DISK = "disk"
    """The account is logged in, and its session could not be kept."""
    NO_PLACE = "no place"
    """The session file of the attempt can't be written: it gets no further."""
    REFUSED = "refused"
    """Anything else that Telegram refuses, in its words."""


class LoginStep(StrEnum):
    """Where the operator stands; the dialog has one page for each."""

    APPLICATION = "application"
    """API id and hash are wanted."""
    QR = "qr"
    PHONE = "phone"
    CODE = "code"
    PASSWORD = "password"
    WAIT = "wait"
    """Telegram asks to wait; `LoginState.wait_until` tells until when."""
    DONE = "done"
    CLOSED = "closed"
    """Cancelled, or over: nothing is left of it."""


@dataclass(frozen=True, slots=True)
class SentCode:
    """A code is on its way.

    Attributes:
        way: How it comes.
        length: Characters of the code; 0 if Telegram did not say.
        next_way: How it would come when asked for again, or None if it can't be.
        resend_after_s: Seconds until it may be asked for again.
        detail: What Telegram adds for people, such as the pattern of an e-mail address, or what a phrase begins with;
            empty mostly.
        form: What it is made of; only of signs the length is known.
    """

    way: CodeWay
    length: int
    next_way: CodeWay | None
    resend_after_s: float
    detail: str = ""
    form: CodeForm = CodeForm.SIGNS


@dataclass(frozen=True, slots=True)
class QrCode:
    """What the picture says that another device of the account has to see.

    Attributes:
        url: ``tg://login?token=…``: as good as a password until it expires; never logged.
        expires_at: Aware UTC.
    """

    url: str
    expires_at: datetime

    def __repr__(self) -> str:
        """Keep the token out of logs and exceptions."""
        return f"QrCode(expires_at={self.expires_at!r})"


@dataclass(frozen=True, slots=True)
class SignedInAs:
    """Whose account has just been logged in, and what it brings.

    Attributes:
        account_id: Telegram user id.
        name: As shown in Telegram.
        username: Without ``@``; may be empty.
        phone: With ``+``; may be empty.
        chats: How many conversations there are, 0 while not counted.
        unread: Unread messages in them.
    """

    account_id: AccountId
    name: str
    username: str
    phone: str = field(repr=False)
    chats: int = 0
    unread: int = 0


@dataclass(frozen=True, slots=True)
class LoginState:
    """One agent's log-in as it is now: all that the dialog shows. Holds no code and no password.

    Attributes:
        agent_id: Which agent is being logged in.
        name: Its name.
        step: Which page.
        phone: The number that is used, as in the agent's file or as typed.
        busy: What is under way, in the operator's words; empty when it is the operator's turn.
        trouble: What the last attempt at this step failed with, or None.
        words: What that means and what to do, for the operator; empty without trouble. At DONE: what else has changed.
        code: The code that was sent, from CODE on.
        resend_at: From when on it may be asked for again, aware UTC.
        qr: At QR; None while one is fetched.
        hint: The password's hint, at PASSWORD; may be empty.
        wait_until: At WAIT, aware UTC.
        wait_began_at: At WAIT, aware UTC: together they make the ring.
        back_to: At WAIT: the step to which the operator returns when it is over.
        signed_in: At DONE.
        code_was_sent: Somebody has got a code by now: cancelling asks first.
        source: Name of the file that takes another number when one is used; empty if no file is changed.
    """

    agent_id: AgentId
    name: str
    step: LoginStep
    phone: str = field(default="", repr=False)
    busy: str = ""
    trouble: SignInTrouble | None = None
    words: str = ""
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
