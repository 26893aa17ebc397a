"""A line in place: what was refused and why, or what has been done. Hidden while there is nothing to say."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme import icons
from chimein_gui.ui.widgets.theme.marks import IconLabel
from chimein_gui.ui.widgets.theme.mirror import follow_layout, set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face, Theme

_GROUNDS = {"danger": "danger_soft", "unreal": "unreal_soft", "info": "info_soft", "attention": "attention_soft"}
_ICON = 16


class Notice(QWidget):
    """Icon and words on a soft ground; wraps."""

    def __init__(self, theme: Theme, *, roomy: bool = False) -> None:
        """Begin hidden.

        Args:
            theme: Fonts and colours.
            roomy: It stands among the fields of a dialog, not in a row.
        """
        super().__init__()
        self._theme = theme
        self._sign: IconLabel | None = None
        self._side, self._above = (13, 10) if roomy else (9, 6)
        self._words = PlainLabel(theme, "", Face.BODY if roomy else Face.SMALL)
        self._words.setWordWrap(True)
        self._words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row = QHBoxLayout(self)
        set_rtl_margins(row, self._side + _ICON + (9 if roomy else 7), self._above, self._side, self._above)
        row.addWidget(self._words)
        theme.changed.connect(self.update)
        self.hide()

    def say(self, sign: IconLabel | None) -> None:
        """Show a sign's words, which may be foreign, or nothing."""
        if sign == self._sign:
            return
        self._sign = sign
        words = foreign_text.line(sign.word, 400) if sign is not None else ""
        self._words.setText(words)
        self.setAccessibleName(words)
        self.setVisible(bool(words))
        self.update()

    def refuse(self, reason: str) -> None:
        """Say why something was refused; nothing if it was not."""
        self.say(IconLabel("alert", reason, "danger") if reason else None)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._sign is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color(_GROUNDS.get(self._sign.token, "raised")))
        painter.drawRoundedRect(QRectF(self.rect()), 6, 6)
        follow_layout(painter, self)
        top = self._above + (self._words.fontMetrics().height() - _ICON) / 2
        place = QRectF(self._side, top, _ICON, _ICON)
        icons.draw(painter, self._sign.icon, self._theme.color(self._sign.token), place)
        painter.end()
