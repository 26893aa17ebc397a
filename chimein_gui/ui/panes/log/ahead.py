"""Paints the rows of lines that are shown soon, some in each turn of the loop."""

from __future__ import annotations

from time import thread_time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

if TYPE_CHECKING:
    from PySide6.QtWidgets import QListView

    from chimein_gui.reporting.log_lines import LogLine
    from chimein_gui.ui.panes.log.rows import LogDelegate
    from chimein_gui.viewmodels.log.model import LogModel

SLICE_S = 0.002
"""How long rows are painted in one turn, seconds of the thread."""


class RowsAhead(QObject):
    """While the list follows many lines, all rows in sight are new at each look: painting them at once takes long."""

    def __init__(self, view: QListView, model: LogModel, rows: LogDelegate) -> None:
        super().__init__(view)
        self._view, self._model, self._rows = view, model, rows
        self._lines: list[LogLine] = []
        self._next = QTimer(self)
        self._next.setInterval(0)
        self._next.timeout.connect(self._paint_some)
        model.grown.connect(self.stop)

    def start(self) -> None:
        """Paint the rows that will be in sight at the end of the list, the newest first."""
        model, most = self._model, self._view.viewport().height() // self._rows.row_height() + 1
        self._lines = [line for line in model.new.lines if model.wanted.takes(line, model.agent_of)][-most:]
        if self._lines:
            self._next.start()

    def stop(self) -> None:
        """Leave the others to the list, which shows them now."""
        self._next.stop()
        self._lines.clear()

    def _paint_some(self) -> None:
        ends_at = thread_time() + SLICE_S
        while self._lines:
            self._rows.prepare(self._lines.pop())
            if thread_time() >= ends_at:
                return
        self._next.stop()
