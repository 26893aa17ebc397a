"""The switch of the sandbox for the sender: the agent (its avatar) or the partner (a violet dot)."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from chimein_gui.ui.widgets.controls.spoken_role import spoken
from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.theme import marks
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_ground, draw_ring, state_of
from chimein_gui.ui.widgets.theme.mirror import follow_layout, set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face, Theme

if TYPE_CHECKING:
    from chimein_gui.ui.pane import PaneContext

DOT = 8.0
TRACK_PAD = 2
SHOWN_NAME = 16
"""Most characters of a name on a segment."""


class SendAs(StrEnum):
    """As whom the operator writes."""

    AGENT = "agent"
    PARTNER = "partner"


class _Segment(QPushButton):
    """One of the two senders."""

    def __init__(self, theme: Theme, sender: SendAs) -> None:
        super().__init__()
        self._theme, self.send_as = theme, sender
        self.identity = 0
        self.setCheckable(True)
        self.setAutoExclusive(True)  # for screen readers, which are told of a radio button
        self.setAutoDefault(False)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def say(self, word: str, spoken: str, identity: int = 0) -> None:
        """Set the sender that it shows."""
        self.identity = identity
        self.setText(word)
        self.setAccessibleName(spoken)
        self.setAccessibleDescription(spoken)  # else the tool tip is read, with its markup
        self.setToolTip(foreign_text.tool_tip(spoken))
        self.updateGeometry()
        self.update()

    def setText(self, text: str) -> None:
        super().setText(text)
        self.setAccessibleName(spoken(text))
        self.setShortcut("")  # Qt makes a shortcut of an & in the text

    def sizeHint(self) -> QSize:
        metrics = self._theme.metrics(Face.SMALL_STRONG)
        return QSize(round(metrics.horizontalAdvance(self.text()) + DOT + 27), max(24, round(metrics.height() * 1.6)))

    def minimumSizeHint(self) -> QSize:
        return QSize(64, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        follow_layout(painter, self)
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        colours = colours_of(theme, Role.SEGMENT, state_of(self))
        draw_ground(painter, colours, frame, 5)
        draw_ring(painter, colours, frame.adjusted(1, 1, -1, -1), 5)
        dot = QRectF(10, (self.height() - DOT) / 2, DOT, DOT)
        painter.setPen(Qt.PenStyle.NoPen)
        if self.send_as is SendAs.PARTNER:
            painter.setBrush(theme.color("unreal"))
            painter.drawEllipse(dot)
        else:
            painter.setBrush(theme.identity(self.identity))
            painter.drawRoundedRect(dot, 2, 2)
        font = Face.SMALL_STRONG if self.isChecked() else Face.SMALL
        words = elided(theme.metrics(font), self.text(), self.width() - DOT - 25)
        left = QPointF(DOT + 17, self.height() / 2)
        marks.draw_line(painter, theme.font(font), colours.ink, left, words)
        painter.end()


class _Track(QWidget):
    """The background of the segments."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("window" if self._theme.tokens.dark else "track"))
        painter.drawRoundedRect(QRectF(self.rect()), 6, 6)
        painter.end()


class SendAsSwitch(Surface):
    """Two segments; arrow keys switch between them.

    Attributes:
        chosen: The operator chose a sender; carries the `SendAs`.
    """

    chosen = Signal(object)

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context.theme, "pane", top_line="line")
        self._theme = context.theme
        self.setAccessibleName(self.tr("Write as"))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.segments = {sender: _Segment(self._theme, sender) for sender in SendAs}
        self._group = QButtonGroup(self)
        track = _Track(self._theme)
        inside = QHBoxLayout(track)
        inside.setContentsMargins(TRACK_PAD, TRACK_PAD, TRACK_PAD, TRACK_PAD)
        inside.setSpacing(0)
        for segment in self.segments.values():
            self._group.addButton(segment)
            inside.addWidget(segment)
        row = QHBoxLayout(self)
        set_rtl_margins(row, 16, 8, 14, 0)
        row.addWidget(track)
        row.addStretch(1)
        self._group.buttonToggled.connect(self._toggled)

    def name_sides(self, agent: str, identity: int, partner: str, *, group: bool) -> None:
        """Set the names of both senders, which are foreign. Only first words are shown, unless they are the same."""
        short = [next(iter(foreign_text.name(name).split()), "") for name in (agent, partner)]
        if short[0].casefold() == short[1].casefold():
            short = [foreign_text.name(agent), foreign_text.name(partner)]
        first, second = (foreign_text.isolated(foreign_text.short(name, SHOWN_NAME)) for name in short)
        who = self.tr("as {who}").format(who=foreign_text.isolated(foreign_text.short(agent, 32)))
        self.segments[SendAs.AGENT].say(first, who, identity)
        other = foreign_text.isolated(foreign_text.short(partner, 32))
        words = self.tr("as a member of {group}") if group else self.tr("as {who} (partner)")
        word = self.tr("A member") if group else second
        self.segments[SendAs.PARTNER].say(word, words.format(who=other, group=other))

    def choose(self, sender: SendAs) -> None:
        """Select a sender."""
        self.segments[sender].setChecked(True)

    def _toggled(self, button: QPushButton, checked: bool) -> None:
        if checked and isinstance(button, _Segment):
            self.chosen.emit(button.send_as)
