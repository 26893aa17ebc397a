"""What is open after another filter: a trace that the filter takes, or none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from chimein_gui.domain.traces.summaries import TraceId
    from chimein_gui.ui.panes.traces.list import TraceList
    from chimein_gui.viewmodels.traces.list import TraceListModel
    from chimein_gui.viewmodels.traces.open_trace import OpenTrace


class ChosenByFilter(QObject):
    """Keeps the open trace if another filter takes it, else opens the first one of the list.

    What leaves the list by itself, because its state changed, stays open: it may be read just now. So does what was
    opened from elsewhere, whatever the filter is.
    """

    def __init__(self, view: TraceList, rows: TraceListModel, opened: OpenTrace) -> None:
        super().__init__(view)
        self._view, self._rows, self._opened = view, rows, opened
        self._wanted = self._asked = rows.wanted
        self._was_open: TraceId | None = None
        self._sought: TraceId | None = None
        rows.changed.connect(self._look)
        rows.not_placed.connect(self._open_first)

    def _look(self) -> None:
        rows, trace_id = self._rows, self._opened.trace_id
        if rows.wanted == self._wanted:
            return
        if rows.wanted != self._asked:
            self._asked, self._was_open = rows.wanted, trace_id
        if not rows.is_loaded or rows.reading:
            return
        self._wanted, self._sought = rows.wanted, None
        if trace_id != self._was_open:
            return  # it was opened after the filter was chosen
        if not rows.rowCount():
            self._opened.open(None)
        elif trace_id is None:
            self._choose_first()
        elif not self._view.choose(trace_id):
            self._sought = trace_id
            rows.look_for(trace_id)

    def _open_first(self, trace_id: TraceId) -> None:
        """Open the first trace, unless another one was opened meanwhile."""
        if trace_id == self._sought == self._opened.trace_id:
            self._choose_first()
        self._sought = None

    def _choose_first(self) -> None:
        self._view.setCurrentIndex(self._view.model().index(0, 0))
