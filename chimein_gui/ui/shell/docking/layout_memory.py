"""Stores layouts and appearance in a settings file."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings

LAYOUT_VERSION = 2
"""Increased when docks or bars are renamed; layouts of another version are ignored."""


class LayoutMemory:
    """An INI file; without a path nothing is kept beyond this run."""

    def __init__(self, path: Path | None) -> None:
        self._settings = QSettings(str(path), QSettings.Format.IniFormat) if path is not None else None
        self._forgotten: dict[str, QByteArray | str] = {}

    def bytes_of(self, key: str) -> QByteArray:
        """Return stored bytes; empty if there are none."""
        value = self._value(key)
        return value if isinstance(value, QByteArray) else QByteArray()

    def text_of(self, key: str) -> str:
        """Return a stored text; empty if there is none."""
        value = self._value(key)
        return value if isinstance(value, str) else ""

    def words_of(self, key: str) -> tuple[str, ...]:
        """Return a stored list of texts; empty if there is none, or it can't be read."""
        text = self.text_of(key)
        if not text:
            return ()
        import json  # late: not before the first paint

        try:
            found = json.loads(text)
        except ValueError:
            return ()
        return tuple(word for word in found if isinstance(word, str)) if isinstance(found, list) else ()

    def remember(self, key: str, value: QByteArray | str) -> None:
        """Store a value; `write` puts it on disk."""
        if self._settings is not None:
            self._settings.setValue(key, value)
        else:
            self._forgotten[key] = value

    def remember_words(self, key: str, words: tuple[str, ...]) -> None:
        """Store a list of texts."""
        import json

        self.remember(key, json.dumps(list(words)))

    def forget(self, key: str) -> None:
        """Remove a key and all keys below it."""
        if self._settings is not None:
            self._settings.remove(key)
            return
        for known in list(self._forgotten):
            if known == key or known.startswith(f"{key}/"):
                del self._forgotten[known]

    def write(self) -> None:
        """Write the file."""
        if self._settings is not None:
            self._settings.sync()

    def _value(self, key: str) -> object:
        return self._settings.value(key) if self._settings is not None else self._forgotten.get(key)
