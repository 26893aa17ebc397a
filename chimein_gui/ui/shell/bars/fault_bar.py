"""The bar below the top bar: one problem at a time, what it means for messages, and what to do."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolBar, QWidget

from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.spoken_role import announce, speak_as_alert
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.text.tips import give_tip
from chimein_gui.ui.widgets.theme import icons
from chimein_gui.ui.widgets.theme.mirror import follow_layout, set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.problems.bars import ProblemModel
from chimein_gui.viewmodels.problems.words import SEVERITY_TOKENS, Problem

MOST_ACTIONS = 2
CAUSE, CONSEQUENCE, RAW = 160, 300, 300
LEAST_REMEDY = 24
"""Width of the remedy where there is no room, px."""

LEAST_CAUSE = 200
"""Width in px that the cause keeps beside a long remedy, where the service's own words can give way."""


class BarStrip(QWidget):
    """The background of the bar: a light fill, with a stripe and an icon in the colour of the severity.

    Attributes:
        resized: Its size has changed.
    """

    resized = Signal()

    def __init__(self, theme: Theme, height: int = 44) -> None:
        super().__init__()
        self._theme = theme
        self.token, self.icon = "danger", "alert"
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumHeight(height)
        theme.changed.connect(self.update)

    def look(self, token: str, icon: str) -> None:
        """Set the colour and the icon."""
        self.token, self.icon = token, icon
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        color = self._theme.color
        painter.fillRect(self.rect(), color(f"{self.token}_soft"))
        follow_layout(painter, self)
        painter.fillRect(0, 0, 4, self.height(), color(self.token))
        painter.fillRect(0, self.height() - 1, self.width(), 1, color("line"))
        icons.draw(painter, self.icon, color(self.token), QRectF(20, self.height() / 2 - 9, 18, 18))
        painter.end()


