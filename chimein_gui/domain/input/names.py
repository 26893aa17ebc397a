"""Rules for agent names and phone numbers."""

from __future__ import annotations

import re
import unicodedata

from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.files import FileReason

MAX_CHARACTERS = 64
MAX_BYTES = 180
"""Bytes in UTF-8. File systems allow 255 for a name, and that of a temporary file is longer than its target's."""

_REFUSED = frozenset({"media", "logs", "memory", "backups", "world", "preferences.toml", "secrets.toml", "window.ini"})
"""Names that the state directory uses itself, beside the agents' directories."""

_OURS = "chimein"
_WINDOWS_DEVICES = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$"}
    | {f"{device}{digit}" for device in ("com", "lpt") for digit in "0123456789¹²³"}
)
_PATH_CHARACTERS = frozenset('/\\:*?"<>|')
_BLANK_LETTERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that fonts draw as nothing."""

# Characters that people write between digits, and direction marks that are copied along with a number.
_PHONE_FILLING = re.compile(r"[\s().\-\u2010-\u2015\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_PHONE = re.compile(r"\+[1-9][0-9]{6,14}")


def folded(name: str) -> str:
    """Return the form by which names are compared: two names are the same if it is equal."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def has_path_character(name: str) -> bool:
    """Return whether a character of the text is not allowed in a file name."""
    return any(character in _PATH_CHARACTERS or _is_invisible(character) for character in name)


def name_problem(name: str) -> Note | None:
    """Return why a text can't be an agent's name, which is also the name of a directory; None if it can.

    Args:
        name: As written, NFC.
    """
    if "\n" in name or not 0 < len(name.strip()) <= MAX_CHARACTERS:
        return Note(FileReason.NAME_TOO_LONG, number=MAX_CHARACTERS)
    if has_path_character(name):
        return Note(FileReason.NAME_CHARACTERS)
    if name.startswith((".", " ")) or name.endswith((".", " ")):
        return Note(FileReason.NAME_ENDS)
    if len(name.encode("utf-8")) > MAX_BYTES:
        return Note(FileReason.NAME_BYTES, number=MAX_BYTES)
    if _is_taken(folded(name)):
        return Note(FileReason.NAME_RESERVED, name)
    return None


def phone_of(value: str) -> str:
    """Return a phone number without the characters that people write between digits."""
    return _PHONE_FILLING.sub("", value)


def phone_problem(value: str) -> Note | None:
    """Return why a text is no international phone number; None if it is one."""
    if "\n" not in value and _PHONE.fullmatch(phone_of(value)):
        return None
    return Note(FileReason.PHONE_FORM)


def _is_taken(key: str) -> bool:
    return key in _REFUSED or key.startswith(_OURS) or key.partition(".")[0].rstrip() in _WINDOWS_DEVICES


def _is_invisible(character: str) -> bool:
    return not character.isprintable() or character in _BLANK_LETTERS
