"""The bar at the top: what it is, whether it is connected, and what waits."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolBar, QWidget

from chimein_gui.ui.shell.chip import Chip
from chimein_gui.ui.shell.hold_switch import BacklogOpener, HoldSwitch
from chimein_gui.ui.widgets import icons
from chimein_gui.ui.widgets.labels import PlainLabel
from chimein_gui.ui.widgets.marks import Sign
from chimein_gui.ui.widgets.theme import Face, Theme
from chimein_gui.viewmodels.window_models import WindowModels


class _Brand(QWidget):
    """The mark, centred over the rail."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setFixedWidth(64)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tile = QRectF(self.width() / 2 - 13, self.height() / 2 - 13, 26, 26)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("accent"))
        painter.drawRoundedRect(tile, 7, 7)
        icons.draw(painter, "brand", self._theme.color("on_accent"), tile.adjusted(4, 4, -4, -4))
        painter.end()


class TopBar(QToolBar):
    """Fixed; plain widgets.

    Attributes:
        queue_pressed: The operator wants to see what waits.
        agents_pressed: The operator wants to see the accounts.
        place_of_sandbox: Where the sandbox puts its badge; empty in a live run.
    """

    queue_pressed = Signal()
    agents_pressed = Signal()

    def __init__(self, theme: Theme, models: WindowModels) -> None:
        super().__init__()
        self._models = models
        self.setObjectName("top_bar")
        self.setWindowTitle(self.tr("Summary"))
        self.setMovable(False)
        self.setFloatable(False)
        self.toggleViewAction().setEnabled(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.connections, self.queue = Chip(theme), Chip(theme)
        self.hold = HoldSwitch(theme, models.holds)
        BacklogOpener(theme, models.holds, self.hold)
        inside = QWidget()
        inside.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        inside.setFixedHeight(48)
        row = QHBoxLayout(inside)
        row.setContentsMargins(0, 0, 12, 0)
        row.setSpacing(12)
        row.addWidget(_Brand(theme))
        row.addWidget(PlainLabel(theme, "Chimein", Face.TITLE))
        self.place_of_sandbox = QHBoxLayout()
        self.place_of_sandbox.setSpacing(8)
        row.addLayout(self.place_of_sandbox)
        row.addStretch(1)
        row.addWidget(self.hold)
        row.addWidget(self.connections)
        row.addWidget(self.queue)
        self.addWidget(inside)
        self.queue.clicked.connect(self.queue_pressed)
        self.connections.clicked.connect(self.agents_pressed)
        models.agents.summary_changed.connect(self.refresh)
        models.approvals.waiting_changed.connect(self.refresh)
        models.clock.ticked.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Count again."""
        up, whole = self._models.agents.counts()
        self.connections.setVisible(whole > 0)
        if whole:
            words = self.tr("{up} of {all} connected").format(up=up, all=whole)
            self.connections.say(Sign("wifi" if up else "plug", words, "text2"))
        waiting, since = self._models.approvals.waiting_count, self._models.approvals.waiting_since
        self.queue.setVisible(self._models.approvals.loaded)
        if since is None:
            self.queue.say(Sign("ok-circle", self.tr("Nothing waits"), "ok"))
            return
        age = self._models.clock.age(since)
        words = self.tr("{n} waiting").format(n=waiting)
        self.queue.say(Sign("approvals", words, "attention"), self.tr("oldest {age}").format(age=age), "attention_soft")
