"""What is slow only the first time is done while nothing happens, bit by bit, before a message of somebody asks for it.

The first letter of a script makes Qt look through the fonts of the system, once for each face: six milliseconds where
none has it. A first message in three such scripts would keep the window for longer than two frames.
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
"""After the window is filled, and between two steps: each takes a few milliseconds, and a frame fits between."""

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
"""Letters of scripts that are met in names; and, each for itself, of a few that hardly any system has letters of."""

_FACES = (Face.BODY, Face.STRONG, Face.SMALL, Face.SMALL_STRONG, Face.META, Face.META_STRONG, Face.TITLE)


class WarmUp(QObject):
    """Takes one step at a time; a second window of the same program finds all done."""

    _left: list[Callable[[], object]] | None = None

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        if WarmUp._left is None:
            WarmUp._left = list(_steps(theme))[::-1]
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._step)

    def start(self) -> None:
        """Begin in a moment."""
        if WarmUp._left:
            self._timer.start(BEGINS_MS)

    def stop(self) -> None:
        """Come to rest."""
        self._timer.stop()

    def _step(self) -> None:
        if WarmUp._left:
            WarmUp._left.pop()()
            self._timer.start(BETWEEN_MS)


def _steps(theme: Theme) -> Iterator[Callable[[], object]]:
    yield Thread(target=icons.read_all, name="icons", daemon=True).start
    yield partial(sanitize, "я\u200b", keep_breaks=False)
    yield partial(sanitize, "я\u200b", keep_breaks=True)
    # Sixty modules: on the window's own thread they would be one long step.
    yield Thread(target=import_module, args=("chimein_gui.engine.text.markdown_inline",), daemon=True).start
    for face in _FACES:
        for sample in SAMPLES:
            yield partial(_measure, theme, face, sample)


def _measure(theme: Theme, face: Face, sample: str) -> None:
    QFontMetricsF(theme.font(face)).horizontalAdvance(sample)
