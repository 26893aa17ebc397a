"""Log-in codes as people type and paste them: digits of any script, with blanks, or inside a message.

Pure functions.
"""

from __future__ import annotations

import re
import unicodedata

_RUN = re.compile(r"(?<![0-9A-Za-z+])[0-9]+(?![0-9A-Za-z])")
_PARTS = re.compile(r"(?<![0-9A-Za-z+])[0-9]+(?:[ \u2010-\u2015-][0-9]+)+(?![0-9A-Za-z])")
_SHORTEST = 4
"""Shortest code of unknown length inside other text, in digits."""

_AROUND = " \"'.,:;!«»‹›“”„‘’"
"""Characters around the words of a message that do not belong to them."""


def in_western_digits(text: str) -> str:
    """Return a text with digits of other scripts replaced by 0 to 9; keyboards produce those of their language."""
    return "".join(str(unicodedata.decimal(char, char)) for char in unicodedata.normalize("NFKC", text))


def code_in(text: str, length: int = 0) -> str:
    """Return a log-in code without the characters that people, clipboards and messages put between and around it.

    Args:
        text: What was typed or pasted; perhaps the whole message that brought the code.
        length: Characters of the code; 0 if unknown.

    Returns:
        The code, or all letters and digits if no code can be recognised.
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
    """Return a log-in code of one or more words, without surrounding punctuation and extra blanks.

    Args:
        text: What was typed or pasted.
        beginning: The code's beginning in Telegram's spelling; empty if unknown.
    """
    words = " ".join(unicodedata.normalize("NFC", text).split()).strip(_AROUND)
    if beginning and words[: len(beginning)].casefold() == beginning.casefold():
        return beginning + words[len(beginning) :]  # phones begin with a capital whatever is typed
    return words
