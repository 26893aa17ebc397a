"""Log-in codes that are words, as people type and paste them. Pure functions."""

from __future__ import annotations

import unicodedata

_AROUND = " \"'.,:;!«»‹›“”„‘’"
"""What stands around words in a message, and is none of them."""


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
