"""The button in the top bar that looks like a search field and opens the command palette."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy

from chimein_gui.ui.widgets.text.elision import elided
from chimein_gui.ui.widgets.theme import icons
from chimein_gui.ui.widgets.theme.control_colours import Role, colours_of, draw_ground, state_of
from chimein_gui.ui.widgets.theme.keycaps import cap_width, draw_cap, key_name
from chimein_gui.ui.widgets.theme.marks import draw_words
from chimein_gui.ui.widgets.theme.mirror import follow_layout
from chimein_gui.ui.widgets.theme.theme import Face, Theme

WIDEST, NARROWEST = 300, 120
_WORDS_FROM = 32


class SearchField(QPushButton):
    """Shrinks in a narrow window."""

    def __init__(self, theme: Theme, key: str) -> None:
        super().__init__()
        self._theme, self._key = theme, key
        self.setText(self.tr("Search or type a command"))
        self.setAccessibleName(self.text())
        self.setAccessibleDescription(self.tr("Key {key}").format(key=key_name(key)))
        self.setToolTip(self.tr("Go to a chat or an agent, or do anything ({key})").format(key=key_name(key)))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMaximumWidth(WIDEST)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(WIDEST, max(28, round(self._theme.metrics(Face.BODY).height() * 1.75)))

    def whole_width(self) -> int:
        """Return the width in px that shows all its words."""
        words = self._theme.metrics(Face.BODY).horizontalAdvance(self.text())
        return min(WIDEST, round(_WORDS_FROM + words + 8 + cap_width(self._theme, self._key) + 7) + 2)

    def minimumSizeHint(self) -> QSize:
        return QSize(NARROWEST, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        follow_layout(painter, self)
        colours = colours_of(self._theme, Role.SEARCH, state_of(self))
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        draw_ground(painter, colours, frame, 6)
        middle = self.height() / 2
        icons.draw(painter, "search", colours.ink, QRectF(9, middle - 8, 16, 16))
        cap = cap_width(self._theme, self._key)
        right = self.width() - 7 - cap
        draw_cap(painter, self._theme, right, middle, self._key)
        painter.setFont(self._theme.font(Face.BODY))
        painter.setPen(colours.ink)
        words = elided(self._theme.metrics(Face.BODY), self.text(), right - 8 - _WORDS_FROM)
        room = QRectF(_WORDS_FROM, 0, right - _WORDS_FROM, self.height())
        draw_words(painter, room, words)
        painter.end()
