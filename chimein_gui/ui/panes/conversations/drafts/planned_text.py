"""What a draft would send, painted like a message of the transcript."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from chimein_gui.ui.messages.contents import parts_of
from chimein_gui.ui.messages.parts import Canvas, Part
from chimein_gui.ui.messages.setting import Setting

if TYPE_CHECKING:
    from chimein_gui.ui.pane import PaneContext
    from chimein_gui.viewmodels.transcript.rows import TranscriptRow

MOST_WIDTHS = 6
"""Most cached widths: a layout asks for the height at several widths before it chooses one."""


class PlannedText(QWidget):
    """Quote, text, sticker or file of one row, without a bubble."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__()
        self._theme, self._pictures = context.theme, context.models.pictures
        self.row: TranscriptRow | None = None
        self._setting = Setting()
        self._laid_out: dict[int, list[Part]] = {}
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._pictures.changed.connect(self._look_again)
        self._theme.changed.connect(self._forget)
        self._theme.fonts_changed.connect(self._forget)

    def show_row(self, row: TranscriptRow, identity: int) -> None:
        """Show a row; an unchanged one is not laid out again."""
        setting = Setting(identity=identity)
        if (row, setting) == (self.row, self._setting):
            return
        self.row, self._setting = row, setting
        self._forget()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        parts = self._parts(width)
        return round(sum(part.height for part in parts) + sum(part.gap for part in parts[:-1]) + 0.5)

    def minimumSizeHint(self) -> QSize:
        return QSize(40, 16)

    def sizeHint(self) -> QSize:
        return QSize(300, self.heightForWidth(max(40, self.width())))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        canvas = Canvas(painter, self._theme, out=False, mirrored=self.isRightToLeft())
        y = 0.0
        for part in self._parts(self.width()):
            part.paint(canvas, QRectF(QPointF(0, y), QPointF(self.width(), y + part.height)))
            y += part.height + part.gap
        painter.end()

    def _parts(self, width: int) -> list[Part]:
        known = self._laid_out.get(width)
        if known is not None:
            return known
        parts: list[Part] = []
        if self.row is not None:
            parts = parts_of(self._theme, self.row, self._setting, float(width), self._pictures)
        for part in parts:
            part.settle(self._theme, float(width))
        if len(self._laid_out) >= MOST_WIDTHS:
            self._laid_out.clear()
        self._laid_out[width] = parts
        return parts

    def _look_again(self, key: object) -> None:
        if self.row is not None and any(message.key == key for message in self.row.messages):
            self._forget()

    def _forget(self) -> None:
        self._laid_out.clear()
        self.updateGeometry()
        self.update()
