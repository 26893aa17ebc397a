"""Which cells move, and when the next frame of each is due."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from chimein_gui.ui.widgets.theme.theme import Theme

HOVER_MS = 300
"""How long the pointer rests on a cell until it moves."""

TICK_MS = 33
SLOW_EVERY = 2
"""Ticks between two looks at the cells that move slowly."""


class CellMotion(QObject):
    """Only while the view is visible, and never with reduced motion.

    Attributes:
        ticked: Frames may be due; carries whether also those of slow cells.
        rested: The pointer rests on another cell, or on none; carries that row and the one before.
        hovered: The row below the pointer; -1 for none.
        resting: The row on which the pointer rests; -1 for none.
        plays_all: All cells in sight move.
    """

    ticked = Signal(bool)
    rested = Signal(int, int)

    def __init__(self, theme: Theme, view: QWidget) -> None:
        super().__init__(view)
        self._theme, self._view = theme, view
        self.hovered = self.resting = -1
        self.plays_all = False
        self._began, self._ticks = time.perf_counter(), 0
        self._timer, self._rest = QTimer(self), QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)
        self._rest.setSingleShot(True)
        self._rest.setInterval(HOVER_MS)
        self._rest.timeout.connect(self._begin)
        theme.motion_changed.connect(self.follow)

    @property
    def seconds(self) -> float:
        """Seconds since all animations began."""
        return time.perf_counter() - self._began

    def hover(self, row: int) -> int:
        """Note which row is below the pointer; return the one before."""
        before = self.hovered
        if row != before:
            self.hovered = row
            if self.resting >= 0:
                was, self.resting = self.resting, -1
                self.rested.emit(-1, was)
            self._rest.start()
        return before

    def follow(self) -> None:
        """Begin, or stop: the view was shown or hidden, or the setting changed."""
        if self._view.isVisible() and not self._theme.reduced_motion:
            self._timer.start()
        else:
            self._timer.stop()

    def _begin(self) -> None:
        before, self.resting = self.resting, self.hovered
        self.rested.emit(self.resting, before)

    def _tick(self) -> None:
        self._ticks += 1
        self.ticked.emit(self.plays_all and self._ticks % SLOW_EVERY == 0)
