"""The operator's hand and eye, without an operator: finds what a person would find, by the words that are shown.

The tour and the end-to-end tests drive the real widgets with it. It knows no engine and no model of its own.
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
"""Marks around foreign names, which nobody sees or hears."""

LOOK_AGAIN_S = 0.01
"""How often a person who waits for something looks at the screen, so to say."""

SETTLES_S = 0.05
"""Three frames: what else shows the same news does so by then."""

PATIENCE_S = 60.0
"""Longer than the slowest machine takes: only what never comes is missed."""


_pattern: list[Callable[[str], re.Pattern[str]]] = []
"""What is seen in the language of the window where English has certain words; empty for English."""


def speak(pattern: Callable[[str], re.Pattern[str]] | None) -> None:
    """Look for English words in a window of another language; None for English again."""
    _pattern[:] = [] if pattern is None else [pattern]


def begins(text: str, beginning: str) -> bool:
    """Tell whether a text that is seen begins with these English words."""
    return seen(text).startswith(beginning) if not _pattern else bool(_pattern[0](beginning).match(seen(text)))


def says(text: str, words: str) -> bool:
    """Tell whether a text that is seen holds these English words."""
    return words in seen(text) if not _pattern else bool(_pattern[0](words).search(seen(text)))


class NotSeenError(AssertionError):
    """What was waited for did not appear in time."""


async def until(what: str, condition: Callable[[], T | None], seconds: float = PATIENCE_S) -> T:
    """Wait until `condition` returns something true, and return that a few frames later.

    The rest of the window shows the same news in turns of its own; nobody presses, or takes a picture, between two.

    Raises:
        NotSeenError: Naming `what` was waited for.
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
    """Return what a screen reader would say of all rows of a list or tree, top to bottom."""
    return [
        str(view.model().data(index, Qt.ItemDataRole.AccessibleTextRole) or "")
        for index in _indexes(view, QModelIndex())
    ]


def row_with(view: QAbstractItemView, words: str) -> QModelIndex | None:
    """Return the first row whose accessible text holds these words."""
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
    """Return a text as a person takes it in."""
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
