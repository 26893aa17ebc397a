"""The switch *Hold everything*, and the dialog that a release opens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy

from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.theme import icons
from chimein_gui.ui.widgets.theme.control_colours import Role, State, colours_of, draw_ground, draw_ring, state_of
from chimein_gui.ui.widgets.theme.keycaps import cap_width, draw_cap
from chimein_gui.ui.widgets.theme.marks import draw_words
from chimein_gui.ui.widgets.theme.mirror import follow_layout
from chimein_gui.ui.widgets.theme.theme import Face, Theme

if TYPE_CHECKING:
    from chimein_gui.domain.holds import Backlog, Hold
    from chimein_gui.ui.dialogs.backlog.dialog import BacklogDialog
    from chimein_gui.viewmodels.holds import HoldModel
    from chimein_gui.viewmodels.window import WindowModels

KEY = "F8"
_KNOB_WIDTH, _KNOB_HEIGHT = 32.0, 18.0
_LEFT, _GAP, _ICON = 11.0, 8.0, 16.0


class HoldSwitch(QPushButton):
    """Shows the engine's state. A press sends a request; the switch changes when the engine reports the new state."""

    _holds: HoldModel

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(self.tr("Hold everything"))
        theme.changed.connect(self.update)
        self._show(None)

    def follow(self, holds: HoldModel) -> None:
        """Show and change the state of this model."""
        self._holds = holds
        self.clicked.connect(self.press)
        self.toggled.connect(self._take_turn)
        holds.changed.connect(self.refresh)
        self.refresh()

    def press(self) -> None:
        """Request to hold everything, or to release it."""
        if self._holds.everything() is None:
            self._holds.hold()
        else:
            self._holds.release()

    def _take_turn(self, on: bool) -> None:
        """Treat a toggle by a screen reader as a press, and reset the button: it must not show a wrong state."""
        if on is not (self._holds.everything() is not None):
            self.setChecked(not on)
            self.press()

    def refresh(self) -> None:
        """Update the switch."""
        held = self._holds.everything()
        self._show(held, 0 if held is not None else len(self._holds.holds))

    def _show(self, held: Hold | None, others: int = 0) -> None:
        self.setChecked(held is not None)
        off = self.tr("Hold everything, {n} in part").format(n=others) if others else self.tr("Hold everything")
        self.setText(self.tr("Everything held") if held is not None else off)
        if held is not None:
            from chimein_gui.viewmodels.words.notes import hold_words  # the first paint does not wait for all reasons

            why = self.tr("Press to release (F8). Nothing is sent yet. {why}").format(why=hold_words(held))
            said = self.tr("Everything is held. Key F8 releases")
        else:
            why = self.tr("Nothing is sent until you release it (F8)")
            said = self.tr("Nothing is sent until you release it. Key F8")
        self.setToolTip(foreign_text.tool_tip(why))
        self.setAccessibleDescription(said)
        self.updateGeometry()
        self.update()

    def nextCheckState(self) -> None:
        """Do nothing: a press does not change the checked state."""

    def sizeHint(self) -> QSize:
        words = self._theme.metrics(Face.STRONG).horizontalAdvance(self.text())
        width = _LEFT + _ICON + _GAP + words + _GAP + cap_width(self._theme, KEY) + _GAP + 2 + _KNOB_WIDTH + _LEFT
        return QSize(round(width) + 3, self._height())

    def minimumSizeHint(self) -> QSize:
        return QSize(round(self.sizeHint().width() - cap_width(self._theme, KEY) - 40), self._height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        follow_layout(painter, self)
        state = state_of(self)
        colours = colours_of(self._theme, Role.HOLD, state)
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        draw_ground(painter, colours, frame, 8)
        draw_ring(painter, colours, frame.adjusted(2, 2, -2, -2), 6)
        middle = self.height() / 2
        icons.draw(painter, "hand", colours.ink, QRectF(_LEFT, middle - _ICON / 2, _ICON, _ICON))
        left = _LEFT + _ICON + _GAP
        right = self.width() - _LEFT - _KNOB_WIDTH
        self._paint_knob(painter, right, middle, state)
        metrics = self._theme.metrics(Face.STRONG)
        cap = cap_width(self._theme, KEY)
        if metrics.horizontalAdvance(self.text()) + _GAP + cap + _GAP <= right - left:
            draw_cap(painter, self._theme, right - _GAP - 2 - cap, middle, KEY, colours)
            right -= cap + _GAP + 2
        painter.setFont(self._theme.font(Face.STRONG))
        painter.setPen(colours.ink)
        words = elided(metrics, self.text(), right - _GAP - left)
        room = QRectF(left, 0, right - left, self.height())
        draw_words(painter, room, words)
        painter.end()

    def _paint_knob(self, painter: QPainter, left: float, middle: float, state: State) -> None:
        colours = colours_of(self._theme, Role.HOLD_TRACK, state)
        track = QRectF(left, middle - _KNOB_HEIGHT / 2, _KNOB_WIDTH, _KNOB_HEIGHT)
        draw_ground(painter, colours, track, _KNOB_HEIGHT / 2)
        size = _KNOB_HEIGHT - 4
        place = track.right() - size - 2 if state.checked else track.left() + 2
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colours.ink)
        painter.drawEllipse(QRectF(place, track.top() + 2, size, size))

    def _height(self) -> int:
        return max(32, round(self._theme.metrics(Face.STRONG).height() * 1.9))


class BacklogOpener(QObject):
    """Opens the review of held messages after a release; there is one dialog for all releases."""

    def __init__(self, theme: Theme, models: WindowModels, switch: HoldSwitch) -> None:
        super().__init__(switch)
        self._theme, self._models, self._switch = theme, models, switch
        self._dialog: BacklogDialog | None = None
        models.holds.backlog_opened.connect(self._open)

    def _open(self, backlog: Backlog) -> None:
        # Not while events are being delivered: a new window takes the focus and paints.
        QTimer.singleShot(0, self, lambda: self._show(backlog))

    def _show(self, backlog: Backlog) -> None:
        from chimein_gui.ui.dialogs.backlog.dialog import BacklogDialog

        if self._dialog is None:
            self._dialog = BacklogDialog(self._theme, self._models, self._switch.window())
        self._dialog.show_backlog(backlog)
