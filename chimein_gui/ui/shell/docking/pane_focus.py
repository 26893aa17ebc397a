"""Which pane is in use, which are in sight, and the way from one to the next."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QWidget

from chimein_gui.ui.pane import Pane
from chimein_gui.ui.shell.docking.rail import Rail


class PaneFocus(QObject):
    """Follows the focus and marks the rail.

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
        """Return the id of the pane that has the focus; empty when none has."""
        focus: QWidget | None = QApplication.focusWidget()
        return next((pane_id for pane_id, pane in self._panes.items() if focus and pane.isAncestorOf(focus)), "")

    def in_sight(self, pane_id: str) -> bool:
        """Tell whether a pane can be seen: shown, and not behind another tab."""
        pane = self._panes[pane_id]
        return pane.isVisible() and not pane.visibleRegion().isEmpty()

    def enter(self, pane_id: str) -> None:
        """Give a pane the focus; an empty one may have nothing that takes it, and is in use all the same."""
        self.last = pane_id
        self._panes[pane_id].focus_widget().setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.mark()

    def go_on(self) -> None:
        """Go to the next pane in sight."""
        self.step(1)

    def go_back(self) -> None:
        """Go to the previous pane in sight."""
        self.step(-1)

    def step(self, step: int) -> None:
        """Go to the next or previous pane in sight."""
        order = [pane_id for pane_id in self._panes if self.in_sight(pane_id)]
        if order:
            here = self.here()
            place = order.index(here) if here in order else (-1 if step > 0 else 0)
            self.enter(order[(place + step) % len(order)])

    def mark(self) -> None:
        """Show on the rail what is in use and what is open."""
        self.last = self.here() or self.last
        in_use = (pane_id for pane_id in (self.last, *self._panes) if pane_id and self.in_sight(pane_id))
        active = next(in_use, next(iter(self._panes), ""))  # the one that had it last may be put away by now
        self._rail.show_state(active, {pane_id for pane_id in self._panes if self.in_sight(pane_id)})
