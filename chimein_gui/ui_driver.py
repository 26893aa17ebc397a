"""Drives the user interface by visible and accessible texts, as an operator would.

The tour and the end-to-end tests use it with the real widgets. It uses no engine and no models of its own.
"""

from __future__ import annotations

import asyncio
import re
import time
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QLabel, QPlainTextEdit, QWidget

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


_ISOLATES = str.maketrans("", "", "\u2066\u2067\u2068\u2069")
"""Isolates around foreign names, which are invisible and not spoken."""

LOOK_AGAIN_S = 0.01
"""Seconds between two checks of a condition."""

SETTLES_S = 0.05
"""Seconds for three frames, after which other widgets show the same change."""

PATIENCE_S = 60.0
"""Longest wait in seconds; even the slowest machine needs less."""


_pattern: list[Callable[[str], re.Pattern[str]]] = []
"""Translates English words to a pattern in the window's language; empty for English."""


def speak(pattern: Callable[[str], re.Pattern[str]] | None) -> None:
    """Set the translation of English words for a window in another language; None for English."""
    _pattern[:] = [] if pattern is None else [pattern]


def begins(text: str, beginning: str) -> bool:
    """Return whether a visible text begins with these English words."""
    return seen(text).startswith(beginning) if not _pattern else bool(_pattern[0](beginning).match(seen(text)))


def says(text: str, words: str) -> bool:
    """Return whether a visible text contains these English words."""
    return words in seen(text) if not _pattern else bool(_pattern[0](words).search(seen(text)))


class NotSeenError(AssertionError):
    """The awaited thing did not appear in time."""


async def until(what: str, condition: Callable[[], T | None], seconds: float = PATIENCE_S) -> T:
    """Wait until `condition` returns something true, and return its value a few frames later.

    The delay lets the rest of the window show the same change before the next click or picture.

    Raises:
        NotSeenError: Time-out; the text contains `what`.
    """
    deadline = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            await asyncio.sleep(SETTLES_S)
            return condition() or found
        if time.monotonic() > deadline:
            raise NotSeenError(f"{what}: not seen within {seconds:.0f} s")
        await asyncio.sleep(LOOK_AGAIN_S)


def button(root: QWidget, beginning: str) -> QAbstractButton | None:
    """Return the visible, enabled button whose accessible name or text begins like this."""
    for candidate in root.findChildren(QAbstractButton):
        names = (candidate.accessibleName(), candidate.text())
        if candidate.isVisible() and candidate.isEnabled() and any(begins(name, beginning) for name in names):
            return candidate
    return None


def field(root: QWidget, beginning: str) -> QPlainTextEdit | None:
    """Return the visible text field whose accessible name begins like this."""
    for candidate in root.findChildren(QPlainTextEdit):
        if candidate.isVisible() and begins(candidate.accessibleName(), beginning):
            return candidate
    return None


def rows(view: QAbstractItemView) -> list[str]:
    """Return the accessible texts of all rows of a list or tree, top to bottom."""
    return [
        str(view.model().data(index, Qt.ItemDataRole.AccessibleTextRole) or "")
        for index in _indexes(view, QModelIndex())
    ]


def row_with(view: QAbstractItemView, words: str) -> QModelIndex | None:
    """Return the first row whose accessible text contains these words."""
    for index in _indexes(view, QModelIndex()):
        if says(_spoken(index), words):
            return index
    return None


def words_in_sight(root: QWidget) -> list[str]:
    """Return the accessible names and label texts of all visible widgets."""
    found = []
    for widget in root.findChildren(QWidget):
        if widget.isVisible():
            texts = (widget.accessibleName(), widget.text() if isinstance(widget, QLabel) else "")
            found += [seen(text) for text in texts if text]
    return found


def seen(text: str) -> str:
    """Return a text without invisible isolates."""
    return text.translate(_ISOLATES)


def _spoken(index: QModelIndex) -> str:
    return seen(str(index.data(Qt.ItemDataRole.AccessibleTextRole) or ""))


def _indexes(view: QAbstractItemView, parent: QModelIndex) -> list[QModelIndex]:
    model = view.model()
    found = []
    for row in range(model.rowCount(parent)):
        index = model.index(row, 0, parent)
        found.append(index)
        found += _indexes(view, index)
    return found
