"""Writing files so that a crash leaves either the old or the new content."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

PRIVATE = 0o600
"""Readable by this user only."""


def write_atomic(path: Path, content: str | bytes, mode: int = PRIVATE) -> None:
    """Replace a file: temporary file beside it, fsync, rename.

    Args:
        path: The file; its directory must exist. A symbolic link stays one, its target is replaced.
        content: Text is written as UTF-8, line ends as they are.
        mode: Permissions of the new file.

    Raises:
        OSError: Nothing has changed.
    """
    target = _target_of(path)
    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name[:80]}.", suffix=".tmp", dir=target.parent)
    temporary = target.with_name(os.path.basename(name))  # noqa: PTH119 - mkstemp gives a string
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(mode)
        temporary.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    _sync_directory(target.parent)


def _target_of(path: Path) -> Path:
    try:
        return path.resolve()
    except RuntimeError:  # before Python 3.13 a link that leads in a circle is no OSError
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from None


def make_private(directory: Path) -> None:
    """Make a directory, and its missing parents, for this user only, whatever the umask.

    Raises:
        OSError: It can't be made.
    """
    missing = [one for one in (directory, *directory.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir(mode=0o700, exist_ok=True)


def _sync_directory(directory: Path) -> None:
    """Flush the rename to the disk; where directories can't be opened (Windows) nothing is needed."""
    with contextlib.suppress(OSError):
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
