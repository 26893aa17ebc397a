"""The names of the columns above a painted list."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from chimein_gui.ui.widgets.theme.marks import draw_line
from chimein_gui.ui.widgets.theme.mirror import follow_layout
from chimein_gui.ui.widgets.theme.theme import Face

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtGui import QPaintEvent

    from chimein_gui.ui.widgets.theme.theme import Theme


class Head(NamedTuple):
    """The name of one column.

    Attributes:
        left: Where it begins, px from the leading edge.
        words: The name.
        room: Its width, px.
        token: Its colour.
    """

    left: float
    words: str
    room: float
    token: str = "text3"


class ColumnHeads(QWidget):
    """Screen readers hear the names with each row."""

    def __init__(self, theme: Theme, heads: Callable[[], Iterable[Head]]) -> None:
        """`heads` returns the names for the present width."""
        super().__init__()
        self._theme, self._heads = theme, heads
        theme.changed.connect(self.update)
        theme.fonts_changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        return QSize(200, round(self._theme.metrics(Face.META_STRONG).height()) + 10)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        painter.fillRect(self.rect(), theme.color("pane"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.color("line"))
        follow_layout(painter, self)
        font, middle = theme.font(Face.META_STRONG), self.height() / 2 - 0.5
        for head in self._heads():
            draw_line(painter, font, theme.color(head.token), QPointF(head.left, middle), head.words, head.room)
        painter.end()
