"""Reading text files that people write, without trusting them."""

from __future__ import annotations

import os
import stat
import tomllib
from typing import TYPE_CHECKING, Any

from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.files import FileReason

if TYPE_CHECKING:
    from pathlib import Path

MAX_BYTES = 1_000_000


class UnreadableFileError(Exception):
    """A file can't be used as text.

    Attributes:
        note: Why.
        line: Line number from 1; 0 for the file as a whole.
    """

    def __init__(self, why: FileReason, words: str = "", line: int = 0) -> None:
        """Create the error; `words` are the system's, or a parser's."""
        self.note = Note(why, words)
        self.line = line
        super().__init__(str(self.note))


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file of at most 1 MB.

    Raises:
        UnreadableFileError: As `read_text`; or it is no TOML, or nested too deeply.
    """
    text = read_text(path)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UnreadableFileError(FileReason.NO_TOML, str(error)) from error
    except RecursionError:
        raise UnreadableFileError(FileReason.NESTED_TOO_DEEPLY) from None


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def read_text(path: Path, *, is_exact: bool = False) -> str:
    """Read a UTF-8 file of at most 1 MB; its byte order mark is left out, unless the text has to be exact.

    Raises:
        UnreadableFileError: It is missing, larger, no plain file, or no UTF-8.
    """
    try:
        # Non-blocking, because a pipe would wait for a writer and a device for its hardware.
        with open(path, "rb", opener=_without_waiting) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise UnreadableFileError(FileReason.NO_PLAIN_FILE)
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise UnreadableFileError(FileReason.NOT_THERE) from None
    except IsADirectoryError:
        raise UnreadableFileError(FileReason.NO_PLAIN_FILE) from None
    except OSError as error:
        raise UnreadableFileError(FileReason.UNREADABLE, str(error.strerror or error)) from error
    if len(data) > MAX_BYTES:
        raise UnreadableFileError(FileReason.TOO_LARGE)
    try:
        return data.decode("utf-8" if is_exact else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnreadableFileError(FileReason.NOT_UTF8, line=line) from error
