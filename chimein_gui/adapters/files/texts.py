"""Reading text files that people write, without trusting them."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

MAX_BYTES = 1_000_000


class UnreadableFileError(Exception):
    """A file can't be used as text; its words say why.

    Attributes:
        line: Where, from 1; 0 for the file as a whole.
    """

    def __init__(self, words: str, line: int = 0) -> None:
        self.words = words
        self.line = line
        super().__init__(f"{words} (line {line})" if line else words)


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file of at most 1 MB.

    Raises:
        UnreadableFileError: As `read_text`; or it is no TOML, or nested too deeply.
    """
    text = read_text(path)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UnreadableFileError(f"is no TOML: {error}") from error
    except RecursionError:
        raise UnreadableFileError("is nested too deeply") from None


def read_text(path: Path) -> str:
    """Read a UTF-8 file of at most 1 MB.

    Raises:
        UnreadableFileError: It is missing, larger, no plain file, or no UTF-8.
    """
    try:
        if not path.is_file():
            raise UnreadableFileError(
                "is no plain file, but a pipe, a device or a directory" if path.exists() else "does not exist"
            )
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UnreadableFileError(f"can't be read: {error.strerror or error}") from error
    if len(data) > MAX_BYTES:
        raise UnreadableFileError("is larger than 1 MB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnreadableFileError("is not UTF-8; save it as UTF-8", line) from error
