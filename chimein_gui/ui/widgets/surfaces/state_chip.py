"""A small chip for a state: icon and word on a light background of their colour."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from chimein_gui.ui.widgets.surfaces.surface import soft_ground
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.mirror import follow_layout
from chimein_gui.ui.widgets.theme.theme import Face, Theme

if TYPE_CHECKING:
    from chimein_gui.ui.widgets.theme.marks import IconLabel

_PAD, _ICON, _GAP = 7, 13, 4


class StateChip(QWidget):
    """Hidden while it is empty."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._label: IconLabel | None = None
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)
        theme.fonts_changed.connect(self.updateGeometry)
        self.hide()

    def say(self, label: IconLabel | None) -> None:
        """Show an icon with a word; None hides the chip."""
        if label == self._label:
            return
        self._label = label
        self.setAccessibleName(label.word if label is not None else "")
        self.setVisible(label is not None)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        metrics = self._theme.metrics(Face.META_STRONG)
        word = self._label.word if self._label is not None else ""
        width = 2 * _PAD + _ICON + _GAP + metrics.horizontalAdvance(word)
        return QSize(round(width) + 1, max(20, round(metrics.height() + 5)))

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._label is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, label = self._theme, self._label
        ink, metrics = theme.color(label.token), theme.metrics(Face.META_STRONG)
        width = min(self.width(), self.sizeHint().width())
        follow_layout(painter, self)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color(soft_ground(label.token)))
        painter.drawRoundedRect(QRectF(0, 0, width, self.height()), 4, 4)
        icons.draw(painter, label.icon, ink, QRectF(_PAD, (self.height() - _ICON) / 2, _ICON, _ICON))
        room = QRectF(_PAD + _ICON + _GAP, 0, width - 2 * _PAD - _ICON - _GAP + 2, self.height())
        painter.setPen(ink)
        painter.setFont(theme.font(Face.META_STRONG))
        marks.draw_words(painter, room, elided(metrics, label.word, room.width()))
        painter.end()
