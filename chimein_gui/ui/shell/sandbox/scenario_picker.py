"""The scenario picker: opens below the sandbox badge, starts the chosen scenario, and closes.

It is a child widget over the panes: a separate window would take the focus in ways that differ by desktop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.ui.panes.rehearsal.scenario_list import ScenarioList
from chimein_gui.ui.widgets.controls.action_button import ActionButton
from chimein_gui.ui.widgets.controls.model_switch import ModelSwitch
from chimein_gui.ui.widgets.surfaces.inline_message import InlineMessage
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.rehearsal.commands import RehearsalCommand
from chimein_gui.viewmodels.rehearsal.rehearsal import RehearsalModel

if TYPE_CHECKING:
    from chimein_gui.viewmodels.rehearsal.model_choice import ModelChoiceModel

WIDTH = 392
MOST_HEIGHT = 440


class ScenarioPicker(QFrame):
    """A list and two buttons.

    Attributes:
        pane_requested: The operator wants to see the Rehearsal pane.
    """

    pane_requested = Signal()

    def __init__(
        self, theme: Theme, rehearsal: RehearsalModel, model_choice: ModelChoiceModel, window: QWidget
    ) -> None:
        super().__init__(window)
        self._theme, self._rehearsal = theme, rehearsal
        self._before: QWidget | None = None
        self._opener: QWidget | None = None
        self._plays_next = False
        self.setAccessibleName(self.tr("Play a scenario"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list = ScenarioList(theme, rehearsal)
        self.models = ModelSwitch(theme, model_choice, self)
        self.stop = ActionButton(theme, self.tr("Stop"), icon="stop")
        self.pane = ActionButton(theme, self.tr("Rehearsal"), icon="clapper")
        self.pane.setAccessibleName(self.tr("Open the Rehearsal pane"))
        self._none = PlainLabel(theme, self.tr("This sandbox has no scenarios."), Face.BODY, "text2")
        self._refused = InlineMessage(theme)
        self._column = QVBoxLayout(self)
        self._build()
        self.list.play_pressed.connect(self._play)
        self.list.clicked.connect(lambda _index: self._play_row())
        self.stop.clicked.connect(rehearsal.commands.stop)
        self.pane.clicked.connect(self._open_pane)
        rehearsal.changed.connect(self._follow)
        theme.changed.connect(self.update)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._leave)
        self.hide()

    def _build(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(14, 10, 14, 6)
        head.addWidget(PlainLabel(self._theme, self.tr("Play a scenario"), Face.TITLE))
        head.addWidget(ElidedLabel(self._theme, self.tr("with simulated people"), Face.SMALL, "text3"), 1)
        head.setSpacing(10)
        foot = QHBoxLayout()
        set_rtl_margins(foot, 14, 8, 12, 10)
        foot.setSpacing(8)
        foot.addWidget(self._refused, 1)
        foot.addStretch(1)
        for button in (self.stop, self.pane):
            button.setAutoDefault(True)
            foot.addWidget(button)
        self._none.setContentsMargins(14, 8, 14, 16)
        column = self._column
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.list, 1)
        column.addWidget(self._none)
        self.models.setContentsMargins(14, 8, 14, 0)
        column.addWidget(self.models)
        column.addLayout(foot)

    def open_under(self, opener: QWidget, place: QPoint) -> None:
        """Show it with its top left corner at `place` in the window; the current or last scenario is selected.

        It closes when it loses the focus, except to `opener`, which closes it itself.
        """
        self._opener = opener
        window = self.window()
        now = self._rehearsal.scenario
        if now is not None:
            self.list.choose(now.name)
        known = len(self._rehearsal.cast.scenarios)
        self._none.setVisible(not known)
        self.list.setVisible(known > 0)
        self._follow()
        width = min(WIDTH, window.width() - 24)
        focus = QApplication.focusWidget()
        self._before = focus if focus is not None and not self.isAncestorOf(focus) else None
        self.resize(width, 200)
        self.show()
        self.raise_()
        self._column.activate()  # the rows' heights depend on the width
        around = self._column.sizeHint().height() - (self.list.sizeHint().height() if known else 0)
        wanted = around + (self.list.contents_height() if known else 0)
        height = min(wanted, MOST_HEIGHT, window.height() - place.y() - 12)
        self.setGeometry(min(place.x(), window.width() - width - 12), place.y(), width, height)
        (self.list if known else self.pane).setFocus(Qt.FocusReason.PopupFocusReason)

    def dismiss(self) -> None:
        """Hide it, and return the focus."""
        if not self.isVisible():
            return
        before, self._before = self._before, None
        inside = self.isAncestorOf(QApplication.focusWidget() or self.window())
        self.hide()
        if inside and before is not None and before.isVisible():
            before.setFocus(Qt.FocusReason.PopupFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color("unreal"), 1))
        painter.setBrush(self._theme.color("pane"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 10, 10)
        painter.end()

    def _play_row(self) -> None:
        row = self.list.chosen()
        if row is not None:
            self._play(row.scenario.name)

    def _play(self, name: str) -> None:
        self._plays_next = True
        self._rehearsal.commands.play(name)

    def _follow(self) -> None:
        """Close it when the sandbox has started the scenario; a refusal stays visible."""
        self.stop.setVisible(self._rehearsal.plays())
        gone = self.tr("The sandbox has stopped.") if self._rehearsal.gone else ""
        refusal = gone or self._rehearsal.refusal(RehearsalCommand.SCENARIO)
        self._refused.refuse(refusal)
        if self._plays_next and not self._rehearsal.busy(RehearsalCommand.SCENARIO):
            self._plays_next = False
            if not refusal:
                self.dismiss()

    def _open_pane(self) -> None:
        self._before = None
        self.hide()
        self.pane_requested.emit()

    def _leave(self, _before: QWidget | None, now: QWidget | None) -> None:
        inside = now is None or now is self or now is self._opener or self.isAncestorOf(now)
        if self.isVisible() and not inside:
            self._before = None
            self.hide()
