"""Texts of log-ins for the operator, and the cleaning of what they type before Telegram is asked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from chimein_gui.domain.accounts.sign_in import CodeForm, LoginStep, SignInTrouble
from chimein_gui.domain.input.codes import code_in, in_western_digits, words_in
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.connections import ConnectionReason
from chimein_gui.domain.notes.sign_ins import SignInReason

if TYPE_CHECKING:
    from chimein_gui.domain.accounts.sign_in import SentCode
    from chimein_gui.domain.errors import SignInError

_STEPS = {
    SignInTrouble.BAD_APPLICATION: LoginStep.APPLICATION,
    SignInTrouble.BAD_NUMBER: LoginStep.PHONE,
    SignInTrouble.NOT_REGISTERED: LoginStep.PHONE,
}
"""The page on which a trouble can be solved; all others are shown where they occurred."""


def note_of_trouble(error: SignInError, step: LoginStep) -> Note:
    """Return what happened."""
    if error.trouble is SignInTrouble.REFUSED and error.note is not None:
        return error.note
    if error.trouble is SignInTrouble.PROXY and error.note is not None:
        return Note(SignInReason.PROXY_TELLS, cause=error.note)
    if error.trouble is SignInTrouble.NO_NETWORK and step in (LoginStep.CODE, LoginStep.PASSWORD):
        return Note(SignInReason.LATE_NETWORK)
    return Note(error.trouble)


def step_after(trouble: SignInTrouble, step: LoginStep) -> LoginStep:
    """Return the page on which a trouble is shown."""
    if trouble is SignInTrouble.BANNED and step is not LoginStep.QR:
        return LoginStep.PHONE
    return _STEPS.get(trouble, step)


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


def application_of(api_id: str, api_hash: str) -> tuple[int, str] | SignInReason:
    """Return API id and hash, or what is wrong with them."""
    number = "".join(in_western_digits(api_id).split())
    pair = "".join(api_hash.split()).lower()
    if not (number.isascii() and number.isdecimal() and 0 < int(number[:12]) <= LARGEST_API_ID):
        return SignInReason.API_ID_DIGITS
    if not _HASH.fullmatch(pair):
        return SignInReason.API_HASH_DIGITS
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
