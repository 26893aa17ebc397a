"""Animates new rows and widgets: they fade and slide in.

There is no animation with many arrivals at once, in hidden views, or with reduced motion.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractAnimation, QElapsedTimer, QEvent, QObject, Qt, QTimer, QVariantAnimation
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractItemView, QWidget

from chimein_gui.ui.widgets.theme.theme import MOTION_MS

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from PySide6.QtCore import QModelIndex
    from PySide6.QtGui import QPaintEvent

    from chimein_gui.ui.widgets.theme.theme import Theme

FRAME_MS = 16
SLIDE_PX = 8.0
MOST_A_SECOND = 3
"""Most animated arrivals per second; more could not be followed, and would cost frames."""


class _Rate:
    """Counts the arrivals of the last second."""

    def __init__(self) -> None:
        self._clock = QElapsedTimer()
        self._clock.start()
        self._came: deque[int] = deque(maxlen=MOST_A_SECOND + 1)

    def is_calm(self) -> bool:
        """Count one more arrival, and return whether it may be animated."""
        now = self._clock.elapsed()
        self._came.append(now)
        return len(self._came) <= MOST_A_SECOND or now - self._came[0] > 1000


class RowArrivals(QObject):
    """Animates the new rows of a list; its delegate calls `apply` for each row."""

    def __init__(self, theme: Theme, view: QAbstractItemView, index_of: Callable[[Hashable], QModelIndex]) -> None:
        super().__init__(view)
        self._theme, self._view, self._index_of = theme, view, index_of
        self._rate, self._clock = _Rate(), QElapsedTimer()
        self._clock.start()
        self._began: dict[Hashable, int] = {}
        self._timer = QTimer(self)
        self._timer.setInterval(FRAME_MS)
        self._timer.timeout.connect(self._step)

    @property
    def is_moving(self) -> bool:
        """Whether an animation runs."""
        return self._timer.isActive()

    def begin(self, key: Hashable) -> None:
        """Animate a new row, unless there are too many."""
        if not self._rate.is_calm():
            self._began.clear()
            self._step()
        elif self._view.isVisible() and not self._theme.reduced_motion:
            self._began[key] = self._clock.elapsed()
            self._timer.start()

    def finish(self) -> None:
        """End all animations now."""
        self._began = dict.fromkeys(self._began, -MOTION_MS)
        self._step()

    def apply(self, painter: QPainter, key: Hashable) -> None:
        """Set opacity and offset of a painter for a row's current frame. The caller saves and restores the painter."""
        if self._began and key in self._began:
            share = min(1.0, (self._clock.elapsed() - self._began[key]) / MOTION_MS)
            painter.setOpacity(share)
            painter.translate(0, (1 - share) * SLIDE_PX)

    def _step(self) -> None:
        now = self._clock.elapsed()
        moving = tuple(self._began)
        self._began = {key: at for key, at in self._began.items() if now - at < MOTION_MS and self._view.isVisible()}
        if not self._began:
            self._timer.stop()
        for key in moving:
            index = self._index_of(key)
            if index.isValid():
                self._view.update(index)


class FadeOverlay(QWidget):
    """Covers its parent with the colour behind it, and becomes transparent.

    A graphics effect of Qt would do the same, but it blocks the window for 50 ms: before it draws, Qt sends the resizes
    that all hidden panes still wait for.
    """

    def __init__(self, theme: Theme, ground: str, covered: QWidget) -> None:
        """Cover a widget.

        Args:
            theme: Its colours.
            ground: Token of the colour behind the widget.
            covered: The widget.
        """
        super().__init__(covered)
        self._theme, self._ground, self._share = theme, ground, 1.0
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.cover()
        self.show()

    def cover(self) -> None:
        """Cover the whole parent, above all of its parts."""
        covered = self.parentWidget()
        if covered is not None:
            self.setGeometry(covered.rect())
            self.raise_()

    def reveal(self, share: float) -> None:
        """Show the parent through the colour: 0 not at all, 1 wholly."""
        self._share = 1.0 - share
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setOpacity(self._share)
        painter.fillRect(event.rect(), self._theme.color(self._ground))
        painter.end()


class WidgetArrivals(QObject):
    """Animates new widgets in one place."""

    def __init__(self, theme: Theme, ground: str, parent: QObject) -> None:
        """Wait for widgets that lie on a ground, the token of its colour."""
        super().__init__(parent)
        self._theme, self._ground, self._rate = theme, ground, _Rate()
        self._moving: dict[QWidget, tuple[FadeOverlay, QVariantAnimation]] = {}

    @property
    def is_moving(self) -> bool:
        """Whether an animation runs."""
        return bool(self._moving)

    def begin(self, widget: QWidget) -> None:
        """Fade a new widget in, unless there are too many."""
        if not self._rate.is_calm():
            self.finish()
        elif not self._theme.reduced_motion:
            overlay = FadeOverlay(self._theme, self._ground, widget)
            motion = QVariantAnimation(overlay)
            motion.setDuration(MOTION_MS)
            motion.setStartValue(0.0)
            motion.setEndValue(1.0)
            motion.valueChanged.connect(overlay.reveal)
            motion.finished.connect(lambda: self._end(widget))
            widget.installEventFilter(self)
            self._moving[widget] = (overlay, motion)
            motion.start(QAbstractAnimation.DeletionPolicy.KeepWhenStopped)

    def finish(self) -> None:
        """End all animations now."""
        for moving in tuple(self._moving):
            self._end(moving)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(watched, QWidget):
            if event.type() is QEvent.Type.Hide:
                self._end(watched)
            elif event.type() is QEvent.Type.Resize and watched in self._moving:
                self._moving[watched][0].cover()
        return False

    def _end(self, widget: QWidget) -> None:
        if widget in self._moving:
            overlay, motion = self._moving.pop(widget)
            widget.removeEventFilter(self)
            motion.stop()
            overlay.hide()
            overlay.deleteLater()
