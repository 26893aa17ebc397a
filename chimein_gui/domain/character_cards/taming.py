"""Makes text of a card safe for an agent file: what can't be seen is removed, and our own marks can't be forged."""

from __future__ import annotations

import re

from chimein_gui.domain.prompt.foreign import mask

_LINE_ENDS = re.compile(r"\r\n?|[\x85\u2028\u2029]")
_SURROGATES = re.compile("[\ud800-\udfff]")
_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u2060\u202a-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e007f]"
)
"""Control characters, marks that turn the writing direction, and letters that no font draws."""

_COMMENT = re.compile(r"\{\{(?://|comment:|hidden_key:)[^{}]{0,10000}\}\}", re.IGNORECASE)
_ORIGINAL = re.compile(r"\{\{original\}\}", re.IGNORECASE)
_CHAR = re.compile(r"\{\{char\}\}|<(?:bot|char)>", re.IGNORECASE)
_USER = re.compile(r"\{\{user\}\}|<user>", re.IGNORECASE)
_DECORATORS = re.compile(r"\s*(?:@@[^\n]*(?:\n|$)\s*)+")


def tamed(text: str) -> str:
    """Return a text without lone surrogates, invisible characters and marks of ours; line ends are line feeds."""
    return mask(_HIDDEN.sub("", _SURROGATES.sub("\ufffd", _LINE_ENDS.sub("\n", text)))).strip()


def is_tame(text: str) -> bool:
    """Return whether `tamed` changes nothing that can be seen."""
    plain = _LINE_ENDS.sub("\n", text)
    return not _SURROGATES.search(plain) and not _HIDDEN.search(plain) and mask(plain) == plain


def filled(text: str, nickname: str) -> str:
    """Return a text with its variables as prompts fill them: ``{{char}}`` and ``{{user}}``.

    Comments are removed, and so is ``{{original}}``: our own prompts stand beside it anyway.

    Args:
        text: A tamed text of a card.
        nickname: What the card calls the character in place of its name; may be empty.
    """
    text = _ORIGINAL.sub("", _COMMENT.sub("", text))
    text = _CHAR.sub(lambda _found: nickname or "{{char}}", text)
    return _USER.sub("{{user}}", text).strip()


def without_decorators(text: str) -> str:
    """Return the content of a lore entry without the lines ``@@…`` that it begins with."""
    found = _DECORATORS.match(text)
    return text[found.end() :] if found else text
