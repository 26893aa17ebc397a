"""What the operator types into a log-in, cleaned and judged before Telegram is asked. Pure functions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from chimein_gui.domain.accounts.sign_in import CodeForm
from chimein_gui.domain.input.digits import code_in, in_western_digits
from chimein_gui.domain.input.words import words_in

if TYPE_CHECKING:
    from chimein_gui.domain.accounts.sign_in import SentCode

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
    """Return API id and hash, or, as one string, what is wrong with them."""
    number = "".join(in_western_digits(api_id).split())
    pair = "".join(api_hash.split()).lower()
    if not (number.isascii() and number.isdecimal() and 0 < int(number[:12]) <= LARGEST_API_ID):
        return "The API id consists of digits only. It stands on my.telegram.org under “API development tools”."
    if not _HASH.fullmatch(pair):
        return "The API hash has 32 characters, 0 to 9 and a to f. It stands on my.telegram.org below the API id."
    return int(number), pair


def clean_code(text: str, sent: SentCode | None) -> str:
    """Return a code without what people, clipboards and keyboards put around and into it.

    Args:
        text: What was typed or pasted.
        sent: How Telegram sent it; None if nobody knows.
    """
    if sent is not None and sent.form is not CodeForm.SIGNS:
        return words_in(text, sent.detail)
    return code_in(text, sent.length if sent is not None else 0)