class FaultBar(QToolBar):
    """Stays visible as long as the problem lasts.

    Attributes:
        asked: The operator pressed a button of the bar; carries its `BarAction`.
    """

    asked = Signal(object)

    def __init__(self, theme: Theme, bars: ProblemModel) -> None:
        super().__init__()
        self._bars = bars
        self.setObjectName("fault_bar")
        self.setWindowTitle(self.tr("Problems"))
        self.setMovable(False)
        self.setFloatable(False)
        self.toggleViewAction().setEnabled(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.strip = BarStrip(theme)
        speak_as_alert(self.strip)
        self._cause = ElidedLabel(theme, "", Face.STRONG, "danger")
        self._remedy = ElidedLabel(theme, "", Face.BODY, "text1")
        self._raw = ElidedLabel(theme, "", Face.BODY, "text2")
        self._number = PlainLabel(theme, "", Face.SMALL, "text2")
        self._back = ActionButton(theme, "", icon="caret-left", kind=Kind.QUIET)
        self._next = ActionButton(theme, "", icon="caret-right", kind=Kind.QUIET)
        self._close = ActionButton(theme, "", icon="x", kind=Kind.QUIET)
        self.buttons = tuple(ActionButton(theme, "") for _ in range(MOST_ACTIONS))
        self._build()
        self._shown: tuple[Problem, int, int] | None = None
        bars.changed.connect(self.refresh)
        self.refresh()

    def _build(self) -> None:
        for button, name, do in (
            (self._back, self.tr("Previous problem"), lambda: self._bars.step(-1)),
            (self._next, self.tr("Next problem"), lambda: self._bars.step(1)),
            (self._close, self.tr("Dismiss this problem"), self._dismiss),
        ):
            button.setAccessibleName(name)
            button.setToolTip(name)
            button.setFixedWidth(28)
            button.clicked.connect(do)
        for place, button in enumerate(self.buttons):
            button.clicked.connect(lambda _checked=False, place=place: self._ask(place))
        self._row = row = QHBoxLayout(self.strip)
        set_rtl_margins(row, 48, 4, 10, 4)
        row.setSpacing(8)
        row.addWidget(self._cause)
        self._remedy.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)  # the cause comes first
        row.addWidget(self._remedy, 100_000)
        self._raw.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)  # it takes what is left
        row.addWidget(self._raw, 1)
        row.addWidget(self._back)
        row.addWidget(self._number)
        row.addWidget(self._next)
        for button in reversed(self.buttons):
            row.addWidget(button)
        row.addWidget(self._close)
        self.addWidget(self.strip)
        self.strip.resized.connect(self._share)

    def refresh(self) -> None:
        """Show the current problem; hide the bar if there is none but what a pane in sight asks."""
        bar, many = self._bars.current(), len(self._bars.bars)
        is_asked = bar is not None and many == 1 and bar.key == self._bars.in_pane
        self.setVisible(bar is not None and not is_asked)  # a restored layout may have changed the visibility
        # The countdown of a problem that is not shown changes every second.
        if bar is None or self._shown == (bar, self._bars.place, many):
            return
        self._shown = (bar, self._bars.place, many)
        cause, remedy = foreign_text.line(bar.cause, CAUSE), foreign_text.line(bar.consequence, CONSEQUENCE)
        token = SEVERITY_TOKENS[bar.severity]
        self.strip.look(token, bar.icon)
        self._cause.set_color(token)
        self._cause.setText(cause)
        self._remedy.setText(remedy)
        raw = foreign_text.line(bar.raw, RAW)
        self._raw.setText(raw)
        for label in (self._remedy, self._raw):
            give_tip(label, f"{bar.cause} {bar.consequence} {bar.raw}".strip())
        self._number.setText(self.tr("{place} of {n}").format(place=self._bars.place + 1, n=many))
        for widget in (self._back, self._number, self._next):
            widget.setVisible(many > 1)
        self._offer(bar)
        self._share()
        said = self.tr("Problem: {cause} {remedy}").format(cause=cause, remedy=f"{remedy} {raw}".strip())
        if said != self.strip.accessibleName():
            self.strip.setAccessibleName(said)
            announce(self.strip, at_once=True)

    def enter(self) -> None:
        """Focus the first button of the bar."""
        (self.buttons[0] if self.buttons[0].isVisible() else self._close).setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _offer(self, bar: Problem) -> None:
        for place, button in enumerate(self.buttons):
            action = bar.actions[place] if place < len(bar.actions) else None
            button.setVisible(action is not None)
            if action is not None:
                button.set_look(action.word, kind=Kind.QUIET if place else Kind.PLAIN)
                button.setAccessibleName(f"{action.word}: {foreign_text.line(bar.cause, CAUSE)}")

    def _share(self) -> None:
        """Share the width: first the service's own words give way, then the cause, and the remedy last."""
        row, spacing = self._row, self._row.spacing()
        margins = row.contentsMargins()
        others = (self._back, self._number, self._next, *self.buttons, self._close)
        taken = sum(min(one.sizeHint().width(), one.maximumWidth()) + spacing for one in others if not one.isHidden())
        room = self.strip.width() - margins.left() - margins.right() - taken - 2 * spacing
        least = LEAST_CAUSE if self._raw.text() else room // 2
        most = max(LEAST_CAUSE, least, room - self._remedy.sizeHint().width())
        if most != self._cause.maximumWidth():
            self._cause.setMaximumWidth(most)
        # What is too long is cut, not the cause beside it; a least width would be one of the whole window.
        self._remedy.setMaximumWidth(max(LEAST_REMEDY, self._remedy.sizeHint().width()))

    def _ask(self, place: int) -> None:
        bar = self._bars.current()
        if bar is not None and place < len(bar.actions):
            self.asked.emit(bar.actions[place])

    def _dismiss(self) -> None:
        bar = self._bars.current()
        if bar is not None:
            self._bars.dismiss(bar)
