"""The band that says that nothing here is real."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QHBoxLayout

from chimein_gui.ui.widgets.surfaces.surface import Surface
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme import icons
from chimein_gui.ui.widgets.theme.mirror import follow_layout, set_rtl_margins
from chimein_gui.ui.widgets.theme.theme import Face, blend

if TYPE_CHECKING:
    from chimein_gui.ui.widgets.theme.theme import Theme

_STEP = 9
_ICON = 16


class CannotSendBand(Surface):
    """Hatched violet, the colour of what is not real."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "unreal_soft", bottom_line="line")
        row = QHBoxLayout(self)
        set_rtl_margins(row, 36, 6, 12, 6)
        row.setSpacing(12)
        row.addWidget(PlainLabel(theme, self.tr("What-if: cannot send"), Face.STRONG, "unreal"))
        words = self.tr(
            "No message is sent, nothing is remembered, no draft changes. Tokens are paid for: they count in today’s "
            "costs. The edit lives in this view until you close it."
        )
        said = ElidedLabel(theme, words, Face.SMALL)
        said.setToolTip(words)
        row.addWidget(said, 1)

    def paint_contents(self, painter: QPainter) -> None:
        theme, height = self._theme, self.height()
        painter.setPen(QPen(blend(theme.color("unreal_soft"), theme.color("unreal"), 0.18), 2))
        for left in range(-height, self.width(), _STEP):
            painter.drawLine(left, height, left + height, 0)
        follow_layout(painter, self)
        icons.draw(painter, "flask", theme.color("unreal"), QRectF(13, (height - _ICON) / 2, _ICON, _ICON))
