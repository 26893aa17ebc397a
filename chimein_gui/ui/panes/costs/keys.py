"""The keys at the foot of the Costs pane: those that do something where the focus is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from chimein_gui.ui.widgets.controls.legend import KeyLegend
from chimein_gui.viewmodels.traces.words import TRACE_KEY

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from chimein_gui.ui.panes.costs.cap_editor import CapEditor
    from chimein_gui.ui.panes.costs.chart import CostChart
    from chimein_gui.ui.panes.costs.prices import PricePage
    from chimein_gui.ui.panes.costs.table import CostTable
    from chimein_gui.ui.widgets.theme.theme import Theme
    from chimein_gui.viewmodels.costs.pane import CostsPaneModel
    from chimein_gui.viewmodels.preferences.single_keys import SingleKeys


class CostKeys(KeyLegend):
    """Follows the focus and the current row; without a key it is hidden, and keeps its room."""

    def __init__(self, theme: Theme, costs: CostsPaneModel, single_keys: SingleKeys, parent: QWidget) -> None:
        super().__init__(theme, (), parent)
        self._costs, self._single_keys = costs, single_keys
        self._parts: tuple[CostChart, CostTable, CapEditor] | None = None
        self._prices: PricePage | None = None
        policy = self.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.setSizePolicy(policy)
        single_keys.changed.connect(self.look)

    def watch(self, chart: CostChart, table: CostTable, editor: CapEditor) -> None:
        """Show the keys of these."""
        self._parts = chart, table, editor
        table.list.selectionModel().currentChanged.connect(self.look)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self.look)

    def watch_prices(self, page: PricePage) -> None:
        """Show the keys of the price list, too."""
        self._prices = page
        page.list.selectionModel().currentChanged.connect(self.look)

    def look(self) -> None:
        """Show the keys that do something now."""
        if self._parts is None:
            return
        chart, table, editor = self._parts
        keys: list[tuple[bool, tuple[str, ...], str]] = []
        line, page = table.current(), self._prices
        if editor.isVisible() and editor.amount.hasFocus():
            keys = [(True, ("↵",), self.tr("set")), (True, ("Esc",), self.tr("close"))]
        elif page is not None and page.list.hasFocus() and page.isVisible():
            keys = [(page.list.can_edit, ("↵",), self.tr("change")), (True, ("Esc",), self.tr("back"))]
        elif chart.hasFocus() and chart.isVisible():
            keys = [(True, ("←", "→"), self.tr("day")), (True, ("↵",), self.tr("table"))]
        elif line is not None and table.list.hasFocus() and table.isVisible():
            letters = self._single_keys.enabled
            has_traces = letters and self._costs.traces_of(line) is not None
            keys = [
                (line.chat_id is not None or line.agent_id is not None, ("↵",), self.tr("open")),
                (has_traces, (TRACE_KEY,), self.tr("traces")),
                (letters and line.cap_key is not None, ("C",), self.tr("change a cap")),
            ]
        shown = tuple((caps, words) for does, caps, words in keys if does)
        self.show_entries(shown)
        self.setVisible(bool(shown))
