"""A fact in the status bar: a small icon and a text that is elided if needed; some can be clicked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy

from chimein_gui.ui.widgets.controls.spoken_role import speak_as_words
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_ring, state_of
from chimein_gui.ui.widgets.theme.mirror import follow_layout
from chimein_gui.ui.widgets.theme.theme import Face, Theme

if TYPE_CHECKING:
    from chimein_gui.ui.widgets.theme.marks import IconLabel

_ICON, _GAP, _PAD = 13.0, 5.0, 7.0


class Fact(QPushButton):
    """Hidden while it is empty. A fact that can't be clicked takes no focus and has the role of static text."""

    def __init__(self, theme: Theme, *, pressable: bool = False) -> None:
        super().__init__()
        self._theme, self._pressable = theme, pressable
        self._label: IconLabel | None = None
        self.setFlat(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if pressable else Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        if pressable:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        else:
            speak_as_words(self)
        theme.changed.connect(self.update)
        self.hide()

    def words(self) -> str:
        """Return the shown text."""
        return self._label.word if self._label is not None else ""

    def say(self, label: IconLabel | None, more: str = "") -> None:
        """Show an icon with words, which must be sanitized already; None hides the fact."""
        if label == self._label:
            return
        longer = label is None or self._label is None or len(label.word) != len(self._label.word)
        self._label = label
        self.setVisible(label is not None)
        self.setAccessibleName(self.words())
        self.setAccessibleDescription(more or self.words())  # else screen readers get the tool tip with its markup
        self.setToolTip(foreign_text.tool_tip(f"{self.words()}. {more}" if more else self.words()))
        if longer:
            self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        metrics = self._theme.metrics(Face.META)
        icon = _ICON + _GAP if self._label is not None and self._label.icon else 0.0
        width = 2 * _PAD + icon + metrics.horizontalAdvance(self.words()) + 4
        return QSize(round(width), max(22, round(metrics.height() + 6)))

    def minimumSizeHint(self) -> QSize:
        return QSize(min(60, self.sizeHint().width()), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._label is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        follow_layout(painter, self)
        color = self._theme.color(self._label.token)
        ring = colours_of(self._theme, Role.BARE, state_of(self))
        draw_ring(painter, ring, QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 1)
        x, middle = _PAD, self.height() / 2
        if self._label.icon:
            icons.draw(painter, self._label.icon, color, QRectF(x, middle - _ICON / 2, _ICON, _ICON))
            x += _ICON + _GAP
        painter.setFont(self._theme.font(Face.META))
        painter.setPen(color)
        words = elided(self._theme.metrics(Face.META), self._label.word, self.width() - x - _PAD + 2)
        marks.draw_words(painter, QRectF(x, 0, self.width() - x, self.height()), words)
        if self._pressable and self.underMouse():
            painter.drawLine(round(x), self.height() - 4, round(self.width() - _PAD), self.height() - 4)
        painter.end()
