"""Texts of log-ins for the operator, and the cleaning of what they type before Telegram is asked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from chimein_gui.domain.accounts.sign_in import CodeForm, LoginStep, SignInTrouble
from chimein_gui.domain.input.codes import code_in, in_western_digits, words_in
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.connections import ConnectionReason

if TYPE_CHECKING:
    from chimein_gui.domain.accounts.sign_in import SentCode
    from chimein_gui.domain.errors import SignInError

_WORDS = {
    SignInTrouble.WRONG_CODE: "That code is not right. Look again, or ask for a new one.",
    SignInTrouble.EXPIRED_CODE: "This code is no longer valid. Ask for a new one.",
    SignInTrouble.WRONG_PASSWORD: "That password is not right. Capital and small letters count. Type it again.",
    SignInTrouble.WAIT: "Telegram asks to wait before the next try.",
    SignInTrouble.BANNED: "Telegram has closed the account with this number. It can’t be logged in."
    " Use another number, or write to Telegram.",
    SignInTrouble.NOT_REGISTERED: "Nobody has a Telegram account with this number."
    " Check it, or make the account in Telegram’s own app first: Chimein does not make any.",
    SignInTrouble.BAD_NUMBER: "Telegram does not know this as a phone number."
    " Write it internationally, with + and all digits.",
    SignInTrouble.BAD_APPLICATION: "Telegram does not know this API id and hash as a pair."
    " Copy both again from my.telegram.org.",
    SignInTrouble.NO_NETWORK: "Telegram can’t be reached. Check the network, then try again.",
    SignInTrouble.PROXY: "The account’s proxy does not let the connection through."
    " Check its address and its password under Agents, Proxy, then try again.",
    SignInTrouble.TIME_OUT: "Telegram did not answer in time. Try again.",
    SignInTrouble.QR_EXPIRED: "Nobody has scanned the picture. Show a new one when the phone is at hand.",
    SignInTrouble.OTHER_ACCOUNT_HERE: "This account already belongs to another agent here."
    " Use another account, or log that agent out first.",
    SignInTrouble.DISK: "The account is logged in, but its session could not be saved."
    " Make room on the disk or check the rights of the state directory, then try again.",
    SignInTrouble.NO_PLACE: "The session file of this log-in can’t be written."
    " Make room on the disk or check the rights of the state directory, then try again.",
    SignInTrouble.REFUSED: "Telegram refused this. Try again later, or another way.",
}

_PROXYS_PLACE = "It is set under Agents, Proxy; after that try again."

_LATE_NETWORK = "The connection was lost. What you typed is still here: send it again."

_STEPS = {
    SignInTrouble.BAD_APPLICATION: LoginStep.APPLICATION,
    SignInTrouble.BAD_NUMBER: LoginStep.PHONE,
    SignInTrouble.NOT_REGISTERED: LoginStep.PHONE,
}
"""The page on which a trouble can be solved; all others are shown where they occurred."""


def words_of(error: SignInError, step: LoginStep) -> str:
    """Return the text for a trouble: what happened and what to do."""
    if error.trouble is SignInTrouble.REFUSED and str(error):
        return str(error)
    if error.trouble is SignInTrouble.PROXY and str(error):
        return f"{error} {_PROXYS_PLACE}"
    if error.trouble is SignInTrouble.NO_NETWORK and step in (LoginStep.CODE, LoginStep.PASSWORD):
        return _LATE_NETWORK
    return _WORDS[error.trouble]


def step_after(trouble: SignInTrouble, step: LoginStep) -> LoginStep:
    """Return the page on which a trouble is shown."""
    if trouble is SignInTrouble.BANNED and step is not LoginStep.QR:
        return LoginStep.PHONE
    return _STEPS.get(trouble, step)


def code_length_words(wanted: int, given: int) -> str:
    """Return the text for a code of the wrong length."""
    return f"The code has {wanted} characters; this one has {given}."


def other_agent_words(name: str) -> str:
    """Return the text for an account that belongs to another agent."""
    return (
        f"This account already belongs to {name} here, so it was logged out again at once."
        f" Use another account, or log {name} out first."
    )


NO_NUMBER = "This is no international number. Write + and the country code, then the rest: 7 to 15 digits in all."
"""Shown without asking Telegram."""

WAIT_IS_OVER = "The wait is over. Show a new picture when the phone is at hand."

NEW_PROXY = "The agent’s proxy was changed, so its log-in begins anew, on the new way. Try again."


def renamed_words(name: str) -> str:
    """Return the text for a log-in that starts over after a rename."""
    return f"The agent is called {name} now, so its log-in begins anew. Try again."


OTHER_ACCOUNT = (
    "This is another account than before: a new set of chats begins. What the old one wrote and received stays stored."
)

OTHER_NUMBER = "The account has another number than the agent’s file says. The file was not changed."
"""Shown after a QR log-in, because no number was typed."""


def number_changed_words(source: str) -> str:
    """Return the text for an agent file that was changed to the new number."""
    return f"The number in {source} was changed."


def number_not_changed_words(source: str, why: str) -> str:
    """Return the text for an agent file that still has the old number."""
    if not source:
        return "The agent’s file keeps the old number."
    return f"The number in {source} could not be changed, so change it there yourself. {why}"


LOGGED_OUT = Note(ConnectionReason.LOGGED_OUT_HERE)
SESSION_LEFT = Note(ConnectionReason.SESSION_LEFT)
LOGGED_OUT_UNTOLD = Note(ConnectionReason.LOGGED_OUT_UNTOLD)

_BETWEEN_DIGITS = re.compile(r"[\s().\-/\u2010-\u2015\u2212]+")

_PHONE = re.compile(r"\+[1-9][0-9]{6,14}")

_HASH = re.compile(r"[0-9a-f]{32}")

LARGEST_API_ID = 2**31 - 1


def clean_phone(text: str) -> str:
    """Return a number as ``+`` and digits, or an empty string if it is no international number."""
    number = _BETWEEN_DIGITS.sub("", in_western_digits("".join(c for c in text if c.isprintable())))
    if number.startswith("00"):
        number = "+" + number[2:]
    return number if _PHONE.fullmatch(number) else ""


def application_of(api_id: str, api_hash: str) -> tuple[int, str] | str:
    """Return API id and hash, or a text that says what is wrong with them."""
    number = "".join(in_western_digits(api_id).split())
    pair = "".join(api_hash.split()).lower()
    if not (number.isascii() and number.isdecimal() and 0 < int(number[:12]) <= LARGEST_API_ID):
        return "The API id consists of digits only. It stands on my.telegram.org under “API development tools”."
    if not _HASH.fullmatch(pair):
        return "The API hash has 32 characters, 0 to 9 and a to f. It stands on my.telegram.org below the API id."
    return int(number), pair


def clean_code(text: str, sent: SentCode | None) -> str:
    """Return a code without characters that people, clipboards and keyboards add.

    Args:
        text: What was typed or pasted.
        sent: How Telegram sent it; None if unknown.
    """
    if sent is not None and sent.form is not CodeForm.SIGNS:
        return words_in(text, sent.detail)
    return code_in(text, sent.length if sent is not None else 0)
