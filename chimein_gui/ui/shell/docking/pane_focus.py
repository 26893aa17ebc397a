"""Which pane is in use, which are visible, and moving the focus between panes."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QWidget

from chimein_gui.ui.pane import Pane
from chimein_gui.ui.shell.bars.top_bar import TopBar
from chimein_gui.ui.shell.docking.rail import Rail


class PaneFocus(QObject):
    """Follows the focus and updates the rail.

    Attributes:
        last: The pane that has the focus or had it last; empty at first.
    """

    def __init__(self, panes: Mapping[str, Pane], rail: Rail, top_bar: TopBar, parent: QObject) -> None:
        super().__init__(parent)
        self._panes, self._rail, self._top_bar = panes, rail, top_bar
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
        """Focus the top bar, or the next part of a visible pane: chats, messages, composer and every other pane."""
        self.step(1)

    def go_back(self) -> None:
        """Focus what F6 leads to before."""
        self.step(-1)

    def step(self, step: int) -> None:
        """Focus the next part (1) or the previous one (-1) of the window."""
        entries: list[tuple[QWidget, QWidget]] = [(self._top_bar, self._top_bar.search)]
        for pane_id, pane in self._panes.items():
            if self.in_sight(pane_id):
                entries += pane.entries()
        entries = [(part, target) for part, target in entries if target.isVisible() and target.isEnabled()]
        focus: QWidget | None = QApplication.focusWidget()
        parts = [part for part, _ in entries]
        within = [place for place, part in enumerate(parts) if focus and (part is focus or part.isAncestorOf(focus))]
        place = within[-1] if within else (-1 if step > 0 else 0)
        _, target = entries[(place + step) % len(entries)]
        target.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.mark()

    def mark(self) -> None:
        """Show on the rail which panes are in use and visible."""
        self.last = self.here() or self.last
        in_use = (pane_id for pane_id in (self.last, *self._panes) if pane_id and self.in_sight(pane_id))
        active = next(in_use, next(iter(self._panes), ""))  # the last focused pane may be hidden by now
        self._rail.show_state(active, {pane_id for pane_id in self._panes if self.in_sight(pane_id)})
