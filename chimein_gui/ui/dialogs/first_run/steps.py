"""The sidebar of the first run: the list of steps, and a button that starts the sandbox instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme import icons, marks
from chimein_gui.ui.widgets.theme.mirror import follow_layout, from_leading_edge, set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face, Theme

if TYPE_CHECKING:
    from collections.abc import Sequence

RAIL = 252
"""Width in logical pixels at a text size of 100 %."""

_DOT, _PITCH = 22.0, 44.0
_BEFORE, _BEHIND, _INSIDE = 18, 16, 14


class StepList(QWidget):
    """The numbered steps, joined by a line; completed ones have a check mark. They can't be clicked."""

    def __init__(self, theme: Theme, names: Sequence[str]) -> None:
        super().__init__()
        self._theme, self._names, self._current = theme, tuple(names), 0
        self._done: frozenset[int] = frozenset()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)
        theme.fonts_changed.connect(self.updateGeometry)
        self.show_step(0, frozenset())

    def show_step(self, current: int, done: frozenset[int]) -> None:
        """Highlight the current step, and mark the completed ones; indices from 0."""
        self._current, self._done = current, done
        words = self.tr("Step {n} of {all}: {name}")
        self.setAccessibleName(words.format(n=current + 1, all=len(self._names), name=self._names[current]))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(RAIL - 40, round(self._pitch() * len(self._names)))

    def _dot(self) -> float:
        return max(_DOT, self._theme.metrics(Face.STRONG).height())

    def _pitch(self) -> float:
        return _PITCH + self._dot() - _DOT

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        follow_layout(painter, self)
        for place in range(len(self._names)):
            self._paint_step(painter, place)
        painter.end()

    def _paint_step(self, painter: QPainter, place: int) -> None:
        theme, size, pitch = self._theme, self._dot(), self._pitch()
        middle = (place + 0.5) * pitch
        dot = QRectF(1, middle - size / 2, size, size)
        now, done = place == self._current, place in self._done
        if place + 1 < len(self._names):
            painter.fillRect(QRectF(size / 2, dot.bottom() + 4, 1.2, pitch - size - 8), theme.color("line_strong"))
        edge = theme.color("accent" if now or done else "line_strong")
        painter.setPen(QPen(edge, 2 if now else 1.2))
        painter.setBrush(theme.color("accent" if done and not now else "accent_soft" if now else "card"))
        painter.drawEllipse(dot)
        if done and not now:
            icons.draw(painter, "check", theme.color("on_accent"), dot.adjusted(4, 4, -4, -4))
        else:
            painter.setPen(theme.color("accent_text" if now else "text2"))
            painter.setFont(theme.font(Face.META_STRONG))
            width = theme.metrics(Face.META_STRONG).horizontalAdvance(str(place + 1))
            marks.draw_words(painter, QRectF(dot.center().x() - width / 2, dot.top(), width + 1, size), str(place + 1))
        face = Face.STRONG if now else Face.BODY
        painter.setFont(theme.font(face))
        painter.setPen(theme.color("text1" if now or done else "text2"))
        room = QRectF(size + 12, dot.top(), self.width() - size - 12, size)
        marks.draw_words(painter, room, elided(theme.metrics(face), self._names[place], room.width()))


class SandboxOut(Surface):
    """A violet box with a button for the sandbox, visible at every step.

    Attributes:
        pressed: The operator wants to try the sandbox instead.
    """

    pressed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "unreal_soft", frame="unreal", radius=8)
        self._theme = theme
        self.start = ActionButton(theme, self.tr("Start the sandbox"), icon="flask", kind=Kind.UNREAL)
        self.start.clicked.connect(lambda _checked=False: self.pressed.emit())
        why = self.tr("The sandbox runs on this computer: no account, no key, no internet.")
        words = PlainLabel(theme, why, Face.SMALL, "text2")
        words.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(_INSIDE, 12, _INSIDE, 14)
        column.setSpacing(8)
        column.addWidget(PlainLabel(theme, self.tr("No key at hand?"), Face.STRONG))
        column.addWidget(words)
        column.addWidget(self.start, 0, Qt.AlignmentFlag.AlignLeft)


class StepRail(QWidget):
    """The sidebar: the program's logo, the steps, and the button for the sandbox."""

    def __init__(self, theme: Theme, names: Sequence[str]) -> None:
        super().__init__()
        self._theme = theme
        self.steps, self.sandbox = StepList(theme, names), SandboxOut(theme)
        head = QHBoxLayout()
        head.setSpacing(10)
        head.addWidget(_Brand(theme))
        names_column = QVBoxLayout()
        names_column.setSpacing(0)
        names_column.addWidget(PlainLabel(theme, "Chimein", Face.TITLE))
        names_column.addWidget(PlainLabel(theme, self.tr("first run"), Face.META, "text2"))
        head.addLayout(names_column, 1)
        column = QVBoxLayout(self)
        set_rtl_margins(column, _BEFORE, 20, _BEHIND, 16)
        column.setSpacing(16)
        column.addLayout(head)
        column.addWidget(self.steps)
        column.addStretch(1)
        column.addWidget(self.sandbox)
        theme.changed.connect(self.update)
        theme.fonts_changed.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        """Make the sidebar wide enough for the whole text of the sandbox button."""
        around = _BEFORE + _BEHIND + 2 * _INSIDE
        self.setFixedWidth(max(RAIL, self.sandbox.start.sizeHint().width() + around))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("pane"))
        painter.fillRect(from_leading_edge(self, self.width() - 1, 0, 1, self.height()), self._theme.color("line"))
        painter.end()


class _Brand(QWidget):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setFixedSize(32, 32)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("accent"))
        painter.drawRoundedRect(QRectF(self.rect()), 8, 8)
        icons.draw(painter, "brand", self._theme.color("on_accent"), QRectF(6, 6, 20, 20))
        painter.end()
