"""Limits how long is painted in one turn of the loop, so that many changes at once don't make the window stutter.

All that changed since the last frame is painted in one turn. Twenty new rows in each of three lists would take 30 ms,
and so would all lists of fifteen panes. So new rows wait for the next frame, and whole lists take turns: one that would
make the frame too long keeps its old pixels, and is painted in one of the next frames. The pane with the keys never
waits.
"""

from __future__ import annotations

from contextlib import contextmanager
from math import inf
from time import thread_time
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, QTimer
from PySide6.QtGui import QPaintEvent, QRegion
from PySide6.QtWidgets import QApplication, QDockWidget, QWidget
from shiboken6 import isValid

from chimein_gui.ui.widgets.rows.opaque_ground import make_opaque
from chimein_gui.viewmodels.core.throttle import TURN, TURN_MS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QAbstractScrollArea

FRAME = "frame"
"""The name of this work for `TURN`."""

BUDGET_S = 0.004
"""How long rows that are not cached are painted in one frame of a window, seconds of the thread; the others follow."""


class PaintBudget:
    """The time that is left in the current frame of a window; there is no limit outside of frames, as for a picture.

    Attributes:
        frame: Number of the frame.
    """

    def __init__(self) -> None:
        self.frame = 0
        self._ends_at = inf

    @property
    def is_spent(self) -> bool:
        """Return whether rows have to wait for the next frame."""
        return thread_time() > self._ends_at

    @contextmanager
    def of_a_frame(self) -> Iterator[None]:
        """Limit what is painted meanwhile."""
        self.frame += 1
        self._ends_at = thread_time() + BUDGET_S
        try:
            yield
        finally:
            self._ends_at = inf


BUDGET = PaintBudget()

FRAME_S = 0.004
"""How long the lists of a window are painted in one frame, seconds of the thread; one is painted in any case."""

_LATEST = 0.25
"""Weight of the latest painting in the mean time of a list."""

_Place = tuple[QWidget, QSize, QPoint, QSize, int, int]

_LOSE_PIXELS = frozenset(
    {
        QEvent.Type.Hide,
        QEvent.Type.PaletteChange,
        QEvent.Type.StyleChange,
        QEvent.Type.FontChange,
        QEvent.Type.DevicePixelRatioChange,
    }
)
"""After these a list is painted whole and at once: its old pixels are those of something else, or of another look."""


def take_turns(view: QAbstractScrollArea) -> None:
    """Let a list wait for a later frame where others take the time of this one. It paints all its pixels itself."""
    make_opaque(view)
    _Turn(view)


class _Turns:
    """The lists that wait, the longest waiting first, and the time of the current frame."""

    def __init__(self) -> None:
        self.waiting: dict[_Turn, QRegion] = {}
        self._due: set[_Turn] = set()
        self._in_frame = False
        self._left_s = 0.0
        self._painted_any = False

    @contextmanager
    def of_a_frame(self) -> Iterator[None]:
        """Share out the time of one frame, and ask for another one if lists have to wait."""
        self._in_frame, self._painted_any = True, False
        self._left_s = FRAME_S - sum(turn.cost_s for turn in self._due)
        try:
            yield
        finally:
            self._in_frame = False
            self._due.clear()
            self._ask_for_more()

    def postpones(self, turn: _Turn, region: QRegion) -> bool:
        """Tell whether a list has to wait; otherwise its time is taken."""
        if not self._in_frame:
            return False
        if turn in self._due:
            self._due.discard(turn)
        elif self._painted_any and turn.cost_s > self._left_s and turn.may_wait():
            self.waiting[turn] = self.waiting.get(turn, QRegion()).united(region)
            return True
        else:
            self._left_s -= turn.cost_s
        self._painted_any = True
        return False

    def _ask_for_more(self) -> None:
        """Ask for the painting of the lists that waited longest, as many as a frame has time for."""
        left_s = FRAME_S
        for turn in tuple(self.waiting):
            if not isValid(turn):
                del self.waiting[turn]
            elif not self._due or turn.cost_s <= left_s:
                left_s -= turn.cost_s
                turn.ask(self.waiting.pop(turn))
                self._due.add(turn)


