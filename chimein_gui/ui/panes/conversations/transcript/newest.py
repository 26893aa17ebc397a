"""Widgets over the lower edge of a transcript: a fading edge, and a button that scrolls to the newest message."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QWidget

from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_ground, draw_ring, state_of
from chimein_gui.ui.widgets.theme.theme import Theme

SIZE = 36
_BADGE = 10
_MARGIN = 14
_SOFT = 20


class NewestButton(QAbstractButton):
    """Shown while the newest message is not visible."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._view, self._ground = theme, parent, parent
        self.count = 0
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFixedSize(SIZE + 8, SIZE + _BADGE)
        self.setObjectName("newest")
        theme.changed.connect(self.update)
        self.set_count(0)
        self.hide()

    def sizeHint(self) -> QSize:
        return QSize(SIZE + 8, SIZE + _BADGE)

    def set_count(self, count: int) -> None:
        """Show how many messages arrived since the operator scrolled up."""
        self.count = count
        words = self.tr("Back to the newest message")
        self.setAccessibleName(self.tr("{words}, {n} new").format(words=words, n=count) if count else words)
        self.setToolTip(words)
        self.update()

    def lie_on(self, ground: QWidget) -> None:
        """Become a child of `ground`, not of the view, in which screen readers find only rows."""
        self._ground = ground
        self.setParent(ground)
        self.raise_()

    def place(self) -> None:
        """Move to the lower corner of the view, beside its scroll bar."""
        area = self._view.rect()
        x = _MARGIN if self.isRightToLeft() else area.right() - self.width() - _MARGIN
        corner = QPoint(x, area.bottom() - self.height() - _MARGIN + 4)
        self.move(self._view.mapTo(self._ground, corner))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        circle = QRectF(4, _BADGE, SIZE, SIZE).adjusted(1, 1, -1, -1)
        colours = colours_of(theme, Role.PLAIN, state_of(self))
        draw_ground(painter, colours, circle, circle.width() / 2)
        draw_ring(painter, colours, circle, circle.width() / 2, 2)
        icons.draw(painter, "arrow-down", colours.ink, circle.adjusted(8, 8, -8, -8))
        if self.count:
            text = str(self.count) if self.count < 1000 else "999+"
            width = marks.badge_width(theme, text)
            middle = marks.badge_height(theme) / 2 + 1
            marks.draw_badge(painter, theme, circle.center().x() + width / 2, middle, text, "track")
        painter.end()


class SoftEdge(QWidget):
    """Fades the messages into the background above a draft or the composer."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._view = theme, parent
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        theme.changed.connect(self.update)
        self.hide()

    def place(self, viewport: QRect) -> None:
        """Move to the lower edge of the viewport."""
        self.setGeometry(viewport.left(), viewport.bottom() + 1 - _SOFT, viewport.width(), _SOFT)

    def paintEvent(self, event: QPaintEvent) -> None:
        ground = self._theme.color("chat")
        clear = QColor(ground)
        clear.setAlpha(0)
        fade = QLinearGradient(0, 0, 0, self.height() - 1)
        fade.setColorAt(0, clear)
        fade.setColorAt(1, ground)
        painter = QPainter(self)
        painter.fillRect(self.rect(), fade)
        painter.end()
