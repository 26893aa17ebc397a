"""The dialog with a pane's keyboard shortcuts; "?" opens it."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox, QDialog, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.ui.widgets.controls.action_button import ActionButton
from chimein_gui.ui.widgets.controls.check_box import CheckBox
from chimein_gui.ui.widgets.text.labels import PlainLabel
from chimein_gui.ui.widgets.theme.keycaps import key_name
from chimein_gui.ui.widgets.theme.theme import GROUND, Face, Theme
from chimein_gui.viewmodels.preferences.single_keys import SingleKeys

WIDTH = 460
"""Width of the dialog at the usual text size, in logical pixels."""

KeyRows = tuple[tuple[tuple[str, ...], str], ...]


class _Caps(QWidget):
    """Key names drawn as keycaps, in a row."""

    def __init__(self, theme: Theme, keys: tuple[str, ...]) -> None:
        super().__init__()
        self._theme, self._keys = theme, tuple(map(key_name, keys))
        self.setAccessibleName(" / ".join(self._keys))
        theme.changed.connect(self.update)

    def _width(self, key: str) -> float:
        return max(22.0, QFontMetricsF(self._theme.font(Face.SMALL)).horizontalAdvance(key) + 12)

    def sizeHint(self) -> QSize:
        return QSize(round(sum(self._width(key) + 4 for key in self._keys)), 26)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._theme.font(Face.SMALL))
        x = 0.5
        for key in self._keys:
            cap = QRectF(x, (self.height() - 20) / 2, self._width(key), 20)
            painter.setPen(QPen(self._theme.color("line_strong"), 1))
            painter.setBrush(self._theme.color("card"))
            painter.drawRoundedRect(cap, 4, 4)
            painter.setPen(self._theme.color("text1"))
            painter.drawText(cap, Qt.AlignmentFlag.AlignCenter, key)
            x += self._width(key) + 4
        painter.end()


class KeyHelp(QDialog):
    """Lists shortcuts and says when they work. A checkbox switches single-key shortcuts off."""

    def __init__(self, theme: Theme, title: str, rows: KeyRows, single_keys: SingleKeys, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.setProperty(GROUND, "card")
        grid = QGridLayout()
        grid.setHorizontalSpacing(18)
        grid.setVerticalSpacing(5)
        for place, (keys, words) in enumerate(rows):
            grid.addWidget(_Caps(theme, keys), place, 0, Qt.AlignmentFlag.AlignLeft)
            what = PlainLabel(theme, words)
            what.setWordWrap(True)
            grid.addWidget(what, place, 1)
        grid.setColumnStretch(1, 1)
        when = PlainLabel(
            theme,
            self.tr(
                "Shortcuts work while Approvals is focused, not while typing. A card must be in view for a"
                " moment before a key decides on it."
            ),
            Face.SMALL,
            "text2",
        )
        when.setWordWrap(True)
        self.switch: QCheckBox = CheckBox(theme, self.tr("Single-key shortcuts"))
        self.switch.setChecked(single_keys.enabled)
        self.switch.toggled.connect(single_keys.set_enabled)
        self.leave = ActionButton(theme, self.tr("Close"))
        self.leave.clicked.connect(self.reject)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(self.leave)
        column = QVBoxLayout(self)
        column.setContentsMargins(22, 18, 22, 16)
        column.setSpacing(12)
        column.addWidget(PlainLabel(theme, title, Face.TITLE))
        column.addLayout(grid)
        column.addWidget(when)
        column.addWidget(self.switch)
        column.addLayout(foot)
        self.setMinimumWidth(430)
        width = max(430, round(WIDTH * theme.percent / 100))
        self.resize(width, column.heightForWidth(width))  # Qt's own first size cuts the second line of a text
        self.leave.setFocus()
