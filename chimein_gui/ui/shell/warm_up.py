"""Runs operations that are slow only the first time while the program is idle, before a message needs them.

The first letter of a script makes Qt search the system's fonts, once for each face; that takes 6 ms if no font has it.
A first message in three such scripts would block the window for more than two frames.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from threading import Thread
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QFontMetricsF

from chimein_gui.ui.widgets.theme import icons
from chimein_gui.ui.widgets.theme.theme import Face
from chimein_gui.viewmodels.core.sanitize import sanitize

if TYPE_CHECKING:
    from chimein_gui.ui.widgets.theme.theme import Theme

BEGINS_MS, BETWEEN_MS = 200, 20
"""Delay before the first step, and between two steps, ms. Each step takes a few ms, and a frame fits between two."""

SAMPLES = (
    "漢かア",
    "한ก",
    "شש",
    "नம",
    "😀🇦🇶",
    "\ufdfd\u2e3b",
    "\u0ddd",
    "\u0bcc",
    "\ua9c5",
    "\U00012031",
)
"""Letters of scripts that occur in names, and single letters that hardly any system has a font for."""

_FACES = (Face.BODY, Face.STRONG, Face.SMALL, Face.SMALL_STRONG, Face.META, Face.META_STRONG, Face.TITLE)


class WarmUp(QObject):
    """Runs one step at a time; the steps are shared by all windows of the process."""

    _left: list[Callable[[], object]] | None = None

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        if WarmUp._left is None:
            WarmUp._left = list(_steps(theme))[::-1]
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._step)

    def start(self) -> None:
        """Start after `BEGINS_MS`."""
        if WarmUp._left:
            self._timer.start(BEGINS_MS)

    def stop(self) -> None:
        """Stop; `start` continues with the next step."""
        self._timer.stop()

    def _step(self) -> None:
        if WarmUp._left:
            WarmUp._left.pop()()
            self._timer.start(BETWEEN_MS)


def _steps(theme: Theme) -> Iterator[Callable[[], object]]:
    yield Thread(target=icons.read_all, name="icons", daemon=True).start
    yield partial(sanitize, "я\u200b", keep_breaks=False)
    yield partial(sanitize, "я\u200b", keep_breaks=True)
    # It imports sixty modules, which would block the main thread for too long.
    yield Thread(target=import_module, args=("chimein_gui.engine.text.markdown_inline",), daemon=True).start
    for face in _FACES:
        for sample in SAMPLES:
            yield partial(_measure, theme, face, sample)


def _measure(theme: Theme, face: Face, sample: str) -> None:
    QFontMetricsF(theme.font(face)).horizontalAdvance(sample)
