"""A line in place: what was refused and why, or what has been done. Hidden while there is nothing to say."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from chimein_gui.ui.widgets import foreign_text, icons
from chimein_gui.ui.widgets.labels import PlainLabel
from chimein_gui.ui.widgets.marks import Sign
from chimein_gui.ui.widgets.mirror import follow_layout, lean
from chimein_gui.ui.widgets.theme import Face, Theme

_GROUNDS = {"danger": "danger_soft", "unreal": "unreal_soft", "ok": "raised"}


class Notice(QWidget):
    """Icon and words on a soft ground; wraps."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._sign: Sign | None = None
        self._words = PlainLabel(theme, "", Face.SMALL)
        self._words.setWordWrap(True)
        self._words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row = QHBoxLayout(self)
        lean(row, 32, 6, 10, 6)
        row.addWidget(self._words)
        theme.changed.connect(self.update)
        self.hide()

    def say(self, sign: Sign | None) -> None:
        """Show a sign's words, which may be foreign, or nothing."""
        if sign == self._sign:
            return
        self._sign = sign
        words = foreign_text.line(sign.word, 400) if sign is not None else ""
        self._words.setText(words)
        self.setAccessibleName(words)
        self.setVisible(sign is not None)
        self.update()

    def refuse(self, reason: str) -> None:
        """Say why something was refused; nothing if it was not."""
        self.say(Sign("alert", reason, "danger") if reason else None)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._sign is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color(_GROUNDS.get(self._sign.token, "raised")))
        painter.drawRoundedRect(QRectF(self.rect()), 6, 6)
        follow_layout(painter, self)
        top = 6 + (self._words.fontMetrics().height() - 16) / 2
        icons.draw(painter, self._sign.icon, self._theme.color(self._sign.token), QRectF(9, top, 16, 16))
        painter.end()
