"""Reads the sandbox's resource files, with a size limit."""

from pathlib import Path

MAX_BYTES = 1_000_000


def read_text(path: Path) -> str:
    """Read a UTF-8 file of at most 1 MB; parsing larger YAML would take minutes.

    Raises:
        OSError: It can't be read.
        ValueError: It is larger, or no UTF-8.
    """
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise ValueError("it is larger than 1 MB")
    return data.decode("utf-8")
