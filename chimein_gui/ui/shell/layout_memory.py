"""Remembers where everything stood, in a file of its own."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings

LAYOUT_VERSION = 1
"""Raised when docks or bars are renamed; an older layout is then left alone."""


class LayoutMemory:
    """An INI file; without a path nothing is remembered."""

    def __init__(self, path: Path | None) -> None:
        self._settings = QSettings(str(path), QSettings.Format.IniFormat) if path is not None else None

    def bytes_of(self, key: str) -> QByteArray:
        """Return a remembered state; empty when there is none."""
        value = self._settings.value(key) if self._settings is not None else None
        return value if isinstance(value, QByteArray) else QByteArray()

    def text_of(self, key: str) -> str:
        """Return a remembered word; empty when there is none."""
        value = self._settings.value(key) if self._settings is not None else None
        return value if isinstance(value, str) else ""

    def remember(self, key: str, value: QByteArray | str) -> None:
        """Keep a value."""
        if self._settings is not None:
            self._settings.setValue(key, value)

    def write(self) -> None:
        """Put it on disk."""
        if self._settings is not None:
            self._settings.sync()
