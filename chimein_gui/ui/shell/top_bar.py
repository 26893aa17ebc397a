"""The bar at the top: what it is, whether it is connected, and what waits."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QToolBar, QWidget

from chimein_gui.ui.widgets import icons, marks
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


class Chip(QPushButton):
    """A sign on a soft ground; may be pressed."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._sign, self._more, self._ground = Sign("ok-circle", "", "text2"), "", ""
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def say(self, sign: Sign, more: str = "", ground: str = "") -> None:
        """Show a sign and a few quieter words."""
        if (sign, more, ground) == (self._sign, self._more, self._ground):
            return
        self._sign, self._more, self._ground = sign, more, ground
        self.setAccessibleName(f"{sign.word} {more}".strip())
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        width = 22 + marks.mark_width(self._theme, self._sign.word, self._face()) + 3
        if self._more:
            width += 7 + QFontMetricsF(self._theme.font(Face.SMALL)).horizontalAdvance(self._more)
        return QSize(round(width), max(28, round(QFontMetricsF(self._theme.font(Face.STRONG)).height() * 1.75)))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(QPen(self._theme.color("accent"), 1.6) if self.hasFocus() else Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color(self._ground) if self._ground else QColor(0, 0, 0, 0))
        painter.drawRoundedRect(frame, 6, 6)
        color = self._theme.color(self._sign.token)
        middle = self.height() / 2
        x = marks.draw_mark(painter, self._theme, QPointF(11, middle), self._sign, color, self._face())
        if self._more:
            marks.draw_line(painter, self._theme.font(Face.SMALL), color, QPointF(x + 7, middle), self._more)
        painter.end()

    def _face(self) -> Face:
        return Face.STRONG if self._ground else Face.SMALL


class TopBar(QToolBar):
    """Fixed; plain widgets.

    Attributes:
        queue_pressed: The operator wants to see what waits.
        agents_pressed: The operator wants to see the accounts.
    """

    queue_pressed = Signal()
    agents_pressed = Signal()

    def __init__(self, theme: Theme, models: WindowModels, *, is_sandbox: bool) -> None:
        super().__init__()
        self._models = models
        self.setObjectName("top_bar")
        self.setWindowTitle(self.tr("Summary"))
        self.setMovable(False)
        self.setFloatable(False)
        self.toggleViewAction().setEnabled(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.connections, self.queue = Chip(theme), Chip(theme)
        inside = QWidget()
        inside.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        inside.setFixedHeight(48)
        row = QHBoxLayout(inside)
        row.setContentsMargins(0, 0, 12, 0)
        row.setSpacing(12)
        row.addWidget(_Brand(theme))
        row.addWidget(PlainLabel(theme, "Chimein", Face.TITLE))
        if is_sandbox:
            badge = Chip(theme)
            badge.say(Sign("flask", self.tr("Sandbox"), "unreal"), self.tr("nothing here is real"), "unreal_soft")
            badge.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            row.addWidget(badge)
        row.addStretch(1)
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
        waiting = self._models.approvals.waiting()
        self.queue.setVisible(self._models.approvals.loaded)
        if not waiting:
            self.queue.say(Sign("ok-circle", self.tr("Nothing waits"), "ok"))
            return
        age = self._models.clock.age(waiting[0].created_at)
        words = self.tr("{n} waiting").format(n=len(waiting))
        self.queue.say(Sign("approvals", words, "attention"), self.tr("oldest {age}").format(age=age), "attention_soft")
