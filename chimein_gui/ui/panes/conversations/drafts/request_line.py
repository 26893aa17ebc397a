"""A line above the drafts that needs the operator: an icon, a text, and buttons."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from chimein_gui.ui.pane import PaneContext
from chimein_gui.ui.panes.conversations.drafts.requests import ChatRequest
from chimein_gui.ui.widgets.controls.action_button import ActionButton
from chimein_gui.ui.widgets.text.labels import ElidedLabel
from chimein_gui.ui.widgets.text.wrapped_text import WrappedText
from chimein_gui.ui.widgets.theme import icons
from chimein_gui.ui.widgets.theme.mirror import set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face

MOST_BUTTONS = 2


class RequestLine(QWidget):
    """It is drawn as a draft is, dashed where a draft is: it stands among them, and is no message about them.

    Its buttons, and with them the focus, stay when the text changes.
    """

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._theme = context.theme
        self._ask: ChatRequest | None = None
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._title = ElidedLabel(self._theme, "", Face.SMALL_STRONG, "text2")
        self._text = WrappedText(self._theme, "text2")
        self.buttons = [ActionButton(self._theme, "") for _ in range(MOST_BUTTONS)]
        column = QVBoxLayout(self)
        set_rtl_margins(column, 15, 8, 14, 9)
        column.setSpacing(5)
        head = QHBoxLayout()
        head.addSpacing(20)
        head.addWidget(self._title, 1)
        column.addLayout(head)
        column.addWidget(self._text)
        self._actions = QHBoxLayout()
        self._actions.setSpacing(7)
        for place, button in enumerate(self.buttons):
            self._actions.addWidget(button)
            button.clicked.connect(self._pressed(place))
        self._actions.addStretch(1)
        column.addLayout(self._actions)
        self._theme.changed.connect(self.update)

    def show_request(self, ask: ChatRequest) -> None:
        """Show the current text and buttons."""
        self._ask = ask
        self._title.setText(ask.label.word)
        self._title.set_color(ask.label.token)
        self._text.set_text(ask.text)
        self._text.setVisible(bool(ask.text))
        for place, button in enumerate(self.buttons):
            offered = place < len(ask.actions)
            button.setVisible(offered)
            if offered:
                action = ask.actions[place]
                button.set_look(action.words, icon=action.icon, kind=action.kind)
                button.setAccessibleName(f"{action.words}: {ask.label.word}")
        self.setAccessibleName(f"{ask.label.word}: {ask.text}")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        greyed = self._ask is not None and self._ask.greyed
        pen = QPen(self._theme.color("line_strong"), 1)
        if greyed:
            pen.setDashPattern([4, 3])  # as on a draft
        painter.setPen(pen)
        painter.setBrush(self._theme.color("raised" if greyed else "card"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 10, 10)
        if self._ask is not None:
            title = self._title.geometry()
            left = 15.0 if not self.isRightToLeft() else self.width() - 30.0
            where = QRectF(left, title.center().y() - 7, 15, 15)
            icons.draw(painter, self._ask.label.icon, self._theme.color(self._ask.label.token), where)
        painter.end()

    def _pressed(self, place: int) -> Callable[[], None]:
        def press() -> None:
            if self._ask is not None and place < len(self._ask.actions):
                self._ask.actions[place].do()

        return press