TURNS = _Turns()


class _Turn(QObject):
    """The place of one list in the order; it hears of the paint events before the list does.

    Attributes:
        view: The list.
        cost_s: How long it took to paint it lately, seconds of the thread.
    """

    def __init__(self, view: QAbstractScrollArea) -> None:
        super().__init__(view)
        self.view, self.cost_s = view, 0.0
        self._painted: _Place | None = None
        self._waited: _Place | None = None
        self._began = False
        view.viewport().installEventFilter(self)

    def may_wait(self) -> bool:
        """Tell whether the old pixels are still those of this list, and it is not what the operator works with."""
        place = self._place()
        if self._painted != place or self.view.viewport().underMouse():
            return False
        keys = QApplication.focusWidget()
        pane = self._pane()
        if keys is not None and (keys is self.view or (pane is not None and pane.isAncestorOf(keys))):
            return False
        self._waited = place
        return True

    def ask(self, region: QRegion) -> None:
        """Ask for the painting of what was left out; of everything if the pixels have moved meanwhile."""
        if self._waited == self._place():
            self.view.viewport().update(region)
        else:
            self.view.viewport().update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind is QEvent.Type.Paint and isinstance(event, QPaintEvent):
            return not self._began and self._paint(event)
        if kind in _LOSE_PIXELS:
            self._painted = None
            TURNS.waiting.pop(self, None)  # Qt asks for all of it by itself
        return super().eventFilter(watched, event)

    def _paint(self, event: QPaintEvent) -> bool:
        """Paint now, or postpone it; the list's own painting is timed."""
        if TURNS.postpones(self, event.region()):
            return True
        place, began = self._place(), thread_time()
        if place != self._painted and self in TURNS.waiting:
            TURNS.waiting[self] = QRegion(self.view.viewport().rect())  # what was left out lies elsewhere now
        self._painted = place
        self._began = True
        try:
            QApplication.sendEvent(self.view.viewport(), event)
        finally:
            self._began = False
        self.cost_s += _LATEST * (thread_time() - began - self.cost_s)
        return True

    def _pane(self) -> QWidget | None:
        widget = self.view.parentWidget()
        while widget is not None and not isinstance(widget, QDockWidget):
            widget = widget.parentWidget()
        return widget

    def _place(self) -> _Place:
        """Return where the list's pixels are: they move with the window's layout and when it is scrolled."""
        port, window = self.view.viewport(), self.view.window()
        across, down = self.view.horizontalScrollBar().value(), self.view.verticalScrollBar().value()
        return window, window.size(), port.mapTo(window, QPoint(0, 0)), port.size(), across, down


class FramePacer(QObject):
    """Keeps the frames of a window within the budget, and in no turn of the loop that a delivery has."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._is_painting = False
        self._postponed = QTimer(self)
        self._postponed.setSingleShot(True)
        self._postponed.setTimerType(Qt.TimerType.PreciseTimer)
        self._postponed.setInterval(TURN_MS)
        self._postponed.timeout.connect(self._paint)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is not QEvent.Type.UpdateRequest or self._is_painting:
            return False
        if self._postponed.isActive():
            return True
        if TURN.is_taken(FRAME):
            # Qt sends no second request before the first is carried out, so this one must not be forgotten.
            self._postponed.start()
        else:
            self._paint()
        return True

    def _paint(self) -> None:
        self._is_painting = True
        try:
            with BUDGET.of_a_frame(), TURNS.of_a_frame():
                QApplication.sendEvent(self._window, QEvent(QEvent.Type.UpdateRequest))
        finally:
            self._is_painting = False
        TURN.end(FRAME)
