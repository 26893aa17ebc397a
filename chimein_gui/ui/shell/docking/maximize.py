"""One pane may have the whole width: the others step aside, and come back as they were."""

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
    """Hides what stands beside a pane, and remembers how it stood.

    Attributes:
        central: The pane that no dock holds.
        changed: Another pane has the whole width, or none; carries its id or an empty text.
        taking: A pane is about to get it.
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
        """Give a pane the whole width; the same again gives it back."""
        same = self.pane_id == pane_id
        self.give_back()
        if not same and pane_id:
            self._take(pane_id)

    def make_way_for(self, pane_id: str) -> None:
        """Give the width back if another pane is asked for."""
        if pane_id != self.pane_id:
            self.give_back()

    def give_back(self) -> None:
        """Put everything where it stood."""
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
            main.focus_widget().setFocus(Qt.FocusReason.OtherFocusReason)  # what had it is not shown any more

    def forget(self) -> None:
        """Another layout is taken: nothing is to be given back."""
        if self.pane_id:
            self.pane_id, self._before = "", QByteArray()
            self.central.show()
            self.changed.emit("")

    def plain_state(self) -> QByteArray:
        """Return the layout as it is without this."""
        return self._before if self.pane_id else self._window.saveState(LAYOUT_VERSION)

    def _take(self, pane_id: str) -> None:
        dock = self._docks.get(pane_id)
        if dock is None and pane_id != self._central_id:
            return
        self.taking.emit()
        self._before = self._window.saveState(LAYOUT_VERSION)
        self._focus = QApplication.focusWidget()
        self.pane_id = pane_id
        # A state that was saved while the central pane was there does not always bring back who was how wide.
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
        """Go on where the operator was: in another pane before it stepped aside, else where he is now.

        Returns:
            False if that is out of sight.
        """
        before, self._focus = self._focus, None
        was_elsewhere = before is not None and isValid(before) and not maximised.isAncestorOf(before)
        place = before if was_elsewhere else in_use
        if place is None or not isValid(place) or not place.isVisible():
            return False
        place.setFocus(Qt.FocusReason.OtherFocusReason)
        return True
