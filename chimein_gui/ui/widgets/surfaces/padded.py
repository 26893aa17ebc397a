"""Room around a widget that comes and goes."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QVBoxLayout, QWidget


class Padded(QWidget):
    """Takes no room while the widget in it is hidden; a layout with margins would keep them."""

    def __init__(self, inside: QWidget, across: int, down: int) -> None:
        """Put a widget in; `across` and `down` are the margins at its sides, and above and below it, px."""
        super().__init__()
        self._inside = inside
        column = QVBoxLayout(self)
        column.setContentsMargins(across, down, across, down)
        column.addWidget(inside)
        if inside.isHidden():
            self.hide()  # not setVisible: a widget that has no parent yet would be shown as a window
        inside.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._inside and event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self.setVisible(event.type() == QEvent.Type.ShowToParent)
        return super().eventFilter(watched, event)
