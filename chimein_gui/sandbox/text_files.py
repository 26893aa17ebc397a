"""Reads the files that the sandbox is written in, with a limit."""

from pathlib import Path

MAX_BYTES = 1_000_000


def read_text(path: Path) -> str:
    """Read a UTF-8 file of at most 1 MB: of a larger one YAML would be read for minutes.

    Raises:
        OSError: It can't be read.
        ValueError: It is larger, or no UTF-8.
    """
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise ValueError("it is larger than 1 MB")
    return data.decode("utf-8")
