"""How people really type: without accents, with letters held down, in the short forms of chats."""

# ruff: noqa: RUF001 - its letters are meant

import re
import unicodedata

_KEPT = "ùÙ"
"""French *où* asks for a place, *ou* offers a choice."""


def _base(letter: str) -> str:
    base = unicodedata.normalize("NFD", letter)[0]
    return base if base.isalpha() and base.isascii() and letter not in _KEPT else letter


_BARE = str.maketrans({chr(code): _base(chr(code)) for code in range(0xC0, 0x180)} | {"ё": "е", "Ё": "Е", "’": "'"})
_HELD_DOWN = re.compile(r"([^\W\d_kwKWｗ哈呵嘻笑])\1{2,}")


def bare(text: str) -> str:
    """Return a text without accents, letter for letter: what is found in it stands at the same place in the text."""
    return text if text.isascii() else text.translate(_BARE)


def tidy(text: str) -> str:
    """Return a text without letters held down: “heyyy” is “hey”; “kkkk” and “哈哈哈” are laughter and stay."""
    return _HELD_DOWN.sub(r"\1", text)
