"""Maximizes one pane to the whole width: the other panes are hidden, and restored afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QObject, Qt, Signal
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from chimein_gui.ui.pane import Pane
from chimein_gui.ui.shell.docking.layout_memory import LAYOUT_VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

    from chimein_gui.ui.shell.docking.docks import PaneDock

HORIZONTAL = Qt.Orientation.Horizontal


class MaximizeController(QObject):
    """Hides the panes beside a maximized one, and remembers their layout.

    Attributes:
        central: The central pane, which has no dock.
        changed: Another pane is maximized; carries its id, or an empty text if none is.
        taking: A pane is about to be maximized.
    """

    changed = Signal(str)
    taking = Signal()

    def __init__(self, window: QMainWindow, docks: Mapping[str, PaneDock], central_id: str, central: QWidget) -> None:
        super().__init__(window)
        self._window, self._docks, self._central_id, self.central = window, docks, central_id, central
        self._before = QByteArray()
        self._widths: list[tuple[QDockWidget, int]] = []
        self._focus: QWidget | None = None
        self.pane_id = ""

    def toggle(self, pane_id: str) -> None:
        """Maximize a pane, or restore it if it is maximized."""
        same = self.pane_id == pane_id
        self.restore()
        if not same and pane_id:
            self._take(pane_id)

    def make_way_for(self, pane_id: str) -> None:
        """Restore the maximized pane if another one is shown."""
        if pane_id != self.pane_id:
            self.restore()

    def restore(self) -> None:
        """Restore the layout from before."""
        if not self.pane_id:
            return
        maximised, in_use = self._pane(), QApplication.focusWidget()
        main = self._docks[self.pane_id].widget() if self.pane_id in self._docks else None
        self.pane_id = ""
        before, self._before = self._before, QByteArray()
        self.central.show()
        self._window.restoreState(before, LAYOUT_VERSION)
        self._window.resizeDocks([dock for dock, _ in self._widths], [width for _, width in self._widths], HORIZONTAL)
        self._widths = []
        self.changed.emit("")
        if not self._return_focus(maximised, in_use) and isinstance(main, Pane):
            main.focus_widget().setFocus(Qt.FocusReason.OtherFocusReason)  # the focused widget is hidden now

    def forget(self) -> None:
        """End the maximization without restoring the layout: another one is being applied."""
        if self.pane_id:
            self.pane_id, self._before = "", QByteArray()
            self.central.show()
            self.changed.emit("")

    def plain_state(self) -> QByteArray:
        """Return the layout without a maximized pane."""
        return self._before if self.pane_id else self._window.saveState(LAYOUT_VERSION)

    def _take(self, pane_id: str) -> None:
        dock = self._docks.get(pane_id)
        if dock is None and pane_id != self._central_id:
            return
        self.taking.emit()
        self._before = self._window.saveState(LAYOUT_VERSION)
        self._focus = QApplication.focusWidget()
        self.pane_id = pane_id
        # restoreState does not always restore the widths when the central pane was hidden meanwhile.
        docked = (one for one in self._docks.values() if not one.isFloating() and not one.visibleRegion().isEmpty())
        self._widths = [(one, one.width()) for one in docked]
        for other in self._docks.values():
            if other is not dock and not other.isFloating():
                other.hide()
        if dock is not None:
            dock.setFloating(False)
            dock.show()
            self.central.hide()
        self.changed.emit(pane_id)

    def _pane(self) -> QWidget:
        dock = self._docks.get(self.pane_id)
        return dock if dock is not None else self.central

    def _return_focus(self, maximised: QWidget, in_use: QWidget | None) -> bool:
        """Focus the widget of another pane that had the focus before it was hidden, else the one in use now.

        Returns:
            False if that widget is hidden.
        """
        before, self._focus = self._focus, None
        was_elsewhere = before is not None and isValid(before) and not maximised.isAncestorOf(before)
        place = before if was_elsewhere else in_use
        if place is None or not isValid(place) or not place.isVisible():
            return False
        place.setFocus(Qt.FocusReason.OtherFocusReason)
        return True
