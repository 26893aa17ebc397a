"""The empty state of a pane: an icon, a title, one or two sentences, and buttons."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.spoken_role import speak_as_place, speak_nothing
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme import icons
from chimein_gui.ui.widgets.theme.theme import Face, Theme

MOST_IN_A_ROW = 2

Actions = tuple[tuple[str, Callable[[], None]], ...]


WIDEST = 300
"""Maximum width of the labels, px: a sentence is split into two lines of similar length."""


class _Tile(QWidget):
    def __init__(self, theme: Theme, icon: str, color: str, ground: str) -> None:
        super().__init__()
        self._theme, self._icon, self._color, self._ground = theme, icon, color, ground
        self.setFixedSize(64, 64)
        theme.changed.connect(self.update)

    def show_icon(self, icon: str, color: str) -> None:
        if (icon, color) != (self._icon, self._color):
            self._icon, self._color = icon, color
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color(self._ground))
        painter.drawRoundedRect(QRectF(self.rect()), 20, 20)
        icons.draw(painter, self._icon, self._theme.color(self._color), QRectF(17, 17, 30, 30))
        painter.end()


class EmptyState(QWidget):
    """Its contents are centred at two fifths of the height."""

    def __init__(
        self, theme: Theme, icon: str, *, color: str = "text2", ground: str = "raised", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._said: tuple[str, str, Actions] | None = None
        self._offered: tuple[Actions, Kind, tuple[Kind, ...]] | None = None
        self._title = PlainLabel(theme, "", Face.TITLE)
        self._lines = PlainLabel(theme, "", Face.BODY, "text2")
        self._buttons = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._buttons.setSpacing(8)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(0)
        column.addStretch(4)
        self._tile = _Tile(theme, icon, color, ground)
        column.addWidget(self._tile, 0, Qt.AlignmentFlag.AlignHCenter)
        for widget, gap in ((self._title, 20), (self._lines, 8)):
            column.addSpacing(gap)
            widget.setWordWrap(True)
            widget.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            widget.setMaximumWidth(WIDEST)
            row = QHBoxLayout()
            row.addStretch(1)
            row.addWidget(widget, 100)
            row.addStretch(1)
            column.addLayout(row)
        column.addSpacing(16)
        column.addLayout(self._buttons)
        self._below = QVBoxLayout()
        column.addLayout(self._below)
        column.addStretch(6)

    def take_focus(self) -> None:
        """Make it a stop for the keyboard. Its name has all its words, so its labels are silent. Call it first."""
        speak_as_place(self)
        for label in (self._title, self._lines):
            speak_nothing(label)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def show_icon(self, icon: str, color: str) -> None:
        """Show another icon, in the colour of a token."""
        self._tile.show_icon(icon, color)

    def add_below(self, widget: QWidget) -> None:
        """Add a centred widget below the buttons."""
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(widget, 100)
        row.addStretch(1)
        self._below.addLayout(row)

    def say(
        self, title: str, lines: str, actions: Actions = (), *, loud: Kind = Kind.PRIMARY, kinds: tuple[Kind, ...] = ()
    ) -> None:
        """Set the texts and the buttons.

        Args:
            title: One line.
            lines: One or two sentences.
            actions: Label and callback of each button; more than two are stacked.
            loud: Kind of the first button: violet if it only affects the sandbox.
            kinds: Kind of each button; replaces `loud`.
        """
        if self._said == (title, lines, actions):
            return
        self._said = (title, lines, actions)
        self._title.setText(title)
        self._lines.setText(lines)
        self.setAccessibleName(f"{title}. {lines}")
        if self._offered != (actions, loud, kinds):  # another text alone needs no new buttons
            self._offered = (actions, loud, kinds)
            self._offer(*self._offered)

    def _offer(self, actions: Actions, loud: Kind, kinds: tuple[Kind, ...]) -> None:
        while (item := self._buttons.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        stacked = len(actions) > MOST_IN_A_ROW
        down, along = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._buttons.setDirection(down if stacked else along)
        self._buttons.addStretch(0 if stacked else 1)
        made = []
        for place, (word, do) in enumerate(actions):
            kind = kinds[place] if place < len(kinds) else Kind.PLAIN if place else loud
            button = ActionButton(self._theme, word, kind=kind)
            button.clicked.connect(lambda _checked=False, do=do: do())
            self._buttons.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter if stacked else Qt.AlignmentFlag(0))
            made.append(button)
        width = max((button.sizeHint().width() for button in made), default=0)
        for button in made if stacked else ():
            button.setMinimumWidth(width)
            button.center_words()
        self._buttons.addStretch(0 if stacked else 1)
