"""A scroll area that is as high as its contents if it can be, and scrolls otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

LEAST = 72


class ScrollBox(QScrollArea):
    """It has no frame, no background and no focus."""

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._inside = inside
        self.setWidget(inside)
        for ground in (inside, self.viewport()):
            ground.setAutoFillBackground(False)

    def sizeHint(self) -> QSize:
        return QSize(self._inside.sizeHint().width(), self.height_of(max(1, self.width())))

    def height_of(self, width: int) -> int:
        """Return the height in which nothing has to be scrolled in such a width, px."""
        inside = self._inside
        return inside.heightForWidth(width) if inside.hasHeightForWidth() else inside.sizeHint().height()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, min(LEAST, self.sizeHint().height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
        if event.oldSize().width() != event.size().width():
            self.updateGeometry()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # the contents have grown or shrunk
            self._fit()
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        # A visible scroll bar makes texts wrap earlier, and would then be needed only because of itself.
        fits = self.height() >= self.sizeHint().height()
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if fits else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setVerticalScrollBarPolicy(policy)
