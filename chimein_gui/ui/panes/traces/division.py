"""Steps above, details below: the steps get the height that the tab in sight does not want."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, Qt, QTimer
from PySide6.QtWidgets import QSizePolicy, QSplitter, QStackedWidget

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QWidget

    from chimein_gui.ui.panes.traces.steps_area import StepsArea

MOST, SHARE = 276, 0.5
"""Of the height that a tab gets while steps are out of sight: so many px, or that part of the whole if it is more."""

CALM_ROWS = 2
"""So many rows that would come into sight are no reason to move the handle while the operator goes through steps."""

_MOVED = b"moved:"
"""Stands before the place of a handle that the operator moved; earlier versions stored every place."""


class TabStack(QStackedWidget):
    """Needs the height of the tab in sight, not that of its highest one."""

    def turn_to(self, place: int) -> bool:
        """Show a tab; returns whether another one was in sight."""
        is_other = place != self.currentIndex()
        if is_other:
            for index in range(self.count()):
                height = QSizePolicy.Policy.Preferred if index == place else QSizePolicy.Policy.Ignored
                tab = self.widget(index)
                if tab is not None:
                    tab.setSizePolicy(QSizePolicy.Policy.Preferred, height)
            self.setCurrentIndex(place)
        return is_other

    def settle(self) -> None:
        """Let what is around the tab in sight know its least height now, not a turn later."""
        for part in (self.currentWidget(), self):
            layout = part.layout() if part is not None else None
            if layout is not None:
                layout.activate()


class Division(QSplitter):
    """Moves its handle with the number of steps and the tab in sight, until the operator moves it.

    Attributes:
        is_moved: The operator moved the handle; it stays where it is.
    """

    def __init__(self, area: StepsArea, below: QWidget, wanted: Callable[[], int], scale: Callable[[], float]) -> None:
        """Put the steps above the details.

        Args:
            area: The steps.
            below: The details.
            wanted: Returns the height in which nothing of the details has to be scrolled, px.
            scale: Returns the size of fonts, 1 for the usual one.
        """
        super().__init__(Qt.Orientation.Vertical)
        self._area, self._below, self._wanted, self._scale = area, below, wanted, scale
        self.is_moved = False
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(0)
        self._again.timeout.connect(self.divide)
        self.setChildrenCollapsible(False)
        self.addWidget(area)
        self.addWidget(below)
        for place in range(2):
            self.setStretchFactor(place, place)
        self.setSizes([330, 340])
        self.splitterMoved.connect(self._take_place)
        area.need_changed.connect(self.divide)

    def _take_place(self, _at: int, _handle: int) -> None:
        self.is_moved = True

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.divide()

    def divide(self, *, is_step: bool = False) -> None:
        """Give the steps the height of their rows as far as the details don't want it.

        Args:
            is_step: The operator went to another step in the same tab: the handle moves only if the details want more,
                or if several rows come into sight.
        """
        whole = self.height() - self.handleWidth()
        if self.is_moved or whole <= 0:
            return
        above, now = self._area.height_within(whole - self.detail_height), self.sizes()[0]
        is_calm = is_step and 0 <= above - now <= CALM_ROWS * self._area.row_height
        if above != now and not is_calm:
            self.setSizes([above, whole - above])
            if not is_step:
                self._again.start()  # texts that wrap may know their height only once they are shown

    @property
    def detail_height(self) -> int:
        """Height that the steps leave the details, px: what these want, or a part if that is much."""
        whole = self.height() - self.handleWidth()
        most = max(round(MOST * self._scale()), int(whole * SHARE))
        wanted = min(self._wanted(), most)
        return max(self._below.minimumSizeHint().height(), wanted)

    def save_layout(self) -> QByteArray:
        """Return where the operator put the handle; empty if nowhere."""
        return QByteArray(_MOVED + self.saveState().data()) if self.is_moved else QByteArray()

    def restore_layout(self, state: QByteArray) -> None:
        """Put the handle where the operator had it."""
        known = bytes(state.data())
        where = QByteArray(known.removeprefix(_MOVED))
        self.is_moved = known.startswith(_MOVED) and self.restoreState(where)
