"""Which pane is in use, which are visible, and moving the focus between panes."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QWidget

from chimein_gui.ui.pane import Pane
from chimein_gui.ui.shell.docking.rail import Rail


class PaneFocus(QObject):
    """Follows the focus and updates the rail.

    Attributes:
        last: The pane that has the focus or had it last; empty at first.
    """

    def __init__(self, panes: Mapping[str, Pane], rail: Rail, parent: QObject) -> None:
        super().__init__(parent)
        self._panes, self._rail = panes, rail
        self.last = ""
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self.mark)

    def here(self) -> str:
        """Return the id of the pane that has the focus; empty if none has."""
        focus: QWidget | None = QApplication.focusWidget()
        return next((pane_id for pane_id, pane in self._panes.items() if focus and pane.isAncestorOf(focus)), "")

    def in_sight(self, pane_id: str) -> bool:
        """Tell whether a pane is visible: shown, and not behind another tab."""
        pane = self._panes[pane_id]
        return pane.isVisible() and not pane.visibleRegion().isEmpty()

    def enter(self, pane_id: str) -> None:
        """Focus a pane. It counts as in use even if nothing in it can take the focus."""
        self.last = pane_id
        self._panes[pane_id].focus_widget().setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.mark()

    def go_on(self) -> None:
        """Focus the next visible pane."""
        self.step(1)

    def go_back(self) -> None:
        """Focus the previous visible pane."""
        self.step(-1)

    def step(self, step: int) -> None:
        """Focus the next visible pane (1) or the previous one (-1)."""
        order = [pane_id for pane_id in self._panes if self.in_sight(pane_id)]
        if order:
            here = self.here()
            place = order.index(here) if here in order else (-1 if step > 0 else 0)
            self.enter(order[(place + step) % len(order)])

    def mark(self) -> None:
        """Show on the rail which panes are in use and visible."""
        self.last = self.here() or self.last
        in_use = (pane_id for pane_id in (self.last, *self._panes) if pane_id and self.in_sight(pane_id))
        active = next(in_use, next(iter(self._panes), ""))  # the last focused pane may be hidden by now
        self._rail.show_state(active, {pane_id for pane_id in self._panes if self.in_sight(pane_id)})
