"""Files that the operator has written: whole or not at all, and why not."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QIODevice, QSaveFile

if TYPE_CHECKING:
    from pathlib import Path

_REFUSES = frozenset({errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOENT, errno.ENOTDIR, errno.EISDIR})

translate = QCoreApplication.translate


def write_whole(target: Path, data: bytes) -> None:
    """Replace a file, or leave it as it was.

    Raises:
        OSError: It could not be written.
    """
    file = QSaveFile(str(target))
    is_whole = file.open(QIODevice.OpenModeFlag.WriteOnly) and file.write(data) == len(data) and file.commit()
    if not is_whole:
        raise OSError(0, file.errorString())


def file_problem(error: OSError) -> str:
    """Return why a file could not be written and what to do about it, in words."""
    if error.errno == errno.ENOSPC:
        return translate("Decisions", "The disk is full. Free some space, then export again.")
    if error.errno in _REFUSES:
        return translate("Decisions", "A file of that name can't be saved there. Choose another folder or name.")
    why = error.strerror or type(error).__name__
    return translate("Decisions", "The file could not be written: {why}. Choose another folder.").format(why=why)
