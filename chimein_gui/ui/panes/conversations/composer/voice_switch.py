"""In the sandbox only: as whom one speaks, the agent (teal, its square) or the partner (violet, a circle)."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QSizePolicy

from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face, Theme

if TYPE_CHECKING:
    from chimein_gui.ui.pane import PaneContext

FACE = 16.0


class SendAs(StrEnum):
    """As whom the operator speaks."""

    AGENT = "agent"
    PARTNER = "partner"


class _Segment(QPushButton):
    """One of the two."""

    def __init__(self, theme: Theme, voice: SendAs) -> None:
        super().__init__()
        self._theme, self.voice = theme, voice
        self.name, self.identity, self.is_group = "", 0, False
        self.setCheckable(True)
        self.setAutoDefault(False)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def say(self, words: str, name: str, identity: int = 0, *, group: bool = False) -> None:
        """Set whom it stands for."""
        self.name, self.identity, self.is_group = name, identity, group
        self.setText(words)
        self.setAccessibleName(words)
        self.updateGeometry()
        self.update()

    def setText(self, text: str) -> None:
        super().setText(text)
        self.setShortcut("")  # Qt makes a key of the & in a name

    def sizeHint(self) -> QSize:
        metrics = self._theme.metrics(Face.SMALL_STRONG)
        return QSize(round(metrics.horizontalAdvance(self.text()) + FACE + 26), max(24, round(metrics.height() * 1.6)))

    def minimumSizeHint(self) -> QSize:
        return QSize(64, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        unreal = self.voice is SendAs.PARTNER
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        if self.isChecked():
            painter.setPen(QPen(theme.color("unreal" if unreal else "accent"), 1))
            painter.setBrush(theme.color("unreal_soft" if unreal else "accent_soft"))
            painter.drawRoundedRect(frame, 7, 7)
        if self.hasFocus():
            painter.setPen(QPen(theme.color("accent"), 1.6))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(frame.adjusted(2, 2, -2, -2), 5, 5)
        face = QRectF(8, (self.height() - FACE) / 2, FACE, FACE)
        if unreal:
            marks.draw_circle(painter, theme, face, self.name, group=self.is_group)
        else:
            marks.draw_square(painter, theme, face, self.name, self.identity)
        token = ("unreal" if unreal else "accent_text") if self.isChecked() else "text2"
        font = Face.SMALL_STRONG if self.isChecked() else Face.SMALL
        words = elided(theme.metrics(font), self.text(), self.width() - FACE - 20)
        left = QPointF(FACE + 14, self.height() / 2)
        marks.draw_line(painter, theme.font(font), theme.color(token), left, words)
        painter.end()


class VoiceSwitch(Surface):
    """Two segments; arrows change between them.

    Attributes:
        chosen: A `SendAs`.
    """

    chosen = Signal(object)

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context.theme, "pane", top_line="line")
        self._theme = context.theme
        self.setAccessibleName(self.tr("Speak as"))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.segments = {voice: _Segment(self._theme, voice) for voice in SendAs}
        self._group = QButtonGroup(self)
        row = QHBoxLayout(self)
        set_rtl_margins(row, 16, 6, 14, 0)
        row.setSpacing(6)
        for segment in self.segments.values():
            self._group.addButton(segment)
            row.addWidget(segment)
        row.addStretch(1)
        self._group.buttonToggled.connect(self._toggled)

    def name_sides(self, agent: str, identity: int, partner: str, *, group: bool) -> None:
        """Say who the two are; names are foreign."""
        who = self.tr("as {who}").format(who=foreign_text.isolated(foreign_text.short(agent, 32)))
        self.segments[SendAs.AGENT].say(who, agent, identity)
        other = foreign_text.isolated(foreign_text.short(partner, 32))
        words = self.tr("as a member of {group}") if group else self.tr("as {who} (partner)")
        self.segments[SendAs.PARTNER].say(words.format(who=other, group=other), partner, group=group)

    def choose(self, voice: SendAs) -> None:
        """Speak as one of them."""
        self.segments[voice].setChecked(True)

    def _toggled(self, button: QPushButton, checked: bool) -> None:
        if checked and isinstance(button, _Segment):
            self.chosen.emit(button.voice)
