"""A segmented control: tabs inside a pane, or steps of a scale. Arrow keys move in it, Tab leaves it."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_ground, draw_ring, state_of
from chimein_gui.ui.widgets.theme.theme import Face, Theme

_PAD = 9
_LEAST = 5


class _Segment(QPushButton):
    def __init__(self, theme: Theme, word: str) -> None:
        super().__init__()
        self._theme = theme
        self.setCheckable(True)
        self.setAutoExclusive(True)  # for screen readers, which are told of a radio button; the group keeps it so
        self.setAutoDefault(False)
        theme.apply(self, Face.SMALL_STRONG)
        self.setText(word)
        self.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        theme.changed.connect(self.update)

    def setText(self, text: str) -> None:
        super().setText(text)
        self.setShortcut("")  # Qt makes a shortcut of an & in the text

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.text()) + 2 * _PAD, max(26, round(metrics.height() * 1.7)))

    def minimumSizeHint(self) -> QSize:
        return QSize(self.sizeHint().width() - 2 * _PAD + _LEAST, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5)
        colours = colours_of(self._theme, Role.SEGMENT, state_of(self))
        draw_ground(painter, colours, frame, 5)
        draw_ring(painter, colours, frame, 5)
        painter.setPen(colours.ink)
        painter.setFont(self.font())
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
        painter.end()


class Segments(QWidget):
    """A row of segments, of which one is selected.

    Attributes:
        chosen: The operator selected another segment; carries its index.
    """

    chosen = Signal(int)

    def __init__(self, theme: Theme, words: tuple[str, ...], name: str) -> None:
        super().__init__()
        self._theme = theme
        self.setAccessibleName(name)
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(1, 1, 1, 1)
        row.setSpacing(0)
        for place, word in enumerate(words):
            segment = _Segment(theme, word)
            segment.setAccessibleName(f"{name}: {word}")
            self._group.addButton(segment, place)
            row.addWidget(segment)
        self._group.idToggled.connect(self._toggled)
        self._quiet = False
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def choose(self, place: int) -> None:
        """Select a segment without a signal; -1 selects none."""
        self._quiet = True
        if place >= 0:
            self._group.button(place).setChecked(True)
        elif self.current() >= 0:
            self._group.setExclusive(False)
            self._group.button(self.current()).setChecked(False)
            self._group.setExclusive(True)
        self._quiet = False

    def current(self) -> int:
        """Return the selected index, or -1."""
        return self._group.checkedId()

    def buttons(self) -> tuple[QAbstractButton, ...]:
        """Return the segments."""
        return tuple(self._group.buttons())

    def focus_widget(self) -> QWidget:
        """Return the segment that Tab focuses."""
        return self._group.button(max(0, self.current()))

    def offer(self, words: tuple[str, ...]) -> None:
        """Show the first segments with other words, and hide the others."""
        for place, button in enumerate(self._group.buttons()):
            button.setVisible(place < len(words))
            if place < len(words):
                self.set_word(place, words[place])

    def set_word(self, place: int, word: str) -> None:
        """Set the text of a segment."""
        button = self._group.button(place)
        if button.text() != word:
            button.setText(word)
            button.setAccessibleName(f"{self.accessibleName()}: {word}")
            button.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("window" if self._theme.tokens.dark else "track"))
        painter.drawRoundedRect(QRectF(self.rect()), 6, 6)
        painter.end()

    def _toggled(self, place: int, checked: bool) -> None:
        # Tab focuses the selected segment; any segment if none is selected.
        for button in self._group.buttons():
            entered = button.isChecked() or self.current() < 0
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus if entered else Qt.FocusPolicy.ClickFocus)
        if checked and not self._quiet:
            self.chosen.emit(place)
