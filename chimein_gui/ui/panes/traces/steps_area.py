"""Axis, waterfall and reason box above each other: the waterfall is as high as its rows, or shows whole ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from chimein_gui.ui.panes.traces.waterfall import LEAST_ROWS

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from chimein_gui.ui.panes.traces.reason import ReasonBox
    from chimein_gui.ui.panes.traces.waterfall import TimeAxis, Waterfall


class StepsArea(QWidget):
    """The reason box stands right below the last row.

    Attributes:
        need_changed: The number of rows changed, or the box.
    """

    need_changed = Signal()

    def __init__(self, axis: TimeAxis, waterfall: Waterfall, reason: ReasonBox) -> None:
        super().__init__()
        self._axis, self._waterfall, self._reason = axis, waterfall, reason
        self._needed = -1
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(axis)
        column.addWidget(waterfall)
        column.addWidget(reason)
        column.addStretch(1)
        waterfall.model().modelReset.connect(self._fit)  # after the waterfall's own: its rows are open by then

    @property
    def row_height(self) -> int:
        """Height of a row, px."""
        return self._waterfall.row_height

    def height_of(self, rows: int) -> int:
        """Return the height with so many rows in sight, px."""
        return self._around() + rows * self._waterfall.row_height

    def height_within(self, room: int) -> int:
        """Return the height that takes the most of `room` that whole rows need, px."""
        rows = max(LEAST_ROWS, (room - self._around()) // self._waterfall.row_height)
        return self.height_of(min(rows, self._waterfall.row_count))

    def _least_height(self) -> int:
        return self.height_of(min(LEAST_ROWS, self._waterfall.row_count))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return done

    def _around(self) -> int:
        box = self._reason
        width = max(1, self.width())
        wanted = box.heightForWidth(width) if box.hasHeightForWidth() else box.sizeHint().height()
        return self._axis.sizeHint().height() + (0 if box.isHidden() else wanted)

    def _fit(self) -> None:
        """Give the waterfall whole rows, and nothing more than it has."""
        self.setMinimumHeight(self._least_height())  # else the fixed height below would be the least
        self._waterfall.setFixedHeight(self.height_within(self.height()) - self._around())
        needed = self.height_of(self._waterfall.row_count)
        if needed != self._needed:
            self._needed = needed
            self.need_changed.emit()
