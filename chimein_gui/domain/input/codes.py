"""Codes and digits as people type and paste them: of any script, with blanks, or in the middle of a message.

Pure functions.
"""

from __future__ import annotations

import re
import unicodedata

_RUN = re.compile(r"(?<![0-9A-Za-z+])[0-9]+(?![0-9A-Za-z])")
_PARTS = re.compile(r"(?<![0-9A-Za-z+])[0-9]+(?:[ \u2010-\u2015-][0-9]+)+(?![0-9A-Za-z])")
_SHORTEST = 4
"""Digits of a code of unknown length, where other words stand around it."""

_AROUND = " \"'.,:;!«»‹›“”„‘’"
"""What stands around words in a message, and is none of them."""


def in_western_digits(text: str) -> str:
    """Return a text with 0 to 9 in the place of other scripts' digits: keyboards type those of their language."""
    return "".join(str(unicodedata.decimal(char, char)) for char in unicodedata.normalize("NFKC", text))


def code_in(text: str, length: int = 0) -> str:
    """Return a log-in code without what people, clipboards and messages put between and around its signs.

    Args:
        text: What was typed or pasted; perhaps all of the message that brought the code.
        length: Characters of the code; 0 if nobody knows.

    Returns:
        The code, or all letters and digits where none can be told from the rest.
    """
    plain = in_western_digits(text)
    signs = "".join(char for char in plain if char.isalnum())
    if signs.isdecimal() or (length and len(signs) <= length):
        return signs
    for found in (_RUN.findall(plain), _PARTS.findall(plain)):
        digits = {"".join(char for char in one if char.isdecimal()) for one in found}
        fitting = [one for one in digits if (len(one) == length if length else len(one) >= _SHORTEST)]
        if len(fitting) == 1:
            return fitting[0]
    return signs


def words_in(text: str, beginning: str = "") -> str:
    """Return a log-in code of one word or several, without what people and keyboards put around and between them.

    Args:
        text: What was typed or pasted.
        beginning: What Telegram says that it begins with, in its own spelling; empty if it does not say.
    """
    words = " ".join(unicodedata.normalize("NFC", text).split()).strip(_AROUND)
    if beginning and words[: len(beginning)].casefold() == beginning.casefold():
        return beginning + words[len(beginning) :]  # phones begin with a capital whatever is typed
    return words
