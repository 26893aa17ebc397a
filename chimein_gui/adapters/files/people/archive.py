"""A zip file for this user alone; it gets its name when it is complete."""

from __future__ import annotations

import contextlib
import os
import zipfile
from typing import TYPE_CHECKING

from chimein_gui.adapters.files.atomic import PRIVATE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import IO

_UNFINISHED = ".part"


class ZipArchive:
    """Implements `engine.ports.PersonArchive`."""

    def __init__(self, file: zipfile.ZipFile) -> None:
        self._zip = file
        self._name = ""
        self._open: IO[bytes] | None = None

    def write(self, name: str, text: str) -> None:
        if self._open is None or name != self._name:
            self.close()
            self._name, self._open = name, self._zip.open(name, "w", force_zip64=True)
        self._open.write(text.encode("utf-8", "replace"))

    def copy(self, name: str, source: Path) -> None:
        self.close()
        with contextlib.suppress(FileNotFoundError):
            self._zip.write(source, name)

    def close(self) -> None:
        """End the text that is being written."""
        if self._open is not None:
            self._open.close()
            self._open = None


@contextlib.contextmanager
def archive(target: Path) -> Iterator[ZipArchive]:
    """Write a zip file: complete at the end, nothing after an exception.

    Raises:
        OSError: It can't be written.
    """
    part = target.with_name(target.name + _UNFINISHED)
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE), "wb") as file:
            part.chmod(PRIVATE)
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as zipped:
                written = ZipArchive(zipped)
                try:
                    yield written
                finally:
                    written.close()
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise
